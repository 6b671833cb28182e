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
//! `--idle-pages N` measures the memory with N open pages, four at each table.
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
use client::{Measurements, Transport, Watcher, play_tables};
use measured::MeasuredPostgres;
use sultan_testkit::server::Server;

/// The options of the command line.
struct Options {
    tables: usize,
    seconds: u64,
    idle_clients: usize,
    idle_tables: usize,
    idle_pages: usize,
    db: Option<String>,
    nodes: usize,
    /// Whether the four clients of a table are on different nodes.
    spread_clients: bool,
    transport: Transport,
    /// The number of open pages per table.
    pages: usize,
    binary: String,
}

impl Options {
    fn from_args() -> Result<Self> {
        let mut options = Self {
            tables: 50,
            seconds: 20,
            idle_clients: 0,
            idle_tables: 0,
            idle_pages: 0,
            db: None,
            nodes: 1,
            spread_clients: false,
            transport: Transport::Socket,
            pages: 0,
            binary: "target/release/sultan".to_owned(),
        };
        let mut args = std::env::args().skip(1);
        while let Some(name) = args.next() {
            let value = args.next().with_context(|| format!("{name} needs a value"))?;
            match name.as_str() {
                "--tables" => options.tables = value.parse()?,
                "--seconds" => options.seconds = value.parse()?,
                "--idle-clients" => options.idle_clients = value.parse()?,
                "--idle-tables" => options.idle_tables = value.parse()?,
                "--idle-pages" => options.idle_pages = value.parse()?,
                "--nodes" => options.nodes = value.parse()?,
                "--clients" => options.spread_clients = value == "spread",
                "--by" => {
                    options.transport = match value.as_str() {
                        "socket" => Transport::Socket,
                        "requests" => Transport::Requests,
                        _ => anyhow::bail!("--by {value}: the value must be `socket` or `requests`"),
                    }
                }
                "--pages" => options.pages = value.parse()?,
                "--db" => options.db = Some(value),
                "--binary" => options.binary = value,
                _ => anyhow::bail!("unknown option: {name}"),
            }
        }
        Ok(options)
    }
}

#[tokio::main]
async fn main() -> Result<()> {
    let options = Options::from_args()?;
    // Each client needs file descriptors: raises the limit as far as the system allows.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let folder = tempfile::tempdir()?;
    let file = format!("sqlite:{}", folder.path().join("load.db").display());
    let postgres = match options.db.as_deref() {
        Some("postgres") => Some(MeasuredPostgres::start()?),
        _ => None,
    };
    let db = postgres.as_ref().map(|postgres| &*postgres.db).or(options.db.as_deref()).unwrap_or(&file);
    let mut nodes = Vec::new();
    for _ in 0..options.nodes {
        nodes.push(Server::start(options.binary.as_ref(), db, &[]).await?);
    }
    let server = nodes.first().context("at least one node")?;
    println!("{} node(s) on {}", nodes.len(), db.split(':').next().unwrap_or(db));
    println!("memory at the start: {:.1} MB", server.memory_mb()?);
    if options.idle_tables > 0 {
        idle_tables(server, options.idle_tables).await?;
    }
    if options.idle_clients > 0 {
        return idle_clients(server, options.transport, options.idle_clients).await;
    }
    if options.idle_pages > 0 {
        return idle_pages(server, options.idle_pages).await;
    }
    let start = match &postgres {
        Some(postgres) => Some(postgres.start_measurement().await?),
        None => None,
    };
    let moves = play_at_all_tables(&nodes, &options).await?;
    if let (Some(postgres), Some(start)) = (postgres, start) {
        postgres.print(&start, moves).await?;
    }
    Ok(())
}

/// The address of the node for each of the four clients of a table. Tables take turns, and so do clients if they are
/// spread.
fn nodes_of(nodes: &[Server], table: usize, spread_clients: bool) -> [SocketAddr; 4] {
    std::array::from_fn(|client| nodes[(table + if spread_clients { client } else { 0 }) % nodes.len()].address)
}

/// The CPU time of all nodes since their start: in user mode, and in the kernel.
fn cpu_seconds(nodes: &[Server]) -> Result<(f64, f64)> {
    let add = |(user_sum, kernel_sum): (f64, f64), node: &Server| -> Result<_> {
        let (user, kernel) = node.cpu_seconds()?;
        Ok((user_sum + user, kernel_sum + kernel))
    };
    nodes.iter().try_fold((0.0, 0.0), add)
}

