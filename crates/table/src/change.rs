//! How a table changes: what is asked is decided, stored, and only then told.

use std::sync::Arc;

use sultan_domain::{Observer, Seat, TableId};
use sultan_store::{Append, Change, EventRecord, OpenedRecord, StoreError, VisitorSeat};

use crate::publish::{LiveTable, ObserverSnapshot, Snapshot, locked};
use crate::request::{Caller, Sitting};
use crate::service::Inner;
use crate::table::{Table, Unreadable};
use crate::token::SeatToken;
use crate::{Rejection, ServiceError};

impl Inner {
    pub(crate) fn now_ms(&self) -> i64 {
        (self.settings.now_ms)()
    }

    pub(crate) fn random_id(&self) -> TableId {
        let bytes = (self.settings.random_bytes)();
        TableId::new(bytes.iter().take(8).fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
    }

    pub(crate) fn slot(&self, table: TableId) -> Arc<LiveTable> {
        locked(&self.tables).slot(table)
    }

    /// All tables in memory.
    pub(crate) fn slots(&self) -> Vec<(TableId, Arc<LiveTable>)> {
        locked(&self.tables).slots()
    }

    fn first_change(&self, events: Vec<EventRecord>) -> Change {
        Change { version: 1, at_ms: self.now_ms(), events }
    }

    /// What everybody knows of a table.
    pub(crate) async fn published(self: &Arc<Self>, table: TableId) -> Result<Arc<Snapshot>, ServiceError> {
        let slot = self.slot(table);
        if let Some(now) = slot.now() {
            return Ok(now);
        }
        let _turn = slot.turn.lock().await;
        self.known(&slot, table).await
    }

    /// What everybody knows, once it is known that no other node has gone on.
    pub(crate) async fn newest(self: &Arc<Self>, table: TableId) -> Result<Arc<Snapshot>, ServiceError> {
        let slot = self.slot(table);
        let _turn = slot.turn.lock().await;
        self.newest_known(&slot, table).await
    }

    /// The same, for whoever has the turn at the table.
    pub(crate) async fn newest_known(
        self: &Arc<Self>,
        slot: &Arc<LiveTable>,
        table: TableId,
    ) -> Result<Arc<Snapshot>, ServiceError> {
        let now = self.known(slot, table).await?;
        if self.catch_up(slot, &now).await? { self.known(slot, table).await } else { Ok(now) }
    }

    /// What everybody knows, and whose eyes somebody sees it with.
    pub(crate) async fn published_to(
        self: &Arc<Self>,
        table: TableId,
        caller: &Caller,
    ) -> Result<(Arc<Snapshot>, Observer), ServiceError> {
        if self.neighbours.is_cut_off() {
            // What is known here may be old: another node knows more.
            return Err(StoreError::Unreachable("this node is cut off from it".to_owned()).into());
        }
        let mut now = self.published(table).await?;
        if now.table.seat_of(caller).is_err() {
            // The seat may have been given on another node.
            now = self.newest(table).await?;
        }
        let seat = now.table.seat_of(caller)?;
        Ok((now, seat.map_or(Observer::Public, Observer::Seat)))
    }

    /// What everybody knows, for whoever has the turn at the table.
    pub(crate) async fn known(
        self: &Arc<Self>,
        slot: &Arc<LiveTable>,
        id: TableId,
    ) -> Result<Arc<Snapshot>, ServiceError> {
        if let Some(now) = slot.now() {
            return Ok(now);
        }
        let changes = self.store.load(id, 0).await?;
        let table = Table::load(id, &changes).map_err(|bad| unreadable(id, bad))?;
        let Some(mut table) = table else {
            // Whoever tries names takes no room from tables that are there.
            locked(&self.tables).let_go(id);
            return Err(Rejection::NoSuchTable.into());
        };
        table.show(self.now_ms());
        Ok(self.publish(slot, table))
    }

    fn publish(self: &Arc<Self>, slot: &LiveTable, table: Table) -> Arc<Snapshot> {
        let published = Arc::new(Snapshot::new(table));
        slot.publish(&published);
        self.attend(&published.table);
        self.list(&published.table);
        published
    }

    /// Where the pace is even, lists learn of the end with the beat, which is no change of its own.
    pub(crate) fn list(self: &Arc<Self>, table: &Table) {
        if table.opened.even_pace && table.play.is_some() && table.is_known_to_be_over() {
            let (inner, id, now) = (Arc::clone(self), table.id, self.now_ms());
            tokio::spawn(async move {
                if let Err(error) = inner.store.list_over(id, now).await {
                    tracing::error!(table = %id, %error, "a table that is over is still listed as in play");
                    inner.look_again(id);
                }
            });
        }
    }

    /// Shows what the beat has come for.
    pub(crate) fn show(self: &Arc<Self>, slot: &LiveTable, now: &Snapshot) {
        let mut table = now.table.clone();
        table.show(self.now_ms());
        self.publish(slot, table);
    }

    /// What happens when a table is opened: it is there, and its host has a seat.
    pub(crate) fn opening(
        &self,
        opened: OpenedRecord,
        host: &Sitting,
        token: &SeatToken,
    ) -> Result<(Seat, Vec<EventRecord>), ServiceError> {
        let opened = EventRecord::Opened(Box::new(opened));
        let empty = Table::load(TableId::new(0), &[self.first_change(vec![opened.clone()])]);
        let empty = empty.map_err(|bad| unreadable(TableId::new(0), bad))?.ok_or(Rejection::NoSuchTable)?;
        let (seat, mut events) = empty.take_seat(host, token)?;
        events.insert(0, opened);
        Ok((seat, events))
    }

    /// Opens a table under a new name.
    pub(crate) async fn found(self: &Arc<Self>, events: Vec<EventRecord>) -> Result<TableId, ServiceError> {
        let table = self.random_id();
        self.found_as(table, events).await?;
        Ok(table)
    }

    pub(crate) async fn found_as(self: &Arc<Self>, id: TableId, events: Vec<EventRecord>) -> Result<(), ServiceError> {
        let change = self.first_change(events);
        let table = Table::load(id, std::slice::from_ref(&change)).map_err(|bad| unreadable(id, bad))?;
        let table = table.ok_or(Rejection::NoSuchTable)?;
        let append = Append {
            table: id,
            version: 0,
            at_ms: change.at_ms,
            visitors: visitors(id, &change.events),
            listing: Some(table.listing()),
            events: change.events,
        };
        let (inner, slot) = (Arc::clone(self), self.slot(id));
        let turn = Arc::clone(&slot.turn).lock_owned().await;
        let founded = spawn_uncancellable(async move {
            let _turn = turn;
            inner.store.append(append).await?;
            inner.publish(&slot, table);
            Ok::<_, StoreError>(())
        });
        Ok(founded.await?)
    }

    /// Does what somebody with a seat asks for, and says what that seat sees then.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        table: TableId,
        caller: &Caller,
        mut decide: impl FnMut(&Table, Seat) -> Result<Vec<EventRecord>, Rejection>,
    ) -> Result<ObserverSnapshot, ServiceError> {
        let mut seat = Seat::default();
        let done = self.change(table, |table| {
            seat = table.seated(caller)?;
            decide(table, seat)
        });
        let done = done.await?;
        self.heard_from(table, seat);
        Ok(ObserverSnapshot::new(done, Observer::Seat(seat), self.slot(table)))
    }

