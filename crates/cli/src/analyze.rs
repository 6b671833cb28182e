//! `sultan analyze`: what happened in a recorded game, and why. How it is told on a terminal is in `told`, as a page in `page`.

mod page;
mod told;

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use sultan_bots::analysis::{self, Plan, Watch};
use sultan_domain::{Analysis, PlayerColour, Record};
use sultan_rules::{replay, verify};
use sultan_text::{Text, chance_chart};

use crate::long::{jobs, progress};
use crate::records::{self, Entry};
use crate::replay::Names;
use crate::{Out, args::AnalyzeArgs, shown};

pub(crate) fn run(args: &AnalyzeArgs, out: Out) -> anyhow::Result<()> {
    let text = Text::of(args.lang);
    // Before the work, which may take long: a file that cannot be written is better known at once.
    let mut picture = args.svg.as_deref().map(Target::open).transpose()?;
    let mut page = args.html.as_deref().map(Target::open).transpose()?;
    records::for_each(&args.file, |Entry { number, place, record }| {
        let record = record.with_context(|| place.clone())?;
        check(&record, args).with_context(|| place.clone())?;
        let analysis = analyse(&record, args).with_context(|| place.clone())?;
        let names = Names::new(&record).all();
        if let Some(picture) = &mut picture {
            picture.is(chance_chart(text, &analysis, &names, &PlayerColour::ALL));
        }
        if let Some(page) = &mut page {
            page.is(page::page(text, &analysis, &names));
        }
        if args.json {
            return Ok(writeln!(out, "{}", serde_json::to_string(&analysis)?)?);
        }
        if number > 1 {
            writeln!(out, "\n———— {number} ————\n")?;
        }
        told::tell(text, &analysis, &names, out)
    })?;
    [picture, page].into_iter().flatten().try_for_each(Target::write)
}

/// A file to be written once everything is known.
struct Target<'a> {
    path: &'a Path,
    file: File,
    contents: String,
}

impl<'a> Target<'a> {
    fn open(path: &'a Path) -> anyhow::Result<Self> {
        let file = File::create(path).with_context(|| path.display().to_string())?;
        Ok(Self { path, file, contents: String::new() })
    }

    fn is(&mut self, contents: String) {
        self.contents = contents;
    }

    fn write(mut self) -> anyhow::Result<()> {
        // As a text: that nobody reads a file any more is an error, unlike on standard output.
        if let Err(error) = self.file.write_all(self.contents.as_bytes()) {
            bail!("{}: {error}", self.path.display());
        }
        Ok(())
    }
}

/// Refuses what is no honest, whole game.
fn check(record: &Record, args: &AnalyzeArgs) -> anyhow::Result<()> {
    let complete = replay(record)?.telling().complete;
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
    let analysis = analysis::analyse(record, &plan, &watch)?;
    bar.finish_and_clear();
    Ok(analysis)
}
