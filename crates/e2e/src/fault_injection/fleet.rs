//! The nodes: real processes that share a database, each behind its own proxy. The last node may have a wrong clock.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use sqlx::{Connection, PgConnection};
use sultan_domain::TableId;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep};

use super::proxy::Proxy;
use sultan_testkit::server::{Launch, Server};
use sultan_testkit::{Postgres, skip_or_fail};

/// The command that starts a node: `sultan`, or a node with a deliberate fault.
#[derive(Clone, Debug)]
pub struct Program {
    /// The program.
    pub binary: PathBuf,
    /// Arguments before the arguments of a normal node.
    pub first_args: Vec<String>,
}

/// A node.
#[derive(Debug)]
pub struct Node {
    /// The index in the fleet.
    pub number: usize,
    /// The address it listens on, the same after every restart.
    pub address: SocketAddr,
    /// The proxy between the node and the database.
    pub proxy: Proxy,
    server: Mutex<Server>,
    /// The clock, if it can be set.
    clock: Option<Clock>,
    /// The file with the log of the node.
    pub log: PathBuf,
}

/// All nodes and their database.
#[derive(Debug)]
pub struct Fleet {
    /// The nodes.
    pub nodes: Vec<Arc<Node>>,
    /// The database server.
    pub postgres: Arc<Postgres>,
    /// The name of the database.
    pub database: String,
    _folder: tempfile::TempDir,
}

impl Fleet {
    /// Starts `nodes` nodes on a new database of `postgres`. With `has_wrong_clock`, the clock of the last node is three
    /// hours ahead and can be set.
    ///
    /// # Errors
    /// If a process does not start.
    pub async fn start(
        postgres: Postgres,
        program: &Program,
        nodes: usize,
        extra_args: &[&str],
        has_wrong_clock: bool,
    ) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let database = postgres.new_database();
        let mut started = Vec::new();
        for number in 0..nodes {
            let proxy = Proxy::start(&postgres.socket()).await?;
            let db = format!("postgres://postgres@{}/{database}?sslmode=disable", proxy.address);
            let mut launch = Launch::new(&program.binary, &db, extra_args);
            launch.args.splice(0..0, program.first_args.iter().cloned());
            let log = folder.path().join(format!("node{number}.log"));
            launch.log = Some(log.clone());
            let clock = if has_wrong_clock && number + 1 == nodes { Clock::new(folder.path())? } else { None };
            launch.env.extend(clock.iter().flat_map(Clock::env));
            let server = Server::launch(launch).await?;
            let (address, server) = (server.address, Mutex::new(server));
            started.push(Arc::new(Node { number, address, proxy, server, clock, log }));
        }
        Ok(Self { nodes: started, postgres: Arc::new(postgres), database, _folder: folder })
    }

    /// The addresses of all nodes.
    #[must_use]
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.address).collect()
    }

    /// The last lines of every node's log.
    #[must_use]
    pub fn logs(&self) -> String {
        let mut all = String::new();
        for node in &self.nodes {
            let log = std::fs::read_to_string(&node.log).unwrap_or_default();
            let lines: Vec<&str> = log.lines().collect();
            let last_lines = lines[lines.len().saturating_sub(12)..].join("\n");
            all = format!("{all}--- node {}, the last of {} lines\n{last_lines}\n", node.number, lines.len());
        }
        all
    }
}

/// The number of stored changes of each table, read directly from the database.
///
/// # Errors
/// If the database cannot be read.
pub async fn count_changes(fleet: &Fleet, tables: &[String]) -> Result<Vec<i64>> {
    let mut connection = PgConnection::connect(&fleet.postgres.database_url(&fleet.database)).await?;
    let mut counts = Vec::new();
    for table in tables {
        let key = i64::try_from(table.parse::<TableId>()?.number())?;
        let query = sqlx::query_scalar("SELECT count(*) FROM changes WHERE table_id = $1").bind(key);
        counts.push(query.fetch_one(&mut connection).await?);
    }
    connection.close().await?;
    Ok(counts)
}

