//! The command line: every command, every option, every help text.

mod analyze;

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::builder::{FalseyValueParser, PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Parser, Subcommand};
use clap_complete::Shell;
use sultan_domain::{PlayerColour, Players};

pub(crate) use analyze::AnalyzeArgs;

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
    /// in the environment.
    #[command(after_help = "Examples:\n  sultan serve\n  sultan serve --lan\n  \
        sultan serve --bind 0.0.0.0:80 --db postgres://sultan@db/sultan --metrics-bind 127.0.0.1:9090")]
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

    /// Step through a recorded game, or tell it round by round
    ///
    /// On a terminal, the arrow keys step through the game, Home and End go to its ends, the space bar plays and pauses;
    /// Tab or 1 to 5 show it with a player's eyes, 0 shows everything, q ends. With --print, where standard input or output
    /// is no terminal, and where FILE has several games, everything is printed: what was drawn, offered and bid in each
    /// round, who took which jewel, and how the game ended. The record need not go to the end of the game.
    #[command(after_help = "Examples:\n  sultan replay game.sultan.json\n  sultan replay game.sultan.json --print\n  \
        sultan replay games.jsonl --json | head -n 1")]
    Replay(ReplayArgs),

    /// Check a recorded game: was chance honest, was every action legal?
    ///
    /// Recomputes the commitment, the first seat, the decks and every draw from the seeds in the record, plays all
    /// actions, and says what does not hold. Exits with 1 if anything does not.
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
        sultan arena --players 4 --pool page,merchant,jeweller,vizier,sultan --games 300 --rotate --svg ladder.svg")]
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
}

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
pub(crate) struct ServeArgs {
    /// Where to listen [default: 127.0.0.1:8080, or the next free port]
    #[arg(long, env = "SULTAN_BIND", value_name = "ADDR:PORT")]
    pub(crate) bind: Option<SocketAddr>,

    /// Where everything is kept: sqlite:FILE or postgres://… [default: sultan.db in your data directory]
    #[arg(long, env = "SULTAN_DB", value_name = "PLACE", hide_env_values = true)]
    pub(crate) db: Option<String>,

    /// Listen on all interfaces, and show the link for other devices, also as a QR code
    #[arg(long, env = "SULTAN_LAN", value_parser = FalseyValueParser::new(), conflicts_with = "bind")]
    pub(crate) lan: bool,

    /// Do not open a browser (none is opened anyway without a terminal and a screen, or as a service)
    #[arg(long, env = "SULTAN_NO_OPEN", value_parser = FalseyValueParser::new())]
    pub(crate) no_open: bool,

    /// Answer as many requests and connections as come from one address or with one token
    #[arg(long, env = "SULTAN_NO_RATE_LIMIT", value_parser = FalseyValueParser::new())]
    pub(crate) no_rate_limit: bool,

    /// How long bots pause before they act, on average, in milliseconds
    #[arg(long, env = "SULTAN_BOT_PAUSE_MS", value_name = "N", default_value_t = 900, value_parser = clap::value_parser!(u32).range(..=600_000))]
    pub(crate) bot_pause_ms: u32,

    /// Answer /metrics for Prometheus there; keep it where only you can reach it
    #[arg(long, env = "SULTAN_METRICS_BIND", value_name = "ADDR:PORT")]
    pub(crate) metrics_bind: Option<SocketAddr>,

    /// Believe X-Forwarded-For and X-Forwarded-Proto: only behind a proxy that sets them
    #[arg(long, env = "SULTAN_TRUST_PROXY", value_parser = FalseyValueParser::new())]
    pub(crate) trust_proxy: bool,

    /// How many tables may be open at once: waiting for players, or in play
    #[arg(long, env = "SULTAN_MAX_TABLES", value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_tables: u32,

    /// Forget tables, with the names of those who played there, that have not changed for so many days [default: never]
    #[arg(long, env = "SULTAN_FORGET_AFTER_DAYS", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub(crate) forget_after_days: Option<u32>,

