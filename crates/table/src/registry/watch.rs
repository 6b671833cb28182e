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

/// The maximum number of actions hidden at a time.
const MAX_HIDDEN_ACTIONS: u32 = 8;

/// A stream of the states of a table, as one caller may see them.
pub struct Watch {
    live: Arc<LiveTable>,
    snapshots: broadcast::Receiver<Arc<Snapshot>>,
    caller: Caller,
    seat: Option<Seat>,
    /// The occupants when the caller's seat was last checked.
    occupants: Arc<Occupants>,
    /// The version that the client claims to have.
    client_version: Option<u32>,
    /// The version that was returned last.
    last: Option<u32>,
    first: Option<Arc<Snapshot>>,
}

/// Shows the observer, but not the views.
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
        client_version: Option<u32>,
    ) -> Result<Self, Rejection> {
        let seat = now.table().seat_of(&caller)?;
        let occupants = Arc::clone(now.table().occupants());
        // A newer state may have been published since `now` was read.
        let first = live.current().unwrap_or(now);
        Ok(Self { live, snapshots, caller, seat, occupants, client_version, last: None, first: Some(first) })
    }

    /// The observer whose view this is.
    #[must_use]
    pub fn observer(&self) -> Observer {
        self.seat.map_or(Observer::Public, Observer::Seat)
    }

    /// The next view as JSON: first the newest view, unless the client already has it, then a view after every change.
    /// `None` when the caller has lost the seat, or the server stops.
    pub async fn next(&mut self) -> Option<JsonView> {
        Some(self.next_snapshot().await?.json())
    }

    /// [`Watch::next`], as a snapshot.
    pub async fn next_snapshot(&mut self) -> Option<ObserverSnapshot> {
        loop {
            let snapshot = self.receive().await?;
            if !self.still_seated(&snapshot) {
                return None;
            }
            if self.is_new(&snapshot) {
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

    /// Returns whether the caller still has the seat. While the occupants are the same allocation, the seats need no
    /// check.
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

    /// Returns whether this version is new to the client. A beat shows nothing new to the seat that acted, a hidden
    /// action shows nothing to the other observers, and a snapshot may arrive twice while the watch starts.
    fn is_new(&mut self, snapshot: &Snapshot) -> bool {
        let version = snapshot.version(self.observer());
        // The version that the client claims to have, if that is possible. With an even pace another node may have
        // shown a beat slightly earlier than this node.
        let ahead = if snapshot.table().options().even_pace { MAX_HIDDEN_ACTIONS } else { 0 };
        let latest = self.last.or(self.client_version.filter(|claimed| (version..=version + ahead).contains(claimed)));
        self.last = latest.max(Some(version));
        latest.is_none_or(|latest| version > latest)
    }
}
