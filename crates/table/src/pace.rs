//! Time at a table: how long a player may think, and when the others are told what was done.
//!
//! All follows from the times of the stored changes, so that a restart, or another node, comes to the same.

use sultan_domain::{Observer, Seat};
use sultan_rules::Game;
use sultan_store::OpenedRecord;

use crate::table::{Play, Table};

/// The beat of an even pace where no time limit gives it.
const BEAT_MS: i64 = 5000;
/// How long before the end of its time a bot acts for an absent player where the pace is even, so that it is shown with the
/// beat, as the player's own action would have been.
const AHEAD_MS: i64 = 500;

/// Something that was done and is shown to the others with the next beat.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    /// The game as the others see it until then.
    pub(crate) before: Game,
    /// Since when they know whose turn that is.
    pub(crate) turn_since_ms: i64,
    /// Who acted.
    pub(crate) by: Seat,
    pub(crate) until_ms: i64,
}

/// The beat on which everything is shown; none where things are shown at once.
pub(crate) fn beat_ms(opened: &OpenedRecord) -> Option<i64> {
    opened.even_pace.then(|| opened.seconds.map_or(BEAT_MS, |seconds| i64::from(seconds) * 1000))
}

/// Keeps what was just done, from this state of the game on, for the first beat after it.
pub(crate) fn hold(play: &mut Play, before: &Game, by: Seat, beat_ms: i64, at_ms: i64) {
    let turn_since_ms = play.turn_since_ms;
    let last = play.held.last().map_or(at_ms, |held| held.until_ms.max(at_ms));
    let until_ms = play.started_ms + ((last - play.started_ms).max(0) / beat_ms + 1) * beat_ms;
    play.turn_since_ms = until_ms;
    play.held.push(Held { before: *before, turn_since_ms, by, until_ms });
}

impl Table {
    /// Shows what the beat has come for.
    pub(crate) fn show(&mut self, now_ms: i64) {
        if let Some(play) = &mut self.play {
            play.held.retain(|held| held.until_ms > now_ms);
        }
    }

    /// When the next thing is shown.
    pub(crate) fn next_beat_ms(&self) -> Option<i64> {
        self.play.as_ref()?.held.first().map(|held| held.until_ms)
    }

    /// When the time of whoever is to act, as an observer sees it, runs out.
    pub(crate) fn deadline_ms(&self, observer: Observer) -> Option<i64> {
        let seconds = self.opened.seconds.filter(|_| !self.seems_over(observer))?;
        Some(self.play.as_ref()?.turn_since_ms(observer) + i64::from(seconds) * 1000)
    }

    /// When a bot acts for somebody whose time runs out.
    pub(crate) fn clock_ms(&self) -> Option<i64> {
        Some(self.deadline_ms(Observer::Public)? - if self.opened.even_pace { AHEAD_MS } else { 0 })
    }
}
