//! The `sultan` binary: reads the command line and hands it to one command. See `args` for what there is.

mod analyze;
mod arena;
mod args;
mod bot;
mod engine;
mod long;
mod play;
mod records;
mod replay;
mod score;
mod serve;
mod shown;
mod solve;
mod train;
mod verify;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Error;
use clap::{CommandFactory, Parser};

use args::{Args, Command};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// What a command may print to.
type Out<'a> = &'a mut dyn Write;

fn main() -> ExitCode {
    let args = Args::parse();
    let mut out = io::BufWriter::new(anstream::stdout());
    match run(args, &mut out).and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads has seen enough, as in `sultan replay … | head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = out.flush();
            anstream::eprintln!("error: {}", shown::one_line(&format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

fn run(args: Args, out: Out) -> anyhow::Result<()> {
    match args.command {
        None => match Args::parse_from(["sultan", "serve"]).command {
            Some(Command::Serve(args)) => serve::run(&args, out),
            _ => unreachable!("`sultan serve` is read as `serve`"),
        },
        Some(Command::Serve(args)) => serve::run(&args, out),
        Some(Command::Play(args)) => play::run(&args, out),
        Some(Command::Replay(args)) => replay::run(&args, out),
        Some(Command::Verify(args)) => verify::run(&args, out),
        Some(Command::Analyze(args)) => analyze::run(&args, out),
        Some(Command::Score(args)) => score::run(&args, out),
        Some(Command::Arena(args)) => arena::run(&args, out),
        Some(Command::Engine(args)) => engine::run(&args),
        Some(Command::Solve(args)) => solve::run(&args, out),
        Some(Command::Train(args)) => train::run(&args, out),
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Args::command(), "sultan", &mut script);
            Ok(out.write_all(&script)?)
        }
    }
}

fn is_broken_pipe(error: &Error) -> bool {
    let broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    let in_json = |error: &serde_json::Error| error.io_error_kind() == Some(io::ErrorKind::BrokenPipe);
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(broken)
            || cause.downcast_ref::<serde_json::Error>().is_some_and(in_json)
    })
}
