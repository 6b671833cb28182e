//! Behaviour that depends on the database: whole games on each kind, two nodes on one database, and the disk space of
//! games.

use std::time::Duration;

use sultan_rules::{Quick, verify};
use sultan_table::domain::{ClientSeed, Players, SeatPlan, TableId};
use sultan_table::{Caller, NewPlayer, NewTable, SeatChange, Visitor};
use sultan_testkit::{Backend, FakeTime, Player, Postgres, StopMode, TestService, in_time, postgres_or_skip};

use crate::with_options;

fn players(count: u8) -> Players {
    Players::new(count).expect("two to five")
}

fn with_bot(count: u8) -> NewTable {
    let seats = vec![SeatPlan::Human, SeatPlan::Bot("random".to_owned())];
    with_options(NewTable { seats, ..NewTable::plain(players(count)) }, |options| {
        options.stand_in = "random".into();
        options.public = true;
    })
}

async fn is_listed(node: &TestService, table: TableId) -> bool {
    let tables = node.service.public_tables().await.expect("tables can be listed");
    tables.iter().any(|listed| listed.table == table)
}

async fn people_and_bots_finish_games(backend: Backend) {
    let time = FakeTime::default();
    let mut node = TestService::start(&backend, &time, 1).await;
    for count in 2..=5 {
        let (table, seated) = node.open_table(with_bot(count)).await;
        node.play_random_actions(table, &seated, &mut Quick::new(1), 5).await;
        assert!(is_listed(&node, table).await);
        let before = node.json_view(table, &Caller::Spectator).await;
        node.shut_down().await;
        node = TestService::start(&backend, &time, 1 + count).await;
        assert!(node.json_view(table, &Caller::Spectator).await.version >= before.version);
        node.play_out(table, &seated, &mut Quick::new(2)).await;
        let record = node.service.record(table).await.expect("it is over");
        assert!(verify(&record).faults.is_empty());
        assert!(!is_listed(&node, table).await);
        // After compaction, the game is unchanged and can have a rematch.
        time.advance(1);
        assert_eq!(node.service.compact_before(time.now_ms()).await.expect("the game can be compacted"), 1);
        node.shut_down().await;
        node = TestService::start(&backend, &time, 10 + count).await;
        assert_eq!(node.service.record(table).await.expect("it is over"), record);
        node.service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await.expect("it is over");
        assert_eq!(node.service.delete_older_than(Duration::ZERO).await.expect("no table is old"), 0);
        time.advance(1);
        assert!(node.service.delete_older_than(Duration::ZERO).await.expect("all is old") > 0);
    }
}

async fn two_nodes_have_one_history(backend: Backend) {
    let time = FakeTime::default();
    let nodes = [TestService::start(&backend, &time, 1).await, TestService::start(&backend, &time, 101).await];
    let (table, seated) = nodes[0].open_table(with_bot(4)).await;
    let mut chance = Quick::new(1);
    for turn in 0_usize.. {
        // A rejected request makes this node read the changes of the other node.
        let (first, second) = (&nodes[turn % 2], &nodes[(turn + 1) % 2]);
        let acted = first.service.act(table, &seated[0].caller(), "1@1".parse().expect("a bid"), 999).await;
        acted.expect_err("the number of actions is wrong");
        if first.play_random_actions(table, &seated, &mut chance, 1).await == 0 {
            break;
        }
        second
            .service
            .change_seat(table, &seated[0].caller(), seated[0].seat, SeatChange::default())
            .await
            .expect_err("started");
    }
    // The compacted game is not loaded yet on the other node.
    time.advance(1);
    assert_eq!(nodes[0].service.compact_before(time.now_ms()).await.expect("the game can be compacted"), 1);
    for node in &nodes {
        let record = node.service.record(table).await.expect("it is over");
        assert!(verify(&record).faults.is_empty());
    }
}

/// Four people with typical names, seeds and browsers.
async fn four_players(node: &TestService, game: u8) -> (TableId, Vec<Player>) {
    let names = ["Scheherazade", "Süleyman", "Bo", "Ana-María"];
    let player = |seat: u8| NewPlayer {
        name: names[usize::from(seat)].to_owned(),
        client_seed: ClientSeed::try_from(format!("{game:016x}{seat:016x}")).expect("a short seed"),
        visitor: Some(Visitor::from_bytes([seat + 1; 32])),
        ..NewPlayer::default()
    };
    let new = NewTable { host: player(0), ..NewTable::plain(players(4)) };
    let opened = node.service.open(new).await.expect("there can be such a table");
    let mut seated = vec![Player { seat: opened.seat, token: opened.token }];
    for seat in 1..4 {
        let taken = node.service.sit(opened.table, player(seat)).await.expect("a seat is free");
        seated.push(Player { seat: taken.seat, token: taken.token });
    }
    (opened.table, seated)
}

