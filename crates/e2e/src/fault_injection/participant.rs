//! Players and spectators: they watch a table on random nodes, repeat each action until it is answered, and sometimes
//! send illegal actions.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use sultan_domain::Chance;
use sultan_rules::FastRng;
use tokio::time::{Instant, sleep, timeout};

use super::history::{RequestOutcome, Stream};
use super::run_state::{ActionRequest, TableRun, retry_delay};
use sultan_testkit::http::{Event, Events, field, random_legal};

/// A player or spectator.
#[derive(Debug)]
pub(super) struct Participant {
    table: Arc<TableRun>,
    /// The seat and its token; `None` for a spectator.
    seat: Option<(u8, String)>,
    /// The number of this player or spectator in the run.
    watcher: usize,
    rng: FastRng,
    /// The last version received.
    last_version: Option<u32>,
    /// The number of actions before this player's last action.
    last_acted_at: Option<u64>,
    /// Whether this player leaves the seat from time to time.
    takes_breaks: bool,
}

/// The next step after a view.
enum NextStep {
    KeepWatching,
    Reconnect,
    /// The game is over.
    Stop,
}

impl Participant {
    pub(super) fn new(table: &Arc<TableRun>, seat: Option<(u8, String)>, rng: FastRng) -> Self {
        let watcher = table.state.watchers.fetch_add(1, Ordering::Relaxed);
        Self {
            table: Arc::clone(table),
            seat,
            watcher,
            rng,
            last_version: None,
            last_acted_at: None,
            takes_breaks: false,
        }
    }

    /// Lets this player leave the seat from time to time and return.
    pub(super) fn with_breaks(self) -> Self {
        Self { takes_breaks: true, ..self }
    }

    fn seat(&self) -> Option<(u8, &str)> {
        self.seat.as_ref().map(|(seat, token)| (*seat, token.as_str()))
    }

    /// Returns true once in `n` calls on average.
    fn one_in(&mut self, n: u32) -> bool {
        self.rng.below(n) == 0
    }

    /// Watches and plays until the game or the run is over.
    pub(super) async fn play(mut self) {
        while !self.table.state.is_over() {
            let node = self.table.state.random_node(&mut self.rng);
            // Some clients do not send the header `Last-Event-ID`.
            let last_event_id = if self.one_in(10) { None } else { self.last_version };
            if self.one_in(6) {
                self.table.request_view(node, self.seat()).await;
            }
            let token = self.seat.as_ref().map(|(_, token)| token.as_str());
            let open = Events::open(self.table.state.addresses[node], &self.table.id, token, last_event_id);
            let Ok(Ok(events)) = timeout(Duration::from_secs(3), open).await else {
                retry_delay(&mut self.rng).await;
                continue;
            };
            let seat = self.seat.as_ref().map(|(seat, _)| *seat);
            let stream = {
                let streams = &mut self.table.history().streams;
                streams.push(Stream { watcher: self.watcher, seat, node, last_event_id, events: Vec::new() });
                streams.len() - 1
            };
            if self.watch(events, stream).await {
                return;
            }
        }
    }

    /// Watches one stream until it ends, fails or is silent. Returns true if the game is over or this player has left
    /// it.
    async fn watch(&mut self, mut events: Events, stream: usize) -> bool {
        loop {
            // Under faults a silent stream may be dead, so give up soon. Without faults, new views must arrive.
            let timeout_ms = if self.table.state.faults_are_over() { 15_000 } else { 1_000 + self.rng.below(3_000) };
            let Ok(Ok(event)) = timeout(Duration::from_millis(timeout_ms.into()), events.next()).await else {
                return self.leave_if_due().await;
            };
            self.last_version = Some(event.id);
            self.table.history().streams[stream].events.push(event.clone());
            match self.react(&event).await {
                NextStep::KeepWatching => {}
                NextStep::Reconnect => return false,
                NextStep::Stop => return true,
            }
            if self.leave_if_due().await {
                return true;
            }
        }
    }

    /// Reacts to a view.
    async fn react(&mut self, event: &Event) -> NextStep {
        let view = &event.data;
        if field(view, "phase") == Some("over") || field(view, "ended") == Some("true") {
            return NextStep::Stop;
        }
        let at = field(view, "at").and_then(|at| at.parse::<u64>().ok());
        if let (Some(at), Some((seat, _))) = (at, self.seat()) {
            let is_turn = field(view, "to_act").and_then(|seat| seat.parse().ok()) == Some(seat);
            if is_turn && self.last_acted_at.is_none_or(|last| at > last) {
                self.take_turn(view, at).await;
                self.last_acted_at = Some(at);
            } else if !is_turn && self.one_in(40) {
                // Must be rejected: it is not this seat's turn.
                self.send_invalid("1@1", at).await;
            }
        }
        if self.takes_breaks && self.one_in(25) {
            self.take_break().await;
        }
        if self.one_in(25) { NextStep::Reconnect } else { NextStep::KeepWatching }
    }

