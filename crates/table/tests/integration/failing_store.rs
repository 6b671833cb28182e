//! Tables on a store that fails for some time: no stored change is lost, and all tables continue when the store works
//! again.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use sultan_rules::verify;
use sultan_store::{Append, Change, Store, StoreError, StoreFuture};
use sultan_table::domain::TableId;
use sultan_table::{Caller, NewPlayer, NewTable, Service, ServiceError, Settings, Visitor};
use sultan_testkit::{
    Backend, FakeTime, FaultyStore, StoreOverrides, TestService, in_time, is_over, is_up_to_date, parse_view,
};
use tokio::sync::Notify;

use crate::even_pace::{BEAT_MS, even_pace_table, play_until_last_action};
use crate::{new_rng, new_table, players, seat, with_options};

/// A store whose next calls fail, with a counter of the failures to come for each kind of failure.
struct FailingStore {
    store: Arc<dyn Store>,
    /// Appends that store the change and then return an error, as if the answer was lost.
    appends_without_answer: AtomicU32,
    /// Appends that return an error and store nothing.
    failing_appends: AtomicU32,
    /// Calls of `mark_as_over` that fail.
    failing_marks: AtomicU32,
    /// Loads that fail.
    failing_loads: AtomicU32,
    /// The number of loads so far.
    loads: AtomicU32,
}

/// Decreases a counter. Returns whether it was above zero.
fn decrease(counter: &AtomicU32) -> bool {
    counter.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_sub(1)).is_ok()
}

impl StoreOverrides for FailingStore {
    fn store(&self) -> &dyn Store {
        &*self.store
    }

    fn append(&self, append: Append) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            if decrease(&self.appends_without_answer) {
                self.store.append(append).await?;
                return Err(StoreError::Closed);
            }
            if decrease(&self.failing_appends) { Err(StoreError::Closed) } else { self.store.append(append).await }
        })
    }

    fn load(&self, table: TableId, after: u32) -> StoreFuture<'_, Vec<Change>> {
        self.loads.fetch_add(1, Ordering::Relaxed);
        if decrease(&self.failing_loads) {
            return Box::pin(async { Err(StoreError::Closed) });
        }
        self.store.load(table, after)
    }

    fn mark_as_over(&self, table: TableId, at_ms: i64) -> StoreFuture<'_, ()> {
        if decrease(&self.failing_marks) {
            return Box::pin(async { Err(StoreError::Closed) });
        }
        self.store.mark_as_over(table, at_ms)
    }
}

async fn start_node_with_failing_store() -> (Backend, Arc<FaultyStore<FailingStore>>, TestService) {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let (store, node) = start_node_on(&backend, &time).await;
    (backend, store, node)
}

/// A node with a failing store on this database, which keeps two unused tables in memory. No call fails yet.
async fn start_node_on(backend: &Backend, time: &FakeTime) -> (Arc<FaultyStore<FailingStore>>, TestService) {
    let store = Arc::new(FaultyStore(FailingStore {
        store: backend.open().await,
        appends_without_answer: AtomicU32::new(0),
        failing_appends: AtomicU32::new(0),
        failing_marks: AtomicU32::new(0),
        failing_loads: AtomicU32::new(0),
        loads: AtomicU32::new(0),
    }));
    let settings = Settings { cached_tables: NonZeroUsize::new(2).unwrap(), ..time.settings(1) };
    let service = Service::new(Arc::clone(&store) as Arc<dyn Store>, settings);
    (store, TestService::run(service, time))
}

#[tokio::test]
async fn change_stored_without_an_answer_is_published_later() {
    let (_backend, store, node) = start_node_with_failing_store().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    let mut watch = node.watch(table, Caller::Spectator).await;
    let version = in_time(watch.next()).await.unwrap().version;
    let player = node.player_to_act(table, &seated).await.unwrap();
    let (action, at) = node.random_action(table, &player, &mut new_rng()).await;
    store.0.appends_without_answer.store(1, Ordering::Relaxed);
    let acted = node.service.act(table, &player.caller(), action, at).await;
    assert!(matches!(acted, Err(ServiceError::Store(_))), "{acted:?}");
    // A second after the failure the node reads the table again, and watchers get the change without a further request.
    node.time.advance(999);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(is_up_to_date(&mut watch).await);
    node.time.advance(1);
    assert_eq!(in_time(watch.next()).await.unwrap().version, version + 1);
    // A repeated request finds the action stored.
    let repeated = node.service.act(table, &player.caller(), action, at).await.unwrap().json();
    assert_eq!((repeated.version, &parse_view(&repeated)["at"]), (version + 1, &1.into()));
}

