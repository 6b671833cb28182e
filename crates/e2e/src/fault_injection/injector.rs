//! Random faults at random times, chosen from a seed.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use sultan_domain::Chance;
use sultan_rules::Quick;
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
pub struct Log {
    begun: Instant,
    lines: Mutex<Vec<String>>,
}

impl Default for Log {
    fn default() -> Self {
        Self { begun: Instant::now(), lines: Mutex::default() }
    }
}

impl Log {
    /// Adds a line with the current time.
    pub fn add(&self, event: &str) {
        let line = format!("{:7.2} s {event}", self.begun.elapsed().as_secs_f64());
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    /// All lines.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Injects faults until a time. When it returns, all nodes and the database work again.
///
/// # Errors
/// If a node does not stop or start as it should.
pub(super) async fn inject(fleet: &Fleet, level: FaultLevel, seed: u64, until: Instant, log: &Arc<Log>) -> Result<()> {
    if level == FaultLevel::None {
        tokio::time::sleep_until(until).await;
        return Ok(());
    }
    let mut all = tokio::task::JoinSet::new();
    for node in &fleet.nodes {
        let chance = Quick::new(seed ^ (0x6e6f_6465 + node.number as u64));
        all.spawn(inject_into_node(Arc::clone(node), level, chance, until, Arc::clone(log)));
    }
    if level == FaultLevel::All {
        let (postgres, log, mut chance) = (Arc::clone(&fleet.postgres), Arc::clone(log), Quick::new(seed ^ 0x7067));
        all.spawn(async move {
            while wait(&mut chance, 6_000, 20_000, until).await {
                let stop = if chance.below(2) == 0 { StopMode::Fast } else { StopMode::Immediate };
                log.add(&format!("Postgres is restarted ({stop:?})"));
                let postgres = Arc::clone(&postgres);
                tokio::task::spawn_blocking(move || postgres.restart(stop)).await?;
                log.add("Postgres is running again");
            }
            Ok(())
        });
    }
    while let Some(done) = all.join_next().await {
        done??;
    }
    log.add("the faults are over");
    Ok(())
}

/// Waits for a random time (in milliseconds), but not past `until`. Returns whether time is left.
async fn wait(chance: &mut Quick, min: u32, max: u32, until: Instant) -> bool {
    let next = Instant::now() + millis(chance, min, max);
    tokio::time::sleep_until(next.min(until)).await;
    next < until
}

fn millis(chance: &mut Quick, min: u32, max: u32) -> Duration {
    Duration::from_millis(u64::from(min + chance.below(max - min)))
}

/// Injects faults into one node and its connections.
async fn inject_into_node(
    node: Arc<Node>,
    level: FaultLevel,
    mut chance: Quick,
    until: Instant,
    log: Arc<Log>,
) -> Result<()> {
    while wait(&mut chance, 300, 4_000, until).await {
        let log_event = |event: &str| log.add(&format!("node {}: {event}", node.number));
        match chance.below(10) {
            _ if level == FaultLevel::Kills => {
                log_event("killed");
                node.kill_and_restart().await?;
            }
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
                let time = millis(&mut chance, 200, 6_000);
                log_event(&format!("is suspended for {time:?}"));
                node.pause(time).await?;
            }
            5 => {
                log_event("its connections are reset");
                node.proxy.reset_connections();
            }
            6 if node.set_clock(i64::from(chance.below(14_400)) - 7_200)? => log_event("its clock jumps"),
            _ => {
                let modes = [
                    ProxyMode::Stall,
                    ProxyMode::Discard,
                    ProxyMode::OnlyToNode,
                    ProxyMode::OnlyToDatabase,
                    ProxyMode::Refuse,
                ];
                let mode = modes[chance.below(5) as usize];
                let time = millis(&mut chance, 200, 6_000);
                log_event(&format!("its proxy: {mode:?} for {time:?}"));
                node.proxy.set(mode);
                sleep(time).await;
                node.proxy.set(ProxyMode::Forward);
            }
        }
    }
    Ok(())
}
