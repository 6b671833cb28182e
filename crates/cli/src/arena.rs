//! `sultan arena`: lets bots play against each other. `results` collects the results, `tables` prints them, and `chart`
//! draws them.

mod chart;
mod results;
mod tables;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use clap::error::ErrorKind;
use sultan_lab::arena::{self, Arena, Played, Stopwatch, Tally};

use crate::args::{arena::ArenaArgs, wrong_usage};
use crate::output_file::{self, OutputFile};
use crate::progress::{jobs, progress_bar};
use crate::{Out, bot};
use results::Results;

pub(crate) fn run(args: &ArenaArgs, out: Out) -> anyhow::Result<()> {
    check(args);
    let names = if args.pool.is_empty() { &args.bots } else { &args.pool };
    let arena = Arena {
        bots: names.iter().map(|name| bot::create(name, args.players, args.millis)).collect::<Result<_, _>>()?,
        // `None` for `--bots`: every bot has a seat in every game.
        pool_players: (!args.pool.is_empty()).then_some(args.players),
        deals: args.games.get(),
        rotate: args.rotate,
        seed: args.seed,
        stopwatch: Some(stopwatch()),
    };
    let chart_file = args.svg.as_deref().map(OutputFile::open).transpose()?;
    let tally = play(&arena, jobs(args.jobs), args.records.as_deref())?;
    let results = Results::new(args, &tally);
    if let Some(file) = chart_file {
        file.write(chart::draw(&results).as_bytes())?;
    }
    if args.json { Ok(writeln!(out, "{}", serde_json::to_string(&results)?)?) } else { tables::print(&results, out) }
}

/// Exits with a usage error if the number of bots is not that of players, the pool names a bot twice, or two files are
/// the same.
fn check(args: &ArenaArgs) {
    let players = usize::from(args.players.count());
    if args.pool.is_empty() && args.bots.len() != players {
        let message = format!("--players {players} needs {players} bots, but --bots names {}", args.bots.len());
        wrong_usage("arena", ErrorKind::WrongNumberOfValues, &message);
    }
    let repeated = args.pool.iter().enumerate().find(|&(index, name)| args.pool[..index].contains(name));
    if let Some((_, name)) = repeated {
        let message = format!("--pool needs each bot once, but names {name} again");
        wrong_usage("arena", ErrorKind::InvalidValue, &message);
    }
    let files = [("--records", args.records.as_deref()), ("--svg", args.svg.as_deref())];
    output_file::check("arena", None, &files);
}

/// A clock for decision times: the nanoseconds since this call.
fn stopwatch() -> Stopwatch {
    let start = Instant::now();
    Box::new(move || u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

/// Plays all games on `jobs` threads, and writes their records to a file if one is given.
fn play(arena: &Arena, jobs: NonZeroUsize, records: Option<&Path>) -> anyhow::Result<Tally> {
    let file_name = || records.map_or_else(String::new, |path| path.display().to_string());
    let mut file = records.map(File::create).transpose().with_context(file_name)?.map(BufWriter::new);
    let mut tally = Tally::new(arena);
    let bar = progress_bar(arena.games(), "{bar:40} {human_pos} of {human_len} games, {eta} left");
    // The first error of writing a record, which ends the arena early.
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
        result.and_then(|()| Ok(file.flush()?)).with_context(file_name)?;
    }
    Ok(tally)
}

fn write_record(file: &mut impl Write, played: &Played) -> anyhow::Result<()> {
    Ok(writeln!(file, "{}", serde_json::to_string(&played.record)?)?)
}
