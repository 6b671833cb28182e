//! A service for one test, with players at its tables.

use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use serde_json::Value;
use sultan_domain::{Action, Chance, ClientSeed, Players, Seat, SeatPlan, TableId};
use sultan_rules::Quick;
use sultan_table::{Caller, JsonView, NewTable, SeatToken, Service, ServiceError, Sitting, Watch};
use tokio::task::JoinHandle;

use crate::{Backend, FakeTime};

/// A service on a database, with running bots and clocks.
pub struct House {
    /// The service.
    pub service: Service,
    /// Its clock.
    pub time: FakeTime,
    attending: JoinHandle<()>,
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

impl Drop for House {
    fn drop(&mut self) {
        self.attending.abort();
    }
}

impl House {
    /// Starts a service on a database. Services with different seeds share no secret.
    pub async fn on(backend: &Backend, time: &FakeTime, seed: u8) -> Self {
        Self::with(Service::new(backend.open().await, time.settings(seed)), time)
    }

    /// Runs an existing service.
    #[must_use]
    pub fn with(service: Service, time: &FakeTime) -> Self {
        let attended = service.clone();
        let attending = tokio::spawn(async move { attended.run().await });
        Self { service, time: time.clone(), attending }
    }

    /// Stops the service and closes the store, as at the end of the program.
    pub async fn end(self) {
        self.attending.abort();
        self.service.close().await;
    }

    /// Opens a table and takes all its human seats. The host is the first player.
    ///
    /// # Panics
    /// If the table is rejected.
    pub async fn table(&self, new: NewTable) -> (TableId, Vec<Player>) {
        let people =
            usize::from(new.players.count()) - new.seats.iter().filter(|plan| matches!(plan, SeatPlan::Bot(_))).count();
        let opened = self.service.open(new).await.expect("there can be such a table");
        let mut players = vec![Player { seat: opened.seat, token: opened.token }];
        while players.len() < people {
            players.push(self.sit(opened.table, "").await);
        }
        (opened.table, players)
    }

    /// A started table with human players only.
    pub async fn people(&self, players: Players) -> (TableId, Vec<Player>) {
        self.table(NewTable::plain(players)).await
    }

    /// Takes the lowest free seat.
    ///
    /// # Panics
    /// If no seat is free.
    pub async fn sit(&self, table: TableId, name: &str) -> Player {
        let client_seed = ClientSeed::new(format!("seed of {name}")).expect("a short seed");
        let sitting = Sitting { name: name.to_owned(), client_seed, ..Sitting::default() };
        let seated = self.service.sit(table, sitting).await.expect("a seat is free");
        Player { seat: seated.seat, token: seated.token }
    }

    /// The caller's view as JSON text.
    ///
    /// # Panics
    /// If the table does not exist.
    pub async fn look(&self, table: TableId, caller: &Caller) -> JsonView {
        self.service.look(table, caller).await.expect("the table exists").json()
    }

    /// The caller's view as a parsed JSON value.
    pub async fn see(&self, table: TableId, caller: &Caller) -> Value {
        value(&self.look(table, caller).await)
    }

    /// Subscribes the caller to a table.
    ///
    /// # Panics
    /// If the table does not exist.
    pub async fn watch(&self, table: TableId, caller: Caller) -> Watch {
        self.service.watch(table, caller, None).await.expect("the table exists")
    }

    /// The first player whose view names that player's seat as the seat to act.
    pub async fn to_act(&self, table: TableId, players: &[Player]) -> Option<Player> {
        for player in players {
            let view = self.see(table, &player.caller()).await;
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
    pub async fn choose(&self, table: TableId, player: &Player, chance: &mut Quick) -> (Action, u16) {
        let view = self.see(table, &player.caller()).await;
        let legal = view["legal"].as_array().expect("a view lists legal actions");
        let one = chance.below(u32::try_from(legal.len()).expect("a short list")) as usize;
        let action = legal[one].as_str().and_then(|text| text.parse().ok()).expect("an action");
        (action, view["at"].as_u64().and_then(|at| u16::try_from(at).ok()).expect("a number of actions"))
    }

    /// Plays a random legal action.
    ///
    /// # Errors
    /// If the service rejects the action.
    pub async fn act(&self, table: TableId, player: &Player, chance: &mut Quick) -> Result<JsonView, ServiceError> {
        let (action, at) = self.choose(table, player, chance).await;
        Ok(self.service.act(table, &player.caller(), action, at).await?.json())
    }

    /// Plays up to `most` random actions of the players while bots play theirs. Returns the number of the players'
    /// actions.
    ///
    /// # Panics
    /// If no new view arrives for a minute.
    pub async fn play(&self, table: TableId, players: &[Player], chance: &mut Quick, most: usize) -> usize {
        for acted in 0..most {
            let Some(player) = self.next(table, players).await else { return acted };
            self.act(table, &player, chance).await.expect("a listed action is legal");
        }
        most
    }

    /// Waits until one of the players is to act, while bots play. `None` once the game is over.
    ///
    /// # Panics
    /// If no new view arrives for a minute.
    pub async fn next(&self, table: TableId, players: &[Player]) -> Option<Player> {
        let mut watch = self.watch(table, Caller::Nobody).await;
        loop {
            let view = self.see(table, &Caller::Nobody).await;
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
    pub async fn play_out(&self, table: TableId, players: &[Player], chance: &mut Quick) {
        self.play(table, players, chance, usize::MAX).await;
    }
}

/// Parses the JSON of a view.
///
/// # Panics
/// If it is not JSON.
#[must_use]
pub fn value(frame: &JsonView) -> Value {
    serde_json::from_str(&frame.json).expect("a frame is JSON")
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
pub async fn in_time<T>(something: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_mins(1), something).await.expect("it happens in time")
}

/// The next view of a watcher, if one is available without waiting.
pub async fn told_now(watch: &mut Watch) -> Option<JsonView> {
    let mut next = pin!(watch.next());
    std::future::poll_fn(|context| match next.as_mut().poll(context) {
        Poll::Ready(told) => Poll::Ready(told),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

/// Returns whether no new view is available for a watcher.
pub async fn nothing_new(watch: &mut Watch) -> bool {
    told_now(watch).await.is_none()
}
