//! Events at a table in sentences, for screen readers and for readers who looked away.
//!
//! They are made only from the observer's view before and after.

use sultan_domain::ViewPhase;

use super::table::{PageContext, how_to_bid};

/// The events between two views of a table, in order, and a notice if it is the observer's turn.
pub(crate) fn narrate(before: PageContext<'_>, now: PageContext<'_>) -> Vec<String> {
    let mut sentences = now.narrator().changes(before.playing, now.playing);
    if now.is_turn() && (!before.is_turn() || before.view().at != now.view().at) {
        sentences.push(turn_notice(now));
    }
    sentences
}

fn turn_notice(now: PageContext<'_>) -> String {
    let text = now.text;
    let (notice, instruction) = match now.view().phase {
        ViewPhase::Offer => (text.say("table-you-open"), text.say("table-you-open-how")),
        ViewPhase::Bid | ViewPhase::Over => (text.say("table-your-turn"), how_to_bid(now)),
    };
    format!("{notice} {instruction}")
}

#[cfg(test)]
mod tests;
