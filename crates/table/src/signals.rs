//! Signals to the watchers of a table: reactions of players, and changes of presence. Signals are never stored.

use std::sync::Mutex;

use sultan_domain::{BySeat, Seat};
use tokio::sync::broadcast;

use crate::sync::locked;

/// A short reaction of a player, visible to all watchers of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// "Well done."
    Applause,
    /// "That is funny."
    Laugh,
    /// "I did not expect that."
    Wonder,
    /// "Too bad."
    Sigh,
    /// "Please hurry."
    Hurry,
    /// "Thank you."
    Thanks,
}

impl Reaction {
    /// All reactions.
    pub const ALL: [Self; 6] = [Self::Applause, Self::Laugh, Self::Wonder, Self::Sigh, Self::Hurry, Self::Thanks];

    /// A short code that never changes.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Applause => "applause",
            Self::Laugh => "laugh",
            Self::Wonder => "wonder",
            Self::Sigh => "sigh",
            Self::Hurry => "hurry",
            Self::Thanks => "thanks",
        }
    }

    /// The reaction with this code.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reaction| reaction.code() == code)
    }
}

/// A reaction of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatReaction {
    /// The seat that reacted.
    pub seat: Seat,
    /// The reaction.
    pub reaction: Reaction,
}

/// A signal to the watchers of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// A player reacted.
    Reaction(SeatReaction),
    /// A player became present or absent, or spectators came or went: read
    /// [`Service::attendance`](crate::Service::attendance).
    Presence,
}

/// The minimum time between two reactions of one seat.
const MIN_REACTION_INTERVAL_MS: i64 = 1500;
/// The number of signals kept for a slow watcher. A watcher that falls further behind misses signals.
const SIGNAL_BUFFER: usize = 8;

/// The signals of one table.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    /// `None` while there are no subscribers.
    watchers: Mutex<Option<broadcast::Sender<Signal>>>,
    /// The time of each seat's last reaction.
    last_reaction_ms: Mutex<BySeat<i64>>,
}

impl Signals {
    /// Sends a signal to the watchers on this node.
    pub(crate) fn send(&self, signal: Signal) {
        let mut watchers = locked(&self.watchers);
        if watchers.as_ref().is_some_and(|sender| sender.send(signal).is_err()) {
            // The last watcher has disconnected.
            *watchers = None;
        }
    }

    /// Sends a reaction, unless it follows too soon after the seat's last reaction. Returns whether it was sent.
    pub(crate) fn react(&self, reacted: SeatReaction, now_ms: i64) -> bool {
        let last_ms = &mut locked(&self.last_reaction_ms)[reacted.seat];
        // If the clock was set back, the difference is negative, and the reaction is allowed.
        if (0..MIN_REACTION_INTERVAL_MS).contains(&(now_ms - *last_ms)) {
            return false;
        }
        *last_ms = now_ms;
        self.send(Signal::Reaction(reacted));
        true
    }

    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Signal> {
        locked(&self.watchers).get_or_insert_with(|| broadcast::channel(SIGNAL_BUFFER).0).subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reaction_soon_after_the_seats_last_reaction_is_dropped() {
        let signals = Signals::default();
        let mut watcher = signals.subscribe();
        let [ana, bo] = [0, 1].map(|seat| SeatReaction { seat: Seat::new(seat).unwrap(), reaction: Reaction::Thanks });
        let is_sent = |reacted, at_ms| signals.react(reacted, 1_000_000 + at_ms);
        assert!(is_sent(ana, 0) && is_sent(bo, 1), "each seat has its own interval");
        assert!(!is_sent(ana, MIN_REACTION_INTERVAL_MS - 1), "1 ms too early");
        assert!(is_sent(ana, MIN_REACTION_INTERVAL_MS));
        assert!(!is_sent(ana, MIN_REACTION_INTERVAL_MS + 1), "1 ms after the last reaction");
        assert!(is_sent(ana, 0), "a clock that was set back must not block reactions");
        let received: Vec<Signal> = std::iter::from_fn(|| watcher.try_recv().ok()).collect();
        assert_eq!(received, [ana, bo, ana, ana].map(Signal::Reaction));
    }
}
