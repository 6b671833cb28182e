//! The store fails: nothing that may have been stored is lost, and everything goes on when it is back.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use sultan_rules::verify;
use sultan_store::{
    Analyses, Answer, Append, Change, Commitments, Listed, NodeId, Nodes, Store, StoreError, StoredCommitment, Studies,
    Study, TableState, VisitorHash, VisitorSeat,
};
use sultan_table::domain::{Commitment, TableId};
use sultan_table::{Caller, Service, Settings, Trouble};
use sultan_testkit::{Backend, FakeTime, House, in_time, is_over, value};

use crate::{players, quick, with_bots};

/// A store whose next appends fail: first those that are stored all the same, then those that are not.
struct Failing {
    store: Arc<dyn Store>,
    stored: AtomicU32,
    lost: AtomicU32,
    loads: AtomicU32,
}

fn take(count: &AtomicU32) -> bool {
    count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
}

impl Commitments for Failing {
    fn keep(&self, promise: StoredCommitment) -> Answer<'_, ()> {
        self.store.keep(promise)
    }
    fn take(&self, commitment: Commitment, since_ms: i64) -> Answer<'_, Option<StoredCommitment>> {
        self.store.take(commitment, since_ms)
    }
    fn forget_promises(&self, before_ms: i64) -> Answer<'_, ()> {
        self.store.forget_promises(before_ms)
    }
}

impl Analyses for Failing {
    fn keep_analysis(&self, table: TableId, json: String) -> Answer<'_, ()> {
        self.store.keep_analysis(table, json)
    }
    fn analysis(&self, table: TableId) -> Answer<'_, Option<String>> {
        self.store.analysis(table)
    }
}

impl Studies for Failing {
    fn study(&self, node: NodeId, mine: Vec<Study>, now_ms: i64, lapsed_ms: i64) -> Answer<'_, Vec<Study>> {
        self.store.study(node, mine, now_ms, lapsed_ms)
    }
    fn take_over_studies(&self, node: NodeId, now_ms: i64, lapsed_ms: i64) -> Answer<'_, Vec<TableId>> {
        self.store.take_over_studies(node, now_ms, lapsed_ms)
    }
    fn end_study(&self, table: TableId) -> Answer<'_, ()> {
        self.store.end_study(table)
    }
}

impl Store for Failing {
    fn nodes(&self) -> Option<&dyn Nodes> {
        self.store.nodes()
    }
    fn append(&self, append: Append) -> Answer<'_, ()> {
        Box::pin(async move {
            if take(&self.stored) {
                self.store.append(append).await?;
                return Err(StoreError::Closed);
            }
            if take(&self.lost) { Err(StoreError::Closed) } else { self.store.append(append).await }
        })
    }
    fn load(&self, table: TableId, after: u32) -> Answer<'_, Vec<Change>> {
        self.loads.fetch_add(1, Ordering::Relaxed);
        self.store.load(table, after)
    }
    fn public_tables(&self, state: TableState, most: u32) -> Answer<'_, Vec<Listed>> {
        self.store.public_tables(state, most)
    }
    fn open_tables(&self, most: u32) -> Answer<'_, u64> {
        self.store.open_tables(most)
    }
    fn attended_tables(&self, after: Option<TableId>, most: u32) -> Answer<'_, Vec<TableId>> {
        self.store.attended_tables(after, most)
    }
    fn list_over(&self, table: TableId, at_ms: i64) -> Answer<'_, ()> {
        self.store.list_over(table, at_ms)
    }
    fn seats_of(&self, visitor: VisitorHash, most: u32) -> Answer<'_, Vec<VisitorSeat>> {
        self.store.seats_of(visitor, most)
    }
    fn secret(&self, fresh: [u8; 64]) -> Answer<'_, [u8; 64]> {
        self.store.secret(fresh)
    }
    fn forget(&self, before_ms: i64, most: u32) -> Answer<'_, u64> {
        self.store.forget(before_ms, most)
    }
    fn merge(&self, before_ms: i64, most: u32) -> Answer<'_, u64> {
        self.store.merge(before_ms, most)
    }
    fn ready(&self) -> Answer<'_, ()> {
        self.store.ready()
    }
    fn close(&self) -> Answer<'_, ()> {
        self.store.close()
    }
}

async fn failing() -> (Backend, Arc<Failing>, House) {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let store = backend.open().await;
    let [stored, lost, loads] = [0, 0, 0].map(AtomicU32::new);
    let store = Arc::new(Failing { store, stored, lost, loads });
    let settings = Settings { cached_tables: NonZeroUsize::new(2).unwrap(), ..time.settings(1) };
    let service = Service::new(Arc::clone(&store) as Arc<dyn Store>, settings);
    (backend, store, House::with(service, &time))
}

