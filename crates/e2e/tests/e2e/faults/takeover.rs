//! After a node dies, another node soon runs the bots of its tables, even if no player or spectator is connected.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use sultan_e2e::fault_injection::{Fleet, Program, count_changes};
use sultan_e2e::run_with_limit;
use sultan_testkit::Postgres;
use sultan_testkit::http::{Connection, field};

/// Time limit for the takeover of a table.
const TAKEOVER_LIMIT: Duration = Duration::from_secs(5);
/// The pause of bots, long enough for the node to be killed while a bot is to act.
const BOT_PAUSE_MS: &str = "1000";
/// The number of tables that wait for a bot when the node dies.
const TABLES: usize = 8;

pub(crate) fn check_takeover(postgres: &Postgres, program: &Program) -> Result<()> {
    let slowest = run_with_limit(Duration::from_mins(5), async {
        let fleet =
            Fleet::start(postgres.start_another()?, program, 2, &["--bot-pause-ms", BOT_PAUSE_MS], false).await?;
        let result = measure_takeover(&fleet).await;
        if result.is_err() {
            eprintln!("{}", fleet.logs());
        }
        result
    })?;
    println!("the slowest of {TABLES} tables was taken over after {slowest:?}");
    Ok(())
}

/// Kills the node that opened the tables. Returns the time until the last of them was taken over.
async fn measure_takeover(fleet: &Fleet) -> Result<Duration> {
    let mut tables = Vec::new();
    let mut connection = Connection::open(fleet.nodes[0].address).await?;
    for _ in 0..TABLES {
        // The second seat begins, and it is a bot, so that a bot acts first.
        let body = r#"{"players":4,"first_seat":1,"seats":[{"human":true},{"bot":"merchant"},{"bot":"merchant"},{"bot":"merchant"}]}"#;
        let opened = connection.ask("POST", "/api/v1/tables", None, body).await?;
        tables.push(
            field(&opened.body, "table").with_context(|| format!("no table opened: {}", opened.body))?.to_owned(),
        );
    }
    fleet.nodes[0].kill_permanently().await?;
    let killed_at = Instant::now();
    // Query the database, not a node: a request for a table would load it and start its bots.
    let counts_before = count_changes(fleet, &tables).await?;
    let mut slowest = Duration::ZERO;
    let mut waiting: Vec<usize> = (0..TABLES).collect();
    while !waiting.is_empty() {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let counts = count_changes(fleet, &tables).await?;
        waiting.retain(|&table| counts[table] == counts_before[table]);
        slowest = killed_at.elapsed();
        ensure!(
            slowest < 3 * TAKEOVER_LIMIT,
            "{} of {TABLES} tables are not taken over after {slowest:?}",
            waiting.len()
        );
    }
    ensure!(slowest <= TAKEOVER_LIMIT, "the slowest of {TABLES} tables was taken over after {slowest:?}");
    Ok(slowest)
}
