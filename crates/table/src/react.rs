//! Signs that pass by, of which nothing is kept: reactions, which players give each other, and that somebody came or went.

use std::sync::Mutex;

use sultan_domain::{BySeat, Seat, TableId};
use tokio::sync::broadcast;

use crate::publish::locked;
use crate::service::Service;
use crate::{Caller, Rejection, ServiceError};

/// A short sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reaction {
    /// Well done.
    Applause,
    /// That is funny.
    Laugh,
    /// I did not expect that.
    Wonder,
    /// What a pity.
    Sigh,
    /// Please go on.
    Hurry,
    /// Thank you.
    Thanks,
}

impl Reaction {
    /// All signs.
    pub const ALL: [Self; 6] = [Self::Applause, Self::Laugh, Self::Wonder, Self::Sigh, Self::Hurry, Self::Thanks];

    /// A short name that never changes.
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

    /// The sign with this name.
    #[must_use]
    pub fn named(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reaction| reaction.code() == code)
    }
}

/// A sign that somebody gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reacted {
    /// Who.
    pub seat: Seat,
    /// What.
    pub reaction: Reaction,
}

impl Reacted {
    /// As other nodes are told of it.
    pub(crate) fn written(self) -> String {
        format!("{}:{}", self.seat.number(), self.reaction.code())
    }

    pub(crate) fn read(text: &str) -> Option<Self> {
        let (seat, reaction) = text.split_once(':')?;
        Some(Self { seat: Seat::new(seat.parse().ok()?)?, reaction: Reaction::named(reaction)? })
    }
}

/// What passes by at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Somebody reacted.
    Reaction(Reacted),
    /// Somebody came or went ([`Service::absent_seats`] says who).
    Presence,
}

/// So long a player waits between two reactions.
const PAUSE_MS: i64 = 1500;
/// Signs that may wait for a slow watcher; older ones are not missed.
const WAITING: usize = 8;

/// Where the signs of one table go.
#[derive(Debug, Default)]
pub(crate) struct Signs {
    watchers: Mutex<Option<broadcast::Sender<Sign>>>,
    /// When each seat reacted last.
    last_ms: Mutex<BySeat<i64>>,
}

impl Signs {
    /// Passes a sign on to those who watch here.
    pub(crate) fn tell(&self, sign: Sign) {
        let mut watchers = locked(&self.watchers);
        if watchers.as_ref().is_some_and(|sender| sender.send(sign).is_err()) {
            *watchers = None;
        }
    }

    /// Passes a reaction on, unless it comes too soon after the last. Says whether it does not.
    pub(crate) fn react(&self, reacted: Reacted, now_ms: i64) -> bool {
        let last = &mut locked(&self.last_ms)[reacted.seat];
        if (0..PAUSE_MS).contains(&(now_ms - *last)) {
            return false;
        }
        *last = now_ms;
        self.tell(Sign::Reaction(reacted));
        true
    }

    fn subscribe(&self) -> broadcast::Receiver<Sign> {
        locked(&self.watchers).get_or_insert_with(|| broadcast::channel(WAITING).0).subscribe()
    }
}

impl Service {
    /// Reacts, for all who look at a table. What comes too soon after the last is not passed on.
    ///
    /// # Errors
    /// [`Rejection`] when there is no such table, or whoever asks has no seat there.
    pub async fn react(&self, table: TableId, caller: &Caller, reaction: Reaction) -> Result<(), ServiceError> {
        let seat = self.look(table, caller).await?.observer().seat().ok_or(Rejection::NoToken)?;
        let reacted = Reacted { seat, reaction };
        self.0.heard_from(table, seat);
        if self.0.slot(table).signs.react(reacted, self.0.now_ms()) {
            self.0.tell_nodes(table, &reacted.written());
        }
        Ok(())
    }

    /// The signs that are given at a table from now on.
    #[must_use]
    pub fn signs(&self, table: TableId) -> broadcast::Receiver<Sign> {
        self.0.slot(table).signs.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_written_and_read_and_come_no_faster_than_they_may() {
        let signs = Signs::default();
        let mut watcher = signs.subscribe();
        let [ana, bo] = [0, 1].map(|seat| Reacted { seat: Seat::new(seat).unwrap(), reaction: Reaction::Thanks });
        assert_eq!(Reacted::read(&bo.written()), Some(bo));
        for wrong in ["", "1", "1:", "9:thanks", "1:dance"] {
            assert_eq!(Reacted::read(wrong), None, "{wrong}");
        }
        let told = |reacted, at_ms| signs.react(reacted, 1_000_000 + at_ms);
        assert!(told(ana, 0) && told(bo, 1), "each has a pause of their own");
        assert!(!told(ana, PAUSE_MS - 1) && told(ana, PAUSE_MS) && !told(ana, PAUSE_MS + 1));
        // A clock that was set back keeps nobody silent.
        assert!(told(ana, 0));
        let heard: Vec<Sign> = std::iter::from_fn(|| watcher.try_recv().ok()).collect();
        assert_eq!(heard, [ana, bo, ana, ana].map(Sign::Reaction));
    }
}
