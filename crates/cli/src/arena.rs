//! `sultan arena`: bots against each other.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::CommandFactory;
use clap::error::ErrorKind;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use sultan_bots::arena::{self, Arena, Played, StartClock, Tally};

use crate::Out;
use crate::args::{ArenaArgs, Args};
use crate::shown::{self, count};

pub(crate) fn run(args: &ArenaArgs, out: Out) -> anyhow::Result<()> {
    let players = usize::from(args.players.count());
    if args.bots.len() != players {
        let message = format!("--players {players} needs {players} bots, but --bots names {}", args.bots.len());
        wrong_usage(ErrorKind::WrongNumberOfValues, &message);
    }
    if args.records.as_ref().is_some_and(|path| path.as_os_str() == "-") {
        wrong_usage(ErrorKind::InvalidValue, "--records needs a file: standard output is for the results");
    }
    let bots = args.bots.iter().filter_map(|name| sultan_bots::by_name(name)).collect();
    let clock = args.millis.map(start_clock);
    let arena = Arena { bots, deals: args.games.get(), rotate: args.rotate, seed: args.seed, clock };
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let tally = play(&arena, jobs, args.records.as_deref())?;
    let results = Results::new(args, &tally);
    if args.json { Ok(writeln!(out, "{}", serde_json::to_string(&results)?)?) } else { results.print(out) }
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

fn play(arena: &Arena, jobs: NonZeroUsize, records: Option<&Path>) -> anyhow::Result<Tally> {
    let open = |path: &Path| File::create(path).map(BufWriter::new).with_context(|| path.display().to_string());
    let mut file = records.map(open).transpose()?;
    let mut tally = Tally::new(arena.bots.len(), arena.games_per_deal());
    let progress = progress(arena.games());
    let mut written = Ok(());
    arena::run(arena, jobs, |played| {
        tally.add(&played);
        progress.inc(1);
        if let Some(file) = &mut file {
            written = write_record(file, &played);
        }
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    progress.finish_and_clear();
    let flushed = written.and_then(|()| Ok(file.as_mut().map_or(Ok(()), Write::flush)?));
    match (flushed, records) {
        // As a text: that nobody reads the records any more is an error, unlike on standard output.
        (Err(error), Some(path)) => bail!("{}: {error:#}", path.display()),
        (flushed, _) => flushed.map(|()| tally),
    }
}

fn write_record(file: &mut impl Write, played: &Played) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *file, &played.record)?;
    writeln!(file)?;
    Ok(())
}

/// A bar on a terminal, nothing elsewhere.
fn progress(games: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} games, {eta} left");
    ProgressBar::new(games).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

#[derive(Serialize)]
struct Results<'a> {
    players: u8,
    deals: u64,
    games: u64,
    rotate: bool,
    seed: u64,
    bots: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Line<'a> {
    bot: &'a str,
    /// Its place in `--bots`, from 0: its seat, unless the bots rotate.
    entry: usize,
    win_share: f64,
    win_share_error: Option<f64>,
    points: f64,
    points_error: Option<f64>,
    margin: f64,
    margin_error: Option<f64>,
    rank: f64,
}

impl<'a> Results<'a> {
    fn new(args: &'a ArenaArgs, tally: &Tally) -> Self {
        let lines = args.bots.iter().zip(tally.rows()).enumerate().map(|(entry, (bot, row))| Line {
            bot,
            entry,
            win_share: row.win_share,
            win_share_error: row.win_share_error,
            points: row.points,
            points_error: row.points_error,
            margin: row.margin,
            margin_error: row.margin_error,
            rank: row.rank,
        });
        Self {
            players: args.players.count(),
            deals: args.games.get(),
            games: tally.games(),
            rotate: args.rotate,
            seed: args.seed,
            bots: lines.collect(),
        }
    }

    fn print(&self, out: Out) -> anyhow::Result<()> {
        let Self { players, deals, games, rotate, seed, bots } = self;
        let each = if *rotate { ", each once per rotation of the bots" } else { "" };
        let (games, deals) = (count(*games, "game"), count(*deals, "deal"));
        writeln!(out, "{games} of {players} players: {deals}{each}, seed {seed}\n")?;
        let width = bots.iter().map(|line| line.bot.len()).max().unwrap_or(0).max(3);
        let place = if *rotate { "entry" } else { "seat" };
        let head = format!(
            "{place:>5}  {:<width$}  {:>13}  {:>14}  {:>14}  {:>4}",
            "bot", "won %", "points", "margin", "rank"
        );
        writeln!(out, "{}", shown::heading(&head))?;
        for line in bots {
            let won = with_error(format!("{:.1}", 100.0 * line.win_share), line.win_share_error.map(|e| 100.0 * e), 1);
            let points = with_error(format!("{:.2}", line.points), line.points_error, 2);
            let margin = with_error(format!("{:+.2}", line.margin), line.margin_error, 2);
            writeln!(
                out,
                "{:>5}  {:<width$}  {won:>13}  {points:>14}  {margin:>14}  {:>4.2}",
                line.entry, line.bot, line.rank
            )?;
        }
        writeln!(out, "\nwon: shared first places count as shares; margin: to the best other; ±: standard error")?;
        Ok(())
    }
}

/// A mean with its standard error, where it has one.
fn with_error(mean: String, error: Option<f64>, digits: usize) -> String {
    match error {
        Some(error) => format!("{mean} ± {error:.digits$}"),
        None => mean,
    }
}
