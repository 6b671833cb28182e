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

/// A number from an environment variable. An unreadable value is an error, not the default.
fn number_from_env(name: &str) -> Result<Option<u64>> {
    let Some(text) = std::env::var_os(name) else { return Ok(None) };
    let number = text.to_str().and_then(|text| text.parse().ok());
    number.map(Some).with_context(|| format!("{name} must be a number, not {}", text.display()))
}

fn seed() -> Result<u64> {
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Ok(number_from_env("SULTAN_FAULTS_SEED")?.unwrap_or_else(now))
}

/// Runs a plan on a new fleet.
fn run_on_fleet(postgres: &Postgres, program: &Program, plan: Plan) -> Result<RunResults> {
    // At the end, the record of every game is requested from every node.
    let limit = 2 * (plan.time + plan.recovery) + Duration::from_mins(2);
    run_with_limit(limit + Duration::from_mins(5), async {
        let server = postgres.start_another()?;
        let wrong_clock = plan.level == FaultLevel::All;
        let fleet = Fleet::start(server, program, 3, &EXTRA_ARGS, wrong_clock).await?;
        let results = timeout(limit, fault_injection::run(&fleet, plan))
            .await
            .context("the run exceeds its time limit")
            .flatten();
        let expects_violation = !plan.stop_at.is_empty();
        if !expects_violation && results.as_ref().map_or(true, |results| !results.violations.is_empty()) {
            eprintln!("{}", fleet.logs());
        }
        results
    })
}

fn sultan() -> Program {
    Program { binary: SULTAN.into(), first_args: Vec::new() }
}

/// Checks that no faults are found in a run with all kinds of injected faults.
fn run_with_all_faults(postgres: &Postgres) -> Result<()> {
    let seconds = number_from_env("SULTAN_FAULTS_SECONDS")?.unwrap_or(60);
    let plan = Plan {
        seed: seed()?,
        time: Duration::from_secs(seconds),
        recovery: Duration::from_secs(90),
        tables: 12,
        level: FaultLevel::All,
        leave_early: false,
        stop_at: &[],
    };
    println!("SULTAN_FAULTS_SEED={} SULTAN_FAULTS_SECONDS={seconds}", plan.seed);
    let results = run_on_fleet(postgres, &sultan(), plan)?;
    println!("{}", results.summary());
    ensure!(
        results.violations.is_empty(),
        "seed {}\n{}\n\n{}",
        plan.seed,
        results.injected.join("\n"),
        results.report()
    );
    // A run with few requests would prove little.
    let enough = results.tables >= 12
        && results.acknowledged as u64 >= 5 * seconds
        && results.unknown > 0
        && results.rejected > 0;
    ensure!(enough, "too few requests: {}", results.summary());
    Ok(())
}

/// Checks that the checker finds a deliberate fault and reports it as one of `kinds`. With a faulty node, tables soon
/// get stuck and few actions are played, so try several seeds.
fn checker_finds(postgres: &Postgres, fault: NodeFault, kinds: &'static [ViolationKind]) -> Result<()> {
    const TRIES: u64 = 4;
    let mut missed = String::new();
    for seed in (seed()?..).take(usize::try_from(TRIES)?) {
        match run_faulty_node(postgres, fault, kinds, seed)? {
            Ok(violation) => {
                println!("found: {violation}");
                return Ok(());
            }
            Err(instead) => missed += &instead,
        }
    }
    bail!("{} must be reported as {kinds:?}, but found{missed}", fault.name())
}

/// Runs a faulty node. Returns the expected violation, or as an error the kinds of violations that were found instead.
fn run_faulty_node(
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
        time: Duration::from_secs(10),
        recovery: Duration::from_secs(15),
        tables: 8,
        level,
        leave_early: true,
        stop_at: kinds,
    };
    println!("SULTAN_FAULTS_SEED={seed}");
    let results = run_on_fleet(postgres, &program, plan)?;
    // An action stored on top of another one may be illegal there. Then the table is unreadable, and the only violation is
    // that the game has no end.
    let unreadable = (fault == NodeFault::IgnoresVersion).then_some(&ViolationKind::Unfinished);
    let expected = kinds.iter().chain(unreadable);
    let violation =
        expected.copied().find_map(|kind| results.violations.iter().find(|violation| violation.kind == kind));
    let found: Vec<ViolationKind> = results.violations.iter().map(|violation| violation.kind).collect();
    Ok(violation.map(ToString::to_string).ok_or_else(|| format!("\n{found:?}: {}", results.summary())))
}

/// Runs a test while no other test runs.
fn alone(test: impl FnOnce(&'static Postgres) -> Result<()>) -> Result<()> {
    let Some(server) = postgres_or_skip() else { return Ok(()) };
    let _machine = machine::alone();
    test(server)
}

#[test]
fn tables_of_a_dead_node_are_taken_over_within_5_s() -> Result<()> {
    alone(|server| takeover::test(server, &sultan()))
}

#[test]
fn checker_finds_a_lost_acknowledged_action() -> Result<()> {
    // A watcher may notice the lost action first.
    alone(|server| {
        checker_finds(
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
    alone(|server| checker_finds(server, NodeFault::IgnoresVersion, kinds))
}

#[test]
fn checker_finds_revealed_screens() -> Result<()> {
    alone(|server| checker_finds(server, NodeFault::RevealsScreens, &[ViolationKind::WrongView]))
}

#[test]
fn games_survive_random_faults() -> Result<()> {
    alone(run_with_all_faults)
}
