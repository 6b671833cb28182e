//! Options of `sultan engine`.

use clap::builder::PossibleValuesParser;

#[derive(Debug, clap::Args)]
pub(crate) struct EngineArgs {
    /// Bot that chooses the actions
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(sultan_bots::NAMES))]
    pub(crate) bot: String,

    /// Time limit from reading a line to its answer, in milliseconds
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) millis: u64,

    /// Random seed: the same seed gives the same answers
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub(crate) seed: u64,
}