async fn disk_bytes(backend: &Backend) -> i64 {
    if backend.is_postgres() {
        // Postgres reuses the space of deleted rows only after a vacuum, which autovacuum runs about once a minute.
        backend.execute("VACUUM changes").await;
        backend.execute("VACUUM tables").await;
        let all = "SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class AS c \
                   WHERE c.relname IN ('changes', 'tables', 'visitors')";
        return backend.query_number(all).await;
    }
    backend.execute("PRAGMA wal_checkpoint(TRUNCATE)").await;
    backend.query_number("SELECT (SELECT * FROM pragma_page_count) * (SELECT * FROM pragma_page_size)").await
}

async fn finished_game_takes_little_disk_space(backend: Backend) {
    const BATCHES: u8 = 20;
    const GAMES_PER_BATCH: u8 = 4;
    let node = TestService::start(&backend, &FakeTime::default(), 1).await;
    let empty = disk_bytes(&backend).await;
    let mut bytes = 0;
    for batch in 0..BATCHES {
        let games = (0..GAMES_PER_BATCH).map(|game| {
            let (node, game) = (&node, GAMES_PER_BATCH * batch + game);
            async move {
                let (table, seated) = four_players(node, game).await;
                node.play_out(table, &seated, &mut Quick::new(game.into())).await;
            }
        });
        // All games run concurrently. Then they are compacted, and the space of their actions is reused by the next games.
        join(games.collect()).await;
        let played = disk_bytes(&backend).await;
        node.time.advance(1);
        node.service.compact_before(node.time.now_ms()).await.expect("games can be compacted");
        let compacted = disk_bytes(&backend).await;
        bytes = (compacted - empty) / (i64::from(GAMES_PER_BATCH) * i64::from(batch + 1));
        println!("{played} bytes were taken on batch {batch}, {compacted} after compaction, {bytes} for each game");
    }
    assert!(bytes <= 6_000, "a game of four takes {bytes} bytes");
}

/// Runs all futures concurrently until they are ready.
async fn join<F: Future<Output = ()>>(futures: Vec<F>) {
    let mut waiting: Vec<_> = futures.into_iter().map(Box::pin).collect();
    std::future::poll_fn(|context| {
        waiting.retain_mut(|future| future.as_mut().poll(context).is_pending());
        if waiting.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}

/// The database server restarts: every acknowledged action is kept, and the game continues.
async fn game_survives_server_restarts(server: Postgres) {
    let backend = Backend::postgres(&server);
    let node = TestService::start(&backend, &FakeTime::default(), 1).await;
    let (table, seated) = node.open_table(with_bot(3)).await;
    let mut chance = Quick::new(1);
    for stop in [StopMode::Fast, StopMode::Immediate, StopMode::Fast] {
        node.play_random_actions(table, &seated, &mut chance, 3).await;
        let player = node.wait_for_turn(table, &seated).await.expect("it is not over yet");
        let (action, at) = node.random_action(table, &player, &mut chance).await;
        server.restart(stop);
        // Connections are broken at first; repeating a request is always safe.
        in_time(async {
            while node.service.act(table, &player.caller(), action, at).await.is_err() {
                node.time.advance(1000);
            }
        })
        .await;
    }
    node.play_out(table, &seated, &mut chance).await;
    assert!(verify(&node.service.record(table).await.expect("it is over")).faults.is_empty());
}

macro_rules! on_each_database {
    ($($test:ident),* $(,)?) => {
        mod sqlite {
            use sultan_testkit::Backend;
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    super::$test(Backend::sqlite()).await;
                }
            )*
        }

        mod postgres {
            use sultan_testkit::{Backend, postgres_or_skip};
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    let Some(server) = postgres_or_skip() else { return };
                    super::$test(Backend::postgres(server)).await;
                }
            )*
        }
    };
}

on_each_database!(people_and_bots_finish_games, two_nodes_have_one_history, finished_game_takes_little_disk_space);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn game_continues_after_a_server_restart() {
    let Some(server) = postgres_or_skip() else { return };
    Box::pin(game_survives_server_restarts(server.start_another().unwrap())).await;
}
