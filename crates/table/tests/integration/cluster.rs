//! Several nodes on one Postgres database: notifications, bots that act once, and nodes that die or lose the database.

use std::time::{Duration, Instant};

use sultan_rules::{FastRng, verify};
use sultan_table::domain::TableId;
use sultan_table::{AnalysisState, Caller, NewTable, Reaction, SeatReaction, Service, Settings, Signal};
use sultan_testkit::{Backend, FakeTime, TestService, in_time, is_over, is_up_to_date, parse_view, postgres_or_skip};

use crate::{new_table, players, with_options};

/// An empty Postgres database, which several nodes can share. `None` if Postgres is not installed.
fn postgres_backend() -> Option<Backend> {
    postgres_or_skip().map(Backend::postgres)
}

async fn start_nodes<const N: usize>(backend: &Backend) -> [TestService; N] {
    start_nodes_with(backend, |settings| settings).await
}

/// Starts nodes with adjusted settings. They share a clock.
async fn start_nodes_with<const N: usize>(
    backend: &Backend,
    adjust: impl Fn(Settings) -> Settings,
) -> [TestService; N] {
    let time = FakeTime::default();
    let mut nodes = Vec::new();
    for number in 0..N {
        // The number seeds the random bytes, which must differ between the nodes.
        let settings = adjust(time.settings(50 * u8::try_from(number).unwrap() + 1));
        nodes.push(TestService::run(Service::new(backend.open().await, settings), &time));
    }
    let Ok(nodes) = nodes.try_into() else { panic!("{N} nodes were started") };
    nodes
}

/// A watcher on one node gets every change made on another node, in order.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watch_gets_every_change_of_another_node() {
    let Some(backend) = postgres_backend() else { return };
    let [one, other] = start_nodes(&backend).await;
    let (table, seated) = one.open_human_table(players(3)).await;
    let mut watch = other.watch(table, seated[0].caller()).await;
    let mut version = in_time(watch.next()).await.unwrap().version;
    let mut rng = FastRng::new(1);
    while one.play_random_actions(table, &seated, &mut rng, 1).await == 1 {
        version += 1;
        let received = in_time(watch.next()).await.unwrap();
        assert_eq!(received.version, version);
        let view = one.json_view(table, &seated[0].caller()).await;
        assert_eq!(received.json, view.json, "the nodes show different views");
    }
    assert!(is_over(&other.view(table, &Caller::Spectator).await));
}

/// People act on any node and watch on any other; bots act no matter which node runs them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_on_any_node_finish_games_with_bots() {
    let Some(backend) = postgres_backend() else { return };
    let nodes: [TestService; 3] = start_nodes(&backend).await;
    let mut rng = FastRng::new(2);
    for count in 2..=5 {
        let (table, seated) = nodes[0].open_table(new_table(1, count - 1)).await;
        let mut turn = 0;
        while let Some(player) = nodes[turn % 3].wait_for_turn(table, &seated).await {
            let (action, at) = nodes[turn % 3].random_action(table, &player, &mut rng).await;
            // The player acts on another node than the node that showed the turn.
            turn += 1;
            nodes[turn % 3].service.act(table, &player.caller(), action, at).await.unwrap();
        }
        let record = nodes[turn % 3].service.record(table).await.unwrap();
        assert!(verify(&record).faults.is_empty());
    }
}

/// A node that runs a table's bots is killed: another node runs them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_of_a_killed_node_are_taken_over() {
    let Some(backend) = postgres_backend() else { return };
    let [one, other] = start_nodes(&backend).await;
    let mut tables = Vec::new();
    for _ in 0..8 {
        tables.push(one.open_table(new_table(1, 3)).await);
    }
    drop(one);
    let started = Instant::now();
    for (table, seated) in &tables {
        in_time(other.wait_for_turn(*table, seated)).await.expect("the person gets a turn");
    }
    assert!(started.elapsed() < Duration::from_secs(5), "the takeover took {:?}", started.elapsed());
    for (table, seated) in &tables {
        other.play_out(*table, seated, &mut FastRng::new(3)).await;
    }
}

