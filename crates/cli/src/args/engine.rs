//! What `sultan engine` can be told.

use clap::builder::PossibleValuesParser;

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