#[tokio::test]
async fn failed_change_can_be_repeated() {
    let (_backend, store, node) = start_node_with_failing_store().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    let version = node.json_view(table, &Caller::Spectator).await.version;
    let player = node.player_to_act(table, &seated).await.unwrap();
    let (action, at) = node.random_action(table, &player, &mut new_rng()).await;
    store.0.failing_appends.store(3, Ordering::Relaxed);
    for _ in 0..3 {
        let acted = node.service.act(table, &player.caller(), action, at).await;
        assert!(matches!(acted, Err(ServiceError::Store(_))), "{acted:?}");
        assert_eq!(node.json_view(table, &Caller::Spectator).await.version, version);
    }
    let acted = node.service.act(table, &player.caller(), action, at).await.unwrap().json();
    assert_eq!(acted.version, version + 1);
}

#[tokio::test]
async fn bots_continue_when_the_store_is_back() {
    let (_backend, store, node) = start_node_with_failing_store().await;
    let (table, seated) = node.open_table(new_table(1, 2)).await;
    let (mut rng, time) = (new_rng(), node.time.clone());
    // After a failure the node waits before it tries again, so the clock must advance.
    let advancing_time = tokio::spawn(async move {
        loop {
            time.advance(500);
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    for round in 0.. {
        if node.wait_for_turn(table, &seated).await.is_none() {
            break;
        }
        node.play_random_action(table, &seated[0], &mut rng).await.unwrap();
        // The next two appends of the bots fail: in even rounds nothing is stored, in odd rounds the answer is lost.
        let failures = if round % 2 == 0 { &store.0.failing_appends } else { &store.0.appends_without_answer };
        failures.store(2, Ordering::Relaxed);
        let has_failed = || failures.load(Ordering::Relaxed) < 2;
        in_time(async { while !has_failed() && !is_no_bot_to_act(&node, table).await {} }).await;
        // The appends of the player succeed.
        failures.store(0, Ordering::Relaxed);
    }
    advancing_time.abort();
    assert!(verify(&node.service.record(table).await.unwrap()).faults.is_empty());
}

/// Returns whether it is the player's turn, or the game is over. Waits a little, so that the bots can act.
async fn is_no_bot_to_act(node: &TestService, table: TableId) -> bool {
    tokio::time::sleep(Duration::from_millis(1)).await;
    let view = node.view(table, &Caller::Spectator).await;
    is_over(&view) || view["to_act"] == 0
}

#[tokio::test]
async fn cache_evicts_idle_tables_but_unknown_ids_evict_no_table() {
    let (_backend, store, node) = start_node_with_failing_store().await;
    let (kept, _) = node.open_human_table(players(2)).await;
    let loads_to_observe = async |table: TableId| {
        let before = store.0.loads.load(Ordering::Relaxed);
        let _ = node.service.observe(table, &Caller::Spectator).await;
        store.0.loads.load(Ordering::Relaxed) - before
    };
    assert_eq!(loads_to_observe(kept).await, 0);
    for unknown in 0..5 {
        assert_eq!(loads_to_observe(TableId::new(unknown)).await, 1);
    }
    assert_eq!(loads_to_observe(kept).await, 0, "unknown ids have evicted a table");
    // Three new tables evict the old table, but not while it is watched.
    let watch = node.watch(kept, Caller::Spectator).await;
    for _ in 0..3 {
        node.open_human_table(players(2)).await;
    }
    assert_eq!(loads_to_observe(kept).await, 0, "a watched table was evicted");
    drop(watch);
    for _ in 0..3 {
        node.open_human_table(players(2)).await;
    }
    assert_eq!(loads_to_observe(kept).await, 1, "an unused table was not evicted");
}

#[tokio::test]
async fn list_fails_if_the_store_fails() {
    let (_backend, store, node) = start_node_with_failing_store().await;
    let ana = Visitor::random();
    let host = NewPlayer { visitor: Some(ana), ..NewPlayer::default() };
    for _ in 0..3 {
        node.open_table(NewTable { host: host.clone(), ..new_table(2, 0) }).await;
    }
    // Only two of the three tables are in memory, so each list must load a table.
    assert_eq!(node.service.games_of(&ana).await.unwrap().len(), 3);
    store.0.failing_loads.store(1, Ordering::Relaxed);
    assert!(matches!(node.service.games_of(&ana).await, Err(ServiceError::Store(StoreError::Closed))));
    assert_eq!(node.service.games_of(&ana).await.unwrap().len(), 3);
}

#[tokio::test]
async fn game_is_listed_as_over_when_the_store_is_back() {
    let (backend, store, node) = start_node_with_failing_store().await;
    let (table, seated) = node.open_table(even_pace_table(2)).await;
    let actor = play_until_last_action(&node, table, &seated).await;
    node.play_random_action(table, &actor, &mut new_rng()).await.unwrap();
    store.0.failing_marks.store(2, Ordering::Relaxed);
    node.time.advance(BEAT_MS);
    in_time(async {
        // State 2: the game is over.
        while backend.query_number("SELECT count(*) FROM tables WHERE state = 2").await == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
            node.time.advance(100);
        }
    })
    .await;
    assert_eq!(store.0.failing_marks.load(Ordering::Relaxed), 0, "the game was marked as over without a retry");
}

/// If a stored event breaks the rules, the error does not reveal the event, and the node rarely tries again.
#[tokio::test]
async fn unreadable_table_is_retried_rarely_and_reveals_no_card() {
    let (backend, _, node) = start_node_with_failing_store().await;
    let (table, seated) =
        node.open_table(with_options(new_table(2, 0), |options| options.seconds_per_action = Some(30))).await;
    node.play_random_actions(table, &seated, &mut new_rng(), 5).await;
    let time = node.time.clone();
    node.shut_down().await;
    // Replace a bid by an offer.
    backend.execute("UPDATE changes SET body = '[{\"a\":\"WWW\"}]' WHERE version = 5").await;
    let (store, node) = start_node_on(&backend, &time).await;
    // Waits for at least this number of loads, and returns their number.
    let wait_for_loads = async |count| {
        in_time(async {
            while store.0.loads.load(Ordering::Relaxed) < count {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        })
        .await;
        store.0.loads.load(Ordering::Relaxed)
    };
    assert_eq!(wait_for_loads(1).await, 1, "the table was loaded more than once after the start");
    for _ in 0..20 {
        time.advance(1000);
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert_eq!(wait_for_loads(1).await, 1, "the node has tried again within 20 seconds");
    let Err(ServiceError::Store(error)) = node.service.observe(table, &Caller::Spectator).await else {
        panic!("the table is readable")
    };
    let message = error.to_string();
    assert!(message.contains("is illegal: ") && !message.contains("WWW"), "the message reveals the event: {message}");
    time.advance(600_000);
    // The second load was for the request above, the third is the retry.
    assert_eq!(wait_for_loads(3).await, 3, "the node has tried again more than once after ten minutes");
}

#[tokio::test]
async fn table_runs_even_if_its_opener_disconnects() {
    /// A store that stores a new table, but answers only when the test allows it.
    struct SlowStore {
        store: Arc<dyn Store>,
        has_stored: Notify,
        may_answer: Notify,
    }
    impl StoreOverrides for SlowStore {
        fn store(&self) -> &dyn Store {
            &*self.store
        }

        fn append(&self, append: Append) -> StoreFuture<'_, ()> {
            Box::pin(async move {
                let is_new_table = append.change.version == 1;
                self.store.append(append).await?;
                if is_new_table {
                    self.has_stored.notify_one();
                    self.may_answer.notified().await;
                }
                Ok(())
            })
        }
    }
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let slow_store = SlowStore { store: backend.open().await, has_stored: Notify::new(), may_answer: Notify::new() };
    let store = Arc::new(FaultyStore(slow_store));
    let node = TestService::run(Service::new(Arc::clone(&store) as Arc<dyn Store>, time.settings(1)), &time);
    // At its start the driver schedules all existing tables. Open the table after that, so that the driver does not
    // find the table in this way.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let service = node.service.clone();
    let opening = tokio::spawn(async move {
        service.open(with_options(new_table(1, 2), |options| options.first_seat = Some(seat(1)))).await.unwrap();
    });
    in_time(store.0.has_stored.notified()).await;
    opening.abort();
    opening.await.unwrap_err();
    store.0.may_answer.notify_one();
    // Version 1 opens the table and starts the game. Then a bot makes the offer and the first bid.
    in_time(async {
        while backend.newest_version().await < 3 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
}
