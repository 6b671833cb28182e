//! Three real nodes on one real Postgres server under faults; and tests that the checker finds nodes with
//! deliberate faults.
//!
//! `SULTAN_FAULTS_SEED` repeats a run, `SULTAN_FAULTS_SECONDS` sets its duration (docs/testing.md).

mod takeover;

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use sultan_e2e::fault_injection::check::ViolationKind;
use sultan_e2e::fault_injection::{self, FaultLevel, Fleet, Plan, Program, RunResults};
use sultan_e2e::faulty_node::{FAULTY_NODE_FLAG, NodeFault};
use sultan_e2e::run_with_limit;
use sultan_testkit::{Postgres, postgres_or_skip};
use tokio::time::timeout;

use crate::{SULTAN, machine};

/// Additional arguments of the nodes.
const EXTRA_ARGS: [&str; 2] = ["--bot-pause-ms", "30"];

/// The number in an environment variable; `None` if it is not set.
fn number_from_env(name: &str) -> Result<Option<u64>> {
    let Some(text) = std::env::var_os(name) else { return Ok(None) };
    let number = text.to_str().and_then(|text| text.parse().ok());
    number.map(Some).with_context(|| format!("{name} must be a number, not {}", text.display()))
}

/// The seed of a run: `SULTAN_FAULTS_SEED`, or the current time.
fn seed() -> Result<u64> {
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Ok(number_from_env("SULTAN_FAULTS_SEED")?.unwrap_or_else(now))
}

/// Runs a plan on a new fleet. Prints the logs of the nodes if the run fails or has unexpected violations.
fn run_on_fleet(postgres: &Postgres, program: &Program, plan: Plan) -> Result<RunResults> {
    // At the end, the record of every game is requested from every node.
    let limit = 2 * (plan.fault_time + plan.recovery_time) + Duration::from_mins(2);
    run_with_limit(limit + Duration::from_mins(5), async {
        let server = postgres.start_another()?;
        let has_wrong_clock = plan.level == FaultLevel::All;
        let fleet = Fleet::start(server, program, 3, &EXTRA_ARGS, has_wrong_clock).await?;
        let results = timeout(limit, fault_injection::run(&fleet, plan))
            .await
            .context("the run did not end within its time limit")
            .flatten();
        let expects_violation = !plan.stop_at.is_empty();
        if !expects_violation && results.as_ref().map_or(true, |results| !results.violations.is_empty()) {
            eprintln!("{}", fleet.logs());
        }
        results
    })
}

/// Nodes without faults of their own.
fn correct_program() -> Program {
    Program { binary: SULTAN.into(), first_args: Vec::new() }
}

/// Checks that a run with all kinds of injected faults has no violations.
fn run_with_all_faults(postgres: &Postgres) -> Result<()> {
    let seconds = number_from_env("SULTAN_FAULTS_SECONDS")?.unwrap_or(60);
    let plan = Plan {
        seed: seed()?,
        fault_time: Duration::from_secs(seconds),
        recovery_time: Duration::from_secs(90),
        tables: 12,
        level: FaultLevel::All,
        leaves_early: false,
        stop_at: &[],
    };
    println!("SULTAN_FAULTS_SEED={} SULTAN_FAULTS_SECONDS={seconds}", plan.seed);
    let results = run_on_fleet(postgres, &correct_program(), plan)?;
    println!("{}", results.summary());
    ensure!(
        results.violations.is_empty(),
        "seed {}\n{}\n\n{}",
        plan.seed,
        results.injected.join("\n"),
        results.report()
    );
    // A run with few requests would prove little.
    let has_enough_requests = results.tables >= 12
        && results.acknowledged as u64 >= 5 * seconds
        && results.unknown > 0
        && results.rejected > 0;
    ensure!(has_enough_requests, "too few requests: {}", results.summary());
    Ok(())
}

