//! What the commands that read records can be asked, and the one that counts points.

use std::path::PathBuf;

use sultan_domain::Players;

use super::values::{lang, players};

#[derive(Debug, clap::Args)]
pub(crate) struct ReplayArgs {
    /// A record, or several, one a line; - is standard input
    pub(crate) file: PathBuf,

    /// Print each game as one line of JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print the game, also on a terminal
    #[arg(long, conflicts_with = "json")]
    pub(crate) print: bool,

    /// The language of the screens [default: that of the environment]
    #[arg(long, value_name = "L", value_parser = lang())]
    pub(crate) lang: Option<sultan_text::Lang>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// A record, or several, one a line; - is standard input
    pub(crate) file: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ScoreArgs {
    /// How many play: 2 to 5
    #[arg(long, value_parser = players(), value_name = "N")]
    pub(crate) players: Players,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// The jewels, such as W3R5B1
    #[arg(value_name = "JEWELS")]
    pub(crate) jewels: String,
}
