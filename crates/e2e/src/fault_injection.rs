//! Several nodes on one Postgres server under faults: players play while nodes are killed or paused, lose their
//! connections to the database, and have wrong clocks.
//!
//! [`run`] does a whole run. All requests and views are kept in a [`history`], and [`check`] verifies that each table
//! had a single game with every action applied once and in order, and that no hidden information was revealed.

pub mod check;
mod fleet;
pub mod history;
mod injector;
mod participant;
mod proxy;
mod run_state;
mod table;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Result, bail};
use sultan_domain::Chance;
use sultan_rules::FastRng;
use tokio::time::Instant;

use check::{Violation, ViolationKind};
use history::{History, RequestOutcome};
use run_state::RunState;

pub use fleet::{Fleet, Node, Program, count_changes};
pub use injector::{FaultLevel, FaultLog};
pub use proxy::{Proxy, ProxyMode};

/// The parameters of a run.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The seed of all random choices.
    pub seed: u64,
    /// The duration of the faults.
    pub fault_time: Duration,
    /// The time after the last fault in which games must reach their end.
    pub recovery_time: Duration,
    /// The number of tables played at the same time.
    pub tables: u32,
    /// The kinds of injected faults.
    pub level: FaultLevel,
    /// Whether players leave all games once the faults are over, instead of playing to the end.
    pub leaves_early: bool,
    /// The run ends as soon as the checker finds a violation of these kinds. With an empty list, the run is complete.
    pub stop_at: &'static [ViolationKind],
}

/// The results of a run.
#[derive(Clone, Debug, Default)]
pub struct RunResults {
    /// The number of tables.
    pub tables: usize,
    /// The number of acknowledged actions.
    pub acknowledged: usize,
    /// The number of rejected requests.
    pub rejected: usize,
    /// The number of requests with an unknown outcome.
    pub unknown: usize,
    /// The number of event streams.
    pub streams: usize,
    /// The number of views that were received and checked.
    pub views: usize,
    /// The log of injected faults.
    pub injected: Vec<String>,
    /// The violations found by the checker.
    pub violations: Vec<Violation>,
    /// The IDs of the tables with a record, and their records.
    records: Vec<(String, String)>,
}

impl RunResults {
    /// The numbers on one line.
    #[must_use]
    pub fn summary(&self) -> String {
        format!(
            "{} tables, {} actions acknowledged, {} rejected, {} unknown, {} streams, {} views, {} injected faults",
            self.tables,
            self.acknowledged,
            self.rejected,
            self.unknown,
            self.streams,
            self.views,
            self.injected.len()
        )
    }

    /// The violations by kind: their number, and the first few.
    #[must_use]
    pub fn report(&self) -> String {
        const SHOWN_PER_KIND: usize = 6;
        let mut kinds: Vec<ViolationKind> = Vec::new();
        for violation in &self.violations {
            if !kinds.contains(&violation.kind) {
                kinds.push(violation.kind);
            }
        }
        let mut lines = Vec::new();
        for kind in kinds {
            let all: Vec<&Violation> = self.violations.iter().filter(|violation| violation.kind == kind).collect();
            lines.push(format!("{} × {}", all.len(), kind.name()));
            lines.extend(all.iter().take(SHOWN_PER_KIND).map(|violation| format!("  {violation}")));
        }
        lines.join("\n")
    }

    /// Adds the numbers of one table.
    fn add(&mut self, history: &History) {
        self.tables += 1;
        for request in &history.requests {
            match request.outcome {
                RequestOutcome::Acknowledged(_) => self.acknowledged += 1,
                RequestOutcome::Rejected(_) => self.rejected += 1,
                RequestOutcome::Unknown => self.unknown += 1,
            }
        }
        self.streams += history.streams.len();
        let events: usize = history.streams.iter().map(|stream| stream.events.len()).sum();
        self.views += events + history.requested_views.len();
    }
}