impl Node {
    /// Kills the node with `SIGKILL` and starts it again.
    ///
    /// # Errors
    /// If it does not start again.
    pub async fn kill_and_restart(&self) -> Result<()> {
        let mut server = self.server.lock().await;
        server.kill().await?;
        restart_until_up(&mut server).await
    }

    /// Kills the node without a restart.
    ///
    /// # Errors
    /// If it cannot be killed.
    pub async fn kill_permanently(&self) -> Result<()> {
        self.server.lock().await.kill().await
    }

    /// Stops the node with `SIGTERM`, waits until it has exited, and starts it again.
    ///
    /// # Errors
    /// If it does not stop in time or does not start again.
    pub async fn shut_down_and_restart(&self) -> Result<()> {
        let mut server = self.server.lock().await;
        server.signal("TERM").await?;
        // The documented limit is 5 s; a busy machine may need more.
        server.wait_for_exit(Duration::from_secs(10)).await.context("the node does not stop on SIGTERM")?;
        restart_until_up(&mut server).await
    }

    /// Suspends the process for this duration (`SIGSTOP`, then `SIGCONT`).
    ///
    /// # Errors
    /// If the process has ended.
    pub async fn suspend(&self, duration: Duration) -> Result<()> {
        let server = self.server.lock().await;
        server.signal("STOP").await?;
        sleep(duration).await;
        server.signal("CONT").await
    }

    /// Sets the offset of the node's clock in seconds. Returns false if the node has no settable clock.
    ///
    /// # Errors
    /// If the file of the clock cannot be written.
    pub fn set_clock(&self, seconds: i64) -> Result<bool> {
        self.clock.as_ref().map_or(Ok(false), |clock| clock.set(seconds).map(|()| true))
    }
}

/// Starts a server again. If the database is unavailable, the server exits at once and is started again, as by a
/// supervisor.
async fn restart_until_up(server: &mut Server) -> Result<()> {
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        match server.restart().await {
            Ok(()) => return Ok(()),
            Err(error) if Instant::now() > deadline => {
                return Err(error.context("the node does not start again"));
            }
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

/// The message of a run without wrong clocks.
const FAKETIME_MISSING: &str = "wrong clocks; faketime is not installed: apt-get install faketime";

/// The clock of a node: a file with an offset, read by `libfaketime`.
#[derive(Debug)]
struct Clock {
    library: PathBuf,
    file: PathBuf,
}

impl Clock {
    /// A clock that is three hours ahead; `None` if `faketime` is not installed (panics on CI).
    fn new(folder: &Path) -> Result<Option<Self>> {
        let Some(library) = faketime_library() else {
            skip_or_fail(FAKETIME_MISSING);
            return Ok(None);
        };
        let clock = Self { library, file: folder.join("clock") };
        clock.set(3 * 3600)?;
        Ok(Some(clock))
    }

    /// The environment variables that make a process use this clock.
    fn env(&self) -> Vec<(String, String)> {
        let text = |path: &Path| path.display().to_string();
        let env = [
            ("LD_PRELOAD", text(&self.library)),
            ("FAKETIME_TIMESTAMP_FILE", text(&self.file)),
            // Read the file again every second, and leave the monotonic clock alone (the name depends on the version).
            ("FAKETIME_CACHE_DURATION", "1".to_owned()),
            ("DONT_FAKE_MONOTONIC", "1".to_owned()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        ];
        env.map(|(name, value)| (name.to_owned(), value)).to_vec()
    }

    /// Sets the offset from the real time.
    fn set(&self, seconds: i64) -> Result<()> {
        // Replace the file atomically: the node may read it at any time.
        let new = self.file.with_extension("new");
        std::fs::write(&new, format!("{seconds:+}\n"))?;
        Ok(std::fs::rename(new, &self.file)?)
    }
}

/// The path of `libfaketime`: Debian installs it in `/usr/lib/ARCHITECTURE/faketime`.
fn faketime_library() -> Option<PathBuf> {
    let folders = std::fs::read_dir("/usr/lib").ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut libraries = folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1"));
    libraries.find(|library| library.exists())
}
