//! Statements and CPU time of a Postgres server.

use anyhow::{Context, Result};
use sqlx::{Connection, PgConnection};
use sultan_testkit::Postgres;

/// A Postgres server that counts statements.
pub(crate) struct Measured {
    pub(crate) db: String,
    _server: Postgres,
}

/// The state at the start of a measurement.
pub(crate) struct Before {
    cpu_seconds: f64,
}

impl Measured {
    pub(crate) fn start() -> Result<Self> {
        let shared = Postgres::shared().context("Postgres is not installed")?;
        let server = shared.start_with_statistics()?;
        let db = server.new_database_url();
        Ok(Self { db, _server: server })
    }

    /// Starts a measurement.
    pub(crate) async fn begin(&self) -> Result<Before> {
        let mut connection = PgConnection::connect(&self.db).await?;
        sqlx::raw_sql("CREATE EXTENSION pg_stat_statements").execute(&mut connection).await?;
        sqlx::raw_sql("SELECT pg_stat_statements_reset()").execute(&mut connection).await?;
        Ok(Before { cpu_seconds: cpu_seconds()? })
    }

    /// Prints the statements and the CPU time per move.
    pub(crate) async fn tell(&self, before: &Before, moves: f64) -> Result<()> {
        let used = cpu_seconds()? - before.cpu_seconds;
        println!("Postgres CPU per move: {:.1} µs", used / moves * 1e6);
        let mut connection = PgConnection::connect(&self.db).await?;
        let asked = "SELECT calls, total_exec_time * 1000, substr(regexp_replace(query, '\\s+', ' ', 'g'), 1, 70) \
                     FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) \
                     ORDER BY calls DESC LIMIT 8";
        let rows: Vec<(i64, f64, String)> = sqlx::query_as(asked).fetch_all(&mut connection).await?;
        #[expect(clippy::cast_precision_loss, reason = "few enough to count")]
        let each = |calls: i64| calls as f64 / moves;
        println!("statements per move:   {:.2}", each(rows.iter().map(|row| row.0).sum()));
        for (calls, micros, query) in rows {
            println!("  {:>6.3} {:>6.1} µs  {query}", each(calls), micros / moves);
        }
        Ok(())
    }
}

/// CPU time of all Postgres processes on this machine.
fn cpu_seconds() -> Result<f64> {
    let mut ticks = 0.0;
    for entry in std::fs::read_dir("/proc")? {
        // Skip entries that are not processes and processes that have just ended.
        let Ok(stat) = std::fs::read_to_string(entry?.path().join("stat")) else { continue };
        if let Some((name, rest)) = stat.rsplit_once(") ")
            && name.ends_with("(postgres")
        {
            let mut numbers = rest.split_whitespace().skip(11).take(4).filter_map(|number| number.parse::<f64>().ok());
            ticks += numbers.by_ref().take(2).sum::<f64>();
        }
    }
    Ok(ticks / 100.0)
}
