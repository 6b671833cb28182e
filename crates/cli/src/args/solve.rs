//! What `sultan solve` can be asked.

use std::num::NonZeroU64;

use sultan_domain::Players;

use super::values::{at_least_one, players};

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
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub(crate) iterations: Option<NonZeroU64>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
