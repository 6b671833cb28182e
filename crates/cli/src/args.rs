//! The command line: all commands with their help and examples. The options of each command are in a submodule.

pub(crate) mod analyze;
pub(crate) mod arena;
pub(crate) mod engine;
pub(crate) mod hosting;
pub(crate) mod manual;
pub(crate) mod play;
pub(crate) mod records;
pub(crate) mod serve;
mod settings;
pub(crate) mod solve;
pub(crate) mod train;
mod values;

use clap::error::ErrorKind;
use clap::{Args as _, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use settings::read;

/// Play, study and host the board game Sultan: jewels on cushions, face-down money cards, bluff.
///
/// Without a command, `sultan` is `sultan serve` and takes the same options: `sultan --lan`.
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
    /// Host tables where people and bots play (the default command)
    ///
    /// The word `serve` can be left out: `sultan --lan` is `sultan serve --lan`.
    ///
    /// All data is stored in one SQLite file, or in a Postgres database if --db names one. Every option can also be set
    /// in the environment, or under the same name in a file: `bind = "0.0.0.0:80"`, `lan = true`. The command line
    /// overrides the environment, which overrides the file.
    ///
    /// docs/operations.md explains how to host tables for others: proxies, backups, several nodes.
    #[command(after_help = "Examples:\n  sultan serve\n  sultan serve --lan\n  \
        sultan serve --bind 0.0.0.0:80 --db postgres://sultan@db/sultan --db-password-file password\n  \
        sultan serve --config /etc/sultan/sultan.toml --log debug")]
    Serve(serve::ServeArgs),

    /// Play in this terminal: against bots, with friends on one screen, or at a server's table
    ///
    /// Without a link, the game runs on this computer and is saved; you can resume it later. With a table's link you
    /// take a free seat, or watch if there is none; with a seat's link you play that seat.
    ///
    /// With --players, --people or --bots the game begins at once; without them a form asks for the settings. People
    /// sit first, then the bots named with --bots; default bots fill the remaining seats.
    ///
    /// With --plain everything is text, line by line: for screen readers and pipes. It reads your moves from standard
    /// input: actions such as RYB (the jewels for the cushions, in order) or 12@2 (a card on a cushion), or the number
    /// of an action in the list. At the end of the input the game is saved. Plain mode is automatic when input or
    /// output is not a terminal.
    #[command(after_help = "Examples:\n  sultan play\n  sultan play --bots jeweller,vizier,sultan --screens open\n  \
        sultan play --people 3 --name Ana,Bo,Chen\n  sultan play http://192.168.1.20:8080/t/y20cwaaq261c --name Ana\n  \
        printf 'RYB\\n12@2\\n' | sultan play --plain --new --players 4")]
    Play(play::PlayArgs),

    /// Back up a server's SQLite file, even while it runs
    ///
    /// The copy is a consistent snapshot of everything acknowledged so far. Only you can read it. It gets its final
    /// name once complete and verified, and never overwrites a file. To restore it: stop the server, replace its file
    /// with the copy, start the server.
    ///
    /// For a Postgres database, use `pg_dump`.
    #[command(after_help = "Examples:\n  sultan backup sultan-$(date +%F).db\n  \
        sultan backup /backup/monday.db --db sqlite:/var/lib/sultan/sultan.db")]
    Backup(hosting::BackupArgs),

    /// Move everything from one database into another, and compare every event
    ///
    /// Moves a SQLite file into an empty Postgres database, or the other way, or between two of a kind. No server may
    /// use either of them during the move. All or nothing: the target appears only after everything was read back and
    /// found identical. The source is left untouched; do not run a server on it again.
    #[command(
        after_help = "Examples:\n  sultan migrate-db sqlite:sultan.db postgres://sultan@db/sultan --db-password-file password\n  \
        sultan migrate-db postgres:///sultan sqlite:sultan.db"
    )]
    MigrateDb(hosting::MigrateDbArgs),

    /// Check whether a server and its database respond
    ///
    /// For health checks, for example in containers. Exits with 1 if the server is not ready within 5 seconds.
    #[command(after_help = "Example:\n  sultan health --bind 127.0.0.1:8080")]
    Health(hosting::HealthArgs),

    /// Step through a recorded game, or print it round by round
    ///
    /// On a terminal, the arrow keys step through the game, Home and End jump to its start and end, the space bar plays
    /// and pauses; Tab or 1 to 5 show it from one player's point of view, 0 shows everything, q quits. The game is
    /// printed instead with --print, if standard input or output is not a terminal, or if FILE has several games: the
    /// jewels drawn, offers and bids of each round, the winner of each jewel, and the result. An unfinished game can be
    /// replayed, too. Seats are counted from 0, as in the record.
    #[command(after_help = "Examples:\n  sultan replay game.sultan.json\n  sultan replay game.sultan.json --print\n  \
        sultan replay games.jsonl --json | head -n 1")]
    Replay(records::ReplayArgs),

    /// Check a recorded game: was chance honest, was every action legal?
    ///
    /// Recomputes the commitment, the first seat, the decks and every draw from the seeds in the record, plays all
    /// actions, and lists every mismatch. Seats are counted from 0, as in the record. Exits with 1 if any check fails.
    #[command(after_help = "Example:\n  sultan verify game.sultan.json")]
    Verify(records::VerifyArgs),

    /// Explain a recorded game: chances, mistakes and luck
    ///
    /// Judges every decision by the information that its seat had then: the probability with which the strong bot would
    /// have played each option, the value of each option, and the loss by the option chosen. Shows all players' winning
    /// chances over the game, their accuracy, the decisions that cost most, and the parts of each result that came from
    /// the luck of the deal, other players' choices, and the player's own decisions. The same record and seed give the
    /// same numbers; docs/analysis.md explains them.
    #[command(after_help = "Examples:\n  sultan analyze game.sultan.json\n  \
        sultan analyze game.sultan.json --html game.html --svg game.svg\n  sultan analyze games.jsonl --json --jobs 2")]
    Analyze(analyze::AnalyzeArgs),

    /// Count the points of a collection of jewels
    ///
    /// A collection is a list of colours (W white, R red, Y yellow, G green, B blue), each with its number of jewels:
    /// W3R5B1 is three white, five red and one blue jewel. The bonus depends on the number of players.
    #[command(after_help = "Example:\n  sultan score --players 4 W3R5B1")]
    Score(records::ScoreArgs),

    /// Let bots play against each other
    ///
    /// Prints each bot's wins, ratings with 95 % intervals, decision times, and a cross table. The same seed gives the
    /// same games, for any number of threads; a time limit (--millis) may change the bots' decisions. The bots of
    /// --bots sit in the given order, seat 0 first; with --pool every deal seats some of them.
    #[command(after_help = "Examples:\n  \
        sultan arena --players 4 --bots sultan,jeweller,jeweller,jeweller --games 200 --rotate\n  \
        sultan arena --players 2 --bots vizier,jeweller --games 500 --rotate --records games.jsonl\n  \
        sultan arena --players 4 --pool page,jeweller,vizier,sultan --games 300 --rotate --svg ladder.svg")]
    Arena(arena::ArenaArgs),

    /// Run a bot that reads positions from standard input and writes moves to standard output
    ///
    /// Each input line is a JSON object: a view, and the finished rounds of the game as far as they are known. Each is
    /// answered at once and in order with one line: the action, and for each legal action the probability with which
    /// the bot plays it and its estimated chance to win. An invalid line is answered with an error. Ends at the end of
    /// the input.
    ///
    /// The same position gets the same answer, independent of earlier lines, unless the time limit stops the bot.
    /// docs/formats.md has the details.
    #[command(after_help = "Examples:\n  sultan engine --bot random < questions.jsonl > answers.jsonl\n\n  \
                            in:  {\"id\":1,\"view\":{\"format\":\"sultan-view\",…},\"history\":[{\"stage\":1,\"round\":1,…},…]}\n  \
                            out: {\"id\":1,\"action\":\"12@2\",\"values\":[{\"action\":\"12@2\",\"share\":0.41,\"win\":0.38},…]}\n  \
                            or:  {\"id\":1,\"error\":\"the game is over\"}")]
    Engine(engine::EngineArgs),

    /// Solve a toy game of two players exactly
    ///
    /// Builds the whole tree of a game that is smaller than the published one and fits into memory, and finds with CFR+
    /// a mixed strategy for both seats that no reply beats by much. Seat 0 is the first player; every round draws one
    /// jewel more than there are cushions; each player plays 2 cards a round; cards that are not needed stay hidden. A
    /// win counts +1, a loss -1, a draw 0.
    #[command(
        after_help = "Example:\n  sultan solve --players 2 --cards 3 --copies 1 --stages 1 --rounds 1 --cushions 2 --pouch 2,1,0,0,0"
    )]
    Solve(solve::SolveArgs),

    /// Train the nets of vizier and sultan, by self-play or to beat one bot
    ///
    /// Without --against, new nets learn by playing against themselves: the same seed trains the same nets, bit for
    /// bit, for any number of threads; the shipped nets were trained like this with the defaults. With --against, the
    /// shipped nets learn to beat a fixed bot: their success measures how exploitable that bot is. To play with the
    /// trained nets, name the bot vizier@FILE or sultan@FILE.
    #[command(after_help = "Examples:\n  sultan train --players 4 --out four.nets\n  \
                            sultan train --players 2 --against sultan --minutes 10 --out reply.nets\n  \
                            sultan arena --players 2 --bots vizier@reply.nets,sultan --games 500 --rotate")]
    Train(train::TrainArgs),

    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  sultan completions bash > ~/.local/share/bash-completion/completions/sultan")]
    Completions {
        /// The shell
        shell: Shell,
    },

    /// Print the manual page of the program or of a command, or write all pages into a folder
    #[command(after_help = "Examples:\n  sultan man | man -l -\n  sultan man serve | man -l -\n  \
                            sultan man --dir ~/.local/share/man/man1    # then: man sultan-serve")]
    Man(manual::ManArgs),
}

/// The command line for completion scripts: after `sultan`, they also offer the options of the default command.
pub(crate) fn with_options_of_serve() -> clap::Command {
    serve::ServeArgs::augment_args(Args::command())
}

/// Reports an invalid combination of options with the usage of the command, and exits.
pub(crate) fn wrong_usage(command: &str, kind: ErrorKind, message: &str) -> ! {
    let mut program = Args::command();
    // This gives the command its full name, `sultan COMMAND`, for the usage.
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