/// The tables of a node that announces its shutdown are taken over at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_of_a_stopped_node_are_taken_over_at_once() {
    let Some(backend) = postgres_backend() else { return };
    let [one, other] = start_nodes(&backend).await;
    let (table, seated) = one.open_table(new_table(1, 4)).await;
    one.shut_down().await;
    assert_eq!(backend.query_number("SELECT count(*) FROM nodes").await, 1);
    in_time(other.wait_for_turn(table, &seated)).await.expect("the person gets a turn");
}

/// A change without a notification is found by comparing versions.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn change_without_a_notification_is_found_by_polling() {
    let Some(backend) = postgres_backend() else { return };
    let compare_often = |settings| Settings { compare_interval: Duration::from_secs(1), ..settings };
    let [one, other] = start_nodes_with(&backend, compare_often).await;
    let (table, seated) = one.open_human_table(players(2)).await;
    let mut watch = other.watch(table, Caller::Spectator).await;
    let first = in_time(watch.next()).await.unwrap();
    // Close the connections on which the nodes receive notifications. The nodes do not detect that at once.
    let stop_listening = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                WHERE datname = current_database() AND query LIKE 'LISTEN%'";
    backend.execute(stop_listening).await;
    one.play_random_actions(table, &seated, &mut FastRng::new(1), 1).await;
    assert_eq!(in_time(watch.next()).await.unwrap().version, first.version + 1);
    // A change without a notification: it was written directly to the database.
    backend
        .execute(&format!(
            "INSERT INTO changes (table_id, version, at_ms, body) SELECT table_id, version + 1, at_ms, '[{{\"host\":{{\"seat\":1}}}}]' \
             FROM changes WHERE table_id = {} ORDER BY version DESC LIMIT 1",
            table.number()
        ))
        .await;
    assert_eq!(in_time(watch.next()).await.unwrap().version, first.version + 2);
}

/// A client that got a version from one node gets no older version from another node.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watch_never_shows_an_older_version() {
    let Some(backend) = postgres_backend() else { return };
    let [one, other] = start_nodes(&backend).await;
    let (table, seated) = one.open_human_table(players(2)).await;
    for turn in 0..20 {
        let (acting, watching) = if turn % 2 == 0 { (&one, &other) } else { (&other, &one) };
        // The watching node loads the table now, so its state will be outdated.
        watching.json_view(table, &Caller::Spectator).await;
        let player = acting.wait_for_turn(table, &seated).await.unwrap();
        let acted = acting.play_random_action(table, &player, &mut FastRng::new(turn)).await.unwrap();
        let mut watch = watching.service.watch(table, player.caller(), Some(acted.version)).await.unwrap();
        let next = acting.wait_for_turn(table, &seated).await.unwrap();
        acting.play_random_action(table, &next, &mut FastRng::new(turn)).await.unwrap();
        assert_eq!(in_time(watch.next()).await.unwrap().version, acted.version + 1);
    }
}

/// Clocks differ slightly: an action shown with a beat on one node is not hidden again by another node with a later
/// beat.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beat_of_another_node_is_not_reverted() {
    let Some(backend) = postgres_backend() else { return };
    let (early, late) = (FakeTime::default(), FakeTime::default());
    let [one, other] = [TestService::start(&backend, &early, 1).await, TestService::start(&backend, &late, 101).await];
    let new = with_options(NewTable::plain(players(2)), |options| options.even_pace = true);
    let (table, seated) = one.open_table(new).await;
    let mut watch = one.watch(table, Caller::Spectator).await;
    let before = in_time(watch.next()).await.unwrap().version;
    let player = one.wait_for_turn(table, &seated).await.unwrap();
    one.play_random_action(table, &player, &mut FastRng::new(1)).await.unwrap();
    early.advance(5000);
    let revealed = in_time(watch.next()).await.unwrap();
    assert_eq!(revealed.version, before + 1);
    assert_eq!(other.json_view(table, &Caller::Spectator).await.version, before, "the late node has revealed it too");
    let mut watch_on_other = other.service.watch(table, Caller::Spectator, Some(revealed.version)).await.unwrap();
    assert!(is_up_to_date(&mut watch_on_other).await, "the client gets an older view");
    // If the request names an impossible version, the client gets a first view.
    let mut watch_from_999 = other.service.watch(table, Caller::Spectator, Some(999)).await.unwrap();
    assert_eq!(in_time(watch_from_999.next()).await.unwrap().version, before);
    let next = one.wait_for_turn(table, &seated).await.unwrap();
    late.advance(5000);
    one.play_random_action(table, &next, &mut FastRng::new(2)).await.unwrap();
    early.advance(5000);
    late.advance(5000);
    assert_eq!(in_time(watch_on_other.next()).await.unwrap().version, before + 2);
}

