//! Players and spectators: they watch a table on random nodes, repeat their actions until one is answered, and
//! sometimes send illegal ones.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use sultan_domain::Chance;
use sultan_rules::Quick;
use tokio::time::{Instant, sleep, timeout};

use super::ask::{Place, Wish, rest};
use super::history::{Ending, Stream};
use sultan_testkit::http::{Event, Events, field, random_legal};

/// A player or spectator.
#[derive(Debug)]
pub(super) struct Person {
    place: Arc<Place>,
    /// The seat and its token; `None` for a spectator.
    seat: Option<(u8, String)>,
    watcher: usize,
    chance: Quick,
    /// The last version received.
    last: Option<u32>,
    /// The `at` of this player's last action.
    acted: Option<u64>,
    /// Whether this player leaves the seat from time to time.
    restless: bool,
}

/// The next step after a view.
enum Next {
    Watch,
    Elsewhere,
    Done,
}

impl Person {
    pub(super) fn new(place: &Arc<Place>, seat: Option<(u8, String)>, chance: Quick) -> Self {
        let watcher = place.world.watchers.fetch_add(1, Ordering::Relaxed);
        Self { place: Arc::clone(place), seat, watcher, chance, last: None, acted: None, restless: false }
    }

    /// Lets this player leave the seat from time to time and return.
    pub(super) fn restless(self) -> Self {
        Self { restless: true, ..self }
    }

    fn seat(&self) -> Option<(u8, &str)> {
        self.seat.as_ref().map(|(seat, token)| (*seat, token.as_str()))
    }

    /// Returns true once in `of` calls on average.
    fn rarely(&mut self, of: u32) -> bool {
        self.chance.below(of) == 0
    }

    /// Watches and plays until the game or the run is over.
    pub(super) async fn play(mut self) {
        while !self.place.world.is_over() {
            let node = self.place.world.any(&mut self.chance);
            let last = if self.rarely(10) { None } else { self.last };
            if self.rarely(6) {
                self.place.look(node, self.seat()).await;
            }
            let token = self.seat.as_ref().map(|(_, token)| token.as_str());
            let open = Events::open(self.place.world.addresses[node], &self.place.id, token, last);
            let Ok(Ok(events)) = timeout(Duration::from_secs(3), open).await else {
                rest(&mut self.chance).await;
                continue;
            };
            let seat = self.seat.as_ref().map(|(seat, _)| *seat);
            let number = {
                let streams = &mut self.place.history().streams;
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
            let most = if self.place.world.is_calm() { 15_000 } else { 1_000 + self.chance.below(3_000) };
            let Ok(Ok(event)) = timeout(Duration::from_millis(most.into()), events.next()).await else {
                return self.leave_for_good().await;
            };
            self.last = Some(event.id);
            self.place.history().streams[stream].events.push(event.clone());
            match self.saw(&event).await {
                Next::Watch => {}
                Next::Elsewhere => return false,
                Next::Done => return true,
            }
            if self.leave_for_good().await {
                return true;
            }
        }
    }

    /// Reacts to a view.
    async fn saw(&mut self, event: &Event) -> Next {
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
            } else if !turn && self.rarely(40) {
                // Must be rejected: it is not this seat's turn.
                self.wrongly("1@1", at).await;
            }
        }
        if self.restless && self.rarely(25) {
            self.get_up().await;
        }
        if self.rarely(25) { Next::Elsewhere } else { Next::Watch }
    }

    /// Plays a random legal action, sometimes after an illegal one or a delay, and sometimes on two nodes at once.
    async fn take_turn(&mut self, view: &str, at: u64) {
        // An absent player has no legal actions: a bot acts for the seat.
        let Ok(action) = random_legal(view, &mut self.chance) else { return };
        let seconds = self.place.history().table.seconds;
        if let Some(seconds) = seconds.filter(|_| self.rarely(20)) {
            // Let the clock expire.
            sleep(Duration::from_secs(u64::from(seconds) + 1)).await;
        }
        match self.chance.below(16) {
            0 if at > 0 => self.wrongly(&action, at - 1).await,
            1 => self.wrongly(&action, at + 1).await,
            2 => self.wrongly(if action.contains('@') { "RYG" } else { "1@1" }, at).await,
            3 | 4 => {
                let wish = Wish { action, at, honest: true };
                let (first, second) = self.twice(&wish, &wish).await;
                if [first, second].contains(&Ending::Unknown) {
                    self.insist(wish).await;
                }
                return;
            }
            5 => {
                // Two actions at once: at most one may be applied.
                let Ok(other) = random_legal(view, &mut self.chance) else { return };
                let honest = action == other;
                let wishes = [action, other].map(|action| Wish { action, at, honest });
                let (first, second) = self.twice(&wishes[0], &wishes[1]).await;
                for (wish, ending) in wishes.into_iter().zip([first, second]) {
                    if ending == Ending::Unknown {
                        self.insist(wish).await;
                    }
                }
                return;
            }
            _ => {}
        }
        self.insist(Wish { action, at, honest: true }).await;
    }

    /// Sends two actions to two random nodes at once.
    async fn twice(&mut self, one: &Wish, other: &Wish) -> (Ending, Ending) {
        let Some(seat) = self.seat.clone() else { return (Ending::Unknown, Ending::Unknown) };
        let seat = (seat.0, seat.1.as_str());
        let (first, second) = (self.place.world.any(&mut self.chance), self.place.world.any(&mut self.chance));
        tokio::join!(self.place.act(first, seat, one), self.place.act(second, seat, other))
    }

    /// Sends an action that must be rejected.
    async fn wrongly(&mut self, action: &str, at: u64) {
        let node = self.place.world.any(&mut self.chance);
        if let Some(seat) = self.seat() {
            self.place.act(node, seat, &Wish { action: action.to_owned(), at, honest: false }).await;
        }
    }

    /// Sends an action to random nodes until its outcome is known.
    async fn insist(&mut self, wish: Wish) {
        while !self.place.world.is_over() {
            let node = self.place.world.any(&mut self.chance);
            let Some(seat) = self.seat() else { return };
            if self.place.act(node, seat, &wish).await != Ending::Unknown {
                return;
            }
            rest(&mut self.chance).await;
        }
    }

    /// Leaves the seat to a bot for a while and returns.
    async fn get_up(&mut self) {
        let Some((seat, token)) = self.seat.clone() else { return };
        let place = Arc::clone(&self.place);
        let leave = place.path("/leave");
        place.world.insist(&mut self.chance, ("POST", &leave), Some(&token), "").await;
        sleep(Duration::from_millis(200 + u64::from(self.chance.below(2_000)))).await;
        let come_back = place.path(&format!("/seats/{seat}/return"));
        place.world.insist(&mut self.chance, ("POST", &come_back), Some(&token), "").await;
        // After the return it may be this seat's turn again at the same `at`.
        self.acted = None;
    }

    /// Leaves a table that is not played to its end, once it is time. Returns whether this player has left.
    async fn leave_for_good(&mut self) -> bool {
        let place = Arc::clone(&self.place);
        let due = place.world.is_calm() || Instant::now() >= place.leave;
        if !due || !place.history().table.ended {
            return false;
        }
        if let Some((_, token)) = self.seat.clone() {
            place.world.insist(&mut self.chance, ("POST", &place.path("/leave")), Some(&token), "").await;
        }
        true
    }
}
