//! Opens a database and continues its games: views are unchanged, every game reaches its end, every record verifies.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::Value;
use sultan_rules::{FastRng, verify};
use sultan_table::analysis::{Plan, Watch, analyse};
use sultan_table::domain::{Analysis, Record, TableId};
use sultan_table::{AnalysisState, Caller, SeatChange};
use sultan_testkit::{Backend, Player, TestService, in_time, is_over, parse_view};

use super::fixture::{Contents, Game};
use super::games::{BEAT_MS, PLAYOUTS, open, visitor};

/// Games whose deal does not follow from seeds, so they have no record.
const WITHOUT_RECORD: [&str; 1] = ["branch"];

/// Opens the database with this program and checks everything: views, records, and that the games can continue.
pub(crate) async fn check(backend: &Backend, contents: &Contents) {
    let merged = backend.query_number("SELECT count(*) FROM changes WHERE merged IS NOT NULL").await;
    // Three games with a merged (compacted) history, and one stored analysis: see `games::finished_games`.
    assert_eq!((merged, backend.query_number("SELECT count(*) FROM analyses").await), (3, 1));
    let time = contents.time();
    let node = open(backend, &time, 60).await;
    views_after_the_upgrade_equal_the_old_views(&node, contents).await;
    finished_games_verify(&node, contents).await;
    delayed_action_becomes_visible_with_the_beat(&node, &contents.game("even_pace")).await;
    fill_waiting_tables(&node, contents).await;
    let mut rng = FastRng::new(9);
    for name in contents.names() {
        play_out(&node, &contents.game(name), &mut rng).await;
    }
    let own_games = node.service.games_of(&visitor()).await.expect("games can be listed");
    // Only the guided game has a player with a browser.
    assert_eq!(own_games.iter().map(|own| own.table).collect::<Vec<_>>(), [contents.game("guided").table]);
    time.advance(1);
    node.service.compact_before(time.now_ms()).await.expect("games can be merged");
    let records = records(&node, contents).await;
    node.shut_down().await;
    // The records stay the same after the games were merged and read again.
    let node = open(backend, &time, 70).await;
    assert_eq!(self::records(&node, contents).await, records);
    node.shut_down().await;
}

async fn views_after_the_upgrade_equal_the_old_views(node: &TestService, contents: &Contents) {
    for name in contents.names() {
        let game = contents.game(name);
        let mut old_views = contents.views(name);
        for caller in game.observers() {
            let new_view = node.json_view(game.table, &caller).await;
            let (old_version, old_json) = old_views.next().expect("the fixture has a view of every observer");
            let old_json: Value = serde_json::from_str(old_json).expect("a view is JSON");
            assert_eq!(new_view.version, old_version, "the version of {name} has changed");
            assert_contains(&parse_view(&new_view), &old_json, name);
        }
    }
}

/// Asserts that `new` contains all fields of `old` with the same values. It may have further fields. `path` names the
/// value in the messages.
fn assert_contains(new: &Value, old: &Value, path: &str) {
    match (new, old) {
        (Value::Object(new), Value::Object(old)) => {
            for (key, old) in old {
                let new = new.get(key).unwrap_or_else(|| panic!("{path}/{key} is missing"));
                assert_contains(new, old, &format!("{path}/{key}"));
            }
        }
        (Value::Array(new), Value::Array(old)) => {
            assert_eq!(new.len(), old.len(), "the length of {path} has changed");
            for (index, (new, old)) in new.iter().zip(old).enumerate() {
                assert_contains(new, old, &format!("{path}/{index}"));
            }
        }
        (new, old) => assert_eq!(new, old, "{path} has changed"),
    }
}

async fn finished_games_verify(node: &TestService, contents: &Contents) {
    let mut count = 0;
    for name in contents.names() {
        let Some(json) = contents.record(name) else { continue };
        let record = Record::from_json(json).expect("a record can be read");
        let new_record = node.service.record(contents.game(name).table).await.expect("the game is over");
        assert_eq!(new_record, record, "the record of {name} has changed");
        assert!(verify(&record).faults.is_empty(), "the record of {name} has faults");
        node.service.replay(contents.game(name).table).await.expect("the game is over");
        count += 1;
    }
    assert_eq!(count, 4, "the number of finished games has changed");
    // The stored analysis is returned at once, and equals an analysis by this program.
    let analysed = contents.game("analysed").table;
    let AnalysisState::Done(stored) = node.service.analysis(analysed).await.expect("the game is over") else {
        panic!("the analysis was not stored")
    };
    assert_eq!(*stored, analysis_of_record(&node.service.record(analysed).await.expect("the game is over")));
    // A game without a stored analysis is analysed now. Choose the shortest game, which takes the least time.
    let abandoned = contents.game("abandoned").table;
    let found = in_time(finished_analysis(node, abandoned)).await;
    assert_eq!(found, analysis_of_record(&node.service.record(abandoned).await.expect("the game is over")));
}

