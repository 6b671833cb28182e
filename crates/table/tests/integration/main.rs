//! Behaviour of tables with people and bots, tested through the service on a SQLite file.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod acting;
mod analysing;
mod branch;
mod clocks;
mod cluster;
mod coach;
mod concurrency;
mod databases;
mod even_pace;
mod failing_store;
mod games;
mod guided;
mod leaving;
mod limits;
mod lists;
mod nodes;
mod opening;
mod rematch;
mod replay;
mod seats;
mod secrecy;
mod upgrade;
mod views;
mod watching;

use std::time::Duration;

use sultan_rules::FastRng;
use sultan_table::domain::{Players, Seat, SeatPlan, TableOptions};
use sultan_table::{NewPlayer, NewTable, Rejection, Service, ServiceError, Settings};
use sultan_testkit::{Backend, FakeTime, TestService};

/// A node on an empty SQLite database, with a clock that advances only in tests.
async fn start_node() -> (Backend, TestService) {
    let backend = Backend::sqlite();
    let node = TestService::start(&backend, &FakeTime::default(), 1).await;
    (backend, node)
}

/// A node whose bots pause for an hour before they act. No test advances the clock that far, so they never act.
async fn start_node_with_slow_bots() -> (Backend, TestService) {
    let (backend, time) = (Backend::sqlite(), FakeTime::default());
    let settings = Settings { bot_pause: Duration::from_hours(1), ..time.settings(1) };
    let service = Service::new(backend.open().await, settings);
    (backend, TestService::run(service, &time))
}

fn players(count: u8) -> Players {
    Players::new(count).unwrap()
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

/// A random generator that gives the same numbers in every run.
fn new_rng() -> FastRng {
    FastRng::new(1)
}

/// The same request with other options.
fn with_options(mut new: NewTable, change: impl FnOnce(&mut TableOptions)) -> NewTable {
    change(&mut new.options);
    new
}

/// A table with people in the first seats and bots in the other seats. These bots and the stand-ins need no time to
/// think.
fn new_table(people: u8, bots: u8) -> NewTable {
    let human_seats = (0..people).map(|_| SeatPlan::Human);
    let bot_seats = (0..bots).map(|_| SeatPlan::Bot("random".to_owned()));
    let seats = human_seats.chain(bot_seats).collect();
    let new = NewTable { seats, ..NewTable::plain(players(people + bots)) };
    with_options(new, |options| options.stand_in = "random".into())
}

fn player_named(name: &str) -> NewPlayer {
    NewPlayer { name: name.to_owned(), ..NewPlayer::default() }
}

/// The reason why a request was rejected.
#[track_caller]
fn rejection<T>(result: Result<T, ServiceError>) -> Rejection {
    match result {
        Ok(_) => panic!("the request was not rejected"),
        Err(ServiceError::Rejected(rejection)) => rejection,
        Err(ServiceError::Store(error)) => panic!("the store failed: {error}"),
    }
}
