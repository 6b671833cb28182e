//! The `sultan` program for end-to-end tests. With `--broken-node` it runs a node that is broken on purpose.

use std::process::ExitCode;

use sultan_e2e::broken::{self, BROKEN_NODE};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [flag, lie, rest @ ..] = args.as_slice() else { return sultan_cli::main() };
    if flag != BROKEN_NODE {
        return sultan_cli::main();
    }
    match lie.parse().and_then(|lie| broken::serve(lie, rest)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
