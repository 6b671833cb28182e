//! Three real nodes on one real Postgres server under faults; and tests that the checker finds nodes that are broken on
//! purpose.
//!
//! `SULTAN_FAULTS_SEED` repeats a run, `SULTAN_FAULTS_SECONDS` sets its duration (docs/testing.md).

mod takeover;

use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use sultan_e2e::broken::{BROKEN_NODE, Lie};
use sultan_e2e::storm::check::Kind;
use sultan_e2e::storm::{self, Fleet, Plan, Program, Told, Weather};
use sultan_e2e::within;
use sultan_testkit::{Postgres, postgres_or_skip};
use tokio::time::timeout;

use crate::{SULTAN, machine};

/// Additional arguments of the nodes.
const MORE: [&str; 2] = ["--bot-pause-ms", "30"];

/// A number from an environment variable. An unreadable value is an error, not the default.
fn wanted(name: &str) -> Result<Option<u64>> {
    let Some(text) = std::env::var_os(name) else { return Ok(None) };
    let number = text.to_str().and_then(|text| text.parse().ok());
    number.map(Some).with_context(|| format!("{name} must be a number, not {}", text.display()))
}

fn seed() -> Result<u64> {
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Ok(wanted("SULTAN_FAULTS_SEED")?.unwrap_or_else(now))
}

/// Runs a plan on a new fleet.
fn on_fleet(postgres: &Postgres, program: &Program, plan: Plan) -> Result<Told> {
    // At the end, the record of every game is requested from every node.
    let limit = 2 * (plan.time + plan.calm) + Duration::from_mins(2);
    within(limit + Duration::from_mins(5), async {
        let server = postgres.start_another()?;
        let jumps = plan.weather == Weather::Storm;
        let fleet = Fleet::start(server, program, 3, &MORE, jumps).await?;
        let told = timeout(limit, storm::run(&fleet, plan)).await.context("it does not end").flatten();
        let expected = !plan.stop_at.is_empty();
        if !expected && told.as_ref().map_or(true, |told| !told.faults.is_empty()) {
            eprintln!("{}", fleet.logs());
        }
        told
    })
}

fn sultan() -> Program {
    Program { binary: SULTAN.into(), before: Vec::new() }
}

/// Checks that no faults are found in a run with all kinds of injected faults.
fn weather_a_storm(postgres: &Postgres) -> Result<()> {
    let seconds = wanted("SULTAN_FAULTS_SECONDS")?.unwrap_or(60);
    let plan = Plan {
        seed: seed()?,
        time: Duration::from_secs(seconds),
        calm: Duration::from_secs(90),
        tables: 12,
        weather: Weather::Storm,
        short: false,
        stop_at: &[],
    };
    println!("SULTAN_FAULTS_SEED={} SULTAN_FAULTS_SECONDS={seconds}", plan.seed);
    let told = on_fleet(postgres, &sultan(), plan)?;
    println!("{}", told.summary());
    ensure!(told.faults.is_empty(), "seed {}\n{}\n\n{}", plan.seed, told.weather.join("\n"), told.report());
    // A run with few requests would prove little.
    let enough = told.tables >= 12 && told.acknowledged as u64 >= 5 * seconds && told.unknown > 0 && told.refused > 0;
    ensure!(enough, "too little was done: {}", told.summary());
    Ok(())
}

/// Checks that the checker finds a deliberate fault and reports it as one of `names`. With a broken node, tables soon
/// get stuck and few actions are played, so try several seeds.
fn finds(postgres: &Postgres, lie: Lie, names: &'static [Kind]) -> Result<()> {
    const TRIES: u64 = 4;
    let mut missed = String::new();
    for seed in (seed()?..).take(usize::try_from(TRIES)?) {
        match found(postgres, lie, names, seed)? {
            Ok(fault) => {
                println!("found: {fault}");
                return Ok(());
            }
            Err(instead) => missed += &instead,
        }
    }
    bail!("{} must be reported as {names:?}, but found{missed}", lie.name())
}

/// Runs a broken node. Returns the expected fault, or as an error the kinds of faults that were found instead.
fn found(postgres: &Postgres, lie: Lie, names: &'static [Kind], seed: u64) -> Result<Result<String, String>> {
    let before = vec![BROKEN_NODE.to_owned(), lie.name().to_owned()];
    let program = Program { binary: SULTAN.into(), before };
    let weather = if lie == Lie::AcknowledgesEarly { Weather::Kills } else { Weather::Calm };
    let plan = Plan {
        seed,
        time: Duration::from_secs(10),
        calm: Duration::from_secs(15),
        tables: 8,
        weather,
        short: true,
        stop_at: names,
    };
    println!("SULTAN_FAULTS_SEED={seed}");
    let told = on_fleet(postgres, &program, plan)?;
    // An action stored on top of another one may be illegal there. Then the table is unreadable, and the only fault is
    // that the game has no end.
    let unreadable = (lie == Lie::IgnoresTheVersion).then_some(&Kind::NoEnd);
    let fault = names.iter().chain(unreadable).find_map(|name| told.faults.iter().find(|fault| fault.kind == *name));
    let kinds: Vec<Kind> = told.faults.iter().map(|fault| fault.kind).collect();
    Ok(fault.map(ToString::to_string).ok_or_else(|| format!("\n{kinds:?}: {}", told.summary())))
}

/// Runs a test while no other test runs.
fn alone(test: impl FnOnce(&'static Postgres) -> Result<()>) -> Result<()> {
    let Some(server) = postgres_or_skip() else { return Ok(()) };
    let _machine = machine::alone();
    test(server)
}

#[test]
fn taken_over_within_5_s() -> Result<()> {
    alone(|server| takeover::test(server, &sultan()))
}

#[test]
fn a_lost_acknowledgement_is_found() -> Result<()> {
    // A watcher may notice the lost action first.
    alone(|server| finds(server, Lie::AcknowledgesEarly, &[Kind::AcknowledgedLost, Kind::WentBack, Kind::Forked]))
}

#[test]
fn an_ignored_version_is_found() -> Result<()> {
    let names = &[Kind::AcknowledgedLost, Kind::NobodyAsked, Kind::Forked, Kind::WrongView];
    alone(|server| finds(server, Lie::IgnoresTheVersion, names))
}

#[test]
fn a_look_behind_screens_is_found() -> Result<()> {
    alone(|server| finds(server, Lie::LooksBehindScreens, &[Kind::WrongView]))
}

#[test]
fn storm() -> Result<()> {
    alone(weather_a_storm)
}
