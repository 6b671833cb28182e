//! `sultan train`: nets that learn by playing against themselves.

use std::num::NonZeroUsize;

use anyhow::Context;
use sultan_bots::train::{Progress, train};

use crate::{Out, args::TrainArgs};

pub(crate) fn run(args: &TrainArgs, out: Out) -> anyhow::Result<()> {
    let jobs = args.jobs.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let mut settings = sultan_bots::train::Settings { seed: args.seed, ..sultan_bots::train::Settings::of(args.players) };
    for set in &args.set {
        let (name, value) = set.split_once('=').context("NAME=VALUE")?;
        match name {
            "steps" => settings.steps = value.parse()?,
            "games" => settings.games = value.parse()?,
            "rate" => settings.rate = value.parse()?,
            "close" => settings.close = value.parse()?,
            "mixed" => settings.mixed = value.parse()?,
            "refresh" => settings.refresh = value.parse()?,
            "blind" => settings.blind = value.parse()?,
            "far" => settings.far = value.parse()?,
            "guests" => settings.guests = value.parse()?,
            _ => anyhow::bail!("no setting {name}"),
        }
    }
    let start = std::time::Instant::now();
    if let Some(name) = &args.against {
        let bot = crate::bot::find(name, args.players)?;
        let mut response = sultan_bots::train::Response { seed: args.seed, ..Default::default() };
        for set in &args.set {
            let (name, value) = set.split_once('=').context("NAME=VALUE")?;
            match name { "rate" => response.rate = value.parse()?, "mixed" => response.mixed = value.parse()?, "games" => response.games = value.parse()?, "far" => response.far = value.parse()?, _ => {} }
        }
        let mut steps = 0;
        let nets = sultan_bots::train::respond(sultan_bots::Nets::shipped(args.players), bot.as_ref(), &response, jobs, |step| { steps = step; start.elapsed().as_secs_f32() < 60.0 * args.minutes });
        eprintln!("{steps} steps");
        std::fs::write(&args.out, nets.to_bytes()).with_context(|| args.out.display().to_string())?;
        return Ok(());
    }
    let nets = train(args.players, &settings, jobs, |progress| {
        let Progress { step, error, entropy } = progress;
        if step.is_multiple_of(500) || step <= 100 {
            eprintln!("{:6.1}s step {step} error {error:.4} entropy {entropy:.3}", start.elapsed().as_secs_f32());
        }
        std::ops::ControlFlow::Continue(())
    });
    std::fs::write(&args.out, nets.to_bytes()).with_context(|| args.out.display().to_string())?;
    writeln!(out, "{}", args.out.display())?;
    Ok(())
}
