//! The state of a run and of each of its tables: sends requests to any node and records their outcome.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use sultan_domain::Chance;
use sultan_rules::FastRng;
use tokio::time::{Instant, sleep, timeout};

use super::history::{History, Request, RequestOutcome, RequestedView};
use sultan_testkit::http::{Answer, Connection, field};

/// Time limit for a response.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(4);

/// The time after which players leave a game with [`OpenedTable::is_left_early`](super::history::OpenedTable).
const LEAVE_AFTER: Duration = Duration::from_secs(40);

/// The state shared by all players and spectators of a run.
#[derive(Debug)]
pub(super) struct RunState {
    /// The addresses of the nodes.
    pub(super) addresses: Vec<SocketAddr>,
    /// Whether the faults are over: no new games are started.
    pub(super) faults_over: AtomicBool,
    /// When all players give up, even if their games are not over.
    pub(super) end: Instant,
    /// The number of players and spectators so far, used to number them.
    pub(super) watchers: AtomicUsize,
    /// Whether all players leave once the faults are over.
    pub(super) leaves_early: bool,
}

impl RunState {
    pub(super) fn faults_are_over(&self) -> bool {
        self.faults_over.load(Ordering::Relaxed)
    }

    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// The index of a random node.
    pub(super) fn random_node(&self, rng: &mut FastRng) -> usize {
        rng.below(u32::try_from(self.addresses.len()).unwrap_or(1)) as usize
    }

    /// Sends a request to a node once.
    pub(super) async fn request(
        &self,
        node: usize,
        (method, path): (&str, &str),
        token: Option<&str>,
        body: &str,
    ) -> Result<Answer> {
        let address = self.addresses[node];
        let response = async { Connection::open(address).await?.ask(method, path, token, body).await };
        timeout(RESPONSE_TIMEOUT, response)
            .await
            .with_context(|| format!("no response to {method} {path} within {RESPONSE_TIMEOUT:?}"))?
    }

    /// Sends a request to random nodes until a node responds with a status below 500. `None` if the run ends first.
    pub(super) async fn request_until_answered(
        &self,
        rng: &mut FastRng,
        method_and_path: (&str, &str),
        token: Option<&str>,
        body: &str,
    ) -> Option<Answer> {
        while !self.is_over() {
            match self.request(self.random_node(rng), method_and_path, token, body).await {
                Ok(answer) if answer.status < 500 => return Some(answer),
                Ok(_) | Err(_) => retry_delay(rng).await,
            }
        }
        None
    }
}

/// A short random delay before a retry.
pub(super) async fn retry_delay(rng: &mut FastRng) {
    sleep(Duration::from_millis(30 + u64::from(rng.below(150)))).await;
}

/// One table and its history.
#[derive(Debug)]
pub(super) struct TableRun {
    pub(super) state: Arc<RunState>,
    pub(super) id: String,
    /// When players leave, if they leave before the end of the game.
    pub(super) leave_time: Instant,
    history: Mutex<History>,
}

impl TableRun {
    pub(super) fn new(state: Arc<RunState>, history: History) -> Self {
        // In a run with `leaves_early`, players leave as soon as the faults are over.
        let leave_time = if state.leaves_early { state.end } else { Instant::now() + LEAVE_AFTER };
        Self { state, id: history.table.id.clone(), leave_time, history: Mutex::new(history) }
    }

    pub(super) fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The path of an API resource of this table.
    pub(super) fn path(&self, resource: &str) -> String {
        format!("/api/v1/tables/{}{resource}", self.id)
    }

    /// Sends an action to a node once and records the outcome.
    pub(super) async fn send_action(
        &self,
        node: usize,
        (seat, token): (u8, &str),
        request: &ActionRequest,
    ) -> RequestOutcome {
        let body = format!(r#"{{"action":"{}","at":{}}}"#, request.action, request.at);
        let response = self.state.request(node, ("POST", &self.path("/actions")), Some(token), &body).await;
        let outcome = match response {
            Ok(answer) if answer.status == 200 => RequestOutcome::Acknowledged(answer.body),
            Ok(answer) if answer.status < 500 => {
                RequestOutcome::Rejected(field(&answer.body, "code").unwrap_or(&answer.body).to_owned())
            }
            Ok(_) | Err(_) => RequestOutcome::Unknown,
        };
        let ActionRequest { action, at, is_legal } = request.clone();
        self.history().requests.push(Request { seat, at, action, is_legal, node, outcome: outcome.clone() });
        outcome
    }

    /// Requests the view of a player or spectator once and records it.
    pub(super) async fn request_view(&self, node: usize, seat: Option<(u8, &str)>) {
        let response = self.state.request(node, ("GET", &self.path("")), seat.map(|(_, token)| token), "").await;
        if let Ok(answer) = response
            && answer.status == 200
        {
            self.history().requested_views.push(RequestedView {
                seat: seat.map(|(seat, _)| seat),
                node,
                view: answer.body,
            });
        }
    }
}

/// An action to be sent.
#[derive(Clone, Debug)]
pub(super) struct ActionRequest {
    pub(super) action: String,
    /// The number of actions before this action.
    pub(super) at: u64,
    /// Whether the action must not be rejected.
    pub(super) is_legal: bool,
}