    /// How the log on standard error is written; `SULTAN_LOG` says how much (as in `SULTAN_LOG=debug`)
    #[arg(long, env = "SULTAN_LOG_FORMAT", value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub(crate) log_format: LogFormat,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum LogFormat {
    /// For people
    Text,
    /// For programs, one object a line
    Json,
}

#[derive(Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// A table's link, or a seat's: http://HOST:PORT/t/TABLE or http://HOST:PORT/t/TABLE/in/TOKEN
    #[arg(value_name = "LINK", conflicts_with_all = ["players", "people", "bots", "screens", "first", "new"])]
    pub(crate) link: Option<sultan_tui::Address>,

    /// How many play: 2 to 5 [default: 4, or as many as are named]
    #[arg(long, value_parser = players(), value_name = "N")]
    pub(crate) players: Option<Players>,

    /// How many people share this screen, with a curtain between them [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5))]
    pub(crate) people: Option<u8>,

    /// The bots to play with, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "A,B,…", value_parser = PossibleValuesParser::new(sultan_bots::NAMES))]
    pub(crate) bots: Vec<String>,

    /// Whether won jewels are hidden behind the screens
    #[arg(long, value_name = "HOW", value_enum, default_value_t = ScreensArg::Closed)]
    pub(crate) screens: ScreensArg,

    /// The seat of the first player, from 1 [default: chance decides]
    #[arg(long, value_name = "SEAT", value_parser = clap::value_parser!(u8).range(1..=5))]
    pub(crate) first: Option<u8>,

    /// Your name; several names for several people, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    pub(crate) name: Vec<String>,

    /// Your colour [default: the first that is free]
    #[arg(long, value_name = "COLOUR", value_parser = colour)]
    pub(crate) colour: Option<PlayerColour>,

    /// Begin a new game, whatever is unfinished
    #[arg(long)]
    pub(crate) new: bool,

    /// Line by line, without colours and without moving the cursor
    #[arg(long)]
    pub(crate) plain: bool,

    /// The language: en, de, fr, nl or hu [default: that of the environment (LANG)]
    #[arg(long, value_name = "LANG")]
    pub(crate) lang: Option<sultan_text::Lang>,

    /// How long bots pause before they act, on average, in milliseconds [default: 900, or 0 with --plain]
    #[arg(long, env = "SULTAN_BOT_PAUSE_MS", value_name = "N", value_parser = clap::value_parser!(u32).range(..=600_000))]
    pub(crate) bot_pause_ms: Option<u32>,
}

/// Whether won jewels are hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ScreensArg {
    /// Behind the screens, as published
    Closed,
    /// In sight of all
    Open,
}

/// A player's colour by its English name.
fn colour(text: &str) -> Result<PlayerColour, String> {
    serde_json::from_value(text.to_lowercase().into()).map_err(|_| "violet, gold, green, red or blue".to_owned())
}

#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    /// A record, or several, one a line; - is standard input
    pub(crate) file: PathBuf,

    /// Print each game as one line of JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print the game, also on a terminal
    #[arg(long, conflicts_with = "json")]
    pub(crate) print: bool,

    /// The language of the screens: en, de, fr, nl or hu [default: that of the environment]
    #[arg(long, value_name = "L")]
    pub(crate) lang: Option<sultan_text::Lang>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// A record, or several, one a line; - is standard input
    pub(crate) file: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScoreArgs {
    /// How many play: 2 to 5
    #[arg(long, value_parser = players(), value_name = "N")]
    pub(crate) players: Players,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// The jewels, such as W3R5B1
    #[arg(value_name = "JEWELS")]
    pub(crate) jewels: String,
}

#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("who").required(true)))]
pub(crate) struct ArenaArgs {
    /// How many play: 2 to 5
    #[arg(long, value_parser = players(), value_name = "N")]
    pub(crate) players: Players,

    /// One bot per seat, separated by commas; NAME@FILE plays with nets from a file, NAME/MILLIS
    /// and NAME@FILE/MILLIS have a time limit of their own. A number after the last / is always a limit: sultan@nets/2 has
    /// the nets of the file nets and 2 milliseconds
    #[arg(long, group = "who", value_delimiter = ',', value_name = "A,B,…")]
    #[arg(value_parser = crate::bot::name)]
    pub(crate) bots: Vec<String>,

