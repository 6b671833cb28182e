//! Random faults at random times, chosen from a seed.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Result;
use sultan_domain::Chance;
use sultan_rules::Quick;
use tokio::time::{Instant, sleep};

use super::fleet::{Fleet, Node};
use super::proxy::Line;
use sultan_testkit::StopMode;

/// The kinds of faults in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weather {
    /// No faults.
    Calm,
    /// Nodes are killed.
    Kills,
    /// All kinds of faults.
    Storm,
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
    pub fn note(&self, what: &str) {
        let line = format!("{:7.2} s {what}", self.begun.elapsed().as_secs_f64());
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
pub(super) async fn blow(fleet: &Fleet, weather: Weather, seed: u64, until: Instant, log: &Arc<Log>) -> Result<()> {
    if weather == Weather::Calm {
        tokio::time::sleep_until(until).await;
        return Ok(());
    }
    let mut all = tokio::task::JoinSet::new();
    for node in &fleet.nodes {
        let chance = Quick::new(seed ^ (0x6e6f_6465 + node.number as u64));
        all.spawn(around(Arc::clone(node), weather, chance, until, Arc::clone(log)));
    }
    if weather == Weather::Storm {
        let (postgres, log, mut chance) = (Arc::clone(&fleet.postgres), Arc::clone(log), Quick::new(seed ^ 0x7067));
        all.spawn(async move {
            while wait(&mut chance, 6_000, 20_000, until).await {
                let stop = if chance.below(2) == 0 { StopMode::Fast } else { StopMode::Immediate };
                log.note(&format!("Postgres is restarted ({stop:?})"));
                let postgres = Arc::clone(&postgres);
                tokio::task::spawn_blocking(move || postgres.restart(stop)).await?;
                log.note("Postgres is back");
            }
            Ok(())
        });
    }
    while let Some(done) = all.join_next().await {
        done??;
    }
    log.note("the storm is over");
    Ok(())
}

/// Waits for a random time (in milliseconds), but not past `until`. Returns whether time is left.
async fn wait(chance: &mut Quick, least: u32, most: u32, until: Instant) -> bool {
    let next = Instant::now() + millis(chance, least, most);
    tokio::time::sleep_until(next.min(until)).await;
    next < until
}

fn millis(chance: &mut Quick, least: u32, most: u32) -> Duration {
    Duration::from_millis(u64::from(least + chance.below(most - least)))
}

/// Injects faults into one node and its connections.
async fn around(node: Arc<Node>, weather: Weather, mut chance: Quick, until: Instant, log: Arc<Log>) -> Result<()> {
    while wait(&mut chance, 300, 4_000, until).await {
        let note = |what: &str| log.note(&format!("node {}: {what}", node.number));
        match chance.below(10) {
            _ if weather == Weather::Kills => {
                note("killed");
                node.kill().await?;
            }
            0 | 1 => {
                note("killed");
                node.kill().await?;
                note("is back");
            }
            2 => {
                note("asked to stop");
                node.replace().await?;
                note("is back");
            }
            3 | 4 => {
                let time = millis(&mut chance, 200, 6_000);
                note(&format!("stands still for {time:?}"));
                node.pause(time).await?;
            }
            5 => {
                note("its connections are cut");
                node.proxy.cut();
            }
            6 if node.set_clock(i64::from(chance.below(14_400)) - 7_200)? => note("its clock jumps"),
            _ => {
                let lines = [Line::Stalls, Line::Swallows, Line::OnlyToNode, Line::OnlyToDatabase, Line::Refuses];
                let line = lines[chance.below(5) as usize];
                let time = millis(&mut chance, 200, 6_000);
                note(&format!("its line: {line:?} for {time:?}"));
                node.proxy.set(line);
                sleep(time).await;
                node.proxy.set(Line::Passes);
            }
        }
    }
    Ok(())
}
