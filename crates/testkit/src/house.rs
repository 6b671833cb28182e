//! A service for one test, with people who play at its tables.

use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use serde_json::Value;
use sultan_domain::{Action, Chance, ClientSeed, Players, Seat, SeatPlan, TableId};
use sultan_rules::Quick;
use sultan_table::{Caller, JsonView, NewTable, SeatToken, Service, ServiceError, Sitting, Watch};
use tokio::task::JoinHandle;

use crate::{Backend, FakeTime};

/// A service on a database, with bots and clocks attended to.
pub struct House {
    /// The service.
    pub service: Service,
    /// Its time.
    pub time: FakeTime,
    attending: JoinHandle<()>,
}

/// Somebody who has a seat.
#[derive(Clone, Copy, Debug)]
pub struct Player {
    /// Where.
    pub seat: Seat,
    /// The proof of it.
    pub token: SeatToken,
}

impl Player {
    /// This player as one who asks.
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
    /// A service on a database, by a time; two with different seeds share no secret.
    pub async fn on(backend: &Backend, time: &FakeTime, seed: u8) -> Self {
        Self::with(Service::new(backend.open().await, time.settings(seed)), time)
    }

    /// A service that is there already.
    #[must_use]
    pub fn with(service: Service, time: &FakeTime) -> Self {
        let attended = service.clone();
        let attending = tokio::spawn(async move { attended.run().await });
        Self { service, time: time.clone(), attending }
    }

    /// The program ends; what was stored is there when another one begins.
    pub async fn end(self) {
        self.attending.abort();
        self.service.close().await;
    }

    /// Opens a table and lets people take all its seats. The host comes first.
    ///
    /// # Panics
    /// Where the table is refused.
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

    /// A table with nobody but people, in play.
    pub async fn people(&self, players: Players) -> (TableId, Vec<Player>) {
        self.table(NewTable::plain(players)).await
    }

    /// Somebody takes the lowest free seat.
    ///
    /// # Panics
    /// Where there is none.
    pub async fn sit(&self, table: TableId, name: &str) -> Player {
        let client_seed = ClientSeed::new(format!("seed of {name}")).expect("a short seed");
        let sitting = Sitting { name: name.to_owned(), client_seed, ..Sitting::default() };
        let seated = self.service.sit(table, sitting).await.expect("a seat is free");
        Player { seat: seated.seat, token: seated.token }
    }

    /// What somebody sees.
    ///
    /// # Panics
    /// Where there is no such table.
    pub async fn look(&self, table: TableId, caller: &Caller) -> JsonView {
        self.service.look(table, caller).await.expect("the table exists").json()
    }

    /// What somebody sees, to look into.
    pub async fn see(&self, table: TableId, caller: &Caller) -> Value {
        value(&self.look(table, caller).await)
    }

    /// Somebody watches.
    ///
    /// # Panics
    /// Where there is no such table.
    pub async fn watch(&self, table: TableId, caller: Caller) -> Watch {
        self.service.watch(table, caller, None).await.expect("the table exists")
    }

    /// Whoever of these people is to act, as far as they know.
    pub async fn to_act(&self, table: TableId, players: &[Player]) -> Option<Player> {
        for player in players {
            let view = self.see(table, &player.caller()).await;
            if view["to_act"].as_u64() == Some(player.seat.number().into()) {
                return Some(*player);
            }
        }
        None
    }

    /// Something that somebody may do now, and when.
    ///
    /// # Panics
    /// Where it is not this player's turn.
    pub async fn choose(&self, table: TableId, player: &Player, chance: &mut Quick) -> (Action, u16) {
        let view = self.see(table, &player.caller()).await;
        let legal = view["legal"].as_array().expect("a view lists legal actions");
        let one = chance.below(u32::try_from(legal.len()).expect("a short list")) as usize;
        let action = legal[one].as_str().and_then(|text| text.parse().ok()).expect("an action");
        (action, view["at"].as_u64().and_then(|at| u16::try_from(at).ok()).expect("a number of actions"))
    }

    /// Somebody acts, at random.
    ///
    /// # Errors
    /// Why not.
    pub async fn act(&self, table: TableId, player: &Player, chance: &mut Quick) -> Result<JsonView, ServiceError> {
        let (action, at) = self.choose(table, player, chance).await;
        Ok(self.service.act(table, &player.caller(), action, at).await?.json())
    }

    /// People and bots play, so many actions of people at most. Says how many there were.
    ///
    /// # Panics
    /// Where the game does not go on.
    pub async fn play(&self, table: TableId, players: &[Player], chance: &mut Quick, most: usize) -> usize {
        for acted in 0..most {
            let Some(player) = self.next(table, players).await else { return acted };
            self.act(table, &player, chance).await.expect("a listed action is legal");
        }
        most
    }

    /// Waits until one of these people is to act, while bots play; nobody is once the game is over.
    ///
    /// # Panics
    /// Where the game does not go on.
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

    /// People and bots play to the end.
    pub async fn play_out(&self, table: TableId, players: &[Player], chance: &mut Quick) {
        self.play(table, players, chance, usize::MAX).await;
    }
}

/// A frame, to look into.
///
/// # Panics
/// Where it is no JSON.
#[must_use]
pub fn value(frame: &JsonView) -> Value {
    serde_json::from_str(&frame.json).expect("a frame is JSON")
}

/// Whether nobody will act any more.
#[must_use]
pub fn is_over(view: &Value) -> bool {
    view["phase"] == "over" || view["ended"] == true
}

/// What comes, as long as it comes at all.
///
/// # Panics
/// When it does not come for a minute.
pub async fn in_time<T>(something: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_mins(1), something).await.expect("it happens in time")
}

/// What a watcher is told now, if anything.
pub async fn told_now(watch: &mut Watch) -> Option<JsonView> {
    let mut next = pin!(watch.next());
    std::future::poll_fn(|context| match next.as_mut().poll(context) {
        Poll::Ready(told) => Poll::Ready(told),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

/// Whether a watcher has nothing to be told now.
pub async fn nothing_new(watch: &mut Watch) -> bool {
    told_now(watch).await.is_none()
}
