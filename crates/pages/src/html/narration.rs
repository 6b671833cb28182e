//! Narrates events at a table in sentences, for screen readers and for players after a distraction.
//!
//! The sentences are made only from the observer's views before and after the events.

use super::table::{PageContext, own_turn};

/// The events between two views of one observer, in order, and a notice if it has become the observer's turn.
pub(crate) fn narrate(before: PageContext<'_>, now: PageContext<'_>) -> Vec<String> {
    let mut sentences = now.narrator().changes(before.playing, now.playing);
    if now.is_turn() && (!before.is_turn() || before.view().action_count != now.view().action_count) {
        sentences.push(own_turn(now).join(" "));
    }
    sentences
}

#[cfg(test)]
mod tests;
