//! `sultan analyze`: analyses recorded games. `print` writes the terminal output, `page` the HTML page.

mod page;
mod print;

use anyhow::{Context, anyhow, bail};
use sultan_analysis::{AnalysisError, Plan, Watch};
use sultan_domain::{Analysis, PlayerColour, Record};
use sultan_rules::check_seeds;
use sultan_text::{ChanceChart, ChartSize, Text};

use crate::output_file::{self, OutputFile};
use crate::progress::{jobs, progress_bar};
use crate::records::{self, Entry};
use crate::replay::names;
use crate::{Out, args::analyze::AnalyzeArgs, format};

pub(crate) fn run(args: &AnalyzeArgs, out: Out) -> anyhow::Result<()> {
    let text = Text::of(args.lang);
    let files = [("--svg", args.svg.as_deref()), ("--html", args.html.as_deref())];
    output_file::check("analyze", Some(&args.file), &files);
    let svg_file = args.svg.as_deref().map(OutputFile::open).transpose()?;
    let html_file = args.html.as_deref().map(OutputFile::open).transpose()?;
    // Each record replaces the chart and the page of the one before, so those of the last record are written.
    let (mut svg, mut html) = (String::new(), String::new());
    records::for_each(&args.file, |Entry { number, location, record }| {
        let record = record.with_context(|| location.clone())?;
        let analysis = analyse(&record, args).with_context(|| location.clone())?;
        let names = names(&record);
        let chart = ChanceChart { text, analysis: &analysis, names: &names, colours: &PlayerColour::ALL };
        if svg_file.is_some() {
            svg = chart.draw(ChartSize::Wide);
        }
        if html_file.is_some() {
            html = page::page(&chart);
        }
        if args.json {
            return Ok(writeln!(out, "{}", serde_json::to_string(&analysis)?)?);
        }
        if number > 1 {
            writeln!(out, "\n———— {number} ————\n")?;
        }
        print::print(text, &analysis, &names, out)
    })?;
    svg_file.map_or(Ok(()), |file| file.write(svg.as_bytes()))?;
    html_file.map_or(Ok(()), |file| file.write(html.as_bytes()))
}

/// Analyses a record. An error if the seeds do not match the commitment of the record, or, without `--unfinished`, if
/// the game is not over.
fn analyse(record: &Record, args: &AnalyzeArgs) -> anyhow::Result<Analysis> {
    if let Some(fault) = check_seeds(record).first() {
        bail!("this record does not hold, so it was edited: {}", format::one_line(&fault.to_string()));
    }
    let bar = progress_bar(0, "{bar:40} {human_pos} of {human_len} steps, {eta} left");
    let report = |done: usize, total: usize| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    };
    let watch = Watch { progress: &report, stop: &|| false };
    let (playouts, unfinished) = (args.playouts.get(), args.unfinished);
    let plan = Plan { playouts, unfinished, ..Plan::new(args.seed, jobs(args.jobs)) };
    let analysis = sultan_analysis::analyse(record, &plan, &watch).map_err(|error| match error {
        AnalysisError::Unfinished => anyhow!(
            "the record ends after {}, before the game is over; --unfinished analyses it as far as it goes",
            format::count(record.actions.len() as u64, "action")
        ),
        error => error.into(),
    });
    bar.finish_and_clear();
    analysis
}