    /// Plays a random legal action, sometimes after an illegal action or a delay, and sometimes on two nodes at once.
    async fn take_turn(&mut self, view: &str, at: u64) {
        // An absent player has no legal actions: a bot acts for the seat.
        let Ok(action) = random_legal(view, &mut self.rng) else { return };
        let seconds = self.table.history().table.seconds;
        if let Some(seconds) = seconds.filter(|_| self.one_in(20)) {
            // Let the clock expire.
            sleep(Duration::from_secs(u64::from(seconds) + 1)).await;
        }
        match self.rng.below(16) {
            // Before the legal action, an action with a lower or higher `at`, or an offer instead of a bid or vice
            // versa.
            0 if at > 0 => self.send_invalid(&action, at - 1).await,
            1 => self.send_invalid(&action, at + 1).await,
            2 => self.send_invalid(if action.contains('@') { "RYG" } else { "1@1" }, at).await,
            3 | 4 => {
                // The same action twice at once: it must be applied once.
                let request = ActionRequest { action, at, is_legal: true };
                let (first, second) = self.send_both(&request, &request).await;
                if [first, second].contains(&RequestOutcome::Unknown) {
                    self.send_until_answered(request).await;
                }
                return;
            }
            5 => {
                // Two actions at once: at most one may be applied.
                let Ok(other) = random_legal(view, &mut self.rng) else { return };
                // If the actions differ, each may be rejected because the other was applied first.
                let is_legal = action == other;
                let requests = [action, other].map(|action| ActionRequest { action, at, is_legal });
                let (first, second) = self.send_both(&requests[0], &requests[1]).await;
                for (request, outcome) in requests.into_iter().zip([first, second]) {
                    if outcome == RequestOutcome::Unknown {
                        self.send_until_answered(request).await;
                    }
                }
                return;
            }
            _ => {}
        }
        self.send_until_answered(ActionRequest { action, at, is_legal: true }).await;
    }

    /// Sends two actions to two random nodes at once.
    async fn send_both(&mut self, a: &ActionRequest, b: &ActionRequest) -> (RequestOutcome, RequestOutcome) {
        let Some(seat) = self.seat.clone() else { return (RequestOutcome::Unknown, RequestOutcome::Unknown) };
        let seat = (seat.0, seat.1.as_str());
        let [node_a, node_b] = std::array::from_fn(|_| self.table.state.random_node(&mut self.rng));
        tokio::join!(self.table.send_action(node_a, seat, a), self.table.send_action(node_b, seat, b))
    }

    /// Sends an action that must be rejected.
    async fn send_invalid(&mut self, action: &str, at: u64) {
        let node = self.table.state.random_node(&mut self.rng);
        if let Some(seat) = self.seat() {
            self.table.send_action(node, seat, &ActionRequest { action: action.to_owned(), at, is_legal: false }).await;
        }
    }

    /// Sends an action to random nodes until its outcome is known.
    async fn send_until_answered(&mut self, request: ActionRequest) {
        while !self.table.state.is_over() {
            let node = self.table.state.random_node(&mut self.rng);
            let Some(seat) = self.seat() else { return };
            if self.table.send_action(node, seat, &request).await != RequestOutcome::Unknown {
                return;
            }
            retry_delay(&mut self.rng).await;
        }
    }

    /// Leaves the seat to a bot for a while and returns.
    async fn take_break(&mut self) {
        let Some((seat, token)) = self.seat.clone() else { return };
        let table = Arc::clone(&self.table);
        let leave_path = table.path("/leave");
        table.state.request_until_answered(&mut self.rng, ("POST", &leave_path), Some(&token), "").await;
        sleep(Duration::from_millis(200 + u64::from(self.rng.below(2_000)))).await;
        let return_path = table.path(&format!("/seats/{seat}/return"));
        table.state.request_until_answered(&mut self.rng, ("POST", &return_path), Some(&token), "").await;
        // Even if this player has already acted at this `at`, it may be the seat's turn again.
        self.last_acted_at = None;
    }

    /// Leaves a table with `is_left_early` once its leave time has come. Returns whether this player has left.
    async fn leave_if_due(&mut self) -> bool {
        let table = Arc::clone(&self.table);
        let is_due = table.state.faults_are_over() || Instant::now() >= table.leave_time;
        if !is_due || !table.history().table.is_left_early {
            return false;
        }
        if let Some((_, token)) = self.seat.clone() {
            table.state.request_until_answered(&mut self.rng, ("POST", &table.path("/leave")), Some(&token), "").await;
        }
        true
    }
}
