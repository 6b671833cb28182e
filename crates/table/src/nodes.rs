//! Other nodes on the same database: whose bots are whose, and what the others have done.
//!
//! Every living node says so again and again; from who lives, all nodes know which of them lets bots act and clocks run at which
//! table. Where two disagree for a moment, both may try, and the table's version decides. What others do is told by the store;
//! what was not told is found by looking, which is done now and then and whenever something may have been missed.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use sultan_domain::TableId;
use sultan_store::{Change, News, StoreError};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};

use crate::ServiceError;
use crate::present::Noticed;
use crate::publish::{LiveTable, locked};
use crate::react::Reacted;
use crate::service::{Inner, Service};

/// So often a node says that it lives.
const BEAT: Duration = Duration::from_millis(500);
/// A node that comes asks up to so often what time it is, until an answer comes soon enough to be sure of it.
const QUESTIONS: usize = 8;
const PROMPT: Duration = Duration::from_millis(5);
/// A node that has not said so for this long is dead for the others.
pub(crate) const LEASE_MS: i64 = 2500;
/// A node whose database has not answered for so long knows too little to tell anybody anything.
const CUT_OFF: Duration = Duration::from_secs(5);
/// So often the tables in memory are compared with the database, for what was not told.
const POLL: Duration = Duration::from_secs(5);
/// So often the tables that go on by themselves are looked through, though nobody came or went.
const LOOK_THROUGH: Duration = Duration::from_secs(30);
/// So long tables that are not known here wait to be asked for: less than a bot pauses.
const GATHER: Duration = Duration::from_millis(100);
/// The most tables that are asked about at once.
const PAGE: usize = 1000;

impl Service {
    /// Says to the other nodes on the database that this one is there, and takes in what time it is for all of them.
    ///
    /// # Errors
    /// [`ServiceError::Store`] when the database does not answer.
    pub async fn join(&self) -> Result<(), ServiceError> {
        for _ in 0..QUESTIONS {
            let asked = Instant::now();
            self.0.beat().await?;
            if asked.elapsed() < PROMPT {
                break;
            }
        }
        Ok(())
    }

    /// Lives with the other nodes on the database, where there may be some. Does not come back.
    pub(crate) async fn live_together(&self) {
        let inner = &self.0;
        let Some(nodes) = inner.store.nodes() else {
            inner.take_over_studies(i64::MAX).await;
            self.resume().await;
            return;
        };
        let news = nodes.news();
        tokio::join!(
            inner.keep_beating(),
            inner.hear(news),
            inner.poll(),
            inner.attend_to_unknown(),
            inner.inherit(),
            async {
                loop {
                    self.resume().await;
                    // What comes first: somebody comes or goes, or it is time.
                    let _ = timeout(LOOK_THROUGH, inner.neighbours.look_through.notified()).await;
                }
            }
        );
    }

    /// Tells the other nodes that this one ends.
    pub(crate) async fn take_leave(&self) {
        if let Some(nodes) = self.0.store.nodes()
            && let Err(error) = nodes.leave(self.0.neighbours.own).await
        {
            tracing::warn!(%error, "the other nodes could not be told that this one ends; they will notice");
        }
    }
}

impl Inner {
    async fn beat(self: &Arc<Self>) -> Result<(), StoreError> {
        let Some(nodes) = self.store.nodes() else { return Ok(()) };
        let asked = Instant::now();
        let living = nodes.beat(self.neighbours.own, LEASE_MS).await?;
        let took = asked.elapsed();
        self.take_in_time(living.now_ms, took);
        if self.neighbours.meet(&living.nodes) {
            tracing::info!(nodes = living.nodes.len(), "nodes on this database");
            self.neighbours.look_through.notify_one();
        }
        Ok(())
    }

    /// Takes in what time it was for the database while it answered, which took so long.
    fn take_in_time(&self, told_ms: i64, took: Duration) {
        let off = took / 2 + Duration::from_millis(1);
        let told_ms = told_ms + i64::try_from(took.as_millis() / 2).unwrap_or(0);
        let away = Duration::from_millis(told_ms.abs_diff(self.now_ms()));
        if self.neighbours.believes(off, away) {
            (self.settings.told_time)(told_ms);
        }
    }

