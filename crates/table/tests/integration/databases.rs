//! Behaviour that may depend on the kind of database (SQLite or Postgres): whole games with restarts of the node, two
//! nodes on one database, the disk space of games, and restarts of the database server.

use std::time::Duration;

use sultan_rules::{FastRng, verify};
use sultan_table::domain::{ClientSeed, SeatPlan, TableId};
use sultan_table::{Caller, NewPlayer, NewTable, SeatChange, Visitor};
use sultan_testkit::{Backend, FakeTime, Player, Postgres, StopMode, TestService, in_time, postgres_or_skip};

use crate::{players, with_options};

/// A public table with a bot in the second seat and people in all other seats.
fn table_with_one_bot(count: u8) -> NewTable {
    let seats = vec![SeatPlan::Human, SeatPlan::Bot("random".to_owned())];
    with_options(NewTable { seats, ..NewTable::plain(players(count)) }, |options| options.public = true)
}

async fn is_listed(node: &TestService, table: TableId) -> bool {
    let tables = node.service.public_tables().await.expect("tables can be listed");
    tables.iter().any(|listed| listed.table == table)
}

async fn people_and_bots_finish_games(backend: Backend) {
    let time = FakeTime::default();
    let mut node = TestService::start(&backend, &time, 1).await;
    for count in 2..=5 {
        let (table, seated) = node.open_table(table_with_one_bot(count)).await;
        node.play_random_actions(table, &seated, &mut FastRng::new(1), 5).await;
        assert!(is_listed(&node, table).await);
        let before = node.json_view(table, &Caller::Spectator).await;
        node.shut_down().await;
        node = TestService::start(&backend, &time, 1 + count).await;
        // The bot may have acted in between.
        assert!(node.json_view(table, &Caller::Spectator).await.version >= before.version);
        node.play_out(table, &seated, &mut FastRng::new(2)).await;
        let record = node.service.record(table).await.expect("the game is over");
        assert!(verify(&record).faults.is_empty());
        assert!(!is_listed(&node, table).await);
        // After its history was compacted, the game is unchanged and can have a rematch.
        time.advance(1);
        assert_eq!(node.service.compact_before(time.now_ms()).await.expect("the game can be compacted"), 1);
        node.shut_down().await;
        node = TestService::start(&backend, &time, 10 + count).await;
        assert_eq!(node.service.record(table).await.expect("the game is over"), record);
        node.service.rematch(table, &seated[0].caller(), SeatChange::default(), None).await.expect("the game is over");
        // The rematch has just changed both tables, and the clock has not advanced since.
        assert_eq!(node.service.delete_older_than(Duration::ZERO).await.expect("old tables can be deleted"), 0);
        time.advance(1);
        assert!(node.service.delete_older_than(Duration::ZERO).await.expect("old tables can be deleted") > 0);
    }
}

async fn two_nodes_have_one_history(backend: Backend) {
    let time = FakeTime::default();
    let nodes = [TestService::start(&backend, &time, 1).await, TestService::start(&backend, &time, 101).await];
    let (table, seated) = nodes[0].open_table(table_with_one_bot(4)).await;
    let (mut rng, caller) = (FastRng::new(1), seated[0].caller());
    // The nodes take turns in acting. A rejected request makes a node read the changes of the other node.
    for turn in 0_usize.. {
        let (acting, other) = (&nodes[turn % 2], &nodes[(turn + 1) % 2]);
        let wrong_at = acting.service.act(table, &caller, "1@1".parse().expect("a bid"), 999).await;
        wrong_at.expect_err("`at` is wrong");
        if acting.play_random_actions(table, &seated, &mut rng, 1).await == 0 {
            break;
        }
        let change_too_late = other.service.change_seat(table, &caller, seated[0].seat, SeatChange::default()).await;
        change_too_late.expect_err("the game has started");
    }
    // One of the nodes reads the end of the game only after the first node has compacted the history.
    time.advance(1);
    assert_eq!(nodes[0].service.compact_before(time.now_ms()).await.expect("the game can be compacted"), 1);
    for node in &nodes {
        let record = node.service.record(table).await.expect("the game is over");
        assert!(verify(&record).faults.is_empty());
    }
}

