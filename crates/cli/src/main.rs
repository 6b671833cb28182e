//! The `sultan` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    sultan_cli::main()
}