    async fn keep_beating(self: &Arc<Self>) {
        let mut heard = Instant::now();
        loop {
            match self.beat().await {
                Ok(()) => {
                    heard = Instant::now();
                    if self.neighbours.is_cut_off() {
                        self.neighbours.answers_again.notify_one();
                    }
                }
                Err(error) if heard.elapsed() > CUT_OFF => {
                    if !self.neighbours.cut_off.swap(true, Ordering::Relaxed) {
                        tracing::error!(%error, "cut off from the database: those who watch are sent to other nodes");
                    }
                    self.slots().iter().for_each(|(_, slot)| slot.hang_up());
                }
                Err(error) => tracing::warn!(%error, "the database does not answer"),
            }
            sleep(BEAT).await;
        }
    }

    /// Goes on with the analyses of nodes that have died. Not between two beats, which must come in time. Does not come
    /// back.
    async fn inherit(self: &Arc<Self>) {
        loop {
            self.take_over_studies(self.now_ms() - LEASE_MS).await;
            sleep(2 * BEAT).await;
        }
    }

    /// Works off what the store tells.
    async fn hear(self: &Arc<Self>, mut news: mpsc::Receiver<News>) {
        let mut some = Vec::new();
        while news.recv_many(&mut some, PAGE).await > 0 {
            let (mut changed, mut missed) = (BTreeMap::new(), false);
            for one in some.drain(..) {
                match one {
                    News::Changed(table, version) => {
                        let newest = changed.entry(table).or_insert(version);
                        *newest = version.max(*newest);
                    }
                    News::Sign(table, sign) => self.pass_on(table, &sign),
                    News::Missed => missed = true,
                }
            }
            if missed {
                self.neighbours.look_through.notify_one();
                self.look_around();
                self.compare().await;
            }
            self.look_at(changed).await;
        }
    }

    async fn poll(self: &Arc<Self>) {
        loop {
            let answers_again = timeout(POLL, self.neighbours.answers_again.notified()).await.is_ok();
            // Nobody is told anything before what is known here is as new as what others were told meanwhile.
            if self.compare().await && answers_again && self.neighbours.cut_off.swap(false, Ordering::Relaxed) {
                tracing::info!("the database answers again");
            }
        }
    }

    /// Compares all tables in memory with the database. Says whether that could be done.
    async fn compare(self: &Arc<Self>) -> bool {
        let Some(nodes) = self.store.nodes() else { return true };
        let version = |slot: &LiveTable| match slot.now() {
            Some(now) => Some(now.table.version),
            // Somebody watches what is not known here any more.
            None => slot.is_watched().then_some(0),
        };
        let known: Vec<(TableId, u32)> =
            self.slots().into_iter().filter_map(|(table, slot)| Some((table, version(&slot)?))).collect();
        for page in known.chunks(PAGE) {
            match nodes.changed(page.to_vec()).await {
                Ok(changed) => {
                    if !self.look_at(changed.into_iter().collect()).await {
                        return false;
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "tables could not be compared with the database; trying again later");
                    return false;
                }
            }
        }
        true
    }

    /// Looks at tables that have come to these versions. Says whether they could be read.
    async fn look_at(self: &Arc<Self>, changed: BTreeMap<TableId, u32>) -> bool {
        let mut known = Vec::new();
        for (table, version) in changed {
            let attends = self.neighbours.attends(table);
            let Some(slot) = self.slot_in_memory(table) else {
                self.attend_later(table, attends);
                continue;
            };
            match slot.now() {
                Some(now) if now.table.version >= version => {}
                Some(now) if attends || slot.is_watched() => known.push((table, now.table.version)),
                // Nobody looks at it here: it is read when it is asked for.
                Some(_) => slot.forget(),
                None if slot.is_watched() => self.read(table),
                None => self.attend_later(table, attends),
            }
        }
        let read = self.take_in(known).await;
        if let Err(error) = &read {
            tracing::warn!(%error, "what other nodes did could not be read; trying again later");
        }
        read.is_ok()
    }

