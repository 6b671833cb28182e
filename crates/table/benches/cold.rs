//! The time to rebuild a table that is not in memory from its stored events: four players, sixty actions.
//!
//! ```text
//! cargo bench -p sultan-table --bench cold
//! ```

#![expect(clippy::unwrap_used, reason = "a bench may panic")]

use std::num::NonZeroUsize;

use divan::Bencher;
use sultan_rules::FastRng;
use sultan_table::domain::{Players, TableId};
use sultan_table::{Caller, Service, Settings};
use sultan_testkit::{Backend, FakeTime, Postgres, TestService};
use tokio::runtime::Runtime;

const ACTIONS: usize = 60;

fn main() {
    divan::main();
}

/// Two tables on a node that caches only one.
async fn two_tables(backend: &Backend) -> (Service, [TableId; 2]) {
    let time = FakeTime::default();
    let node = TestService::start(backend, &time, 1).await;
    let mut tables = Vec::new();
    for seed in 0..2 {
        let (table, seated) = node.open_human_table(Players::new(4).unwrap()).await;
        node.play_random_actions(table, &seated, &mut FastRng::new(seed), ACTIONS).await;
        tables.push(table);
    }
    node.shut_down().await;
    let settings = Settings { cached_tables: NonZeroUsize::MIN, ..time.settings(2) };
    (Service::new(backend.open().await, settings), [tables[0], tables[1]])
}

/// Requests the two tables alternately. The node caches only one table, so it must rebuild the other each time.
fn bench_rebuilding(bencher: Bencher<'_, '_>, backend: &Backend) {
    let runtime = Runtime::new().unwrap();
    let (service, tables) = runtime.block_on(two_tables(backend));
    let mut requests = 0;
    bencher.bench_local(|| {
        requests += 1;
        runtime.block_on(service.observe(tables[requests % 2], &Caller::Spectator)).unwrap()
    });
}

#[divan::bench]
fn sqlite(bencher: Bencher<'_, '_>) {
    bench_rebuilding(bencher, &Backend::sqlite());
}

#[divan::bench]
fn postgres(bencher: Bencher<'_, '_>) {
    match Postgres::shared() {
        Some(server) => bench_rebuilding(bencher, &Backend::postgres(server)),
        None => eprintln!("Postgres is not installed"),
    }
}
