//! Signals to the watchers of a table, which are never stored: reactions, and changes of presence.

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
    /// A player became present or absent: read [`Service::absent_seats`](crate::Service::absent_seats).
    Presence,
}

/// The minimum time between two reactions of one seat.
const MIN_REACTION_INTERVAL_MS: i64 = 1500;
/// Signals that are kept for a slow watcher. Older ones are lost.
const SIGNAL_BUFFER: usize = 8;

/// The signals of one table.
#[derive(Debug, Default)]
pub(crate) struct Signals {
    watchers: Mutex<Option<broadcast::Sender<Signal>>>,
    /// The time of each seat's last reaction.
    last_ms: Mutex<BySeat<i64>>,
}

impl Signals {
    /// Sends a signal to the watchers on this node.
    pub(crate) fn send(&self, signal: Signal) {
        let mut watchers = locked(&self.watchers);
        if watchers.as_ref().is_some_and(|sender| sender.send(signal).is_err()) {
            *watchers = None;
        }
    }

    /// Sends a reaction, unless it follows too soon after the seat's last reaction. Returns whether it was sent.
    pub(crate) fn react(&self, reacted: SeatReaction, now_ms: i64) -> bool {
        let last = &mut locked(&self.last_ms)[reacted.seat];
        if (0..MIN_REACTION_INTERVAL_MS).contains(&(now_ms - *last)) {
            return false;
        }
        *last = now_ms;
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
    fn reactions_of_a_seat_keep_their_interval() {
        let signals = Signals::default();
        let mut watcher = signals.subscribe();
        let [ana, bo] = [0, 1].map(|seat| SeatReaction { seat: Seat::new(seat).unwrap(), reaction: Reaction::Thanks });
        let sent = |reacted, at_ms| signals.react(reacted, 1_000_000 + at_ms);
        assert!(sent(ana, 0) && sent(bo, 1), "each seat has its own interval");
        assert!(
            !sent(ana, MIN_REACTION_INTERVAL_MS - 1)
                && sent(ana, MIN_REACTION_INTERVAL_MS)
                && !sent(ana, MIN_REACTION_INTERVAL_MS + 1)
        );
        // A clock that was set back blocks no reactions.
        assert!(sent(ana, 0));
        let received: Vec<Signal> = std::iter::from_fn(|| watcher.try_recv().ok()).collect();
        assert_eq!(received, [ana, bo, ana, ana].map(Signal::Reaction));
    }
}
