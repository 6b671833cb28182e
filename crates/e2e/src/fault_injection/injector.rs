//! Injects random faults at random times, chosen from a seed.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use sultan_domain::Chance;
use sultan_rules::FastRng;
use tokio::time::{Instant, sleep};

use super::fleet::{Fleet, Node};
use super::proxy::ProxyMode;
use sultan_testkit::StopMode;

/// The kinds of faults in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultLevel {
    /// No faults.
    None,
    /// Nodes are killed.
    Kills,
    /// All kinds of faults.
    All,
}

/// A log of the injected faults with their times.
#[derive(Debug)]
pub struct FaultLog {
    started: Instant,
    lines: Mutex<Vec<String>>,
}

impl Default for FaultLog {
    fn default() -> Self {
        Self { started: Instant::now(), lines: Mutex::default() }
    }
}

impl FaultLog {
    /// Adds a line with the current time.
    pub fn add(&self, event: &str) {
        let line = format!("{:7.2} s {event}", self.started.elapsed().as_secs_f64());
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    /// All lines.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Injects faults until the deadline. When it returns, all nodes and the database work again.
///
/// # Errors
/// If a node does not stop or start as it should.
pub(super) async fn inject(
    fleet: &Fleet,
    level: FaultLevel,
    seed: u64,
    deadline: Instant,
    log: &Arc<FaultLog>,
) -> Result<()> {
    if level == FaultLevel::None {
        tokio::time::sleep_until(deadline).await;
        return Ok(());
    }
    let mut injectors = tokio::task::JoinSet::new();
    for node in &fleet.nodes {
        // Each injector has its own random sequence. The constants are "node" and "pg" in ASCII.
        let rng = FastRng::new(seed ^ (0x6e6f_6465 + node.number as u64));
        injectors.spawn(inject_into_node(Arc::clone(node), level, rng, deadline, Arc::clone(log)));
    }
    if level == FaultLevel::All {
        let (postgres, log, mut rng) = (Arc::clone(&fleet.postgres), Arc::clone(log), FastRng::new(seed ^ 0x7067));
        injectors.spawn(async move {
            while wait_random_millis(&mut rng, 6_000, 20_000, deadline).await {
                let stop = if rng.below(2) == 0 { StopMode::Fast } else { StopMode::Immediate };
                log.add(&format!("Postgres is restarted ({stop:?})"));
                let postgres = Arc::clone(&postgres);
                tokio::task::spawn_blocking(move || postgres.restart(stop)).await?;
                log.add("Postgres is running again");
            }
            Ok(())
        });
    }
    while let Some(done) = injectors.join_next().await {
        done??;
    }
    log.add("the faults are over");
    Ok(())
}

/// Waits for a random time from `min` to `max` milliseconds, but not past the deadline. Returns whether time is left.
async fn wait_random_millis(rng: &mut FastRng, min: u32, max: u32, deadline: Instant) -> bool {
    let next = Instant::now() + random_millis(rng, min, max);
    tokio::time::sleep_until(next.min(deadline)).await;
    next < deadline
}

fn random_millis(rng: &mut FastRng, min: u32, max: u32) -> Duration {
    Duration::from_millis(u64::from(min + rng.below(max - min)))
}

/// Injects faults into one node and its connections.
async fn inject_into_node(
    node: Arc<Node>,
    level: FaultLevel,
    mut rng: FastRng,
    deadline: Instant,
    log: Arc<FaultLog>,
) -> Result<()> {
    while wait_random_millis(&mut rng, 300, 4_000, deadline).await {
        let log_event = |event: &str| log.add(&format!("node {}: {event}", node.number));
        // Of ten faults, on average two are kills, three are faults of the proxy.
        let kind = if level == FaultLevel::Kills { 0 } else { rng.below(10) };
        match kind {
            0 | 1 => {
                log_event("killed");
                node.kill_and_restart().await?;
                log_event("is running again");
            }
            2 => {
                log_event("shut down");
                node.shut_down_and_restart().await?;
                log_event("is running again");
            }
            3 | 4 => {
                let duration = random_millis(&mut rng, 200, 6_000);
                log_event(&format!("suspended for {duration:?}"));
                node.suspend(duration).await?;
            }
            5 => {
                log_event("database connections reset");
                node.proxy.reset_connections();
            }
            // By up to two hours. Most nodes have no settable clock; they get the fault below.
            6 if node.set_clock(i64::from(rng.below(14_400)) - 7_200)? => log_event("clock changed"),
            _ => {
                let modes = [
                    ProxyMode::Stall,
                    ProxyMode::Discard,
                    ProxyMode::OnlyToNode,
                    ProxyMode::OnlyToDatabase,
                    ProxyMode::Refuse,
                ];
                let mode = modes[rng.below(5) as usize];
                let duration = random_millis(&mut rng, 200, 6_000);
                log_event(&format!("proxy mode {mode:?} for {duration:?}"));
                node.proxy.set_mode(mode);
                sleep(duration).await;
                node.proxy.set_mode(ProxyMode::Forward);
            }
        }
    }
    Ok(())
}
