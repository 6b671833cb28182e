//! The `sultan` program for end-to-end tests. With `--faulty-node` it runs a node with a deliberate fault.

use std::process::ExitCode;

use sultan_e2e::faulty_node::{self, FAULTY_NODE_FLAG};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [flag, fault, node_args @ ..] = args.as_slice() else { return sultan_cli::main() };
    if flag != FAULTY_NODE_FLAG {
        return sultan_cli::main();
    }
    match fault.parse().and_then(|fault| faulty_node::serve(fault, node_args)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