/// Plays at all tables until the time is up, and prints the measurements. Returns the number of moves, at least 1.
async fn play_at_all_tables(nodes: &[Server], options: &Options) -> Result<f64> {
    let time_is_up = Arc::new(AtomicBool::new(false));
    let ((user_before, kernel_before), start) = (cpu_seconds(nodes)?, Instant::now());
    let play = |table: usize| {
        let nodes = nodes_of(nodes, table, options.spread_clients);
        play_tables(options.transport, nodes, (table as u64, options.pages), Arc::clone(&time_is_up))
    };
    let tables: Vec<_> = (0..options.tables).map(|table| tokio::spawn(play(table))).collect();
    tokio::time::sleep(Duration::from_secs(options.seconds)).await;
    time_is_up.store(true, Ordering::Relaxed);
    let seconds = start.elapsed().as_secs_f64();
    let (user_after, kernel_after) = cpu_seconds(nodes)?;
    let (user, kernel) = (user_after - user_before, kernel_after - kernel_before);
    let memory = nodes[0].memory_mb()?;
    let mut measurements = Measurements::default();
    for table in tables {
        measurements.add(table.await??);
    }
    measurements.latencies.sort_unstable();
    let moves = measurements.latencies.len();
    #[expect(clippy::cast_precision_loss, reason = "few enough to count")]
    let count = moves.max(1) as f64;
    println!(
        "{} tables of four clients, {seconds:.1} s: {moves} moves, {} games to their end",
        options.tables, measurements.finished_games
    );
    println!("moves a second:        {:.0}", count / seconds);
    println!("until all four have it: {}", page::percentiles(&measurements.latencies));
    measurements.pages.print(count);
    let micros_per_move = |seconds: f64| seconds / count * 1e6;
    println!(
        "server CPU per move:   {:.1} µs (own {:.1}, in the kernel {:.1})",
        micros_per_move(user + kernel),
        micros_per_move(user),
        micros_per_move(kernel)
    );
    println!("memory of one node:    {memory:.1} MB");
    Ok(count)
}

/// Measures memory and CPU time with clients that only watch.
async fn idle_clients(server: &Server, transport: Transport, clients: usize) -> Result<()> {
    let table = client::open_table(server.address, 4).await?;
    let mut watchers = Vec::with_capacity(clients);
    for _ in 0..clients {
        let mut watcher = Watcher::open(transport, server.address, &table).await?;
        watcher.next().await?;
        watchers.push(watcher);
    }
    // Every client has received its first view; wait until the server is idle.
    tokio::time::sleep(Duration::from_secs(2)).await;
    println!("memory with {clients} idle clients: {:.1} MB", server.memory_mb()?);
    let ((user_before, kernel_before), start) = (server.cpu_seconds()?, Instant::now());
    tokio::time::sleep(Duration::from_secs(20)).await;
    let (user_after, kernel_after) = server.cpu_seconds()?;
    let used_seconds = user_after + kernel_after - user_before - kernel_before;
    let share = used_seconds / start.elapsed().as_secs_f64();
    println!("CPU while they only watch: {:.2} % of a core", share * 100.0);
    drop(watchers);
    Ok(())
}

/// Measures the memory of pages, four at each table: without any action yet, and after a round at every table.
async fn idle_pages(server: &Server, pages: usize) -> Result<()> {
    let mut tables = Vec::new();
    for _ in 0..pages.div_ceil(4) {
        tables.push(client::open_table(server.address, 4).await?);
    }
    let memory_without_pages = server.memory_mb()?;
    println!("memory with {} tables:  {memory_without_pages:.1} MB", tables.len());
    let mut sockets = Vec::with_capacity(pages);
    for number in 0..pages {
        sockets.push(page::open(server.address, &tables[number / 4], number).await?);
    }
    #[expect(clippy::cast_precision_loss, reason = "few enough to count")]
    let count = pages as f64;
    let print = async |state: &str| -> Result<()> {
        // Wait until the server is idle.
        tokio::time::sleep(Duration::from_secs(2)).await;
        let memory = server.memory_mb()?;
        let kb_per_page = (memory - memory_without_pages) * 1024.0 / count;
        println!("memory with {pages} {state} pages: {memory:.1} MB, {kb_per_page:.1} KB per page");
        Ok(())
    };
    print("idle").await?;
    for table in &tables {
        client::play_round(server.address, table).await?;
    }
    for socket in &mut sockets {
        page::read_until(socket, 5).await?;
    }
    print("active").await
}

/// Measures the memory with tables that have no clients.
async fn idle_tables(server: &Server, tables: usize) -> Result<()> {
    let mut tasks = Vec::new();
    // Eight connections open the tables at the same time.
    for number in 0..8 {
        let count = tables / 8 + usize::from(number < tables % 8);
        let address = server.address;
        tasks.push(tokio::spawn(async move { client::open_idle_tables(address, count).await }));
    }
    for task in tasks {
        task.await??;
    }
    println!("memory with {tables} idle tables: {:.1} MB", server.memory_mb()?);
    Ok(())
}