#[tokio::test]
async fn what_was_stored_without_an_answer_is_told_after_a_while() {
    let (_backend, store, house) = failing().await;
    let (table, seated) = house.people(players(3)).await;
    let mut watch = house.watch(table, Caller::Nobody).await;
    let version = in_time(watch.next()).await.unwrap().version;
    let player = house.to_act(table, &seated).await.unwrap();
    let (action, at) = house.choose(table, &player, &mut quick()).await;
    store.stored.store(1, Ordering::Relaxed);
    let acted = house.service.act(table, &player.caller(), action, at).await;
    assert!(matches!(acted, Err(Trouble::Store(_))), "{acted:?}");
    // Nobody asks, and yet those who watch are told.
    house.time.pass(1000);
    assert_eq!(in_time(watch.next()).await.unwrap().version, version + 1);
    // Asking again finds it done.
    let again = house.service.act(table, &player.caller(), action, at).await.unwrap().0;
    assert_eq!((again.version, &value(&again)["at"]), (version + 1, &1.into()));
}

#[tokio::test]
async fn what_was_not_stored_may_be_asked_for_again() {
    let (_backend, store, house) = failing().await;
    let (table, seated) = house.people(players(3)).await;
    let version = house.look(table, &Caller::Nobody).await.version;
    let player = house.to_act(table, &seated).await.unwrap();
    let (action, at) = house.choose(table, &player, &mut quick()).await;
    store.lost.store(3, Ordering::Relaxed);
    for _ in 0..3 {
        let acted = house.service.act(table, &player.caller(), action, at).await;
        assert!(matches!(acted, Err(Trouble::Store(_))), "{acted:?}");
        assert_eq!(house.look(table, &Caller::Nobody).await.version, version);
    }
    let acted = house.service.act(table, &player.caller(), action, at).await.unwrap().0;
    assert_eq!(acted.version, version + 1);
}

#[tokio::test]
async fn bots_go_on_when_the_store_is_back() {
    let (_backend, store, house) = failing().await;
    let (table, seated) = house.table(with_bots(1, 2)).await;
    let (mut chance, time) = (quick(), house.time.clone());
    // A store that failed is left alone for a while: time must pass by itself here.
    let passing = tokio::spawn(async move {
        loop {
            time.pass(500);
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    for round in 0.. {
        if house.next(table, &seated).await.is_none() {
            break;
        }
        house.act(table, &seated[0], &mut chance).await.unwrap();
        // Whatever the bots do next fails, in one way or the other, and whatever they do then.
        let [fails, works] = if round % 2 == 0 { [&store.lost, &store.stored] } else { [&store.stored, &store.lost] };
        works.store(0, Ordering::Relaxed);
        fails.store(2, Ordering::Relaxed);
        in_time(async { while fails.load(Ordering::Relaxed) == 2 && !is_done(&house, table).await {} }).await;
        // People are spared.
        fails.store(0, Ordering::Relaxed);
    }
    passing.abort();
    assert!(verify(&house.service.record(table).await.unwrap()).faults.is_empty());
}

/// Whether no bot is to act.
async fn is_done(house: &House, table: TableId) -> bool {
    tokio::time::sleep(Duration::from_millis(1)).await;
    let view = house.see(table, &Caller::Nobody).await;
    is_over(&view) || view["to_act"] == 0
}

#[tokio::test]
async fn few_tables_are_kept_in_memory_and_names_that_are_none_push_nothing_out() {
    let (_backend, store, house) = failing().await;
    let (kept, _) = house.people(players(2)).await;
    let loads = async |table: TableId| {
        let before = store.loads.load(Ordering::Relaxed);
        let _ = house.service.look(table, &Caller::Nobody).await;
        store.loads.load(Ordering::Relaxed) - before
    };
    assert_eq!(loads(kept).await, 0);
    for number in 0..5 {
        assert_eq!(loads(TableId::new(number)).await, 1);
    }
    assert_eq!(loads(kept).await, 0);
    // Other tables do, unless somebody watches.
    let watch = house.watch(kept, Caller::Nobody).await;
    for _ in 0..3 {
        house.people(players(2)).await;
    }
    assert_eq!(loads(kept).await, 0);
    drop(watch);
    for _ in 0..3 {
        house.people(players(2)).await;
    }
    assert_eq!(loads(kept).await, 1);
}
