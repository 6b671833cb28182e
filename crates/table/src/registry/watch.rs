//! Watching a table.

use std::fmt;
use std::sync::Arc;

use sultan_domain::{Observer, Seat};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::{JsonView, LiveTable, ObserverSnapshot, Snapshot};
use crate::Rejection;
use crate::request::Caller;
use crate::table::Occupants;

/// More actions than this are never hidden at a time.
const MAX_HIDDEN_ACTIONS: u32 = 8;

/// A stream of the states of a table, as one caller may see them.
pub struct Watch {
    live: Arc<LiveTable>,
    snapshots: broadcast::Receiver<Arc<Snapshot>>,
    caller: Caller,
    seat: Option<Seat>,
    /// The occupants when the caller's seat was last checked.
    occupants: Arc<Occupants>,
    /// The version that the caller claims to know.
    known: Option<u32>,
    /// The version that was returned last.
    last: Option<u32>,
    first: Option<Arc<Snapshot>>,
}

/// Shows who watches, and nothing of the views.
impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("seat", &self.seat).field("last", &self.last).finish_non_exhaustive()
    }
}

impl Watch {
    pub(super) fn new(
        live: Arc<LiveTable>,
        snapshots: broadcast::Receiver<Arc<Snapshot>>,
        now: Arc<Snapshot>,
        caller: Caller,
        known: Option<u32>,
    ) -> Result<Self, Rejection> {
        let seat = now.table().seat_of(&caller)?;
        let occupants = Arc::clone(now.table().occupants());
        // Something may have been published since the caller looked.
        let first = live.current().unwrap_or(now);
        Ok(Self { live, snapshots, caller, seat, occupants, known, last: None, first: Some(first) })
    }

    /// Whose view this is.
    #[must_use]
    pub fn observer(&self) -> Observer {
        self.seat.map_or(Observer::Public, Observer::Seat)
    }

    /// The next view as JSON: at once the newest, if the caller does not know it, then every change. `None` when the caller
    /// has lost the seat, or the server stops.
    pub async fn next(&mut self) -> Option<JsonView> {
        Some(self.next_snapshot().await?.json())
    }

    /// The same as a snapshot.
    pub async fn next_snapshot(&mut self) -> Option<ObserverSnapshot> {
        loop {
            let snapshot = self.receive().await?;
            if !self.still_seated(&snapshot) {
                return None;
            }
            if self.is_news(&snapshot) {
                return Some(ObserverSnapshot::new(snapshot, self.observer(), Arc::clone(&self.live)));
            }
        }
    }

    async fn receive(&mut self) -> Option<Arc<Snapshot>> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        loop {
            match self.snapshots.recv().await {
                Ok(snapshot) => return Some(snapshot),
                Err(RecvError::Lagged(_)) => {
                    // The snapshots in the buffer are outdated: continue with the newest.
                    self.snapshots = self.snapshots.resubscribe();
                    if let Some(snapshot) = self.live.current() {
                        return Some(snapshot);
                    }
                }
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// Whether the caller still has the seat. The seats need no check while their occupants are the same allocation.
    fn still_seated(&mut self, snapshot: &Snapshot) -> bool {
        let table = snapshot.table();
        if !Arc::ptr_eq(&self.occupants, table.occupants()) {
            if self.seat.is_some() && table.seat_of(&self.caller) != Ok(self.seat) {
                return false;
            }
            self.occupants = Arc::clone(table.occupants());
        }
        true
    }

    /// Whether the caller does not know this version. A beat shows nothing new to those who acted, a hidden action shows
    /// nothing to the others, and a snapshot may arrive twice while the watch starts.
    fn is_news(&mut self, snapshot: &Snapshot) -> bool {
        let version = snapshot.version(self.observer());
        // The version that the caller claims to know, if that is possible. With an even pace another node may have shown a
        // beat that comes here in a moment.
        let ahead = if snapshot.table().options().even_pace { MAX_HIDDEN_ACTIONS } else { 0 };
        let told = self.last.or(self.known.filter(|known| (version..=version + ahead).contains(known)));
        self.last = told.max(Some(version));
        told.is_none_or(|told| version > told)
    }
}
