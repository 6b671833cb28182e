//! Sends requests to any node and records their outcome.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use sultan_domain::Chance;
use sultan_rules::Quick;
use tokio::time::{Instant, sleep, timeout};

use super::history::{Ending, History, Look, Request};
use sultan_testkit::http::{Answer, Connection, field};

/// Time limit for a response.
const PATIENCE: Duration = Duration::from_secs(4);

/// The time after which players leave a game that is not played to its end.
const LINGER: Duration = Duration::from_secs(40);

/// The state shared by all players.
#[derive(Debug)]
pub(super) struct World {
    pub(super) addresses: Vec<SocketAddr>,
    /// Whether the faults are over: no new games are started.
    pub(super) calm: AtomicBool,
    /// When all players give up.
    pub(super) end: Instant,
    /// The number of watchers so far, used to number them.
    pub(super) watchers: AtomicUsize,
    /// Whether all players leave once the faults are over.
    pub(super) short: bool,
}

impl World {
    pub(super) fn is_calm(&self) -> bool {
        self.calm.load(Ordering::Relaxed)
    }

    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// The index of a random node.
    pub(super) fn any(&self, chance: &mut Quick) -> usize {
        chance.below(u32::try_from(self.addresses.len()).unwrap_or(1)) as usize
    }

    /// Sends a request to a node once.
    pub(super) async fn ask(
        &self,
        node: usize,
        (method, path): (&str, &str),
        token: Option<&str>,
        body: &str,
    ) -> Result<Answer> {
        let address = self.addresses[node];
        let asked = async { Connection::open(address).await?.ask(method, path, token, body).await };
        timeout(PATIENCE, asked).await.context("no answer")?
    }

    /// Sends a request to random nodes until one responds with a status below 500. `None` if the run ends first.
    pub(super) async fn insist(
        &self,
        chance: &mut Quick,
        what: (&str, &str),
        token: Option<&str>,
        body: &str,
    ) -> Option<Answer> {
        while !self.is_over() {
            match self.ask(self.any(chance), what, token, body).await {
                Ok(answer) if answer.status < 500 => return Some(answer),
                Ok(_) | Err(_) => rest(chance).await,
            }
        }
        None
    }
}

/// A short random delay before a retry.
pub(super) async fn rest(chance: &mut Quick) {
    sleep(Duration::from_millis(30 + u64::from(chance.below(150)))).await;
}

/// One table and its history.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) world: Arc<World>,
    pub(super) id: String,
    /// When players leave, if the game is not played to its end.
    pub(super) leave: Instant,
    history: Mutex<History>,
}

impl Place {
    pub(super) fn new(world: Arc<World>, history: History) -> Self {
        let leave = if world.short { world.end } else { Instant::now() + LINGER };
        Self { world, id: history.table.id.clone(), leave, history: Mutex::new(history) }
    }

    pub(super) fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The path of an API resource of this table.
    pub(super) fn path(&self, of: &str) -> String {
        format!("/api/v1/tables/{}{of}", self.id)
    }

    /// Sends an action to a node once and records the outcome.
    pub(super) async fn act(&self, node: usize, (seat, token): (u8, &str), wish: &Wish) -> Ending {
        let body = format!(r#"{{"action":"{}","at":{}}}"#, wish.action, wish.at);
        let asked = self.world.ask(node, ("POST", &self.path("/actions")), Some(token), &body).await;
        let ending = match asked {
            Ok(answer) if answer.status == 200 => Ending::Acknowledged(answer.body),
            Ok(answer) if answer.status < 500 => {
                Ending::Refused(field(&answer.body, "code").unwrap_or(&answer.body).to_owned())
            }
            Ok(_) | Err(_) => Ending::Unknown,
        };
        let Wish { action, at, honest } = wish.clone();
        self.history().requests.push(Request { seat, at, action, honest, node, ending: ending.clone() });
        ending
    }

    /// Requests the view once and records it.
    pub(super) async fn look(&self, node: usize, seat: Option<(u8, &str)>) {
        let asked = self.world.ask(node, ("GET", &self.path("")), seat.map(|(_, token)| token), "").await;
        if let Ok(answer) = asked
            && answer.status == 200
        {
            self.history().looks.push(Look { seat: seat.map(|(seat, _)| seat), node, view: answer.body });
        }
    }
}

/// An action to be sent.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    pub(super) action: String,
    pub(super) at: u64,
    pub(super) honest: bool,
}
