//! The `sultan` program: parses the command line and runs one command. `args` lists all commands.
//!
//! The program is a library so that end-to-end tests can build it too.

mod analyze;
mod arena;
mod args;
mod backup;
mod bot;
mod engine;
mod format;
mod health;
mod man;
mod migrate_db;
mod output_file;
mod play;
mod progress;
mod records;
mod replay;
mod score;
mod serve;
mod solve;
mod stdout;
mod train;
mod verify;

use std::io::{self, Write};
use std::process::ExitCode;

use args::Command;
use stdout::{ReaderMayLeave, has_reader_left};

// Here, not in the binary, so that end-to-end tests use the same allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The standard output of a command.
type Out<'a> = &'a mut dyn Write;

/// Runs the program with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    let mut out = io::BufWriter::new(ReaderMayLeave(anstream::stdout()));
    let result = args::read(std::env::args_os()).and_then(|command| run(command, &mut out));
    match result.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader has closed the pipe, as in `sultan replay … | head`.
        Err(error) if has_reader_left(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // First print the results so far.
            let _ = out.flush();
            anstream::eprintln!("error: {}", format::one_line(&format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command, out: Out) -> anyhow::Result<()> {
    match command {
        Command::Serve(args) => serve::run(&args, out),
        Command::Play(args) => play::run(&args, out),
        Command::Backup(args) => backup::run(&args, out),
        Command::MigrateDb(args) => migrate_db::run(&args, out),
        Command::Health(args) => health::run(&args, out),
        Command::Replay(args) => replay::run(&args, out),
        Command::Verify(args) => verify::run(&args, out),
        Command::Analyze(args) => analyze::run(&args, out),
        Command::Score(args) => score::run(&args, out),
        Command::Arena(args) => arena::run(&args, out),
        Command::Engine(args) => engine::run(&args),
        Command::Solve(args) => solve::run(&args, out),
        Command::Train(args) => train::run(&args, out),
        Command::Man(args) => man::run(&args, out),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut args::with_options_of_serve(), "sultan", &mut script);
            Ok(out.write_all(&script)?)
        }
    }
}
