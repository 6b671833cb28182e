//! `sultan` alone: what there is, until there is a server to start.

use crate::{Out, shown};

pub(crate) fn run(out: Out) -> anyhow::Result<()> {
    writeln!(out, "{}", shown::heading(&format!("Sultan {}", env!("CARGO_PKG_VERSION"))))?;
    writeln!(
        out,
        "\
Jewels on cushions, face-down money cards, bluff: the board game for 2 to 5 players.

The table in your browser is what comes next: `sultan` alone will open it. What works today:

  sultan arena       let bots play against each other
  sultan engine      ask a bot, from another program
  sultan replay      tell a recorded game, round by round
  sultan verify      check that chance was honest and every action legal
  sultan score       count the points of a collection of jewels
  sultan solve       solve a toy game of two players exactly
  sultan train       train the bots' nets, or nets that beat one bot
  sultan --help      everything, with examples

Try this:

  sultan arena --players 4 --bots sultan,vizier,jeweller,merchant --games 1 --records game.jsonl
  sultan replay game.jsonl"
    )?;
    Ok(())
}