/// Plays at many tables of a fleet under faults, then without faults until all games are over, and checks everything.
///
/// # Errors
/// If a node does not start or stop as it should. Violations are part of the result, not errors.
pub async fn run(fleet: &Fleet, plan: Plan) -> Result<RunResults> {
    let end_of_faults = Instant::now() + plan.fault_time;
    let state = Arc::new(RunState {
        addresses: fleet.addresses(),
        faults_over: AtomicBool::new(false),
        end: end_of_faults + plan.recovery_time,
        watchers: AtomicUsize::new(0),
        leaves_early: plan.leaves_early,
    });
    let results = Arc::new(Mutex::new(RunResults::default()));
    // A task sends a message when it finds a violation at which the run stops.
    let (stop_sender, mut stop_receiver) = tokio::sync::mpsc::channel::<()>(1);
    let mut rng = FastRng::new(plan.seed);
    let mut tables = tokio::task::JoinSet::new();
    for _ in 0..plan.tables {
        let rng = FastRng::new(u64::from(rng.below(u32::MAX)));
        tables.spawn(play_tables(Arc::clone(&state), Arc::clone(&results), rng, plan.stop_at, stop_sender.clone()));
    }
    // If all tasks have ended, the receiver gets `None`.
    drop(stop_sender);
    let log = Arc::new(FaultLog::default());
    let faults_and_games = async {
        injector::inject(fleet, plan.level, plan.seed, end_of_faults, &log).await?;
        state.faults_over.store(true, Ordering::Relaxed);
        while let Some(table) = tables.join_next().await {
            table?;
        }
        anyhow::Ok(())
    };
    tokio::select! {
        done = faults_and_games => done?,
        Some(()) = stop_receiver.recv() => {}
    }
    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner).clone();
    results.injected = log.lines();
    if plan.stop_at.is_empty() {
        compare_records(&state, &mut results).await?;
    }
    Ok(results)
}

/// Plays games at one table after the other until the faults are over, and checks each game.
async fn play_tables(
    state: Arc<RunState>,
    results: Arc<Mutex<RunResults>>,
    mut rng: FastRng,
    stop_at: &[ViolationKind],
    stop_sender: tokio::sync::mpsc::Sender<()>,
) {
    while !state.faults_are_over() && !state.is_over() {
        let Some(table::PlayedTable { history, record }) = table::play(&state, &mut rng).await else { continue };
        let mut violations = check::check(&history, record.as_deref());
        for violation in violations.iter_mut().filter(|violation| violation.kind == ViolationKind::Unfinished) {
            violation.details = format!("{}; {}", violation.details, newest_view(&history));
        }
        let must_stop = violations.iter().any(|violation| stop_at.contains(&violation.kind));
        {
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.add(&history);
            results.violations.extend(violations);
            results.records.extend(record.map(|record| (history.table.id.clone(), record)));
        }
        if must_stop {
            // The channel may be full: then the run already stops.
            let _ = stop_sender.try_send(());
        }
    }
}

/// Describes the newest view of a game that any player or spectator received.
fn newest_view(history: &History) -> String {
    let views = history.streams.iter().flat_map(|stream| &stream.events).map(|event| &event.data);
    let action_count = |view: &&String| sultan_testkit::http::field(view, "at").and_then(|at| at.parse::<u64>().ok());
    let newest = views.max_by_key(action_count).map_or("", String::as_str);
    let field = |name| sultan_testkit::http::field(newest, name).unwrap_or("unknown");
    let (at, to_act, people) = (field("at"), field("to_act"), &history.table.people);
    let kinds: Vec<String> = people.iter().map(|person| person.kind.to_string()).collect();
    format!("the newest view is after {at} actions; seat to act: {to_act}, occupants: {kinds:?}")
}

/// Checks that every node returns the same record of every game.
async fn compare_records(state: &RunState, results: &mut RunResults) -> Result<()> {
    for (table, record) in std::mem::take(&mut results.records) {
        let path = format!("/api/v1/tables/{table}/record");
        for node in 0..state.addresses.len() {
            let body = request_until_recovered(state, node, &path).await?;
            if body != record {
                let details = format!("node {node} returned {body}, another node {record}");
                results.violations.push(Violation {
                    kind: ViolationKind::RecordsDiffer,
                    table: table.clone(),
                    details,
                });
            }
        }
    }
    Ok(())
}

/// The body of a node's response. Retries for a limited time until the node has recovered from the faults.
async fn request_until_recovered(state: &RunState, node: usize, path: &str) -> Result<String> {
    const RECOVERY_TIMEOUT: Duration = Duration::from_secs(20);
    let deadline = Instant::now() + RECOVERY_TIMEOUT;
    loop {
        match state.request(node, ("GET", path), None, "").await {
            Ok(answer) if answer.status < 500 => return Ok(answer.body),
            Ok(answer) if Instant::now() > deadline => {
                bail!("node {node} did not recover from the faults: {} {}", answer.status, answer.body)
            }
            Err(error) if Instant::now() > deadline => {
                return Err(error.context(format!("node {node} did not recover from the faults")));
            }
            Ok(_) | Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}
