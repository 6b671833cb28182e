//! Options of `sultan analyze`.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use sultan_analysis::Plan;
use sultan_text::Lang;

use super::values::{at_least_one, lang};

#[derive(Debug, clap::Args)]
pub(crate) struct AnalyzeArgs {
    /// File with the record of a game, or of several, one per line; - is standard input
    ///
    /// A finished table offers its record for download; `sultan arena --records` writes records, too.
    pub(crate) file: PathBuf,

    /// Print each analysis as one line of JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Write a chart of all players' winning chances to this SVG file; with several records, that of the last one
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Write the analysis to this HTML file; with several records, that of the last one
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Random seed: the same seed gives the same analysis
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub(crate) seed: u64,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "J", value_parser = at_least_one::<NonZeroUsize>)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Number of playouts from each position, for the winning chances
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU32>)]
    #[arg(default_value_t = NonZeroU32::new(Plan::PLAYOUTS).expect("at least 1"))]
    pub(crate) playouts: NonZeroU32,

    /// Language of the output
    #[arg(long, value_name = "L", default_value = "en", value_parser = lang())]
    pub(crate) lang: Lang,

    /// Analyse an unfinished game, as far as the record goes
    #[arg(long)]
    pub(crate) unfinished: bool,
}
