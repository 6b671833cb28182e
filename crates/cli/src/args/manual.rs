//! Options of `sultan man`.

use std::path::PathBuf;

use super::values::command;

#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// Command whose page is printed [default: the page of the whole program]
    #[arg(value_name = "COMMAND", value_parser = command())]
    pub(crate) command: Option<String>,

    /// Write all pages into this folder instead; it is created if it does not exist
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub(crate) dir: Option<PathBuf>,
}
