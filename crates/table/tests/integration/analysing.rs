//! The analysis of finished games.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use sultan_table::analysis::{Plan, Watch, analyse};
use sultan_table::domain::{Analysis, Screens, TableId, Variant};
use sultan_table::{AnalysisState, NewTable, Rejection, Service, Settings};
use sultan_testkit::{Backend, FakeTime, Player, TestService};

use crate::{players, quick, rejection, with_bots, with_options};

const PLAYOUTS: u32 = 100;

async fn analysis_node(backend: &Backend) -> TestService {
    let time = FakeTime::default();
    let settings = Settings { playouts: PLAYOUTS, ..time.settings(1) };
    TestService::run(Service::new(backend.open().await, settings), &time)
}

/// A game of two people, abandoned early so that its analysis is short.
async fn short_game(node: &TestService) -> TableId {
    let (table, seated) = node.open_human_table(players(2)).await;
    node.play_random_actions(table, &seated, &mut quick(), 3).await;
    assert_eq!(rejection(node.service.analysis(table).await), Rejection::NotOver);
    // The seat to act leaves last, so that no bot acts for it.
    let to_act = node.player_to_act(table, &seated).await.unwrap().seat;
    let (last, first): (Vec<Player>, Vec<Player>) = seated.iter().partition(|player| player.seat == to_act);
    for player in first.into_iter().chain(last) {
        node.service.leave(table, &player.caller()).await.unwrap();
    }
    table
}

/// Waits for an analysis.
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
    let (one, two) = (short_game(&node).await, short_game(&node).await);
    let AnalysisState::Underway(first) = node.service.analysis(one).await.unwrap() else {
        panic!("the analysis cannot be finished yet")
    };
    assert_eq!((first.ahead, first.done), (0, 0));
    let AnalysisState::Underway(second) = node.service.analysis(two).await.unwrap() else {
        panic!("the analysis cannot be finished yet")
    };
    assert_eq!(second.ahead, 1);
    let analysis = finished_analysis(&node, two).await;
    let AnalysisState::Done(before) = node.service.analysis(one).await.unwrap() else {
        panic!("the first game is analysed first")
    };
    // The same result as an analysis of the record.
    let record = node.service.record(one).await.unwrap();
    let plan = Plan { playouts: PLAYOUTS, ..Plan::new(1, NonZeroUsize::MIN) };
    let own = analyse(&record, &plan, &Watch { progress: &|_, _| (), stop: &|| false }).unwrap();
    let read: Analysis = serde_json::from_str(&serde_json::to_string(&own).unwrap()).unwrap();
    assert!(*before == read, "up to the last digit that reading JSON may change");
    assert_ne!(before.decisions, analysis.decisions);
    assert!(!analysis.complete && analysis.decisions.len() == 3);
    // It is stored, so a new service on the same database returns it.
    node.shut_down().await;
    let node = analysis_node(&backend).await;
    assert!(matches!(node.service.analysis(one).await.unwrap(), AnalysisState::Done(_)));
}

/// The nets are trained on the published game only; the jeweller bot replaces them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn game_of_a_variant_has_coach_and_analysis() {
    let backend = Backend::sqlite();
    let node = analysis_node(&backend).await;
    let new = with_options(NewTable { variant: Variant::ESPRESSO, ..NewTable::plain(players(2)) }, |options| {
        options.coach = true;
        options.screens = Screens::Open;
    });
    let (table, seated) = node.open_table(new).await;
    let mut chance = quick();
    node.play_random_actions(table, &seated, &mut chance, 17).await;
    let player = node.player_to_act(table, &seated).await.unwrap();
    let advice = node.service.advice(table, &player.caller()).await.unwrap();
    assert!(advice.hint.options.iter().map(|option| option.action).eq(advice.view.legal().iter()));
    assert_eq!(node.service.may_hold(table, &player.caller()).await.unwrap().len(), 1);
    node.play_out(table, &seated, &mut chance).await;
    let analysis = finished_analysis(&node, table).await;
    assert!(analysis.complete && analysis.variant == Variant::ESPRESSO && analysis.decisions.len() == 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn analysis_does_not_delay_players() {
    let backend = Backend::sqlite();
    let node = analysis_node(&backend).await;
    let (table, seated) = node.open_human_table(players(4)).await;
    node.play_out(table, &seated, &mut quick()).await;
    node.service.analysis(table).await.unwrap();
    let mut slow = Vec::new();
    for _ in 0..3 {
        let (other, seated) = node.open_table(with_bots(2, 2)).await;
        let mut chance = quick();
        while let Some(player) = node.wait_for_turn(other, &seated).await {
            let (action, at) = node.random_action(other, &player, &mut chance).await;
            let started = Instant::now();
            node.service.act(other, &player.caller(), action, at).await.unwrap();
            slow.push(started.elapsed());
        }
    }
    slow.sort_unstable();
    let usual = slow[slow.len() * 9 / 10];
    assert!(usual < Duration::from_millis(100), "nine of ten actions take up to {usual:?}");
    // A stopping service does not wait for the analysis either.
    let started = Instant::now();
    node.shut_down().await;
    assert!(started.elapsed() < Duration::from_secs(5));
}
