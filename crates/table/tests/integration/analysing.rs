//! The analysis of finished games.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use sultan_table::analysis::{Plan, Watch, analyse};
use sultan_table::domain::{Analysis, Screens, TableId, Variant};
use sultan_table::{AnalysisState, NewTable, Rejection, Service, Settings};
use sultan_testkit::{Backend, FakeTime, Player, TestService};

use crate::{new_rng, new_table, players, rejection, with_options};

const PLAYOUTS: u32 = 100;

/// A node whose analyses use few playouts, so that they are fast.
async fn analysis_node(backend: &Backend) -> TestService {
    let time = FakeTime::default();
    let settings = Settings { playouts: PLAYOUTS, ..time.settings(1) };
    TestService::run(Service::new(backend.open().await, settings), &time)
}

/// A game of two people who leave after three actions, so that its analysis is short.
async fn short_game(node: &TestService) -> TableId {
    let (table, seated) = node.open_human_table(players(2)).await;
    node.play_random_actions(table, &seated, &mut new_rng(), 3).await;
    assert_eq!(rejection(node.service.analysis(table).await), Rejection::NotOver);
    // The seat to act leaves last, so that no bot acts for it.
    let to_act = node.player_to_act(table, &seated).await.unwrap().seat;
    let (last_to_leave, first_to_leave): (Vec<Player>, Vec<Player>) =
        seated.iter().partition(|player| player.seat == to_act);
    for player in first_to_leave.into_iter().chain(last_to_leave) {
        node.service.leave(table, &player.caller()).await.unwrap();
    }
    table
}

/// Requests an analysis repeatedly, until it is finished.
async fn finished_analysis(node: &TestService, table: TableId) -> Analysis {
    let started = Instant::now();
    loop {
        match node.service.analysis(table).await.unwrap() {
            AnalysisState::Done(analysis) => return *analysis,
            AnalysisState::Underway(progress) => assert!(progress.done <= progress.total),
        }
        assert!(started.elapsed() < Duration::from_mins(2), "the analysis takes too long");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_are_analysed_in_order_and_results_stored() {
    let backend = Backend::sqlite();
    let node = analysis_node(&backend).await;
    let (first_game, second_game) = (short_game(&node).await, short_game(&node).await);
    let AnalysisState::Underway(first_progress) = node.service.analysis(first_game).await.unwrap() else {
        panic!("the first analysis was finished at once")
    };
    assert_eq!((first_progress.ahead, first_progress.done), (0, 0));
    let AnalysisState::Underway(second_progress) = node.service.analysis(second_game).await.unwrap() else {
        panic!("the second analysis was finished at once")
    };
    assert_eq!(second_progress.ahead, 1);
    let second_analysis = finished_analysis(&node, second_game).await;
    let AnalysisState::Done(first_analysis) = node.service.analysis(first_game).await.unwrap() else {
        panic!("the second game was analysed before the first")
    };
    // An analysis of the record gives the same result. The server's analyses use the seed 1, too. Convert the result to
    // JSON and back, which may change the last digit.
    let record = node.service.record(first_game).await.unwrap();
    let plan = Plan { playouts: PLAYOUTS, ..Plan::new(1, NonZeroUsize::MIN) };
    let of_record = analyse(&record, &plan, &Watch { progress: &|_, _| (), stop: &|| false }).unwrap();
    let of_record: Analysis = serde_json::from_str(&serde_json::to_string(&of_record).unwrap()).unwrap();
    assert!(*first_analysis == of_record, "the stored analysis differs from an analysis of the record");
    // Each game has its own analysis.
    assert_ne!(first_analysis.decisions, second_analysis.decisions);
    assert!(!second_analysis.complete && second_analysis.decisions.len() == 3);
    // The analysis is stored, so a new service on the same database returns it at once.
    node.shut_down().await;
    let node = analysis_node(&backend).await;
    assert!(matches!(node.service.analysis(first_game).await.unwrap(), AnalysisState::Done(_)));
}

/// The neural nets of bots and analyses are trained on the published game only. For a variant, the jeweller bot's rules
/// of thumb replace them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn game_of_a_variant_has_coach_and_analysis() {
    let backend = Backend::sqlite();
    let node = analysis_node(&backend).await;
    let new = with_options(NewTable { variant: Variant::ESPRESSO, ..NewTable::plain(players(2)) }, |options| {
        options.coach = true;
        options.screens = Screens::Open;
    });
    let (table, seated) = node.open_table(new).await;
    let mut rng = new_rng();
    // 17 of the 20 actions of an espresso game of two.
    node.play_random_actions(table, &seated, &mut rng, 17).await;
    let player = node.player_to_act(table, &seated).await.unwrap();
    let advice = node.service.advice(table, &player.caller()).await.unwrap();
    assert!(advice.hint.options.iter().map(|option| option.action).eq(advice.view.legal().iter()));
    // An estimate for the one other player.
    assert_eq!(node.service.may_hold(table, &player.caller()).await.unwrap().len(), 1);
    node.play_out(table, &seated, &mut rng).await;
    let analysis = finished_analysis(&node, table).await;
    assert!(analysis.complete && analysis.variant == Variant::ESPRESSO && analysis.decisions.len() == 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn analysis_does_not_delay_players() {
    let backend = Backend::sqlite();
    let node = analysis_node(&backend).await;
    let (table, seated) = node.open_human_table(players(4)).await;
    node.play_out(table, &seated, &mut new_rng()).await;
    node.service.analysis(table).await.unwrap();
    let mut action_times = Vec::new();
    for _ in 0..3 {
        let (other, seated) = node.open_table(new_table(2, 2)).await;
        let mut rng = new_rng();
        while let Some(player) = node.wait_for_turn(other, &seated).await {
            let (action, at) = node.random_action(other, &player, &mut rng).await;
            let started = Instant::now();
            node.service.act(other, &player.caller(), action, at).await.unwrap();
            action_times.push(started.elapsed());
        }
    }
    action_times.sort_unstable();
    // A single slow action may have other reasons.
    let ninth_decile = action_times[action_times.len() * 9 / 10];
    assert!(ninth_decile < Duration::from_millis(100), "nine of ten actions take up to {ninth_decile:?}");
    // The shutdown does not wait for the analysis either.
    let started = Instant::now();
    node.shut_down().await;
    assert!(started.elapsed() < Duration::from_secs(5), "the shutdown took {:?}", started.elapsed());
}