    fn attend_later(&self, table: TableId, attends: bool) {
        if attends && locked(&self.neighbours.unknown).insert(table) {
            self.neighbours.unknown_came.notify_one();
        }
    }

    /// Begins to attend to tables that are not known here, if they go on by themselves; most do not, so they are asked for many at a
    /// time. Does not come back.
    async fn attend_to_unknown(self: &Arc<Self>) {
        let Some(nodes) = self.store.nodes() else { return };
        loop {
            self.neighbours.unknown_came.notified().await;
            sleep(GATHER).await;
            let tables: Vec<TableId> = std::mem::take(&mut *locked(&self.neighbours.unknown)).into_iter().collect();
            for page in tables.chunks(PAGE) {
                match nodes.attended_among(page.to_vec()).await {
                    Ok(attended) => attended.into_iter().for_each(|table| self.read(table)),
                    Err(error) => {
                        tracing::warn!(%error, "tables of this node could not be asked for; trying again");
                        page.iter().for_each(|&table| self.attend_later(table, true));
                    }
                }
            }
        }
    }

    /// Reads a table: those who watch are told, and whatever is due there is noted.
    fn read(self: &Arc<Self>, table: TableId) {
        let inner = Arc::clone(self);
        tokio::spawn(async move {
            if let Err(error) = inner.published(table).await {
                inner.cannot_go_on(table, &error);
            }
        });
    }

    /// Reads what has happened at tables after these versions, and tells it.
    async fn take_in(self: &Arc<Self>, known: Vec<(TableId, u32)>) -> Result<(), StoreError> {
        let Some(nodes) = self.store.nodes().filter(|_| !known.is_empty()) else { return Ok(()) };
        let mut changes: BTreeMap<TableId, Vec<Change>> = BTreeMap::new();
        for (table, change) in nodes.load_all(known).await? {
            changes.entry(table).or_default().push(change);
        }
        for (table, changes) in changes {
            let slot = self.slot(table);
            if let Ok(_turn) = slot.turn.try_lock() {
                self.take_in_changes(&slot, &changes);
                continue;
            }
            // Somebody is changing the table: nobody else waits for that.
            let inner = Arc::clone(self);
            tokio::spawn(async move {
                let _turn = slot.turn.lock().await;
                inner.take_in_changes(&slot, &changes);
            });
        }
        Ok(())
    }

    /// Takes in changes, for whoever has the turn at the table. What is known already is not told again.
    fn take_in_changes(self: &Arc<Self>, slot: &LiveTable, changes: &[Change]) {
        let Some(now) = slot.now() else { return };
        let new = changes.iter().position(|change| change.version > now.table.version);
        let Some(new) = new.map(|new| &changes[new..]) else { return };
        if let Err(error) = self.tell_changes(slot, &now, new) {
            tracing::error!(table = %now.table.id, %error, "what another node did cannot be read");
            slot.forget();
        }
    }

    fn pass_on(&self, table: TableId, sign: &str) {
        let Some((by, sign)) = sign.split_once(':') else { return };
        if by == self.neighbours.own.number().to_string() {
            return;
        }
        let Some(slot) = self.slot_in_memory(table) else { return };
        if let Some(reacted) = Reacted::read(sign) {
            slot.signs.react(reacted, self.now_ms());
        } else if let Some(noticed) = Noticed::read(sign) {
            self.noticed_elsewhere(table, &slot, noticed);
        }
    }

    /// Tells the other nodes of a sign.
    pub(crate) fn tell_nodes(&self, table: TableId, sign: &str) {
        if let Some(nodes) = self.store.nodes() {
            nodes.tell(table, format!("{}:{sign}", self.neighbours.own.number()));
        }
    }

    fn slot_in_memory(&self, table: TableId) -> Option<Arc<LiveTable>> {
        locked(&self.tables).in_memory(table)
    }
}
