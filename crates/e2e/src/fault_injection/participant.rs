//! Players and spectators: they watch a table on random nodes, repeat their actions until one is answered, and
//! sometimes send illegal ones.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use sultan_domain::Chance;
use sultan_rules::Quick;
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
    watcher: usize,
    chance: Quick,
    /// The last version received.
    last: Option<u32>,
    /// The `at` of this player's last action.
    acted: Option<u64>,
    /// Whether this player leaves the seat from time to time.
    takes_breaks: bool,
}

/// The next step after a view.
enum Next {
    Watch,
    Reconnect,
    Done,
}

impl Participant {
    pub(super) fn new(table: &Arc<TableRun>, seat: Option<(u8, String)>, chance: Quick) -> Self {
        let watcher = table.state.watchers.fetch_add(1, Ordering::Relaxed);
        Self { table: Arc::clone(table), seat, watcher, chance, last: None, acted: None, takes_breaks: false }
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
        self.chance.below(n) == 0
    }

    /// Watches and plays until the game or the run is over.
    pub(super) async fn play(mut self) {
        while !self.table.state.is_over() {
            let node = self.table.state.random_node(&mut self.chance);
            let last = if self.one_in(10) { None } else { self.last };
            if self.one_in(6) {
                self.table.request_view(node, self.seat()).await;
            }
            let token = self.seat.as_ref().map(|(_, token)| token.as_str());
            let open = Events::open(self.table.state.addresses[node], &self.table.id, token, last);
            let Ok(Ok(events)) = timeout(Duration::from_secs(3), open).await else {
                retry_delay(&mut self.chance).await;
                continue;
            };
            let seat = self.seat.as_ref().map(|(seat, _)| *seat);
            let number = {
                let streams = &mut self.table.history().streams;
                streams.push(Stream { watcher: self.watcher, seat, node, last, events: Vec::new() });
                streams.len() - 1
            };
            if self.watch(events, number).await {
                return;
            }
        }
    }

    /// Watches one stream. Returns whether this player is done with the table.
    async fn watch(&mut self, mut events: Events, stream: usize) -> bool {
        loop {
            // Under faults a silent stream may be dead, so give up soon. Without faults, new views must arrive.
            let timeout_ms = if self.table.state.faults_are_over() { 15_000 } else { 1_000 + self.chance.below(3_000) };
            let Ok(Ok(event)) = timeout(Duration::from_millis(timeout_ms.into()), events.next()).await else {
                return self.leave_if_due().await;
            };
            self.last = Some(event.id);
            self.table.history().streams[stream].events.push(event.clone());
            match self.react(&event).await {
                Next::Watch => {}
                Next::Reconnect => return false,
                Next::Done => return true,
            }
            if self.leave_if_due().await {
                return true;
            }
        }
    }

    /// Reacts to a view.
    async fn react(&mut self, event: &Event) -> Next {
        let view = &event.data;
        if field(view, "phase") == Some("over") || field(view, "ended") == Some("true") {
            return Next::Done;
        }
        let at = field(view, "at").and_then(|at| at.parse::<u64>().ok());
        if let (Some(at), Some((seat, _))) = (at, self.seat()) {
            let turn = field(view, "to_act").and_then(|seat| seat.parse().ok()) == Some(seat);
            if turn && self.acted.is_none_or(|acted| at > acted) {
                self.take_turn(view, at).await;
                self.acted = Some(at);
            } else if !turn && self.one_in(40) {
                // Must be rejected: it is not this seat's turn.
                self.send_invalid("1@1", at).await;
            }
        }
        if self.takes_breaks && self.one_in(25) {
            self.take_break().await;
        }
        if self.one_in(25) { Next::Reconnect } else { Next::Watch }
    }

    /// Plays a random legal action, sometimes after an illegal one or a delay, and sometimes on two nodes at once.
    async fn take_turn(&mut self, view: &str, at: u64) {
        // An absent player has no legal actions: a bot acts for the seat.
        let Ok(action) = random_legal(view, &mut self.chance) else { return };
        let seconds = self.table.history().table.seconds;
        if let Some(seconds) = seconds.filter(|_| self.one_in(20)) {
            // Let the clock expire.
            sleep(Duration::from_secs(u64::from(seconds) + 1)).await;
        }
        match self.chance.below(16) {
            0 if at > 0 => self.send_invalid(&action, at - 1).await,
            1 => self.send_invalid(&action, at + 1).await,
            2 => self.send_invalid(if action.contains('@') { "RYG" } else { "1@1" }, at).await,
            3 | 4 => {
                let request = ActionRequest { action, at, is_legal: true };
                let (first, second) = self.send_both(&request, &request).await;
                if [first, second].contains(&RequestOutcome::Unknown) {
                    self.send_until_answered(request).await;
                }
                return;
            }
            5 => {
                // Two actions at once: at most one may be applied.
                let Ok(other) = random_legal(view, &mut self.chance) else { return };
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
    async fn send_both(&mut self, one: &ActionRequest, other: &ActionRequest) -> (RequestOutcome, RequestOutcome) {
        let Some(seat) = self.seat.clone() else { return (RequestOutcome::Unknown, RequestOutcome::Unknown) };
        let seat = (seat.0, seat.1.as_str());
        let (first, second) =
            (self.table.state.random_node(&mut self.chance), self.table.state.random_node(&mut self.chance));
        tokio::join!(self.table.send_action(first, seat, one), self.table.send_action(second, seat, other))
    }

    /// Sends an action that must be rejected.
    async fn send_invalid(&mut self, action: &str, at: u64) {
        let node = self.table.state.random_node(&mut self.chance);
        if let Some(seat) = self.seat() {
            self.table.send_action(node, seat, &ActionRequest { action: action.to_owned(), at, is_legal: false }).await;
        }
    }

    /// Sends an action to random nodes until its outcome is known.
    async fn send_until_answered(&mut self, request: ActionRequest) {
        while !self.table.state.is_over() {
            let node = self.table.state.random_node(&mut self.chance);
            let Some(seat) = self.seat() else { return };
            if self.table.send_action(node, seat, &request).await != RequestOutcome::Unknown {
                return;
            }
            retry_delay(&mut self.chance).await;
        }
    }

    /// Leaves the seat to a bot for a while and returns.
    async fn take_break(&mut self) {
        let Some((seat, token)) = self.seat.clone() else { return };
        let table = Arc::clone(&self.table);
        let leave_path = table.path("/leave");
        table.state.request_until_answered(&mut self.chance, ("POST", &leave_path), Some(&token), "").await;
        sleep(Duration::from_millis(200 + u64::from(self.chance.below(2_000)))).await;
        let return_path = table.path(&format!("/seats/{seat}/return"));
        table.state.request_until_answered(&mut self.chance, ("POST", &return_path), Some(&token), "").await;
        // After the return it may be this seat's turn again at the same `at`.
        self.acted = None;
    }

    /// Leaves a table that is not played to its end, once it is time. Returns whether this player has left.
    async fn leave_if_due(&mut self) -> bool {
        let table = Arc::clone(&self.table);
        let due = table.state.faults_are_over() || Instant::now() >= table.leave;
        if !due || !table.history().table.left_early {
            return false;
        }
        if let Some((_, token)) = self.seat.clone() {
            table
                .state
                .request_until_answered(&mut self.chance, ("POST", &table.path("/leave")), Some(&token), "")
                .await;
        }
        true
    }
}
