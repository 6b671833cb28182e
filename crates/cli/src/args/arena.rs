//! Options of `sultan arena`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::ArgGroup;
use sultan_domain::Players;

use super::values::{at_least_one, bot, players};

/// Help text of `--bots`.
const BOTS: &str = "One bot per seat, separated by commas. NAME@FILE plays with the nets in a file, NAME/MILLIS has a \
    time limit for each decision, NAME@FILE/MILLIS has both. A number after the last / is always a time limit: \
    sultan@nets/2 plays with the file nets and a limit of 2 milliseconds";

#[derive(Debug, clap::Args)]
#[command(group(ArgGroup::new("who").required(true)))]
pub(crate) struct ArenaArgs {
    /// Number of players: 2 to 5
    #[arg(long, value_parser = players(), value_name = "N")]
    pub(crate) players: Players,

    #[arg(long, group = "who", value_delimiter = ',', value_name = "A,B,…")]
    #[arg(value_parser = bot(), hide_possible_values = true, help = crate::bot::with_names(BOTS))]
    pub(crate) bots: Vec<String>,

    /// Bots to draw the players from, instead of --bots, each named once: every deal seats some of them, all equally
    /// often, depending on the seed. With fewer bots than players, a bot takes several seats
    #[arg(long, group = "who", value_delimiter = ',', value_name = "A,B,…")]
    #[arg(value_parser = bot(), hide_possible_values = true)]
    pub(crate) pool: Vec<String>,

    /// Number of deals to play
    #[arg(long, default_value = "100", value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub(crate) games: NonZeroU64,

    /// Random seed: the same seed gives the same games
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub(crate) seed: u64,

    /// Time limit for one decision, in milliseconds [default: none; bots do a fixed amount of work]
    #[arg(long, value_name = "M")]
    pub(crate) millis: Option<u64>,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "J", value_parser = at_least_one::<NonZeroUsize>)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Play each deal once per rotation of the bots over the seats: cards, jewels and first seat stay, and the bots
    /// move one seat to the left each time
    #[arg(long)]
    pub(crate) rotate: bool,

    /// Write the record of every game to this file, one per line
    #[arg(long, value_name = "FILE")]
    pub(crate) records: Option<PathBuf>,

    /// Write a chart of ratings and games won to this SVG file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Print the results as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
