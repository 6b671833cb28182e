//! `sultan solve`: solves toy games exactly.

use anyhow::anyhow;
use clap::error::ErrorKind;
use sultan_domain::{Jewels, Parameters};
use sultan_lab::solve::{Solution, solve};

use crate::Out;
use crate::args::{solve::SolveArgs, wrong_usage};
use crate::format::count;

pub(crate) fn run(args: &SolveArgs, out: Out) -> anyhow::Result<()> {
    let Ok(counts) = <[u8; 5]>::try_from(args.pouch.as_slice()) else {
        let given = args.pouch.len();
        let message = format!("--pouch needs five numbers, for white, red, yellow, green and blue, not {given}");
        wrong_usage("solve", ErrorKind::WrongNumberOfValues, &message)
    };
    let pouch = Jewels::new(counts).ok_or_else(|| anyhow!("a pouch holds at most {} jewels", Jewels::MAX_COUNT))?;
    let parameters = Parameters {
        highest_card: args.cards,
        copies: args.copies,
        stages: args.stages,
        rounds_per_stage: args.rounds,
        cushions: args.cushions,
        pouch,
        ..Parameters::of(args.players)
    };
    let solution = solve(parameters, args.iterations.map(std::num::NonZeroU64::get))?;
    if args.json {
        return Ok(writeln!(out, "{}", serde_json::to_string(&solution)?)?);
    }
    let Solution { value, exploitability, infostates, iterations } = solution;
    writeln!(out, "value            seat 0 {:+.6}, seat 1 {:+.6}", value[0], value[1])?;
    writeln!(out, "exploitability   {exploitability:.2e}: what a best reply gains, mean of both seats")?;
    writeln!(out, "size             {} with a choice", count(infostates as u64, "information state"))?;
    writeln!(out, "work             {} of CFR+", count(iterations, "iteration"))?;
    Ok(())
}
