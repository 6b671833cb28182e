//! `sultan analyze`: what happened in a recorded game, and why. How it is told on a terminal is in `told`, as a page in `page`.

mod page;
mod told;

use anyhow::{Context, bail};
use sultan_analysis::{Plan, Watch};
use sultan_domain::{Analysis, PlayerColour, Record};
use sultan_rules::{replay, verify};
use sultan_text::{Text, chance_chart};

use crate::long::{jobs, progress};
use crate::records::{self, Entry};
use crate::replay::names;
use crate::written::{self, Written};
use crate::{Out, args::AnalyzeArgs, shown};

pub(crate) fn run(args: &AnalyzeArgs, out: Out) -> anyhow::Result<()> {
    let text = Text::of(args.lang);
    let files = [("--svg", args.svg.as_deref()), ("--html", args.html.as_deref())];
    written::check("analyze", Some(&args.file), &files);
    let picture = args.svg.as_deref().map(Written::open).transpose()?;
    let page = args.html.as_deref().map(Written::open).transpose()?;
    let (mut drawn, mut set) = (String::new(), String::new());
    records::for_each(&args.file, |Entry { number, place, record }| {
        let record = record.with_context(|| place.clone())?;
        check(&record, args).with_context(|| place.clone())?;
        let analysis = analyse(&record, args).with_context(|| place.clone())?;
        let names = names(&record);
        if picture.is_some() {
            drawn = chance_chart(text, &analysis, &names, &PlayerColour::ALL);
        }
        if page.is_some() {
            set = page::page(text, &analysis, &names);
        }
        if args.json {
            return Ok(writeln!(out, "{}", serde_json::to_string(&analysis)?)?);
        }
        if number > 1 {
            writeln!(out, "\n———— {number} ————\n")?;
        }
        told::tell(text, &analysis, &names, out)
    })?;
    picture.map_or(Ok(()), |picture| picture.write(drawn.as_bytes()))?;
    page.map_or(Ok(()), |page| page.write(set.as_bytes()))
}

/// Refuses what is no honest, whole game.
fn check(record: &Record, args: &AnalyzeArgs) -> anyhow::Result<()> {
    let complete = replay(record)?.game().outcome().is_some();
    if let Some(fault) = verify(record).faults.first() {
        bail!("this record does not hold, so it was edited: {}", shown::one_line(&fault.to_string()));
    }
    if !complete && !args.unfinished {
        let actions = record.actions.len();
        bail!(
            "the record ends after {}, before the game is over; --unfinished analyses it as far as it goes",
            shown::count(actions as u64, "action")
        );
    }
    Ok(())
}

fn analyse(record: &Record, args: &AnalyzeArgs) -> anyhow::Result<Analysis> {
    let bar = progress(0, "{bar:40} {human_pos} of {human_len} steps, {eta} left");
    let told = |done: usize, of: usize| {
        bar.set_length(of as u64);
        bar.set_position(done as u64);
    };
    let watch = Watch { progress: &told, stop: &|| false };
    let plan = Plan { playouts: args.playouts.get(), ..Plan::new(args.seed, jobs(args.jobs)) };
    let analysis = sultan_analysis::analyse(record, &plan, &watch)?;
    bar.finish_and_clear();
    Ok(analysis)
}
