//! Measures the statements and the CPU time of a Postgres server.

use anyhow::{Context, Result};
use sqlx::{Connection, PgConnection};
use sultan_testkit::Postgres;

/// A Postgres server that counts statements.
pub(crate) struct MeasuredPostgres {
    /// The URL of a database on this server.
    pub(crate) db: String,
    _server: Postgres,
}

/// The CPU time at the start of a measurement.
pub(crate) struct Start {
    cpu_seconds: f64,
}

impl MeasuredPostgres {
    pub(crate) fn start() -> Result<Self> {
        let shared = Postgres::shared().context("Postgres is not installed")?;
        let server = shared.start_with_statistics()?;
        let db = server.new_database_url();
        Ok(Self { db, _server: server })
    }

    /// Starts a measurement.
    pub(crate) async fn start_measurement(&self) -> Result<Start> {
        let mut connection = PgConnection::connect(&self.db).await?;
        sqlx::raw_sql("CREATE EXTENSION pg_stat_statements").execute(&mut connection).await?;
        sqlx::raw_sql("SELECT pg_stat_statements_reset()").execute(&mut connection).await?;
        Ok(Start { cpu_seconds: cpu_seconds()? })
    }

    /// Prints the CPU time per move since the start, and the eight most frequent statements: their number per move, and
    /// for each its number per move and its time per move.
    pub(crate) async fn print(&self, start: &Start, moves: f64) -> Result<()> {
        let used_seconds = cpu_seconds()? - start.cpu_seconds;
        println!("Postgres CPU per move: {:.1} µs", used_seconds / moves * 1e6);
        let mut connection = PgConnection::connect(&self.db).await?;
        let most_frequent = "SELECT calls, total_exec_time * 1000, substr(regexp_replace(query, '\\s+', ' ', 'g'), 1, 70) \
                     FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) \
                     ORDER BY calls DESC LIMIT 8";
        let rows: Vec<(i64, f64, String)> = sqlx::query_as(most_frequent).fetch_all(&mut connection).await?;
        #[expect(clippy::cast_precision_loss, reason = "few enough to count")]
        let per_move = |calls: i64| calls as f64 / moves;
        println!("statements per move:   {:.2}", per_move(rows.iter().map(|(calls, ..)| calls).sum()));
        for (calls, micros, query) in rows {
            println!("  {:>6.3} {:>6.1} µs  {query}", per_move(calls), micros / moves);
        }
        Ok(())
    }
}

/// The CPU time of all Postgres processes on this machine, in seconds.
fn cpu_seconds() -> Result<f64> {
    let mut ticks = 0.0;
    for entry in std::fs::read_dir("/proc")? {
        // Skip entries that are not processes and processes that have just ended.
        let Ok(stat) = std::fs::read_to_string(entry?.path().join("stat")) else { continue };
        if let Some((name, fields)) = stat.rsplit_once(") ")
            && name.ends_with("(postgres")
        {
            // The fields 14 and 15 of the file, the first of which after the name is field 3: the CPU times in user
            // mode and in the kernel.
            ticks +=
                fields.split_whitespace().skip(11).take(2).filter_map(|time| time.parse::<f64>().ok()).sum::<f64>();
        }
    }
    // Linux reports CPU time in hundredths of a second.
    Ok(ticks / 100.0)
}
