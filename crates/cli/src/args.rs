//! The command line: every command, what it is for, and an example. Its options are in a file of their own.

mod analyze;
mod arena;
mod engine;
mod hosting;
mod manual;
mod play;
mod records;
mod serve;
mod settings;
mod solve;
mod train;
mod values;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use analyze::AnalyzeArgs;
pub(crate) use arena::ArenaArgs;
pub(crate) use engine::EngineArgs;
pub(crate) use hosting::{BackupArgs, DbArgs, HealthArgs, MigrateDbArgs};
pub(crate) use manual::ManArgs;
pub(crate) use play::{PlayArgs, ScreensArg};
pub(crate) use records::{ReplayArgs, ScoreArgs, VerifyArgs};
pub(crate) use serve::{LogFormat, ServeArgs};
pub(crate) use settings::read;
pub(crate) use solve::SolveArgs;
pub(crate) use train::TrainArgs;

/// Play, study and host the board game Sultan: jewels on cushions, face-down money cards, bluff.
#[derive(Debug, Parser)]
#[command(name = "sultan", version, max_term_width = 100)]
#[command(after_help = "Sultan was designed by André Zatz and Sergio Halaban and published by Queen Games (2009).\n\
                        This is an unofficial implementation; no art or text of theirs is used.")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Host tables where people and bots play (what `sultan` alone does)
    ///
    /// Everything is kept in one SQLite file, or in a Postgres database where one is named. Every option can also be set
    /// in the environment, or in a file by the same name: `bind = "0.0.0.0:80"`, `lan = true`. What is set in more than
    /// one place counts as on the command line first, then as in the environment, then as in the file.
    ///
    /// docs/operations.md tells how to host tables for others: proxies, backups, several nodes.
    #[command(after_help = "Examples:\n  sultan serve\n  sultan serve --lan\n  \
        sultan serve --bind 0.0.0.0:80 --db postgres://sultan@db/sultan --db-password-file password\n  \
        sultan serve --config /etc/sultan/sultan.toml --log debug")]
    Serve(ServeArgs),

    /// Play in this terminal: against bots, with friends at one screen, or at a server's table
    ///
    /// Without a link, a game is opened here, and goes on where you left it the next time you play. With the link of a table
    /// you take a free seat there, or your own with the link of a seat, or watch.
    ///
    /// With --players, --people or --bots the game begins at once; without them there is a form. People sit first, then
    /// the bots named, then bots of a middling level where seats are left.
    ///
    /// With --plain everything is text, line by line: for screen readers and pipes. It answers to what it is told on
    /// standard input: actions such as RYB (the jewels for the cushions, in order) or 12@2 (a card on a cushion), or the
    /// number of an action in the list; at the end of the input the game is kept. Where standard input or output is no
    /// terminal, it is plain in any case.
    #[command(after_help = "Examples:\n  sultan play\n  sultan play --bots jeweller,vizier,sultan --screens open\n  \
        sultan play --people 3 --name Ana,Bo,Chen\n  sultan play http://192.168.1.20:8080/t/y20cwaaq261c --name Ana\n  \
        printf 'RYB\\n12@2\\n' | sultan play --plain --new --players 4")]
    Play(PlayArgs),

    /// Copy the SQLite file of a server, which may go on meanwhile
    ///
    /// The copy is the file as it was at one moment: all that was answered before is in it. It can be read by you only,
    /// comes to its name when it is whole and was checked, and never replaces anything. To restore it: stop the server,
    /// put the copy in the place of its file, start it.
    ///
    /// A Postgres database has its own program for that, `pg_dump`.
    #[command(after_help = "Examples:\n  sultan backup sultan-$(date +%F).db\n  \
        sultan backup /backup/monday.db --db sqlite:/var/lib/sultan/sultan.db")]
    Backup(BackupArgs),

    /// Move everything from one database into another, and compare every event
    ///
    /// From a SQLite file into an empty Postgres database, or the other way, or between two of a kind. No server may use
    /// either meanwhile. The target has everything or nothing: it is shown when every event of every table, and all the
    /// rest, was read back and found the same. What was moved stays where it was, too: do not serve from it any more.
    #[command(
        after_help = "Examples:\n  sultan migrate-db sqlite:sultan.db postgres://sultan@db/sultan --db-password-file password\n  \
        sultan migrate-db postgres:///sultan sqlite:sultan.db"
    )]
    MigrateDb(MigrateDbArgs),

    /// Ask a server whether it and its database answer
    ///
    /// For those who watch over it, such as containers. Exits with 1 if it does not within 5 seconds.
    #[command(after_help = "Example:\n  sultan health --bind 127.0.0.1:8080")]
    Health(HealthArgs),

    /// Step through a recorded game, or tell it round by round
    ///
    /// On a terminal, the arrow keys step through the game, Home and End go to its ends, the space bar plays and pauses;
    /// Tab or 1 to 5 show it with a player's eyes, 0 shows everything, q ends. With --print, where standard input or output
    /// is no terminal, and where FILE has several games, everything is printed: what was drawn, offered and bid in each
    /// round, who took which jewel, and how the game ended. The record need not go to the end of the game. Seats are counted
    /// from 0, as in the record.
    #[command(after_help = "Examples:\n  sultan replay game.sultan.json\n  sultan replay game.sultan.json --print\n  \
        sultan replay games.jsonl --json | head -n 1")]
    Replay(ReplayArgs),

    /// Check a recorded game: was chance honest, was every action legal?
    ///
    /// Recomputes the commitment, the first seat, the decks and every draw from the seeds in the record, plays all
    /// actions, and says what does not hold. Seats are counted from 0, as in the record. Exits with 1 if anything does not hold.
    #[command(after_help = "Example:\n  sultan verify game.sultan.json")]
    Verify(VerifyArgs),

    /// Say what happened in a recorded game, and why
    ///
    /// Judges every decision by what its seat could know then: how often the strong bot would have played each option, what each
    /// would have been worth, and what was given away. Tells everybody's winning chances over the game, how accurately
    /// everybody played, the decisions that cost most, and how much of each result was luck of the deal, luck of the
    /// others' choices, and own doing. The same record and seed give the same numbers; docs/analysis.md explains them.
    #[command(after_help = "Examples:\n  sultan analyze game.sultan.json\n  \
        sultan analyze game.sultan.json --html game.html --svg game.svg\n  sultan analyze games.jsonl --json --jobs 2")]
    Analyze(AnalyzeArgs),

    /// Count the points of a collection of jewels
    ///
    /// A collection is a letter for each colour (W white, R red, Y yellow, G green, B blue) and how many: W3R5B1 is
    /// three white, five red and one blue jewel. The bonus depends on the number of players.
    #[command(after_help = "Example:\n  sultan score --players 4 W3R5B1")]
    Score(ScoreArgs),

    /// Let bots play against each other
    ///
    /// Prints what each bot won, ratings with 95 % intervals, how long decisions took, and who beat whom. The same seed
    /// gives the same games, whatever the number of threads; a time limit (--millis) may change what bots find in time.
    /// With --bots they sit in the order in which they are named, seat 0 first; with --pool every deal seats some of them.
    #[command(after_help = "Examples:\n  \
        sultan arena --players 4 --bots sultan,jeweller,jeweller,jeweller --games 200 --rotate\n  \
        sultan arena --players 2 --bots vizier,jeweller --games 500 --rotate --records games.jsonl\n  \
        sultan arena --players 4 --pool page,jeweller,vizier,sultan --games 300 --rotate --svg ladder.svg")]
    Arena(ArenaArgs),

    /// Put a bot behind standard input and output
    ///
    /// Reads questions, one JSON object a line: a view, and the finished rounds of the game as far as they are known. Answers
    /// each with one line, in order and at once: the action, and how often the bot means to play each legal action and
    /// what it thinks of it. A line that is no question is answered with an error. Ends at the end of the input.
    ///
    /// The same question gets the same answer, whatever was asked before, unless time runs out. docs/formats.md has the
    /// details.
    #[command(after_help = "Examples:\n  sultan engine --bot random < questions.jsonl > answers.jsonl\n\n  \
                            in:  {\"id\":1,\"view\":{\"format\":\"sultan-view\",…},\"history\":[{\"stage\":1,\"round\":1,…},…]}\n  \
                            out: {\"id\":1,\"action\":\"12@2\",\"values\":[{\"action\":\"12@2\",\"share\":0.41,\"win\":0.38},…]}\n  \
                            or:  {\"id\":1,\"error\":\"the game is over\"}")]
    Engine(EngineArgs),

    /// Solve a toy game of two players exactly
    ///
    /// Builds the whole tree of a game with other numbers than the published one, small enough to fit into memory, and
    /// finds with CFR+ a mixed strategy for both seats that no reply beats by much. Seat 0 is the first player; one more
    /// jewel is drawn than there are cushions; each player needs 2 cards a round; cards that no stage needs stay unseen.
    /// A win counts +1, a loss -1, a draw 0.
    #[command(
        after_help = "Example:\n  sultan solve --players 2 --cards 3 --copies 1 --stages 1 --rounds 1 --cushions 2 --pouch 2,1,0,0,0"
    )]
    Solve(SolveArgs),

    /// Train the nets of vizier and sultan, by self-play or to beat one bot
    ///
    /// Without --against, new nets learn by playing against themselves: the same seed trains the same nets, bit for bit,
    /// whatever the number of threads; the shipped ones were made so with the defaults. With --against, the shipped nets
    /// learn to beat a fixed bot: how far they get says how much that bot gives away. Nets are played with as vizier@FILE
    /// or sultan@FILE.
    #[command(after_help = "Examples:\n  sultan train --players 4 --out four.nets\n  \
                            sultan train --players 2 --against sultan --minutes 10 --out reply.nets\n  \
                            sultan arena --players 2 --bots vizier@reply.nets,sultan --games 500 --rotate")]
    Train(TrainArgs),

    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  sultan completions bash > ~/.local/share/bash-completion/completions/sultan")]
    Completions {
        /// The shell
        shell: Shell,
    },

    /// Print the manual page of the program or of a command, or write all pages into a folder
    #[command(after_help = "Examples:\n  sultan man | man -l -\n  sultan man serve | man -l -\n  \
                            sultan man --dir ~/.local/share/man/man1    # then: man sultan-serve")]
    Man(ManArgs),
}

/// Says what is wrong with a command line that is right option by option, with the command's own usage, and ends the program.
pub(crate) fn wrong_usage(command: &str, kind: ErrorKind, message: &str) -> ! {
    let mut program = Args::command();
    program.build();
    program.find_subcommand_mut(command).expect("a command names itself").error(kind, message).exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }
}
