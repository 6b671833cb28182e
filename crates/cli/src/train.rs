//! `sultan train`: trains nets by self-play, or to beat one bot.

use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use sultan_bots::Nets;
use sultan_lab::train::{Progress, Response, Settings, respond, train};

use crate::args::TrainArgs;
use crate::format::count;
use crate::output_file::{self, OutputFile};
use crate::progress::{jobs, progress_bar};
use crate::{Out, bot};

pub(crate) fn run(args: &TrainArgs, out: Out) -> anyhow::Result<()> {
    output_file::check("train", None, &[("--out", Some(&args.out))]);
    let file = OutputFile::open(&args.out)?;
    let start = Instant::now();
    let (nets, steps, games) = match &args.against {
        None => against_themselves(args, start),
        Some(name) => against_a_bot(args, name, start)?,
    };
    file.write(&nets.to_bytes())?;
    let (steps, games, seconds) = (count(steps, "step"), count(games, "game"), start.elapsed().as_secs());
    writeln!(out, "{}: {steps}, {games}, {} min {} s", args.out.display(), seconds / 60, seconds % 60)?;
    let players = args.players.count();
    let rivals = vec![args.against.as_deref().unwrap_or("jeweller"); usize::from(players) - 1].join(",");
    let bots = format!("vizier@{},{rivals}", args.out.display());
    writeln!(out, "How strong: sultan arena --players {players} --bots {bots} --games 500 --rotate")?;
    Ok(())
}

fn against_themselves(args: &TrainArgs, start: Instant) -> (Nets, u64, u64) {
    let mut settings = Settings { seed: args.seed, ..Settings::of(args.players) };
    settings.steps = args.steps.map_or(settings.steps, NonZeroU32::get);
    let bar = progress_bar(u64::from(settings.steps), "{bar:30} {pos} of {len} steps, {eta} left, {msg}");
    let mut done = settings.steps;
    let nets = train(args.players, &settings, jobs(args.jobs), |Progress { step, error, entropy }| {
        bar.set_position(u64::from(step));
        bar.set_message(format!("error {error:.3}, mix {entropy:.2}"));
        let late = time_is_up(args, start);
        done = if late { step } else { done };
        if late { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    (nets, done.into(), u64::from(done) * u64::from(settings.games))
}

fn against_a_bot(args: &TrainArgs, name: &str, start: Instant) -> anyhow::Result<(Nets, u64, u64)> {
    let bot = bot::find(name, args.players)?;
    let settings = Response { seed: args.seed, ..Response::default() };
    let most = args.steps.map(NonZeroU32::get);
    let limit = args.minutes.unwrap_or(if most.is_some() { f64::INFINITY } else { MINUTES });
    let bar = progress_bar(100, "{bar:30} {pos} %, {msg}");
    let mut steps = 0;
    let nets = respond(Nets::shipped(args.players), bot.as_ref(), &settings, jobs(args.jobs), |step| {
        steps = step;
        let minutes = start.elapsed().as_secs_f64() / 60.0;
        let by_steps = most.map_or(0.0, |most| f64::from(step) / f64::from(most));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
        bar.set_position((100.0 * by_steps.max(minutes / limit)).clamp(0.0, 100.0) as u64);
        bar.set_message(count(u64::from(step), "step"));
        minutes < limit && most.is_none_or(|most| step < most)
    });
    bar.finish_and_clear();
    Ok((nets, steps.into(), u64::from(steps) * u64::from(settings.games)))
}

/// The default time limit for training against a bot, in minutes.
const MINUTES: f64 = 10.0;

fn time_is_up(args: &TrainArgs, start: Instant) -> bool {
    args.minutes.is_some_and(|minutes| start.elapsed() >= Duration::from_secs_f64(60.0 * minutes))
}
