//! The analysis of finished games.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use sultan_table::analysis::{Plan, Watch, analyse};
use sultan_table::domain::{Analysis, Screens, TableId, Variant};
use sultan_table::{AnalysisState, NewTable, Rejection, Service, Settings};
use sultan_testkit::{Backend, FakeTime, House, Player};

use crate::{players, quick, rejection, with_bots, with_options};

const PLAYOUTS: u32 = 100;

async fn studious(backend: &Backend) -> House {
    let time = FakeTime::default();
    let settings = Settings { playouts: PLAYOUTS, ..time.settings(1) };
    House::with(Service::new(backend.open().await, settings), &time)
}

/// A game of two people, abandoned early so that its analysis is short.
async fn short_game(house: &House) -> TableId {
    let (table, seated) = house.people(players(2)).await;
    house.play(table, &seated, &mut quick(), 3).await;
    assert_eq!(rejection(house.service.analysis(table).await), Rejection::NotOver);
    // The seat to act leaves last, so that no bot acts for it.
    let to_act = house.to_act(table, &seated).await.unwrap().seat;
    let (last, first): (Vec<Player>, Vec<Player>) = seated.iter().partition(|player| player.seat == to_act);
    for player in first.into_iter().chain(last) {
        house.service.leave(table, &player.caller()).await.unwrap();
    }
    table
}

/// Waits for an analysis.
async fn studied(house: &House, table: TableId) -> Analysis {
    let begun = Instant::now();
    loop {
        match house.service.analysis(table).await.unwrap() {
            AnalysisState::Done(analysis) => return *analysis,
            AnalysisState::Underway(progress) => assert!(progress.done <= progress.of),
        }
        assert!(begun.elapsed() < Duration::from_mins(2), "it comes to its end");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_are_analysed_one_after_the_other_and_kept() {
    let backend = Backend::sqlite();
    let house = studious(&backend).await;
    let (one, two) = (short_game(&house).await, short_game(&house).await);
    let AnalysisState::Underway(first) = house.service.analysis(one).await.unwrap() else { panic!("it takes a while") };
    assert_eq!((first.ahead, first.done), (0, 0));
    let AnalysisState::Underway(second) = house.service.analysis(two).await.unwrap() else {
        panic!("it takes a while")
    };
    assert_eq!(second.ahead, 1);
    let analysis = studied(&house, two).await;
    let AnalysisState::Done(before) = house.service.analysis(one).await.unwrap() else { panic!("it came first") };
    // The same result as an analysis of the record.
    let record = house.service.record(one).await.unwrap();
    let plan = Plan { playouts: PLAYOUTS, ..Plan::new(1, NonZeroUsize::MIN) };
    let own = analyse(&record, &plan, &Watch { progress: &|_, _| (), stop: &|| false }).unwrap();
    let read: Analysis = serde_json::from_str(&serde_json::to_string(&own).unwrap()).unwrap();
    assert!(*before == read, "up to the last digit that reading JSON may change");
    assert_ne!(before.decisions, analysis.decisions);
    assert!(!analysis.complete && analysis.decisions.len() == 3);
    // It is stored, so a new service on the same database returns it.
    house.end().await;
    let house = studious(&backend).await;
    assert!(matches!(house.service.analysis(one).await.unwrap(), AnalysisState::Done(_)));
}

/// The nets are trained on the published game only; the jeweller bot replaces them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_variant_has_a_coach_and_an_analysis() {
    let backend = Backend::sqlite();
    let house = studious(&backend).await;
    let new = with_options(NewTable { variant: Variant::ESPRESSO, ..NewTable::plain(players(2)) }, |options| {
        options.coach = true;
        options.screens = Screens::Open;
    });
    let (table, seated) = house.table(new).await;
    let mut chance = quick();
    house.play(table, &seated, &mut chance, 17).await;
    let player = house.to_act(table, &seated).await.unwrap();
    let advice = house.service.advice(table, &player.caller()).await.unwrap();
    assert!(advice.hint.options.iter().map(|option| option.action).eq(advice.view.legal().iter()));
    assert_eq!(house.service.holds(table, &player.caller()).await.unwrap().len(), 1);
    house.play_out(table, &seated, &mut chance).await;
    let analysis = studied(&house, table).await;
    assert!(analysis.complete && analysis.variant == Variant::ESPRESSO && analysis.decisions.len() == 20);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn analysis_does_not_delay_players() {
    let backend = Backend::sqlite();
    let house = studious(&backend).await;
    let (table, seated) = house.people(players(4)).await;
    house.play_out(table, &seated, &mut quick()).await;
    house.service.analysis(table).await.unwrap();
    let mut slow = Vec::new();
    for _ in 0..3 {
        let (other, seated) = house.table(with_bots(2, 2)).await;
        let mut chance = quick();
        while let Some(player) = house.next(other, &seated).await {
            let (action, at) = house.choose(other, &player, &mut chance).await;
            let begun = Instant::now();
            house.service.act(other, &player.caller(), action, at).await.unwrap();
            slow.push(begun.elapsed());
        }
    }
    slow.sort_unstable();
    let usual = slow[slow.len() * 9 / 10];
    assert!(usual < Duration::from_millis(100), "nine of ten actions take up to {usual:?}");
    // A stopping service does not wait for the analysis either.
    let begun = Instant::now();
    house.end().await;
    assert!(begun.elapsed() < Duration::from_secs(5));
}
