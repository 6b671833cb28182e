//! Options of the commands that read records, and of `sultan score`.

use std::path::PathBuf;

use sultan_domain::Players;

use super::values::{lang, players};

#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    /// File with the record of a game, or of several, one per line; - is standard input
    ///
    /// A finished table offers its record for download; `sultan arena --records` writes records, too.
    pub(crate) file: PathBuf,

    /// Print each game as one line of JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print the game even on a terminal
    #[arg(long, conflicts_with = "json")]
    pub(crate) print: bool,

    /// Language of the interactive replay [default: from the environment (LANG)]
    #[arg(long, value_name = "L", value_parser = lang())]
    pub(crate) lang: Option<sultan_text::Lang>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// File with the record of a game, or of several, one per line; - is standard input
    ///
    /// A finished table offers its record for download; `sultan arena --records` writes records, too.
    pub(crate) file: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScoreArgs {
    /// Number of players: 2 to 5
    #[arg(long, value_parser = players(), value_name = "N")]
    pub(crate) players: Players,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Collection of jewels, such as W3R5B1
    #[arg(value_name = "JEWELS")]
    pub(crate) jewels: String,
}
