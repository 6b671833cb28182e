//! Load test of the real binary: tables with four connected clients that play random legal actions as soon as it is
//! their turn.
//!
//! ```text
//! cargo build --release && cargo run --release -p sultan-testkit --features tables --example load -- --tables 50 --seconds 20
//! cargo run --release -p sultan-testkit --features tables --example load -- --idle-clients 5000
//! cargo run --release -p sultan-testkit --features tables --example load -- --pages 4
//! cargo run --release -p sultan-testkit --features tables --example load -- --db postgres --nodes 2 --clients spread
//! ```
//!
//! A client uses one WebSocket for views and actions (`--by socket`), or a stream of events and a second connection for
//! actions (`--by requests`). `--db postgres` starts a Postgres server and reports its statements. `--nodes` starts
//! several nodes on it; the four clients of a table are on one node, or on different ones (`--clients spread`).
//! `--pages N` also holds N pages of each table open, each for a different seat, and reads their messages.
//!
//! Prints the moves per second, the time from sending an action until all four clients have it, and the server's cost:
//! CPU time per move (including the kernel) and memory.

mod client;
mod measured;
mod page;

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use client::{By, Log, Watching, play_table};
use measured::Measured;
use sultan_testkit::server::Server;

struct Wanted {
    tables: usize,
    seconds: u64,
    idle_clients: usize,
    idle_tables: usize,
    db: Option<String>,
    nodes: usize,
    spread: bool,
    by: By,
    pages: usize,
    binary: String,
}

