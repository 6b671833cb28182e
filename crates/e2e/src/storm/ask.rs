//! Asking any node, and keeping what came of it.

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

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(4);

/// How long people stay at a table whose game is not played to its end.
const LINGER: Duration = Duration::from_secs(40);

/// What all who play share.
#[derive(Debug)]
pub(super) struct World {
    pub(super) addresses: Vec<SocketAddr>,
    /// Whether nothing goes wrong any more: no new games are begun.
    pub(super) calm: AtomicBool,
    /// When everybody gives up.
    pub(super) end: Instant,
    /// How many watch, and have watched.
    pub(super) watchers: AtomicUsize,
    /// Whether everybody leaves once nothing goes wrong any more.
    pub(super) short: bool,
}

impl World {
    pub(super) fn is_calm(&self) -> bool {
        self.calm.load(Ordering::Relaxed)
    }

    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// Any node.
    pub(super) fn any(&self, chance: &mut Quick) -> usize {
        chance.below(u32::try_from(self.addresses.len()).unwrap_or(1)) as usize
    }

    /// Asks a node once.
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

    /// Asks any node until one says yes or no.
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

/// A moment before one tries again.
pub(super) async fn rest(chance: &mut Quick) {
    sleep(Duration::from_millis(30 + u64::from(chance.below(150)))).await;
}

/// One table, and all that is known of it.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) world: Arc<World>,
    pub(super) id: String,
    /// When people leave, where the game is not played to its end.
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

    /// Where something of this table is.
    pub(super) fn path(&self, of: &str) -> String {
        format!("/api/v1/tables/{}{of}", self.id)
    }

    /// Asks a node to act, once, and keeps what came of it.
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

    /// Looks once, and keeps what was seen.
    pub(super) async fn look(&self, node: usize, seat: Option<(u8, &str)>) {
        let asked = self.world.ask(node, ("GET", &self.path("")), seat.map(|(_, token)| token), "").await;
        if let Ok(answer) = asked
            && answer.status == 200
        {
            self.history().looks.push(Look { seat: seat.map(|(seat, _)| seat), node, view: answer.body });
        }
    }
}

/// What somebody would like to do.
#[derive(Clone, Debug)]
pub(super) struct Wish {
    pub(super) action: String,
    pub(super) at: u64,
    pub(super) honest: bool,
}
