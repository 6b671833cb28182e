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

use sultan_rules::Quick;
use sultan_table::domain::{Players, Seat, SeatPlan, TableOptions};
use sultan_table::{NewPlayer, NewTable, Rejection, Service, ServiceError, Settings};
use sultan_testkit::{Backend, FakeTime, TestService};

async fn node() -> (Backend, TestService) {
    let backend = Backend::sqlite();
    let node = TestService::start(&backend, &FakeTime::default(), 1).await;
    (backend, node)
}

/// A node with slow bots, and a clock that advances only in tests.
async fn slow_node() -> (Backend, TestService) {
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

fn quick() -> Quick {
    Quick::new(1)
}

/// The same table with other options.
fn with_options(mut new: NewTable, change: impl FnOnce(&mut TableOptions)) -> NewTable {
    change(&mut new.options);
    new
}

/// A table with people in the first seats, then bots that answer at once.
fn with_bots(people: u8, bots: u8) -> NewTable {
    let humans = (0..people).map(|_| SeatPlan::Human);
    let bots_seats = (0..bots).map(|_| SeatPlan::Bot("random".to_owned()));
    with_options(
        NewTable { seats: humans.chain(bots_seats).collect(), ..NewTable::plain(players(people + bots)) },
        |options| options.stand_in = "random".into(),
    )
}

fn named(name: &str) -> NewPlayer {
    NewPlayer { name: name.to_owned(), ..NewPlayer::default() }
}

/// The rejection of a request.
#[track_caller]
fn rejection<T>(result: Result<T, ServiceError>) -> Rejection {
    match result {
        Ok(_) => panic!("it was not rejected"),
        Err(ServiceError::Rejected(rejection)) => rejection,
        Err(ServiceError::Store(error)) => panic!("the store failed: {error}"),
    }
}