impl Wanted {
    fn from_args() -> Result<Self> {
        let mut wanted = Self {
            tables: 50,
            seconds: 20,
            idle_clients: 0,
            idle_tables: 0,
            db: None,
            nodes: 1,
            spread: false,
            by: By::Socket,
            pages: 0,
            binary: "target/release/sultan".to_owned(),
        };
        let mut args = std::env::args().skip(1);
        while let Some(name) = args.next() {
            let value = args.next().with_context(|| format!("{name} needs a value"))?;
            match name.as_str() {
                "--tables" => wanted.tables = value.parse()?,
                "--seconds" => wanted.seconds = value.parse()?,
                "--idle-clients" => wanted.idle_clients = value.parse()?,
                "--idle-tables" => wanted.idle_tables = value.parse()?,
                "--nodes" => wanted.nodes = value.parse()?,
                "--clients" => wanted.spread = value == "spread",
                "--by" => {
                    wanted.by = match value.as_str() {
                        "socket" => By::Socket,
                        "requests" => By::Requests,
                        _ => anyhow::bail!("clients play by `socket` or by `requests`"),
                    }
                }
                "--pages" => wanted.pages = value.parse()?,
                "--db" => wanted.db = Some(value),
                "--binary" => wanted.binary = value,
                _ => anyhow::bail!("no such option: {name}"),
            }
        }
        Ok(wanted)
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let wanted = Wanted::from_args()?;
    // Each client needs file descriptors.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let folder = tempfile::tempdir()?;
    let file = format!("sqlite:{}", folder.path().join("load.db").display());
    let postgres = match wanted.db.as_deref() {
        Some("postgres") => Some(Measured::start()?),
        _ => None,
    };
    let db = postgres.as_ref().map(|postgres| &*postgres.db).or(wanted.db.as_deref()).unwrap_or(&file);
    let mut nodes = Vec::new();
    for _ in 0..wanted.nodes {
        nodes.push(Server::start(wanted.binary.as_ref(), db, &[]).await?);
    }
    let server = nodes.first().context("at least one node")?;
    println!("{} node(s) on {}", nodes.len(), db.split(':').next().unwrap_or(db));
    println!("memory at the start: {:.1} MB", server.memory_mb()?);
    if wanted.idle_tables > 0 {
        idle_tables(server, wanted.idle_tables).await?;
    }
    if wanted.idle_clients > 0 {
        return idle_clients(server, wanted.by, wanted.idle_clients).await;
    }
    let before = match &postgres {
        Some(postgres) => Some(postgres.begin().await?),
        None => None,
    };
    let moves = busy(&nodes, &wanted).await?;
    if let (Some(postgres), Some(before)) = (postgres, before) {
        postgres.tell(&before, moves).await?;
    }
    Ok(())
}

/// The addresses of the nodes for the four clients of a table.
fn nodes_of(nodes: &[Server], table: usize, spread: bool) -> [SocketAddr; 4] {
    std::array::from_fn(|client| nodes[(table + if spread { client } else { 0 }) % nodes.len()].address)
}

/// CPU time of all nodes since their start.
fn cpu_seconds(nodes: &[Server]) -> Result<(f64, f64)> {
    let add = |sum: (f64, f64), node: &Server| -> Result<_> {
        let (own, kernel) = node.cpu_seconds()?;
        Ok((sum.0 + own, sum.1 + kernel))
    };
    nodes.iter().try_fold((0.0, 0.0), add)
}

/// Plays at all tables until the time is over. Returns the number of moves, at least 1.
async fn busy(nodes: &[Server], wanted: &Wanted) -> Result<f64> {
    let over = Arc::new(AtomicBool::new(false));
    let (cpu, begun) = (cpu_seconds(nodes)?, Instant::now());
    let play = |table: usize| {
        play_table(wanted.by, nodes_of(nodes, table, wanted.spread), (table as u64, wanted.pages), Arc::clone(&over))
    };
    let tables: Vec<_> = (0..wanted.tables).map(|table| tokio::spawn(play(table))).collect();
    tokio::time::sleep(Duration::from_secs(wanted.seconds)).await;
    over.store(true, Ordering::Relaxed);
    let seconds = begun.elapsed().as_secs_f64();
    let used = cpu_seconds(nodes)?;
    let (own, kernel) = (used.0 - cpu.0, used.1 - cpu.1);
    let memory = nodes[0].memory_mb()?;
    let mut log = Log::default();
    for table in tables {
        log.add(table.await??);
    }
    log.latencies.sort_unstable();
    let moves = log.latencies.len();
    #[expect(clippy::cast_precision_loss, reason = "few enough to count")]
    let count = moves.max(1) as f64;
    let at = |share: usize| {
        let place = (moves * share / 1000).min(moves.saturating_sub(1));
        log.latencies.get(place).map_or(0.0, |latency| latency.as_secs_f64() * 1e3)
    };
    println!(
        "{} tables of four clients, {seconds:.1} s: {moves} moves, {} games to their end",
        wanted.tables, log.games
    );
    println!("moves a second:        {:.0}", count / seconds);
    println!("until all four have it: p50 {:.2} ms, p99 {:.2} ms, p99.9 {:.2} ms", at(500), at(990), at(999));
    log.pages.print(count);
    let each = |seconds: f64| seconds / count * 1e6;
    println!(
        "server CPU per move:   {:.1} µs (own {:.1}, in the kernel {:.1})",
        each(own + kernel),
        each(own),
        each(kernel)
    );
    println!("memory of one node:    {memory:.1} MB");
    Ok(count)
}

/// Measures memory and CPU time with clients that only watch.
async fn idle_clients(server: &Server, by: By, clients: usize) -> Result<()> {
    let table = client::open_table(server.address, 4).await?;
    let mut streams = Vec::with_capacity(clients);
    for _ in 0..clients {
        let mut stream = Watching::open(by, server.address, &table).await?;
        stream.next().await?;
        streams.push(stream);
    }
    // Every stream has received its first event; wait until the server is idle.
    tokio::time::sleep(Duration::from_secs(2)).await;
    println!("memory with {clients} idle clients: {:.1} MB", server.memory_mb()?);
    let (cpu, begun) = (server.cpu_seconds()?, Instant::now());
    tokio::time::sleep(Duration::from_secs(20)).await;
    let used = server.cpu_seconds()?;
    let share = (used.0 + used.1 - cpu.0 - cpu.1) / begun.elapsed().as_secs_f64();
    println!("CPU while they only watch: {:.2} % of a core", share * 100.0);
    drop(streams);
    Ok(())
}

/// Measures the memory with tables that have no clients.
async fn idle_tables(server: &Server, tables: usize) -> Result<()> {
    let mut opened = Vec::new();
    for chunk in 0..8 {
        let count = tables / 8 + usize::from(chunk < tables % 8);
        let address = server.address;
        opened.push(tokio::spawn(async move { client::open_many(address, count).await }));
    }
    for one in opened {
        one.await??;
    }
    println!("memory with {tables} idle tables: {:.1} MB", server.memory_mb()?);
    Ok(())
}
