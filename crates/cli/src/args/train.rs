//! Options of `sultan train`.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use sultan_domain::Players;

use super::values::{at_least_one, bot, players};

#[derive(Debug, clap::Args)]
pub(crate) struct TrainArgs {
    /// Number of players: 2 to 5
    #[arg(long, value_parser = players(), value_name = "N")]
    pub(crate) players: Players,

    /// Random seed: the same seed trains the same nets
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub(crate) seed: u64,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "J", value_parser = at_least_one::<NonZeroUsize>)]
    pub(crate) jobs: Option<NonZeroUsize>,

    #[arg(long, value_name = "BOT", value_parser = bot(), hide_possible_values = true)]
    #[arg(help = crate::bot::with_names("Train against this bot in all other seats"))]
    pub(crate) against: Option<String>,

    /// Number of training steps [default: as for the shipped nets; with --against, until the time limit]
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU32>)]
    pub(crate) steps: Option<NonZeroU32>,

    /// Time limit, in minutes; a run stopped by this limit is not reproducible [default: none; with --against and
    /// without --steps, 10]
    #[arg(long, value_name = "M", value_parser = minutes)]
    pub(crate) minutes: Option<f64>,

    /// File for the trained nets
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
}

/// Parses a time limit of more than 0 and at most a million minutes.
fn minutes(text: &str) -> Result<f64, String> {
    let minutes: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    if minutes > 0.0 && minutes <= 1e6 { Ok(minutes) } else { Err("more than 0, at most a million".into()) }
}
