//! What `sultan analyze` can be asked.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use sultan_analysis::Plan;
use sultan_text::Lang;

use super::values::{at_least_one, lang};

#[derive(Debug, clap::Args)]
pub(crate) struct AnalyzeArgs {
    /// A record, or several, one a line; - is standard input
    pub(crate) file: PathBuf,

    /// Print each analysis as one line of JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Draw everybody's winning chances to this file, as an SVG picture; with several records the last one's
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Write everything to this file, as a page for browsers; with several records the last one's
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// What all chance comes from: the same number gives the same analysis
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub(crate) seed: u64,

    /// How many threads [default: all cores]
    #[arg(long, value_name = "J", value_parser = at_least_one::<NonZeroUsize>)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// How often the game is played on from each moment, for the winning chances
    #[arg(long, value_name = "N", value_parser = at_least_one::<NonZeroU32>)]
    #[arg(default_value_t = NonZeroU32::new(Plan::PLAYOUTS).expect("at least 1"))]
    pub(crate) playouts: NonZeroU32,

    /// The language
    #[arg(long, value_name = "L", default_value = "en", value_parser = lang())]
    pub(crate) lang: Lang,

    /// Analyse a game that was not played to its end, as far as the record goes
    #[arg(long)]
    pub(crate) unfinished: bool,
}
