//! Watching a table: one caller's stream of its published states.

use std::fmt;
use std::sync::Arc;

use sultan_domain::{Observer, Seat};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::{JsonView, LiveTable, ObserverSnapshot, Snapshot};
use crate::Rejection;
use crate::request::Caller;
use crate::table::Occupants;

/// An upper bound for the number of actions that are hidden at the same time (even pace). They are few: until the
/// others see an action, only the seat that played it can act again.
const MAX_HIDDEN_ACTIONS: u32 = 8;

/// A stream of the states of a table, as one caller may see them.
pub struct Watch {
    live: Arc<LiveTable>,
    snapshots: broadcast::Receiver<Arc<Snapshot>>,
    caller: Caller,
    seat: Option<Seat>,
    /// The occupants when the caller's seat was last checked.
    occupants: Arc<Occupants>,
    /// The version that the client already has, according to its request.
    client_version: Option<u32>,
    /// The version of the state that was returned last.
    last_version: Option<u32>,
    /// The state to return first. `None` once it was returned.
    first: Option<Arc<Snapshot>>,
}

/// Shows the seat and the version, but no view, since a view contains hidden cards.
impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Watch");
        shown.field("seat", &self.seat).field("last_version", &self.last_version).finish_non_exhaustive()
    }
}

impl Watch {
    /// Starts with this snapshot, or a newer one that was published in between, and continues with `snapshots`.
    pub(super) fn new(
        live: Arc<LiveTable>,
        snapshots: broadcast::Receiver<Arc<Snapshot>>,
        snapshot: Arc<Snapshot>,
        caller: Caller,
        client_version: Option<u32>,
    ) -> Result<Self, Rejection> {
        let seat = snapshot.table().seat_of(&caller)?;
        let occupants = Arc::clone(snapshot.table().occupants());
        // A newer state may have been published since `snapshot` was read.
        let first = Some(live.current().unwrap_or(snapshot));
        Ok(Self { live, snapshots, caller, seat, occupants, client_version, last_version: None, first })
    }

    /// The observer of the returned views.
    #[must_use]
    pub fn observer(&self) -> Observer {
        self.seat.map_or(Observer::Public, Observer::Seat)
    }

    /// Waits for the next view. The first call returns the newest view, unless the client already has it; each further
    /// call returns the view after the next change. `None` when the caller has lost the seat, or the server stops.
    pub async fn next(&mut self) -> Option<JsonView> {
        Some(self.next_snapshot().await?.json())
    }

    /// [`Watch::next`], but returns a snapshot instead of JSON.
    pub async fn next_snapshot(&mut self) -> Option<ObserverSnapshot> {
        loop {
            let snapshot = self.receive().await?;
            if !self.is_still_seated(&snapshot) {
                return None;
            }
            if self.is_new(&snapshot) {
                return Some(self.for_observer(snapshot));
            }
        }
    }

    /// [`Watch::next_snapshot`], but skips to the newest state if several changes have come since the last call.
    pub async fn newest_snapshot(&mut self) -> Option<ObserverSnapshot> {
        let next = self.next_snapshot().await?;
        let Some(current) = self.live.current() else { return Some(next) };
        if !self.is_still_seated(&current) {
            return None;
        }
        // The skipped states stay in the buffer until the next call, which drops them because they are not new.
        Some(if self.is_new(&current) { self.for_observer(current) } else { next })
    }

    fn for_observer(&self, snapshot: Arc<Snapshot>) -> ObserverSnapshot {
        ObserverSnapshot { snapshot, observer: self.observer(), live: Arc::clone(&self.live) }
    }

    /// Waits for the next published snapshot.
    async fn receive(&mut self) -> Option<Arc<Snapshot>> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        loop {
            match self.snapshots.recv().await {
                Ok(snapshot) => return Some(snapshot),
                Err(RecvError::Lagged(_)) => {
                    // This watcher was too slow and missed snapshots. Skip the rest of the buffer, which is outdated.
                    self.snapshots = self.snapshots.resubscribe();
                    if let Some(snapshot) = self.live.current() {
                        return Some(snapshot);
                    }
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// Returns whether the caller still has the seat. Compares tokens only if an occupant has changed, which replaces
    /// the allocation of the occupants.
    fn is_still_seated(&mut self, snapshot: &Snapshot) -> bool {
        let table = snapshot.table();
        if !Arc::ptr_eq(&self.occupants, table.occupants()) {
            if self.seat.is_some() && table.seat_of(&self.caller) != Ok(self.seat) {
                return false;
            }
            self.occupants = Arc::clone(table.occupants());
        }
        true
    }

    /// Returns whether this snapshot has a newer version than the client. A published snapshot may be old to a client:
    /// the player who acted has seen a hidden action before the others, the others do not see a hidden action at all,
    /// and a snapshot may arrive twice while the watch starts.
    fn is_new(&mut self, snapshot: &Snapshot) -> bool {
        let version = snapshot.version(self.observer());
        // A client may claim to have any version. Accept the claim if it is possible: the version of this node or, with
        // an even pace, a later one, since another node may have revealed hidden actions slightly earlier.
        let max_ahead = if snapshot.table().options().even_pace { MAX_HIDDEN_ACTIONS } else { 0 };
        let accepted_claim = self.client_version.filter(|claimed| (version..=version + max_ahead).contains(claimed));
        let latest = self.last_version.or(accepted_claim);
        self.last_version = latest.max(Some(version));
        latest.is_none_or(|latest| version > latest)
    }
}
