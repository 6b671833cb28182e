//! `sultan analyze`: what happened in a recorded game, and why.

use anyhow::Context;
use sultan_bots::analysis::{self, Watch};

use crate::long::{jobs, progress};
use crate::records::{self, Entry};
use crate::{Out, args::AnalyzeArgs};

pub(crate) fn run(args: &AnalyzeArgs, out: Out) -> anyhow::Result<()> {
    records::for_each(&args.file, |Entry { place, record, .. }| {
        let record = record.with_context(|| place.clone())?;
        let steps = analysis::steps(&record)?;
        let bar = progress(u64::try_from(steps).unwrap_or(u64::MAX), "{bar:40} {human_pos} of {human_len} steps, {eta} left");
        let watch = Watch { progress: &|done, _| bar.set_position(done as u64), stop: &|| false };
        let analysis = analysis::analyse(&record, args.seed, jobs(args.jobs), &watch).with_context(|| place.clone())?;
        bar.finish_and_clear();
        writeln!(out, "{}", serde_json::to_string(&analysis)?)?;
        Ok(())
    })
}
