//! A service for one test, and players at its tables.

use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use serde_json::Value;
use sultan_domain::{Action, Chance, ClientSeed, Players, Seat, SeatPlan, TableId};
use sultan_rules::FastRng;
use sultan_table::{Caller, JsonView, NewPlayer, NewTable, SeatToken, Service, ServiceError, Watch};
use tokio::task::JoinHandle;

use crate::{Backend, FakeTime};

/// A service on a database, with running bots and clocks: one node of a server.
pub struct TestService {
    /// The service.
    pub service: Service,
    /// Its clock.
    pub time: FakeTime,
    running: JoinHandle<()>,
}

/// A player with a seat.
#[derive(Clone, Copy, Debug)]
pub struct Player {
    /// The seat.
    pub seat: Seat,
    /// The token of the seat.
    pub token: SeatToken,
}

impl Player {
    /// This player as the caller of a request.
    #[must_use]
    pub const fn caller(&self) -> Caller {
        Caller::Token(self.token)
    }
}

impl Drop for TestService {
    fn drop(&mut self) {
        self.running.abort();
    }
}

impl TestService {
    /// Starts a service on a database. Services with different seeds share no secret.
    pub async fn start(backend: &Backend, time: &FakeTime, seed: u8) -> Self {
        Self::run(Service::new(backend.open().await, time.settings(seed)), time)
    }

    /// Runs an existing service.
    #[must_use]
    pub fn run(service: Service, time: &FakeTime) -> Self {
        let runner = service.clone();
        let running = tokio::spawn(async move { runner.run().await });
        Self { service, time: time.clone(), running }
    }

    /// Stops the service and closes the store, as at the end of the program.
    pub async fn shut_down(self) {
        self.running.abort();
        self.service.close().await;
    }

    /// Opens a table and takes all its human seats. The host is the first of the returned players.
    ///
    /// # Panics
    /// If the table is rejected.
    pub async fn open_table(&self, new: NewTable) -> (TableId, Vec<Player>) {
        let humans =
            usize::from(new.players.count()) - new.seats.iter().filter(|plan| matches!(plan, SeatPlan::Bot(_))).count();
        let opened = self.service.open(new).await.expect("the table can be opened");
        let mut players = vec![Player { seat: opened.seat, token: opened.token }];
        while players.len() < humans {
            players.push(self.take_seat(opened.table, "").await);
        }
        (opened.table, players)
    }

    /// A started table with human players only.
    pub async fn open_human_table(&self, players: Players) -> (TableId, Vec<Player>) {
        self.open_table(NewTable::plain(players)).await
    }

    /// Takes the lowest free seat.
    ///
    /// # Panics
    /// If no seat is free.
    pub async fn take_seat(&self, table: TableId, name: &str) -> Player {
        let client_seed = ClientSeed::try_from(format!("seed of {name}")).expect("a short seed");
        let sitting = NewPlayer { name: name.to_owned(), client_seed, ..NewPlayer::default() };
        let seated = self.service.sit(table, sitting).await.expect("a seat is free");
        Player { seat: seated.seat, token: seated.token }
    }

    /// The caller's view as JSON text.
    ///
    /// # Panics
    /// If the table does not exist.
    pub async fn json_view(&self, table: TableId, caller: &Caller) -> JsonView {
        self.service.observe(table, caller).await.expect("the table exists").json()
    }

    /// The caller's view as a parsed JSON value.
    pub async fn view(&self, table: TableId, caller: &Caller) -> Value {
        parse_view(&self.json_view(table, caller).await)
    }

    /// Subscribes the caller to a table.
    ///
    /// # Panics
    /// If the table does not exist.
    pub async fn watch(&self, table: TableId, caller: Caller) -> Watch {
        self.service.watch(table, caller, None).await.expect("the table exists")
    }

