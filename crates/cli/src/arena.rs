//! `sultan arena`: lets bots play against each other. `results` collects the results; `tables` and `chart` show them.

mod chart;
mod results;
mod tables;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::error::ErrorKind;
use sultan_lab::arena::{self, Arena, Played, StartClock, Stopwatch, Tally};

use crate::args::{ArenaArgs, wrong_usage};
use crate::output_file::{self, OutputFile};
use crate::progress::{jobs, progress_bar};
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
    // Open the file before the games, which may take long, to fail early if it cannot be written.
    let picture = args.svg.as_deref().map(OutputFile::open).transpose()?;
    let tally = play(&arena, jobs(args.jobs), args.records.as_deref())?;
    let results = Results::new(args, &tally);
    if let Some(picture) = picture {
        picture.write(chart::draw(&results).as_bytes())?;
    }
    if args.json { Ok(writeln!(out, "{}", serde_json::to_string(&results)?)?) } else { tables::print(&results, out) }
}

/// Exits with an error if the options contradict each other.
fn check(args: &ArenaArgs) {
    let players = usize::from(args.players.count());
    if args.pool.is_empty() && args.bots.len() != players {
        let message = format!("--players {players} needs {players} bots, but --bots names {}", args.bots.len());
        wrong_usage("arena", ErrorKind::WrongNumberOfValues, &message);
    }
    let twice = args.pool.iter().enumerate().find(|&(at, name)| args.pool[..at].contains(name));
    if let Some((_, name)) = twice {
        let message = format!("--pool needs each bot once, but names {name} again");
        wrong_usage("arena", ErrorKind::InvalidValue, &message);
    }
    let files = [("--records", args.records.as_deref()), ("--svg", args.svg.as_deref())];
    output_file::check("arena", None, &files);
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

fn play(arena: &Arena, jobs: NonZeroUsize, records: Option<&Path>) -> anyhow::Result<Tally> {
    let place = || records.map_or_else(String::new, |path| path.display().to_string());
    let mut file = records.map(File::create).transpose().with_context(place)?.map(BufWriter::new);
    let mut tally = Tally::new(arena);
    let bar = progress_bar(arena.games(), "{bar:40} {human_pos} of {human_len} games, {eta} left");
    let mut result = Ok(());
    arena::run(arena, jobs, |played| {
        tally.add(&played);
        bar.inc(1);
        if let Some(file) = &mut file {
            result = write_record(file, &played);
        }
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    bar.finish_and_clear();
    if let Some(file) = &mut file {
        result.and_then(|()| Ok(file.flush()?)).with_context(place)?;
    }
    Ok(tally)
}

fn write_record(file: &mut impl Write, played: &Played) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *file, &played.record)?;
    writeln!(file)?;
    Ok(())
}