    /// Decides, stores, tells. Where another node was faster, decides again from what it did.
    pub(crate) async fn change(
        self: &Arc<Self>,
        id: TableId,
        mut decide: impl FnMut(&Table) -> Result<Vec<EventRecord>, Rejection>,
    ) -> Result<Arc<Snapshot>, ServiceError> {
        // Bots on another node may be quick, and take many turns in a row.
        const TRIES: usize = 50;
        let _playing = self.studies.playing();
        let slot = self.slot(id);
        let mut turn = Arc::clone(&slot.turn).lock_owned().await;
        for _ in 0..TRIES {
            let now = self.known(&slot, id).await?;
            let events = match decide(&now.table) {
                Ok(events) => events,
                // Nothing is refused because of what was true here once, while another node went on.
                Err(_) if self.catch_up(&slot, &now).await? => continue,
                Err(refused) => return Err(refused.into()),
            };
            if events.is_empty() {
                return Ok(now);
            }
            let stored;
            (stored, turn) = self.store_change(&slot, &now, events, turn).await;
            match stored {
                Ok(published) => return Ok(published),
                // Another node was faster: what it did is read now.
                Err(StoreError::Stale) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(StoreError::Stale.into())
    }

    /// Reads what another node has done at a table, and tells it. Says whether there was anything.
    pub(crate) async fn catch_up(self: &Arc<Self>, slot: &LiveTable, now: &Snapshot) -> Result<bool, ServiceError> {
        let changes = self.store.load(now.table.id, now.table.version).await?;
        if changes.is_empty() {
            return Ok(false);
        }
        self.tell_changes(slot, now, &changes)?;
        Ok(true)
    }

    /// Tells what happened after what is known here: each change by itself, unless they are many.
    pub(crate) fn tell_changes(
        self: &Arc<Self>,
        slot: &LiveTable,
        now: &Snapshot,
        changes: &[Change],
    ) -> Result<(), StoreError> {
        const MANY: usize = 8;
        let mut table = now.table.clone();
        for (change, left) in changes.iter().zip((0..changes.len()).rev()) {
            table.change(change).map_err(|bad| unreadable(table.id, bad))?;
            if left == 0 || changes.len() <= MANY {
                table.show(self.now_ms());
                self.publish(slot, table.clone());
            }
        }
        Ok(())
    }

    /// Stores and tells. Whoever asked may go away meanwhile: what is stored is told in any case.
    pub(crate) async fn store_change(
        self: &Arc<Self>,
        slot: &Arc<LiveTable>,
        now: &Arc<Snapshot>,
        events: Vec<EventRecord>,
        turn: Turn,
    ) -> (Result<Arc<Snapshot>, StoreError>, Turn) {
        let (inner, slot, now) = (Arc::clone(self), Arc::clone(slot), Arc::clone(now));
        spawn_uncancellable(async move { (inner.store_and_tell(&slot, &now, events).await, turn) }).await
    }

    async fn store_and_tell(
        self: &Arc<Self>,
        slot: &LiveTable,
        now: &Snapshot,
        events: Vec<EventRecord>,
    ) -> Result<Arc<Snapshot>, StoreError> {
        let mut table = now.table.clone();
        let change = Change { version: table.version + 1, at_ms: self.now_ms(), events };
        table.change(&change).map_err(|bad| unreadable(table.id, bad))?;
        let listing = Some(table.listing()).filter(|listing| *listing != now.table.listing());
        let append = Append {
            table: table.id,
            version: now.table.version,
            at_ms: change.at_ms,
            visitors: visitors(table.id, &change.events),
            listing,
            events: change.events,
        };
        if let Err(error) = self.store.append(append).await {
            // What is known here is old, or, where the store failed, may be: it is read again.
            slot.forget();
            if !matches!(error, StoreError::Stale) {
                self.look_again(table.id);
            }
            return Err(error);
        }
        Ok(self.publish(slot, table))
    }
}

/// Does something to its end, also where whoever asked for it goes away meanwhile.
pub(crate) async fn spawn_uncancellable<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    match tokio::spawn(work).await {
        Ok(done) => done,
        Err(broken) if broken.is_panic() => std::panic::resume_unwind(broken.into_panic()),
        // The program ends, and whoever waits with it.
        Err(_) => std::future::pending().await,
    }
}

/// The right to change a table.
pub(crate) type Turn = tokio::sync::OwnedMutexGuard<()>;

fn unreadable(table: TableId, Unreadable(reason): Unreadable) -> StoreError {
    StoreError::Unreadable { table, reason }
}

/// The browsers that have a seat from now on.
fn visitors(table: TableId, events: &[EventRecord]) -> Vec<VisitorSeat> {
    let seat = |event: &EventRecord| match event {
        EventRecord::Sat(sat) => Some(VisitorSeat { visitor: sat.visitor?, table, seat: sat.seat }),
        EventRecord::Linked { seat, visitor } => Some(VisitorSeat { visitor: *visitor, table, seat: *seat }),
        EventRecord::Opened(_)
        | EventRecord::Changed { .. }
        | EventRecord::Freed { .. }
        | EventRecord::Filled { .. }
        | EventRecord::StoodIn { .. }
        | EventRecord::Returned { .. }
        | EventRecord::Host { .. }
        | EventRecord::Started
        | EventRecord::Acted(_)
        | EventRecord::ActedByClock(_)
        | EventRecord::Ended
        | EventRecord::Rematched { .. } => None,
    };
    events.iter().filter_map(seat).collect()
}
