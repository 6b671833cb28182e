//! Which page of the manual.

use std::path::PathBuf;

use super::values::command;

#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// The command; without one, the page of the whole program
    #[arg(value_name = "COMMAND", value_parser = command())]
    pub(crate) command: Option<String>,

    /// Write all pages into this folder instead, which is made where it is missing
    #[arg(long, value_name = "FOLDER", conflicts_with = "command")]
    pub(crate) dir: Option<PathBuf>,
}
