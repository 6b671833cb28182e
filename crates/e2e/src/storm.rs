//! Several nodes on one Postgres server under faults: players play while nodes are killed or paused, lose their
//! connections to the database, and have wrong clocks.
//!
//! [`run`] does a whole run. All requests and views are kept in a [`history`], and [`check`] verifies that each table
//! had a single game with every action applied once and in order, and that no hidden information was revealed.

mod ask;
pub mod check;
mod fleet;
pub mod history;
mod person;
mod proxy;
mod table;
mod weather;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Result, bail};
use sultan_domain::Chance;
use sultan_rules::Quick;
use tokio::time::Instant;

use ask::World;
use check::{Fault, Kind};
use history::{Ending, History};

pub use fleet::{Fleet, Node, Program, changes};
pub use proxy::{Line, Proxy};
pub use weather::{Log, Weather};

/// The parameters of a run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The seed of all random choices.
    pub seed: u64,
    /// The duration of the faults.
    pub time: Duration,
    /// The time after the faults in which games must reach their end.
    pub calm: Duration,
    /// The number of tables played at the same time.
    pub tables: u32,
    /// The kinds of faults.
    pub weather: Weather,
    /// Whether players leave all games once the faults are over, instead of playing to the end.
    pub short: bool,
    /// The run ends as soon as one of these faults is found.
    pub stop_at: &'static [Kind],
}

/// The results of a run.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// The number of tables.
    pub tables: usize,
    /// The number of acknowledged actions.
    pub acknowledged: usize,
    /// The number of rejected requests.
    pub refused: usize,
    /// The number of requests with an unknown outcome.
    pub unknown: usize,
    /// The number of event streams.
    pub streams: usize,
    /// The number of views that were received and checked.
    pub views: usize,
    /// The log of injected faults.
    pub weather: Vec<String>,
    /// The faults found by the checker.
    pub faults: Vec<Fault>,
    /// The tables with a record, and their records.
    records: Vec<(String, String)>,
}

impl Told {
    /// The numbers on one line.
    #[must_use]
    pub fn summary(&self) -> String {
        format!(
            "{} tables, {} actions acknowledged, {} refused, {} unknown, {} streams, {} views, {} things went wrong on purpose",
            self.tables,
            self.acknowledged,
            self.refused,
            self.unknown,
            self.streams,
            self.views,
            self.weather.len()
        )
    }

    /// The found faults by kind: their number, and the first few.
    #[must_use]
    pub fn report(&self) -> String {
        const FEW: usize = 6;
        let mut kinds: Vec<Kind> = Vec::new();
        for fault in &self.faults {
            if !kinds.contains(&fault.kind) {
                kinds.push(fault.kind);
            }
        }
        let mut lines = Vec::new();
        for kind in kinds {
            let all: Vec<&Fault> = self.faults.iter().filter(|fault| fault.kind == kind).collect();
            lines.push(format!("{} × {}", all.len(), kind.name()));
            lines.extend(all.iter().take(FEW).map(|fault| format!("  {fault}")));
        }
        lines.join("\n")
    }

    fn add(&mut self, history: &History) {
        self.tables += 1;
        for request in &history.requests {
            match request.ending {
                Ending::Acknowledged(_) => self.acknowledged += 1,
                Ending::Refused(_) => self.refused += 1,
                Ending::Unknown => self.unknown += 1,
            }
        }
        self.streams += history.streams.len();
        let events: usize = history.streams.iter().map(|stream| stream.events.len()).sum();
        self.views += events + history.looks.len();
    }
}

