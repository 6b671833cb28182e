//! `sultan arena`: bots against each other. What is told of it is in `results`, how it looks in `tables` and `chart`.

mod chart;
mod results;
mod tables;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::CommandFactory;
use clap::error::ErrorKind;
use sultan_bots::arena::{self, Arena, Played, StartClock, Stopwatch, Tally};

use crate::args::{ArenaArgs, Args};
use crate::long::{jobs, progress};
use crate::{Out, bot};
use results::Results;

pub(crate) fn run(args: &ArenaArgs, out: Out) -> anyhow::Result<()> {
    check(args);
    let names = if args.pool.is_empty() { &args.bots } else { &args.pool };
    let arena = Arena {
        bots: names.iter().map(|name| bot::find(name, args.players)).collect::<Result<_, _>>()?,
        pool: (!args.pool.is_empty()).then_some(args.players),
        deals: args.games.get(),
        rotate: args.rotate,
        seed: args.seed,
        clock: args.millis.map(start_clock),
        stopwatch: Some(stopwatch()),
    };
    // Before the games, which may take long: a file that cannot be written is better known at once.
    let mut picture = args.svg.as_deref().map(open).transpose()?;
    let tally = play(&arena, jobs(args.jobs), args.records.as_deref())?;
    let results = Results::new(args, &tally);
    if let (Some(file), Some(path)) = (&mut picture, &args.svg) {
        let drawn = file.write_all(chart::draw(&results).as_bytes()).and_then(|()| file.flush());
        written(drawn.map_err(Into::into), path)?;
    }
    if args.json { Ok(writeln!(out, "{}", serde_json::to_string(&results)?)?) } else { tables::print(&results, out) }
}

/// Ends the program where the command line asks for what cannot be.
fn check(args: &ArenaArgs) {
    let players = usize::from(args.players.count());
    if args.pool.is_empty() && args.bots.len() != players {
        let message = format!("--players {players} needs {players} bots, but --bots names {}", args.bots.len());
        wrong_usage(ErrorKind::WrongNumberOfValues, &message);
    }
    let twice = args.pool.iter().enumerate().find(|&(at, name)| args.pool[..at].contains(name));
    if let Some((_, name)) = twice {
        wrong_usage(ErrorKind::InvalidValue, &format!("--pool needs each bot once, but names {name} again"));
    }
    for (option, file) in [("--records", &args.records), ("--svg", &args.svg)] {
        if file.as_ref().is_some_and(|path| path.as_os_str() == "-") {
            let message = format!("{option} needs a file: standard output is for the results");
            wrong_usage(ErrorKind::InvalidValue, &message);
        }
    }
    if let (Some(records), Some(svg)) = (&args.records, &args.svg)
        && whole(records) == whole(svg)
    {
        wrong_usage(ErrorKind::ArgumentConflict, "--records and --svg need a file each, but name the same one");
    }
}

/// A path under which a file has no other name, whether it is there yet or not.
fn whole(path: &Path) -> PathBuf {
    let folder = path.parent().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let there = || Some(folder?.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(there).unwrap_or_else(|| path.to_owned())
}

/// Says what is wrong with the command line, with arena's own usage, and ends the program.
fn wrong_usage(kind: ErrorKind, message: &str) -> ! {
    let mut command = Args::command();
    command.build();
    command.find_subcommand_mut("arena").expect("arena is a command").error(kind, message).exit()
}

fn start_clock(millis: u64) -> StartClock {
    let limit = Duration::from_millis(millis);
    Box::new(move || {
        let start = Instant::now();
        Box::new(move || start.elapsed() >= limit)
    })
}

fn stopwatch() -> Stopwatch {
    let start = Instant::now();
    Box::new(move || u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

fn open(path: &Path) -> anyhow::Result<BufWriter<File>> {
    File::create(path).map(BufWriter::new).with_context(|| path.display().to_string())
}

/// As a text: that nobody reads a file any more is an error, unlike on standard output.
fn written(result: anyhow::Result<()>, path: &Path) -> anyhow::Result<()> {
    if let Err(error) = result {
        bail!("{}: {error:#}", path.display());
    }
    Ok(())
}

fn play(arena: &Arena, jobs: NonZeroUsize, records: Option<&Path>) -> anyhow::Result<Tally> {
    let mut file = records.map(open).transpose()?;
    let mut tally = Tally::new(arena);
    let progress = progress(arena.games(), "{bar:40} {human_pos} of {human_len} games, {eta} left");
    let mut result = Ok(());
    arena::run(arena, jobs, |played| {
        tally.add(&played);
        progress.inc(1);
        if let Some(file) = &mut file {
            result = write_record(file, &played);
        }
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    progress.finish_and_clear();
    if let (Some(file), Some(path)) = (&mut file, records) {
        written(result.and_then(|()| Ok(file.flush()?)), path)?;
    }
    Ok(tally)
}

fn write_record(file: &mut impl Write, played: &Played) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *file, &played.record)?;
    writeln!(file)?;
    Ok(())
}
