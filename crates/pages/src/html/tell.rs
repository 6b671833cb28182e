//! What happened, in sentences: for those who listen, and for those who look away.
//!
//! Told from what one observer saw before and sees now, and from nothing else.

use sultan_domain::ViewPhase;

use super::table::{PageContext, how_to_bid};

/// What happened between two looks at a table, in order, and whether it is the observer's turn.
pub(crate) fn tell(before: PageContext<'_>, now: PageContext<'_>) -> Vec<String> {
    let mut said = now.narrator().changes(before.playing, now.playing);
    if now.is_turn() && (!before.is_turn() || before.view().at != now.view().at) {
        said.push(turn(now));
    }
    said
}

fn turn(now: PageContext<'_>) -> String {
    let text = now.text;
    let (call, how) = match now.view().phase {
        ViewPhase::Offer => (text.say("table-you-open"), text.say("table-you-open-how")),
        ViewPhase::Bid | ViewPhase::Over => (text.say("table-your-turn"), how_to_bid(now)),
    };
    format!("{call} {how}")
}

#[cfg(test)]
mod tests;