/// Checks that the checker finds a deliberate fault and reports it as a violation of one of these kinds. With faulty
/// nodes, tables soon get stuck and few actions are played, so try several seeds.
fn check_fault_is_found(postgres: &Postgres, fault: NodeFault, kinds: &'static [ViolationKind]) -> Result<()> {
    const MAX_RUNS: usize = 4;
    let mut other_violations = String::new();
    for seed in (seed()?..).take(MAX_RUNS) {
        match run_faulty_nodes(postgres, fault, kinds, seed)? {
            Ok(violation) => {
                println!("found: {violation}");
                return Ok(());
            }
            Err(others) => other_violations += &others,
        }
    }
    bail!("{} must be reported as {kinds:?}, but the checker found{other_violations}", fault.name())
}

/// Runs nodes with this fault. Returns the expected violation, or as an error the kinds of violations that were found
/// instead.
fn run_faulty_nodes(
    postgres: &Postgres,
    fault: NodeFault,
    kinds: &'static [ViolationKind],
    seed: u64,
) -> Result<Result<String, String>> {
    let first_args = vec![FAULTY_NODE_FLAG.to_owned(), fault.name().to_owned()];
    let program = Program { binary: SULTAN.into(), first_args };
    let level = if fault == NodeFault::AcknowledgesEarly { FaultLevel::Kills } else { FaultLevel::None };
    let plan = Plan {
        seed,
        fault_time: Duration::from_secs(10),
        recovery_time: Duration::from_secs(15),
        tables: 8,
        level,
        leaves_early: true,
        stop_at: kinds,
    };
    println!("SULTAN_FAULTS_SEED={seed}");
    let results = run_on_fleet(postgres, &program, plan)?;
    // A node that ignores versions may store an action after another action that makes it illegal. Then the table
    // cannot be read, and the only violation is that the game has no end.
    let unfinished = (fault == NodeFault::IgnoresVersion).then_some(&ViolationKind::Unfinished);
    let expected = kinds.iter().chain(unfinished);
    let violation =
        expected.copied().find_map(|kind| results.violations.iter().find(|violation| violation.kind == kind));
    let found: Vec<ViolationKind> = results.violations.iter().map(|violation| violation.kind).collect();
    Ok(violation.map(ToString::to_string).ok_or_else(|| format!("\n{found:?}: {}", results.summary())))
}

/// Runs a test with a Postgres server while no other test runs.
fn run_alone(test: impl FnOnce(&'static Postgres) -> Result<()>) -> Result<()> {
    let Some(server) = postgres_or_skip() else { return Ok(()) };
    let _lock = machine::lock_alone();
    test(server)
}

#[test]
fn tables_of_a_dead_node_are_taken_over_within_5_s() -> Result<()> {
    run_alone(|server| takeover::check_takeover(server, &correct_program()))
}

#[test]
fn checker_finds_a_lost_acknowledged_action() -> Result<()> {
    // A watcher may notice the lost action first.
    run_alone(|server| {
        check_fault_is_found(
            server,
            NodeFault::AcknowledgesEarly,
            &[ViolationKind::AcknowledgedActionLost, ViolationKind::OlderState, ViolationKind::VersionConflict],
        )
    })
}

#[test]
fn checker_finds_an_ignored_version() -> Result<()> {
    let kinds = &[
        ViolationKind::AcknowledgedActionLost,
        ViolationKind::UnrequestedAction,
        ViolationKind::VersionConflict,
        ViolationKind::WrongView,
    ];
    run_alone(|server| check_fault_is_found(server, NodeFault::IgnoresVersion, kinds))
}

#[test]
fn checker_finds_revealed_screens() -> Result<()> {
    run_alone(|server| check_fault_is_found(server, NodeFault::RevealsScreens, &[ViolationKind::WrongView]))
}

#[test]
fn games_survive_random_faults() -> Result<()> {
    run_alone(run_with_all_faults)
}