/// Plays at many tables of a fleet under faults, then without faults until all games are over, and checks everything.
///
/// # Errors
/// If a node does not start or stop as it should. Faults at tables are part of the result, not errors.
pub async fn run(fleet: &Fleet, plan: Plan) -> Result<Told> {
    let until = Instant::now() + plan.time;
    let world = Arc::new(World {
        addresses: fleet.addresses(),
        calm: AtomicBool::new(false),
        end: until + plan.calm,
        watchers: AtomicUsize::new(0),
        short: plan.short,
    });
    let told = Arc::new(Mutex::new(Told::default()));
    let (found, mut first) = tokio::sync::mpsc::channel::<()>(1);
    let mut chance = Quick::new(plan.seed);
    let mut tables = tokio::task::JoinSet::new();
    for _ in 0..plan.tables {
        let chance = Quick::new(u64::from(chance.below(u32::MAX)));
        tables.spawn(play_on(Arc::clone(&world), Arc::clone(&told), chance, plan.stop_at, found.clone()));
    }
    drop(found);
    let log = Arc::new(Log::default());
    let all = async {
        weather::blow(fleet, plan.weather, plan.seed, until, &log).await?;
        world.calm.store(true, Ordering::Relaxed);
        while let Some(table) = tables.join_next().await {
            table?;
        }
        anyhow::Ok(())
    };
    tokio::select! {
        done = all => done?,
        Some(()) = first.recv() => {}
    }
    let mut told = told.lock().unwrap_or_else(PoisonError::into_inner).clone();
    told.weather = log.lines();
    if plan.stop_at.is_empty() {
        alike_everywhere(&world, &mut told).await?;
    }
    Ok(told)
}

/// Plays games at one table after the other, and checks each game.
async fn play_on(
    world: Arc<World>,
    told: Arc<Mutex<Told>>,
    mut chance: Quick,
    stop_at: &[Kind],
    found: tokio::sync::mpsc::Sender<()>,
) {
    while !world.is_calm() && !world.is_over() {
        let Some(table::Played { history, record }) = table::play(&world, &mut chance).await else { continue };
        let mut faults = check::check(&history, record.as_deref());
        for fault in faults.iter_mut().filter(|fault| fault.kind == Kind::NoEnd) {
            fault.what = format!("{}; {}", fault.what, stands(&history));
        }
        let any = faults.iter().any(|fault| stop_at.contains(&fault.kind));
        {
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            told.add(&history);
            told.faults.extend(faults);
            told.records.extend(record.map(|record| (history.table.id.clone(), record)));
        }
        if any {
            let _ = found.try_send(());
        }
    }
}

/// Describes the newest view of a game that any player or spectator received.
fn stands(history: &History) -> String {
    let views = history.streams.iter().flat_map(|stream| &stream.events).map(|event| &event.data);
    let at = |view: &&String| sultan_testkit::http::field(view, "at").and_then(|at| at.parse::<u64>().ok());
    let newest = views.max_by_key(at).map_or("", String::as_str);
    let field = |name| sultan_testkit::http::field(newest, name).unwrap_or("nothing");
    let (at, to_act, people) = (field("at"), field("to_act"), &history.table.people);
    let kinds: Vec<String> = people.iter().map(|person| person.kind.to_string()).collect();
    format!("the newest view is at {at}, to act {to_act} of {kinds:?}")
}

/// Checks that every node returns the same record of every game.
async fn alike_everywhere(world: &World, told: &mut Told) -> Result<()> {
    for (table, record) in std::mem::take(&mut told.records) {
        let path = format!("/api/v1/tables/{table}/record");
        for node in 0..world.addresses.len() {
            let body = recovered(world, node, &path).await?;
            if body != record {
                let what = format!("node {node} tells {body} after {record} was told");
                told.faults.push(Fault { kind: Kind::RecordsDiffer, table: table.clone(), what });
            }
        }
    }
    Ok(())
}

/// The response of a node. Retries for a limited time until the node has recovered.
async fn recovered(world: &World, node: usize, path: &str) -> Result<String> {
    const SOON: Duration = Duration::from_secs(20);
    let begun = Instant::now();
    loop {
        match world.ask(node, ("GET", path), None, "").await {
            Ok(answer) if answer.status < 500 => return Ok(answer.body),
            Ok(answer) if begun.elapsed() > SOON => {
                bail!("node {node} does not recover: {} {}", answer.status, answer.body)
            }
            Err(error) if begun.elapsed() > SOON => return Err(error.context(format!("node {node} does not recover"))),
            Ok(_) | Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}
