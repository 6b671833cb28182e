//! Three real nodes on one real Postgres while everything goes wrong that can; and that the checker finds what is broken on purpose.
//!
//! `SULTAN_FAULTS_SEED` replays, `SULTAN_FAULTS_SECONDS` lengthens (docs/testing.md).

mod broken;
mod takeover;

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use broken::Lie;
use libtest_mimic::{Arguments, Failed, run};
use sultan_testkit::storm::check::Kind;
use sultan_testkit::storm::{self, Fleet, Plan, Program, Told, Weather};
use sultan_testkit::{Postgres, on_postgres, within};
use tokio::time::timeout;

/// What is said to this program where it is to be a broken node.
const BROKEN_NODE: &str = "--broken-node";
/// What nodes are told besides.
const MORE: [&str; 2] = ["--bot-pause-ms", "30"];

/// What comes from the environment, if anything does. Who asks for something unreadable is not given something else.
fn wanted(name: &str) -> Result<Option<u64>, Failed> {
    let Some(text) = std::env::var_os(name) else { return Ok(None) };
    let number = text.to_str().and_then(|text| text.parse().ok());
    number.map(Some).ok_or_else(|| format!("{name} must be a number, not {}", text.display()).into())
}

fn seed() -> Result<u64, Failed> {
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Ok(wanted("SULTAN_FAULTS_SEED")?.unwrap_or_else(now))
}

/// Runs a plan on a fleet of its own, one at a time: each wants the whole machine.
fn on_fleet(postgres: &Postgres, program: &Program, plan: Plan) -> Result<Told, Failed> {
    // At the end, every node is asked for every game once more.
    let limit = 2 * (plan.time + plan.calm) + Duration::from_mins(2);
    within(limit + Duration::from_mins(5), async {
        let server = postgres.another()?;
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
    Program { binary: env!("CARGO_BIN_EXE_sultan").into(), before: Vec::new() }
}

/// All holds in a storm.
fn storm_test(postgres: &Postgres) -> Result<(), Failed> {
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
    if !told.faults.is_empty() {
        return Err(format!("seed {}\n{}\n\n{}", plan.seed, told.weather.join("\n"), told.report()).into());
    }
    // That little was done would make the test mean little.
    let enough = told.tables >= 12 && told.acknowledged as u64 >= 5 * seconds && told.unknown > 0 && told.refused > 0;
    if enough { Ok(()) } else { Err(format!("too little was done: {}", told.summary()).into()) }
}

/// What is broken on purpose is found, and called by its name. Where a node lies, tables soon stand still, so that little is played;
/// what was not found at these tables is looked for at others.
fn finds(postgres: &Postgres, lie: Lie, names: &'static [Kind]) -> Result<(), Failed> {
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
    Err(format!("{} was to be found as {names:?}, but there was{missed}", lie.name()).into())
}

/// What is found of what is broken, or what else.
fn found(postgres: &Postgres, lie: Lie, names: &'static [Kind], seed: u64) -> Result<Result<String, String>, Failed> {
    let before = vec![BROKEN_NODE.to_owned(), lie.name().to_owned()];
    let program = Program { binary: std::env::current_exe()?, before };
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
    // What is stored on top of something else may be illegal there: then the table cannot be read any more, and nothing else is found.
    let unreadable = (lie == Lie::IgnoresTheVersion).then_some(&Kind::NoEnd);
    let fault = names.iter().chain(unreadable).find_map(|name| told.faults.iter().find(|fault| fault.kind == *name));
    let kinds: Vec<Kind> = told.faults.iter().map(|fault| fault.kind).collect();
    Ok(fault.map(ToString::to_string).ok_or_else(|| format!("\n{kinds:?}: {}", told.summary())))
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, lie, rest @ ..] = args.as_slice()
        && flag == BROKEN_NODE
    {
        let served = lie.parse().and_then(|lie| broken::serve(lie, rest));
        return served.map_or_else(
            |error| {
                eprintln!("{error:#}");
                ExitCode::FAILURE
            },
            |()| ExitCode::SUCCESS,
        );
    }
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    let trials = vec![
        on_postgres("taken_over_within_5_s", |server| takeover::test(server, &sultan())),
        on_postgres("a_lost_acknowledgement_is_found", |server| {
            // Whoever watches may be the first to see that something is gone again.
            finds(server, Lie::AcknowledgesEarly, &[Kind::AcknowledgedLost, Kind::WentBack, Kind::Forked])
        }),
        on_postgres("an_ignored_version_is_found", |server| {
            finds(
                server,
                Lie::IgnoresTheVersion,
                &[Kind::AcknowledgedLost, Kind::NobodyAsked, Kind::Forked, Kind::WrongView],
            )
        }),
        on_postgres("a_look_behind_screens_is_found", |server| {
            finds(server, Lie::LooksBehindScreens, &[Kind::WrongView])
        }),
        on_postgres("storm", storm_test),
    ];
    run(&arguments, trials).exit_code()
}
