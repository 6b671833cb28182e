//! `sultan train`: trains nets by self-play, or to beat one bot.

use std::num::NonZeroU32;
use std::ops::ControlFlow;
use std::time::Instant;

use sultan_bots::Nets;
use sultan_lab::train::{FixedOpponentSettings, Progress, SelfPlaySettings, train, train_against};

use crate::args::train::TrainArgs;
use crate::format::count;
use crate::output_file::{self, OutputFile};
use crate::progress::{jobs, progress_bar};
use crate::{Out, bot};

/// Time limit for training against a bot if neither a time limit nor a number of steps is given.
const DEFAULT_MINUTES: f64 = 10.0;

/// Trained nets, and the work done.
struct Training {
    nets: Nets,
    steps: u32,
    games_per_step: u32,
}

pub(crate) fn run(args: &TrainArgs, out: Out) -> anyhow::Result<()> {
    output_file::check("train", None, &[("--out", Some(&args.out))]);
    let file = OutputFile::open(&args.out)?;
    let start = Instant::now();
    let Training { nets, steps, games_per_step } = match &args.against {
        None => train_by_self_play(args, start),
        Some(opponent) => train_against_a_bot(args, opponent, start)?,
    };
    file.write(&nets.to_bytes())?;
    let (games, seconds) = (u64::from(steps) * u64::from(games_per_step), start.elapsed().as_secs());
    let work = format!("{}, {}, {} min {} s", count(steps, "step"), count(games, "game"), seconds / 60, seconds % 60);
    writeln!(out, "{}: {work}", args.out.display())?;
    let players = args.players.count();
    // Suggest a command that measures the strength against the bot of `--against`, by default against jewellers.
    let opponents = vec![args.against.as_deref().unwrap_or("jeweller"); usize::from(players) - 1].join(",");
    let bots = format!("vizier@{},{opponents}", args.out.display());
    writeln!(out, "How strong: sultan arena --players {players} --bots {bots} --games 500 --rotate")?;
    Ok(())
}

/// The minutes since `start`.
fn minutes_since(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() / 60.0
}

fn train_by_self_play(args: &TrainArgs, start: Instant) -> Training {
    let usual = SelfPlaySettings::of(args.players);
    let steps = args.steps.map_or(usual.steps, NonZeroU32::get);
    let settings = SelfPlaySettings { seed: args.seed, steps, ..usual };
    let bar = progress_bar(u64::from(steps), "{bar:30} {pos} of {len} steps, {eta} left, {msg}");
    let mut finished_steps = steps;
    let nets = train(args.players, &settings, jobs(args.jobs), |Progress { step, error, entropy }| {
        bar.set_position(u64::from(step));
        bar.set_message(format!("error {error:.3}, mix {entropy:.2}"));
        if args.minutes.is_some_and(|minutes| minutes_since(start) >= minutes) {
            finished_steps = step;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    Training { nets, steps: finished_steps, games_per_step: settings.games_per_step }
}

fn train_against_a_bot(args: &TrainArgs, opponent: &str, start: Instant) -> anyhow::Result<Training> {
    let bot = bot::create(opponent, args.players, None)?;
    let settings = FixedOpponentSettings { seed: args.seed, ..FixedOpponentSettings::default() };
    let max_steps = args.steps.map(NonZeroU32::get);
    let max_minutes = args.minutes.unwrap_or(if max_steps.is_some() { f64::INFINITY } else { DEFAULT_MINUTES });
    let bar = progress_bar(100, "{bar:30} {pos} %, {msg}");
    let mut steps = 0;
    let shipped = Nets::shipped(args.players);
    let nets = train_against(shipped, bot.as_ref(), &settings, jobs(args.jobs), |finished_steps| {
        steps = finished_steps;
        let minutes = minutes_since(start);
        // The limit that is nearer determines the progress.
        let progress_by_steps = max_steps.map_or(0.0, |max_steps| f64::from(steps) / f64::from(max_steps));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
        bar.set_position((100.0 * progress_by_steps.max(minutes / max_minutes)).clamp(0.0, 100.0) as u64);
        bar.set_message(count(steps, "step"));
        minutes < max_minutes && max_steps.is_none_or(|max_steps| steps < max_steps)
    });
    bar.finish_and_clear();
    Ok(Training { nets, steps, games_per_step: settings.games_per_step })
}
