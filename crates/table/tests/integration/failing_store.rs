//! A failing store: no change that may have been stored is lost, and all tables continue when the store works again.

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

/// A store whose next appends fail: first appends that are stored nevertheless, then appends that are not.
struct FailingStore {
    store: Arc<dyn Store>,
    stored: AtomicU32,
    lost: AtomicU32,
    loads: AtomicU32,
    /// The number of calls of `mark_as_over` that fail.
    unlisted: AtomicU32,
    /// The number of loads that fail.
    unread: AtomicU32,
}

fn take_one(count: &AtomicU32) -> bool {
    count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
}

impl StoreOverrides for FailingStore {
    fn store(&self) -> &dyn Store {
        &*self.store
    }

    fn append(&self, append: Append) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            if take_one(&self.stored) {
                self.store.append(append).await?;
                return Err(StoreError::Closed);
            }
            if take_one(&self.lost) { Err(StoreError::Closed) } else { self.store.append(append).await }
        })
    }

    fn load(&self, table: TableId, after: u32) -> StoreFuture<'_, Vec<Change>> {
        self.loads.fetch_add(1, Ordering::Relaxed);
        if take_one(&self.unread) {
            return Box::pin(async { Err(StoreError::Closed) });
        }
        self.store.load(table, after)
    }

    fn mark_as_over(&self, table: TableId, at_ms: i64) -> StoreFuture<'_, ()> {
        if take_one(&self.unlisted) {
            return Box::pin(async { Err(StoreError::Closed) });
        }
        self.store.mark_as_over(table, at_ms)
    }
}

async fn node_with_failing_store() -> (Backend, Arc<FaultyStore<FailingStore>>, TestService) {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let (store, node) = failing_on(&backend, &time).await;
    (backend, store, node)
}

async fn failing_on(backend: &Backend, time: &FakeTime) -> (Arc<FaultyStore<FailingStore>>, TestService) {
    let store = backend.open().await;
    let [stored, lost, loads, unlisted, unread] = [0; 5].map(AtomicU32::new);
    let store = Arc::new(FaultyStore(FailingStore { store, stored, lost, loads, unlisted, unread }));
    let settings = Settings { cached_tables: NonZeroUsize::new(2).unwrap(), ..time.settings(1) };
    let service = Service::new(Arc::clone(&store) as Arc<dyn Store>, settings);
    (store, TestService::run(service, time))
}

#[tokio::test]
async fn change_stored_without_an_answer_is_published_later() {
    let (_backend, store, node) = node_with_failing_store().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    let mut watch = node.watch(table, Caller::Spectator).await;
    let version = in_time(watch.next()).await.unwrap().version;
    let player = node.player_to_act(table, &seated).await.unwrap();
    let (action, at) = node.random_action(table, &player, &mut new_rng()).await;
    store.0.stored.store(1, Ordering::Relaxed);
    let acted = node.service.act(table, &player.caller(), action, at).await;
    assert!(matches!(acted, Err(ServiceError::Store(_))), "{acted:?}");
    // After a failure the store is not used for a second. Then watchers get the change without any further request.
    node.time.advance(999);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(is_up_to_date(&mut watch).await);
    node.time.advance(1);
    assert_eq!(in_time(watch.next()).await.unwrap().version, version + 1);
    // A repeated request finds the action stored.
    let again = node.service.act(table, &player.caller(), action, at).await.unwrap().json();
    assert_eq!((again.version, &parse_view(&again)["at"]), (version + 1, &1.into()));
}

