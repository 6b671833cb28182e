//! Options of `sultan solve`.

use std::num::NonZeroU64;

use sultan_domain::Players;

use super::values::{at_least_one, players};

#[derive(Debug, clap::Args)]
pub(crate) struct SolveArgs {
    /// Number of players; only games of 2 can be solved
    #[arg(long, value_parser = players(), value_name = "N", default_value = "2")]
    pub(crate) players: Players,

    /// Highest card; each set has the cards 1 to K
    #[arg(long, value_name = "K")]
    pub(crate) cards: u8,

    /// Number of sets of cards of each player: 1 or 2
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) copies: u8,

    /// Number of stages
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) stages: u8,

    /// Number of rounds in a stage
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) rounds: u8,

    /// Number of cushions: 2 or 3
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) cushions: u8,

    /// Numbers of white, red, yellow, green and blue jewels in the pouch
    #[arg(long, value_name = "W,R,Y,G,B", value_delimiter = ',', num_args = 1, required = true)]
    pub(crate) pouch: Vec<u8>,

    /// Iterations of CFR+ [default: until a best reply gains less than 0.0001]
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU64>)]
    pub(crate) iterations: Option<NonZeroU64>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