/// Opens a table for four people with names, seeds and browsers of a usual length.
async fn open_table_of_four(node: &TestService, game: u8) -> (TableId, Vec<Player>) {
    let names = ["Scheherazade", "Süleyman", "Bo", "Ana-María"];
    let player = |seat: u8| NewPlayer {
        name: names[usize::from(seat)].to_owned(),
        client_seed: ClientSeed::try_from(format!("{game:016x}{seat:016x}")).expect("a short seed"),
        visitor: Some(Visitor::from_bytes([seat + 1; 32])),
        ..NewPlayer::default()
    };
    let new = NewTable { host: player(0), ..NewTable::plain(players(4)) };
    let opened = node.service.open(new).await.expect("the options are valid");
    let mut seated = vec![Player { seat: opened.seat, token: opened.token }];
    for seat in 1..4 {
        let taken = node.service.sit(opened.table, player(seat)).await.expect("a seat is free");
        seated.push(Player { seat: taken.seat, token: taken.token });
    }
    (opened.table, seated)
}

/// The disk space that the database takes for tables and games.
async fn disk_bytes(backend: &Backend) -> i64 {
    if backend.is_postgres() {
        // Postgres reuses the space of deleted rows only after a vacuum. On a real server, autovacuum runs it about
        // once a minute.
        backend.execute("VACUUM changes").await;
        backend.execute("VACUUM tables").await;
        let total_size = "SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class AS c \
                   WHERE c.relname IN ('changes', 'tables', 'visitors')";
        return backend.query_number(total_size).await;
    }
    backend.execute("PRAGMA wal_checkpoint(TRUNCATE)").await;
    backend.query_number("SELECT (SELECT * FROM pragma_page_count) * (SELECT * FROM pragma_page_size)").await
}

async fn finished_game_takes_little_disk_space(backend: Backend) {
    const BATCHES: u8 = 20;
    const GAMES_PER_BATCH: u8 = 4;
    let node = TestService::start(&backend, &FakeTime::default(), 1).await;
    let empty_bytes = disk_bytes(&backend).await;
    let mut bytes_per_game = 0;
    for batch in 0..BATCHES {
        let games = (0..GAMES_PER_BATCH).map(|game| {
            let (node, game) = (&node, GAMES_PER_BATCH * batch + game);
            async move {
                let (table, seated) = open_table_of_four(node, game).await;
                node.play_out(table, &seated, &mut FastRng::new(game.into())).await;
            }
        });
        // The games of a batch run concurrently. Then their histories are compacted, which frees space for the next
        // batch.
        run_concurrently(games.collect()).await;
        let played_bytes = disk_bytes(&backend).await;
        node.time.advance(1);
        node.service.compact_before(node.time.now_ms()).await.expect("games can be compacted");
        let compacted_bytes = disk_bytes(&backend).await;
        bytes_per_game = (compacted_bytes - empty_bytes) / (i64::from(GAMES_PER_BATCH) * i64::from(batch + 1));
        println!(
            "batch {batch}: {played_bytes} bytes, {compacted_bytes} after compaction, {bytes_per_game} for each game"
        );
    }
    assert!(bytes_per_game <= 6_000, "a game of four takes {bytes_per_game} bytes");
}

/// Runs all futures concurrently until they are ready.
async fn run_concurrently<F: Future<Output = ()>>(futures: Vec<F>) {
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
    let (table, seated) = node.open_table(table_with_one_bot(3)).await;
    let mut rng = FastRng::new(1);
    for stop_mode in [StopMode::Fast, StopMode::Immediate, StopMode::Fast] {
        node.play_random_actions(table, &seated, &mut rng, 3).await;
        let player = node.wait_for_turn(table, &seated).await.expect("the game is not over yet");
        let (action, at) = node.random_action(table, &player, &mut rng).await;
        server.restart(stop_mode);
        // The connections are broken at first, so repeat the request, which is safe. If the restart took some seconds,
        // the node shows no views until it has compared its tables with the database.
        in_time(async {
            while node.service.act(table, &player.caller(), action, at).await.is_err()
                || node.service.observe(table, &Caller::Spectator).await.is_err()
            {
                node.time.advance(1000);
            }
        })
        .await;
    }
    node.play_out(table, &seated, &mut rng).await;
    assert!(verify(&node.service.record(table).await.expect("the game is over")).faults.is_empty());
}

/// Makes a test of each of these functions for SQLite, and another for Postgres.
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