    /// The first of these players whose view names the player's own seat as the seat to act.
    pub async fn player_to_act(&self, table: TableId, players: &[Player]) -> Option<Player> {
        for player in players {
            let view = self.view(table, &player.caller()).await;
            if view["to_act"].as_u64() == Some(player.seat.number().into()) {
                return Some(*player);
            }
        }
        None
    }

    /// A random legal action of a player, and the number of actions before it (`at`).
    ///
    /// # Panics
    /// If it is not this player's turn.
    pub async fn random_action(&self, table: TableId, player: &Player, rng: &mut FastRng) -> (Action, u16) {
        let view = self.view(table, &player.caller()).await;
        let legal = view["legal"].as_array().expect("a view lists legal actions");
        let index = rng.below(u32::try_from(legal.len()).expect("a short list")) as usize;
        let action = legal[index].as_str().and_then(|text| text.parse().ok()).expect("an action");
        (action, view["at"].as_u64().and_then(|at| u16::try_from(at).ok()).expect("a number of actions"))
    }

    /// Plays a random legal action.
    ///
    /// # Errors
    /// If the service rejects the action.
    pub async fn play_random_action(
        &self,
        table: TableId,
        player: &Player,
        rng: &mut FastRng,
    ) -> Result<JsonView, ServiceError> {
        let (action, at) = self.random_action(table, player, rng).await;
        Ok(self.service.act(table, &player.caller(), action, at).await?.json())
    }

    /// Plays up to `limit` random actions of the players while bots play theirs. Returns the number of the players'
    /// actions.
    ///
    /// # Panics
    /// If no new view arrives for a minute.
    pub async fn play_random_actions(
        &self,
        table: TableId,
        players: &[Player],
        rng: &mut FastRng,
        limit: usize,
    ) -> usize {
        for acted in 0..limit {
            let Some(player) = self.wait_for_turn(table, players).await else { return acted };
            self.play_random_action(table, &player, rng).await.expect("a listed action is legal");
        }
        limit
    }

    /// Waits until one of the players is to act, while bots play. A player for whom a bot acts (stand-in) does not
    /// count. `None` once the game is over.
    ///
    /// # Panics
    /// If no new view arrives for a minute.
    pub async fn wait_for_turn(&self, table: TableId, players: &[Player]) -> Option<Player> {
        let mut watch = self.watch(table, Caller::Spectator).await;
        loop {
            let view = self.view(table, &Caller::Spectator).await;
            if is_over(&view) {
                return None;
            }
            let to_act = players.iter().find(|player| view["to_act"] == player.seat.number());
            match to_act {
                Some(player) if view["seats"][player.seat.index()]["kind"] == "human" => return Some(*player),
                _ => in_time(watch.next()).await.expect("the game continues"),
            };
        }
    }

    /// Plays random actions of the players, while bots play theirs, until the game is over.
    pub async fn play_out(&self, table: TableId, players: &[Player], rng: &mut FastRng) {
        self.play_random_actions(table, players, rng, usize::MAX).await;
    }
}

/// Parses the JSON of a view.
///
/// # Panics
/// If it is not JSON.
#[must_use]
pub fn parse_view(view: &JsonView) -> Value {
    serde_json::from_str(&view.json).expect("a view is JSON")
}

/// Returns whether the game is over or all players have left the table.
#[must_use]
pub fn is_over(view: &Value) -> bool {
    view["phase"] == "over" || view["ended"] == true
}

/// Awaits a future for up to a minute.
///
/// # Panics
/// If the future is not ready within a minute.
pub async fn in_time<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_mins(1), future).await.expect("ready within a minute")
}

/// The next view of a watcher, if it is available already.
pub async fn next_ready(watch: &mut Watch) -> Option<JsonView> {
    let mut next = pin!(watch.next());
    std::future::poll_fn(|context| match next.as_mut().poll(context) {
        Poll::Ready(view) => Poll::Ready(view),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

/// Returns whether a watcher has received all views so far.
pub async fn is_up_to_date(watch: &mut Watch) -> bool {
    next_ready(watch).await.is_none()
}