    /// Instead of --bots, any number of bots, each named once: every deal seats some of them, drawn from the seed, all
    /// equally often. Where they are fewer than the players, they sit down more than once
    #[arg(long, group = "who", value_delimiter = ',', value_name = "A,B,…")]
    #[arg(value_parser = crate::bot::name)]
    pub(crate) pool: Vec<String>,

    /// How many deals are played
    #[arg(long, default_value = "100", value_name = "N")]
    pub(crate) games: NonZeroU64,

    /// What all chance comes from: the same number gives the same games
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub(crate) seed: u64,

    /// Longest time for one decision, in milliseconds [default: none, a fixed amount of work instead]
    #[arg(long, value_name = "M")]
    pub(crate) millis: Option<u64>,

    /// How many threads [default: all cores]
    #[arg(long, value_name = "J")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Play each deal once per rotation of the bots over the seats: cards, jewels and first seat stay, and the bots
    /// move on, one seat to the left each time
    #[arg(long)]
    pub(crate) rotate: bool,

    /// Write the record of every game to this file, one a line
    #[arg(long, value_name = "FILE")]
    pub(crate) records: Option<PathBuf>,

    /// Draw ratings and games won to this file, as an SVG picture
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Print the results as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct EngineArgs {
    /// The bot
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(sultan_bots::NAMES))]
    pub(crate) bot: String,

    /// Longest time from a line read to its answer, in milliseconds
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) millis: u64,

    /// What all chance comes from: the same number gives the same answers
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub(crate) seed: u64,
}

#[derive(Debug, clap::Args)]
pub(crate) struct SolveArgs {
    /// How many play; only games of 2 can be solved
    #[arg(long, value_parser = players(), value_name = "N", default_value = "2")]
    pub(crate) players: Players,

    /// The highest card; sets begin at 1
    #[arg(long, value_name = "K")]
    pub(crate) cards: u8,

    /// How many sets each player has: 1 or 2
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) copies: u8,

    /// How many stages
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) stages: u8,

    /// How many rounds in a stage
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) rounds: u8,

    /// How many cushions: 2 or 3
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) cushions: u8,

    /// What is in the pouch: white, red, yellow, green and blue jewels
    #[arg(long, value_name = "W,R,Y,G,B", value_delimiter = ',', num_args = 1, required = true)]
    pub(crate) pouch: Vec<u8>,

    /// Iterations of CFR+ [default: until a best reply gains less than 0.0001]
    #[arg(long, value_name = "N")]
    pub(crate) iterations: Option<NonZeroU64>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct TrainArgs {
    /// How many play: 2 to 5
    #[arg(long, value_parser = players(), value_name = "N")]
    pub(crate) players: Players,

    /// What all chance comes from: the same number trains the same nets
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub(crate) seed: u64,

    /// How many threads [default: all cores]
    #[arg(long, value_name = "J")]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Learn to beat this bot, which has all other seats
    #[arg(long, value_name = "BOT", value_parser = crate::bot::name)]
    pub(crate) against: Option<String>,

    /// How many steps [default: what the shipped nets had; with --against, as many as there is time for]
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<NonZeroU32>,

    /// Longest time, in minutes; what is cut short depends on the machine [default: none; with --against and without --steps,
    /// 10]
    #[arg(long, value_name = "M", value_parser = minutes)]
    pub(crate) minutes: Option<f64>,

    /// Where the nets are written
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// More than no time, and less than would never end.
fn minutes(text: &str) -> Result<f64, String> {
    let minutes: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if minutes > 0.0 && minutes <= 1e6 { Ok(minutes) } else { Err("more than 0, at most a million".into()) }
}

fn players() -> impl TypedValueParser<Value = Players> {
    clap::value_parser!(u8).range(2..=5).try_map(|count| Players::new(count).ok_or("2 to 5 players"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }
}
