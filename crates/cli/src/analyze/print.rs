//! Prints an analysis on a terminal: a summary for each player, and the decisions that cost most.

use sultan_domain::Analysis;
use sultan_text::Text;

use crate::{Out, format};

pub(super) fn print(text: Text, analysis: &Analysis, names: &[String], out: Out) -> anyhow::Result<()> {
    writeln!(out, "{}", format::heading(&text.say("analysis-title")))?;
    if let Some(verdict) = text.verdict(analysis, names, None) {
        writeln!(out, "{verdict}")?;
    }
    if !analysis.complete {
        writeln!(out, "{}", text.say("analysis-unfinished"))?;
    }
    writeln!(out, "{}\n", text.with("analysis-method", &[("seed", (&analysis.seed.to_string()).into())]))?;
    writeln!(out, "{}", format::heading(&text.say("analysis-players")))?;
    writeln!(out, "{}", text.sum_note(analysis))?;
    for line in format::aligned(&text.player_table(analysis, names), |column| column == 0) {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "\n{}", format::heading(&text.say("analysis-worst")))?;
    for (seat, name) in analysis.players.seats().zip(names) {
        writeln!(out, "  {name}")?;
        for decision in analysis.worst_decisions(seat) {
            writeln!(out, "    {}. {}.", text.decision(decision), text.loss(decision))?;
            if let Some(reason) = text.decision_reason(decision, names) {
                writeln!(out, "      {reason}")?;
            }
        }
        if analysis.worst_decisions(seat).next().is_none() {
            writeln!(out, "    {}", text.say("analysis-worst-none"))?;
        }
    }
    Ok(())
}