/// On a node that is behind, each seat sees its own actions and all earlier actions, but no later ones.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lagging_node_shows_own_actions_only() {
    let Some(backend) = postgres_backend() else { return };
    let (early, late) = (FakeTime::default(), FakeTime::default());
    let [one, other] = [TestService::start(&backend, &early, 1).await, TestService::start(&backend, &late, 101).await];
    let (table, seated) =
        one.open_table(with_options(NewTable::plain(players(3)), |options| options.even_pace = true)).await;
    let mut acted = Vec::new();
    // The offer and two bids; both nodes reach only the beat of the offer.
    for number in 0..3 {
        let player = one.wait_for_turn(table, &seated).await.unwrap();
        let (action, at) = one.random_action(table, &player, &mut FastRng::new(number)).await;
        one.service.act(table, &player.caller(), action, at).await.unwrap();
        acted.push((player, action, at));
        let mut watch = one.watch(table, Caller::Spectator).await;
        early.advance(5000);
        if number == 0 {
            late.advance(5000);
        }
        while parse_view(&in_time(watch.next()).await.unwrap())["at"] != number + 1 {}
    }
    // A repeated request makes the other node read the stored actions.
    let (second_bidder, action, at) = acted[2];
    let repeated = other.service.act(table, &second_bidder.caller(), action, at).await.unwrap().json();
    assert_eq!(parse_view(&repeated)["at"], 3, "the second bidder sees all three actions");
    let first_bidder = acted[1].0;
    assert_eq!(other.view(table, &first_bidder.caller()).await["at"], 2, "the first bidder sees the offer and one bid");
    let has_bid = |player: &sultan_testkit::Player| [first_bidder.seat, second_bidder.seat].contains(&player.seat);
    let other_player = seated.iter().find(|player| !has_bid(player)).unwrap();
    for caller in [other_player.caller(), Caller::Spectator] {
        let seen = other.json_view(table, &caller).await;
        assert_eq!((parse_view(&seen)["at"].as_u64(), seen.version + 2), (Some(1), repeated.version));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reactions_reach_the_watchers_on_all_nodes() {
    let Some(backend) = postgres_backend() else { return };
    let [one, other] = start_nodes(&backend).await;
    let (table, seated) = one.open_human_table(players(2)).await;
    other.json_view(table, &Caller::Spectator).await;
    let (mut signals_on_one, mut signals_on_other) = (one.service.signals(table), other.service.signals(table));
    // A node needs some time until it receives signals from other nodes.
    tokio::time::sleep(Duration::from_millis(300)).await;
    one.service.react(table, &seated[1].caller(), Reaction::Laugh).await.unwrap();
    for signals in [&mut signals_on_one, &mut signals_on_other] {
        let received = in_time(signals.recv()).await.unwrap();
        assert_eq!(received, Signal::Reaction(SeatReaction { seat: seated[1].seat, reaction: Reaction::Laugh }));
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(signals_on_one.is_empty() && signals_on_other.is_empty(), "a watcher got the reaction twice");
}

/// A disconnected player is shown as absent on all nodes, and as present again after reconnecting to any node.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn absence_is_visible_on_all_nodes() {
    let Some(backend) = postgres_backend() else { return };
    let [one, other] = start_nodes(&backend).await;
    let (table, seated) = one.open_human_table(players(2)).await;
    other.json_view(table, &Caller::Spectator).await;
    let connect = |node: &TestService| node.service.mark_present(table, &[seated[1].seat]);
    // Waits until both nodes show exactly these seats (given as digits) as absent.
    let wait_for_absent_seats = async |seats: &str| {
        let shows_them = |node: &TestService| node.service.attendance(table).unwrap().code() == seats;
        in_time(async {
            while !(shows_them(&one) && shows_them(&other)) {
                one.time.advance(100);
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await;
    };
    // A node needs some time until it receives signals from other nodes.
    tokio::time::sleep(Duration::from_millis(300)).await;
    drop(connect(&one));
    one.time.advance(10_000);
    wait_for_absent_seats("1").await;
    let connection = connect(&other);
    wait_for_absent_seats("").await;
    // A player with a connection to another node does not become absent: no signal is sent.
    let (signals_on_one, signals_on_other) = (one.service.signals(table), other.service.signals(table));
    drop(connect(&one));
    for _ in 0..20 {
        one.time.advance(1000);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(signals_on_one.is_empty() && signals_on_other.is_empty());
    // A request of an absent player shows that the player is present, even without a connection.
    drop(connection);
    other.time.advance(10_000);
    wait_for_absent_seats("1").await;
    one.service.react(table, &seated[1].caller(), Reaction::Thanks).await.unwrap();
    wait_for_absent_seats("").await;
    // Spectators are visible on all nodes, too; the last one must leave.
    let (first, last) = (one.service.mark_present(table, &[]), other.service.mark_present(table, &[]));
    wait_for_absent_seats("w").await;
    drop(first);
    one.time.advance(10_000);
    tokio::time::sleep(Duration::from_millis(300)).await;
    wait_for_absent_seats("w").await;
    drop(last);
    wait_for_absent_seats("").await;
}

/// A node whose database is down serves no outdated state, and recovers when the database is back.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn node_without_database_closes_watches_and_recovers() {
    let Some(server) = postgres_or_skip().map(|server| server.start_another().unwrap()) else { return };
    let backend = Backend::postgres(&server);
    let cut_off_soon = |settings| Settings { cut_off_after: Duration::from_secs(1), ..settings };
    let [one] = start_nodes_with(&backend, cut_off_soon).await;
    let (table, seated) = one.open_human_table(players(2)).await;
    let mut watch = one.watch(table, Caller::Spectator).await;
    in_time(watch.next()).await.unwrap();
    server.stop();
    // Watches are closed, and requests are rejected until the database answers again.
    assert!(in_time(watch.next()).await.is_none());
    one.service.observe(table, &Caller::Spectator).await.unwrap_err();
    server.start_again();
    in_time(async {
        while one.service.observe(table, &Caller::Spectator).await.is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    one.play_out(table, &seated, &mut FastRng::new(1)).await;
}

/// A game of one action, so that its analysis is short.
async fn short_game(node: &TestService) -> TableId {
    let (table, seated) = node.open_human_table(players(2)).await;
    node.play_random_actions(table, &seated, &mut FastRng::new(1), 1).await;
    for player in &seated {
        node.service.leave(table, &player.caller()).await.unwrap();
    }
    table
}

/// Requests the analyses of these games from a node repeatedly, as a page does, until all are finished.
async fn finish_analyses(node: &TestService, tables: &[TableId]) {
    in_time(async {
        for &table in tables {
            while let AnalysisState::Underway(progress) = node.service.analysis(table).await.unwrap() {
                assert!(progress.done <= progress.total);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    })
    .await;
}

/// Any node accepts a request, and the node that runs the table's bots analyses the game. After the death of that node,
/// the next request starts the analysis on another node.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn analysis_requests_reach_the_node_that_runs_the_table() {
    // Enough games that each of two nodes runs some.
    const GAMES: usize = 10;
    let Some(backend) = postgres_backend() else { return };
    let [one, other] = start_nodes_with(&backend, |settings| Settings { playouts: 20, ..settings }).await;
    // A node that joins learns which nodes have joined before, so the first node joins again after the second.
    for node in [&one, &other, &one] {
        node.service.join().await.unwrap();
    }
    let mut tables = Vec::new();
    for _ in 0..2 * GAMES {
        tables.push(short_game(&one).await);
    }
    let (with_both_nodes, after_a_death) = tables.split_at(GAMES);
    finish_analyses(&one, with_both_nodes).await;
    assert_eq!(backend.query_number("SELECT count(*) FROM analyses").await, i64::try_from(GAMES).unwrap());
    drop(other);
    finish_analyses(&one, after_a_death).await;
    assert_eq!(backend.query_number("SELECT count(*) FROM studies").await, 0, "the table of version 0.1 stays empty");
}
