//! What `sultan train` can be told.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use sultan_domain::Players;

use super::values::{at_least_one, bot, players};

#[derive(Debug, clap::Args)]
pub(crate) struct TrainArgs {
    /// How many play: 2 to 5
    #[arg(long, value_parser = players(), value_name = "N")]
    pub(crate) players: Players,

    /// What all chance comes from: the same number trains the same nets
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub(crate) seed: u64,

    /// How many threads [default: all cores]
    #[arg(long, value_name = "J", value_parser = at_least_one::<NonZeroUsize>)]
    pub(crate) jobs: Option<NonZeroUsize>,

    #[arg(long, value_name = "BOT", value_parser = bot(), hide_possible_values = true)]
    #[arg(help = crate::bot::with_names("Train against this bot in all other seats"))]
    pub(crate) against: Option<String>,

    /// How many steps [default: what the shipped nets had; with --against, as many as there is time for]
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU32>)]
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