/// Requests an analysis repeatedly, until it is finished.
async fn finished_analysis(node: &TestService, table: TableId) -> Analysis {
    loop {
        match node.service.analysis(table).await.expect("the game is over") {
            AnalysisState::Done(analysis) => return *analysis,
            AnalysisState::Underway(_) => tokio::time::sleep(Duration::from_millis(10)).await,
        }
    }
}

/// The analysis of a record by this program, converted to JSON and back like a stored analysis, since the conversion
/// may change the last digit of a number. An analysis takes long, and all databases have the same games, so each game
/// is analysed once.
fn analysis_of_record(record: &Record) -> Analysis {
    static CACHE: Mutex<Vec<(Record, Analysis)>> = Mutex::new(Vec::new());
    let mut cache = CACHE.lock().expect("no other test failed");
    if let Some((_, analysis)) = cache.iter().find(|(cached, _)| cached == record) {
        return analysis.clone();
    }
    let plan = Plan { playouts: PLAYOUTS, ..Plan::new(1, NonZeroUsize::MIN) };
    let watch = Watch { progress: &|_, _| (), stop: &|| false };
    let analysis = analyse(record, &plan, &watch).expect("a valid record can be analysed");
    let json = serde_json::to_string(&analysis).expect("an analysis can be written as JSON");
    let analysis: Analysis = serde_json::from_str(&json).expect("the JSON of an analysis can be read");
    cache.push((record.clone(), analysis.clone()));
    analysis
}

async fn delayed_action_becomes_visible_with_the_beat(node: &TestService, game: &Game) {
    let actions_seen = async |caller: Caller| node.view(game.table, &caller).await["at"].as_u64().expect("a number");
    let seen_by_all = actions_seen(Caller::Spectator).await;
    let mut players_who_see_more = 0;
    for player in &game.players {
        let seen_by_player = actions_seen(player.caller()).await;
        assert!(seen_by_player == seen_by_all || seen_by_player == seen_by_all + 1);
        players_who_see_more += seen_by_player - seen_by_all;
    }
    assert_eq!(players_who_see_more, 1, "not exactly the player who acted sees the action");
    node.time.advance(BEAT_MS);
    in_time(async {
        while actions_seen(Caller::Spectator).await == seen_by_all {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await;
    assert_eq!(actions_seen(Caller::Spectator).await, seen_by_all + 1);
}

/// Starts the games that have not started: the missing players agree to the rematch, and bots take the free seats.
async fn fill_waiting_tables(node: &TestService, contents: &Contents) {
    let rematch = contents.game("rematch");
    for player in &rematch.players[1..] {
        let agreed =
            node.service.change_seat(rematch.table, &player.caller(), player.seat, SeatChange::default()).await;
        agreed.expect("the game has not started");
    }
    let waiting = contents.game("waiting");
    let listed = node.service.public_tables().await.expect("tables can be listed");
    assert!(listed.iter().any(|listed| listed.table == waiting.table));
    for seat in waiting.players.len()..3 {
        let host = &waiting.players[0];
        let seat = sultan_table::domain::Seat::new(u8::try_from(seat).expect("a small number")).expect("a seat");
        node.service
            .put_bot_in_seat(waiting.table, &host.caller(), seat, Some("page"))
            .await
            .expect("the seat is free");
    }
}

/// Plays a game to its end: people act when it is their turn, otherwise time passes, for bots and the even pace.
async fn play_out(node: &TestService, game: &Game, rng: &mut FastRng) {
    in_time(async {
        while !is_over(&node.view(game.table, &Caller::Spectator).await) {
            if let Some(player) = person_to_act(node, game).await {
                node.play_random_action(game.table, &player, rng).await.expect("a listed action is legal");
            } else {
                node.time.advance(1000);
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        }
    })
    .await;
}

/// The player to act, unless a bot acts for the seat.
async fn person_to_act(node: &TestService, game: &Game) -> Option<Player> {
    for player in &game.players {
        let view = node.view(game.table, &player.caller()).await;
        let seat = player.seat;
        if view["to_act"] == seat.number() && view["seats"][seat.index()]["kind"] == "human" {
            return Some(*player);
        }
    }
    None
}

/// The records of all games that have a record. All games must be over.
async fn records(node: &TestService, contents: &Contents) -> Vec<Record> {
    let mut records = Vec::new();
    for name in contents.names() {
        let table = contents.game(name).table;
        node.service.replay(table).await.expect("the game is over");
        if WITHOUT_RECORD.contains(&name) {
            continue;
        }
        let record = node.service.record(table).await.expect("the game is over");
        assert!(verify(&record).faults.is_empty(), "the record of {name} has faults");
        records.push(record);
    }
    records
}
