use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use sultan_domain::{Chance, Players, Seat, SeatPlan, ServerSeed, TableId};
use sultan_rules::FastRng;
use sultan_store::EventRecord;
use sultan_testkit::Backend;

use super::Registry;
use crate::node::NodeContext;
use crate::request::{NewPlayer, NewTable, SeatChange};
use crate::table::{Table, opening_record};
use crate::token::{SeatToken, Visitor};
use crate::{ServiceError, Settings};

const PLAYERS: u8 = 4;

/// A registry with a clock that the test sets.
struct TestRegistry {
    _backend: Backend,
    registry: Registry,
    now_ms: Arc<AtomicI64>,
}

impl TestRegistry {
    async fn new() -> Self {
        let (backend, now_ms) = (Backend::sqlite(), Arc::new(AtomicI64::new(1_800_000_000_000)));
        let clock = Arc::clone(&now_ms);
        let settings = Settings { now_ms: Arc::new(move || clock.load(Ordering::Relaxed)), ..Settings::default() };
        let node = NodeContext::new(backend.open().await, settings);
        Self { _backend: backend, registry: Registry::new(node), now_ms }
    }

    /// Opens a table with this id for three people and a bot. One person has a seat.
    async fn open(&self, id: u64, even_pace: bool, seconds_per_action: Option<u32>) -> TableId {
        let bot = SeatPlan::Bot("random".to_owned());
        let mut new = NewTable::plain(Players::new(PLAYERS).unwrap());
        new.seats = vec![SeatPlan::Human, SeatPlan::Human, bot, SeatPlan::Human];
        (new.options.even_pace, new.options.seconds_per_action) = (even_pace, seconds_per_action);
        let opened = opening_record(&new, ServerSeed([id.to_le_bytes()[0]; 32])).unwrap();
        let mut table = Table::new(TableId::new(id), opened, self.registry.node().settings.now_ms());
        table.take_seat(&NewPlayer::default(), &SeatToken::random()).unwrap();
        self.registry.create(table).await.unwrap();
        TableId::new(id)
    }

    /// Advances the time and makes one random change: of a seat or, in most cases, an action.
    async fn make_random_change(&self, id: TableId, rng: &mut FastRng) {
        self.now_ms.fetch_add(i64::from(rng.below(4000)), Ordering::Relaxed);
        let seat = Seat::new(u8::try_from(rng.below(PLAYERS.into())).unwrap()).unwrap();
        let kind = rng.below(24);
        let change = |table: &mut Table| match kind {
            0 | 1 => table.take_seat(&NewPlayer::default(), &SeatToken::random()).map(|_| ()),
            2 => table.leave(seat),
            3 => table.end_stand_in(seat, seat),
            4 => table.put_bot_in_seat(table.info().host, seat, Some("page")),
            5 => table.change_seat(seat, seat, &SeatChange { name: Some("Ana".to_owned()), ..SeatChange::default() }),
            6 if table.player(seat).is_some() => table.link(seat, Visitor::random().hash()),
            7 => table.free_seat(table.info().host, seat),
            _ => play_random_action(table, rng),
        };
        match self.registry.update(id, change).await {
            Ok(_) | Err(ServiceError::Rejected(_)) => {}
            Err(error) => panic!("the store failed: {error}"),
        }
        // Sometimes also do what the driver does at a beat.
        if kind.is_multiple_of(2) {
            self.registry.reveal_due_actions(id).await.unwrap();
        }
    }

    /// The live table and the table loaded from the store, both at the current time.
    async fn live_and_reloaded(&self, id: TableId) -> (Table, Table) {
        let mut live = self.registry.snapshot(id).await.unwrap().table().clone();
        let mut reloaded = Table::load(id, self.registry.node().store.load(id, 0).await.unwrap()).unwrap().unwrap();
        live.reveal_due_actions(self.registry.node().settings.now_ms());
        reloaded.reveal_due_actions(self.registry.node().settings.now_ms());
        (live, reloaded)
    }
}

/// Plays a random legal action for the seat to act.
fn play_random_action(table: &mut Table, rng: &mut FastRng) -> Result<(), ServiceError> {
    let Some(seat) = table.to_act() else { return Ok(()) };
    let game = table.play().unwrap().stored.game;
    let action = game.legal().pick(rng).unwrap();
    if table.occupant(seat).bot().is_some() {
        table.apply_now(EventRecord::ActedByClock(action))
    } else {
        table.act(seat, action, game.action_count())
    }
}

#[tokio::test]
async fn live_table_equals_the_reloaded_one_after_random_play() {
    let test = TestRegistry::new().await;
    let mut finished_games = 0;
    for (number, (even_pace, seconds_per_action)) in
        (1..).zip([(false, None), (false, Some(5)), (true, None), (true, Some(3)), (true, Some(60))])
    {
        let id = test.open(number, even_pace, seconds_per_action).await;
        let mut rng = FastRng::new(number);
        for _ in 0..250 {
            test.make_random_change(id, &mut rng).await;
            let (live, reloaded) = test.live_and_reloaded(id).await;
            assert!(live == reloaded, "the live table differs from the reloaded table:\n{live:?}\n{reloaded:?}");
            assert_eq!(live.pending_events(), []);
        }
        finished_games += usize::from(test.live_and_reloaded(id).await.0.finished().is_ok());
    }
    assert!(finished_games > 0, "no game was finished");
}

#[tokio::test]
async fn rejected_update_leaves_the_table_unchanged() {
    let test = TestRegistry::new().await;
    let id = test.open(1, false, None).await;
    let before = test.registry.snapshot(id).await.unwrap();
    // The first change is possible, the second is not: the name is invalid.
    let update = test.registry.update(id, |table| {
        table.take_seat(&NewPlayer::default(), &SeatToken::random())?;
        table.take_seat(&NewPlayer { name: "a\nb".to_owned(), ..NewPlayer::default() }, &SeatToken::random())
    });
    assert!(matches!(update.await, Err(ServiceError::Rejected(_))));
    let after = test.registry.snapshot(id).await.unwrap();
    assert!(Arc::ptr_eq(&before, &after));
    // Only the change that opened the table is stored.
    assert_eq!(test.registry.node().store.load(id, 0).await.unwrap().len(), 1);
}
