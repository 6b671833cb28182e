//! An analysis on a terminal: who played how well and what it came to, and what cost most.

use sultan_domain::{Analysis, Estimate, SeatAnalysis};
use sultan_text::Text;

use crate::{Out, shown};

/// Tells an analysis.
pub(super) fn tell(text: Text, analysis: &Analysis, names: &[String], out: Out) -> anyhow::Result<()> {
    writeln!(out, "{}", shown::heading(&text.say("analysis-title")))?;
    if !analysis.complete {
        writeln!(out, "{}", text.say("analysis-unfinished"))?;
    }
    writeln!(out, "{}\n", text.with("analysis-method", &[("seed", (&analysis.seed.to_string()).into())]))?;
    writeln!(out, "{}", shown::heading(&text.say("analysis-players")))?;
    writeln!(out, "{}", adds_up(text, analysis))?;
    for line in aligned(&rows(text, analysis, names)) {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "\n{}", shown::heading(&text.say("analysis-worst")))?;
    for (seat, name) in analysis.players.seats().zip(names) {
        writeln!(out, "  {name}")?;
        for decision in analysis.worst(seat) {
            let when = when(text, decision.stage.0, decision.round.0);
            writeln!(out, "    {when}: {}. {}.", text.done(decision), text.lost(decision))?;
            if let Some(reason) = &decision.reason {
                writeln!(out, "      {}", text.reason(reason, names))?;
            }
        }
        if analysis.worst(seat).next().is_none() {
            writeln!(out, "    {}", text.say("analysis-worst-none"))?;
        }
    }
    Ok(())
}

/// That the parts make the result.
pub(super) fn adds_up(text: Text, analysis: &Analysis) -> String {
    let even = text.percent(1.0 / f64::from(analysis.players.count()), 1);
    text.with("analysis-adds-up", &[("even", (&even).into())])
}

/// Which round it was.
pub(super) fn when(text: Text, stage: u8, round: u8) -> String {
    text.with("analysis-when", &[("stage", stage.into()), ("round", round.into())])
}

/// The table of all players: a heading, then one row each.
pub(super) fn rows(text: Text, analysis: &Analysis, names: &[String]) -> Vec<Vec<String>> {
    let heading = [
        text.say("analysis-player"),
        text.say("analysis-result"),
        text.say("analysis-deal"),
        text.say("analysis-others"),
        text.say("analysis-own"),
        text.say("analysis-accuracy"),
        text.say("analysis-mean-loss"),
    ];
    let part = |part: Estimate| format!("{} ± {}", text.signed_percent(part.value, 1), text.percent(part.error, 1));
    let row = |(seat, name): (&SeatAnalysis, &String)| {
        vec![
            name.clone(),
            text.percent(seat.result, 1),
            part(seat.deal),
            part(seat.others),
            part(seat.own),
            format!("{:.0}", seat.accuracy),
            format!("{} ± {}", text.percent(seat.mean_loss.value, 2), text.percent(seat.mean_loss.error, 2)),
        ]
    };
    std::iter::once(heading.to_vec()).chain(analysis.seats.iter().zip(names).map(row)).collect()
}

/// Rows as lines whose columns stand below each other, the first to the left, the others to the right.
fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect()
}