#[tokio::test]
async fn failed_change_can_be_repeated() {
    let (_backend, store, node) = node_with_failing_store().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    let version = node.json_view(table, &Caller::Spectator).await.version;
    let player = node.player_to_act(table, &seated).await.unwrap();
    let (action, at) = node.random_action(table, &player, &mut new_rng()).await;
    store.0.lost.store(3, Ordering::Relaxed);
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
    let (_backend, store, node) = node_with_failing_store().await;
    let (table, seated) = node.open_table(new_table(1, 2)).await;
    let (mut rng, time) = (new_rng(), node.time.clone());
    // After a failure the store is not used for some time, so time must pass here.
    let passing = tokio::spawn(async move {
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
        // The next appends of the bots fail in one of the two ways, alternating by round.
        let [fails, works] =
            if round % 2 == 0 { [&store.0.lost, &store.0.stored] } else { [&store.0.stored, &store.0.lost] };
        works.store(0, Ordering::Relaxed);
        fails.store(2, Ordering::Relaxed);
        in_time(async { while fails.load(Ordering::Relaxed) == 2 && !is_done(&node, table).await {} }).await;
        // Appends of players succeed.
        fails.store(0, Ordering::Relaxed);
    }
    passing.abort();
    assert!(verify(&node.service.record(table).await.unwrap()).faults.is_empty());
}

/// Returns whether no bot is to act.
async fn is_done(node: &TestService, table: TableId) -> bool {
    tokio::time::sleep(Duration::from_millis(1)).await;
    let view = node.view(table, &Caller::Spectator).await;
    is_over(&view) || view["to_act"] == 0
}

#[tokio::test]
async fn cache_evicts_idle_tables_but_unknown_ids_evict_no_table() {
    let (_backend, store, node) = node_with_failing_store().await;
    let (kept, _) = node.open_human_table(players(2)).await;
    let loads = async |table: TableId| {
        let before = store.0.loads.load(Ordering::Relaxed);
        let _ = node.service.observe(table, &Caller::Spectator).await;
        store.0.loads.load(Ordering::Relaxed) - before
    };
    assert_eq!(loads(kept).await, 0);
    for number in 0..5 {
        assert_eq!(loads(TableId::new(number)).await, 1);
    }
    assert_eq!(loads(kept).await, 0);
    // Other tables are evicted, unless they are watched.
    let watch = node.watch(kept, Caller::Spectator).await;
    for _ in 0..3 {
        node.open_human_table(players(2)).await;
    }
    assert_eq!(loads(kept).await, 0);
    drop(watch);
    for _ in 0..3 {
        node.open_human_table(players(2)).await;
    }
    assert_eq!(loads(kept).await, 1);
}

#[tokio::test]
async fn list_fails_if_the_store_fails() {
    let (_backend, store, node) = node_with_failing_store().await;
    let ana = Visitor::random();
    let host = NewPlayer { visitor: Some(ana), ..NewPlayer::default() };
    for _ in 0..3 {
        node.open_table(NewTable { host: host.clone(), ..new_table(2, 0) }).await;
    }
    assert_eq!(node.service.games_of(&ana).await.unwrap().len(), 3);
    store.0.unread.store(1, Ordering::Relaxed);
    assert!(matches!(node.service.games_of(&ana).await, Err(ServiceError::Store(StoreError::Closed))));
    assert_eq!(node.service.games_of(&ana).await.unwrap().len(), 3);
}

#[tokio::test]
async fn end_is_listed_when_the_store_is_back() {
    let (backend, store, node) = node_with_failing_store().await;
    let (table, seated) = node.open_table(even_pace_table(2)).await;
    let actor = play_until_last_action(&node, table, &seated).await;
    node.play_random_action(table, &actor, &mut new_rng()).await.unwrap();
    store.0.unlisted.store(2, Ordering::Relaxed);
    node.time.advance(BEAT_MS);
    in_time(async {
        while backend.query_number("SELECT count(*) FROM tables WHERE state = 2").await == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
            node.time.advance(100);
        }
    })
    .await;
    assert_eq!(store.0.unlisted.load(Ordering::Relaxed), 0, "listing the end was retried");
}

/// A stored event that breaks the rules: the error does not reveal the event, and retries are rare.
#[tokio::test]
async fn unreadable_table_is_retried_rarely_and_reveals_no_card() {
    let (backend, _, node) = node_with_failing_store().await;
    let (table, seated) =
        node.open_table(with_options(new_table(2, 0), |options| options.seconds_per_action = Some(30))).await;
    node.play_random_actions(table, &seated, &mut new_rng(), 5).await;
    let time = node.time.clone();
    node.shut_down().await;
    // An offer instead of a bid.
    backend.execute("UPDATE changes SET body = '[{\"a\":\"WWW\"}]' WHERE version = 5").await;
    let (store, node) = failing_on(&backend, &time).await;
    let loads = async |count| {
        in_time(async {
            while store.0.loads.load(Ordering::Relaxed) < count {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        })
        .await;
        store.0.loads.load(Ordering::Relaxed)
    };
    assert_eq!(loads(1).await, 1, "the table was loaded after the start");
    for _ in 0..20 {
        time.advance(1000);
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert_eq!(loads(1).await, 1, "it is left alone");
    let Err(ServiceError::Store(error)) = node.service.observe(table, &Caller::Spectator).await else {
        panic!("no game")
    };
    let told = error.to_string();
    assert!(told.contains("is illegal: ") && !told.contains("WWW"), "{told}");
    time.advance(600_000);
    assert_eq!(loads(3).await, 3, "it is looked at again");
}

#[tokio::test]
async fn table_runs_even_if_its_opener_disconnects() {
    struct Slow {
        store: Arc<dyn Store>,
        asked: Notify,
        answer: Notify,
    }
    impl StoreOverrides for Slow {
        fn store(&self) -> &dyn Store {
            &*self.store
        }

        fn append(&self, append: Append) -> StoreFuture<'_, ()> {
            Box::pin(async move {
                let opens = append.change.version == 1;
                self.store.append(append).await?;
                if opens {
                    self.asked.notify_one();
                    self.answer.notified().await;
                }
                Ok(())
            })
        }
    }
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let slow = Slow { store: backend.open().await, asked: Notify::new(), answer: Notify::new() };
    let store = Arc::new(FaultyStore(slow));
    let node = TestService::run(Service::new(Arc::clone(&store) as Arc<dyn Store>, time.settings(1)), &time);
    // After its start the driver lists all tables once. Open this table only after that.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let service = node.service.clone();
    let opening = tokio::spawn(async move {
        service.open(with_options(new_table(1, 2), |options| options.first_seat = Some(seat(1)))).await.unwrap();
    });
    in_time(store.0.asked.notified()).await;
    opening.abort();
    opening.await.unwrap_err();
    store.0.answer.notify_one();
    // The bots play until it is the person's turn.
    in_time(async {
        while backend.newest_version().await < 3 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
}
