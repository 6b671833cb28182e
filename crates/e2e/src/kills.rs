//! A server that is killed repeatedly during games: no acknowledged action may be lost or applied twice.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use sultan_domain::{Chance, Record};
use sultan_rules::{Quick, verify};
use tokio::time::{sleep, timeout};

use sultan_testkit::http::{Answer, Connection, Events, field, random_legal};
use sultan_testkit::server::Server;
use sultan_testkit::socket::Socket;

/// The results of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Survived {
    /// The number of times the server was killed.
    pub kills: u32,
    /// The number of games played to their end.
    pub games: usize,
    /// The number of acknowledged actions, all of which are in the record of their game.
    pub actions: usize,
}

/// An action that is acknowledged, or sent and not yet acknowledged.
#[derive(Clone, Debug)]
pub(crate) struct Acknowledged {
    pub(crate) at: usize,
    pub(crate) action: String,
}

impl Acknowledged {
    /// The JSON body of the request.
    fn body(&self) -> String {
        let Self { at, action } = self;
        format!(r#"{{"action":"{action}","at":{at}}}"#)
    }
}

/// The state shared by all tasks.
struct Shared {
    address: SocketAddr,
    over: AtomicBool,
    survived: Mutex<Survived>,
}

/// Time limit without progress in a game.
const STUCK: Duration = Duration::from_mins(1);

/// Plays at `tables` tables while the server is killed `kills` times at random intervals.
///
/// # Errors
/// If an acknowledged action is missing, a game is stuck, or a record is invalid.
pub async fn survive(binary: &Path, db: &str, tables: u64, kills: u32) -> Result<Survived> {
    let mut server = Server::start(binary, db, &[]).await?;
    let (address, over) = (server.address, AtomicBool::new(false));
    let shared = Arc::new(Shared { address, over, survived: Mutex::default() });
    let players: Vec<_> =
        (0..tables).map(|number| tokio::spawn(play(Arc::clone(&shared), Quick::new(number)))).collect();
    let mut chance = Quick::new(u64::from(kills));
    for _ in 0..kills {
        sleep(Duration::from_millis(20 + u64::from(chance.below(300)))).await;
        server.kill().await?;
        server.restart().await?;
    }
    shared.over.store(true, Ordering::Relaxed);
    for player in players {
        player.await??;
    }
    let mut survived = *shared.survived.lock().unwrap_or_else(PoisonError::into_inner);
    survived.kills = kills;
    Ok(survived)
}

/// Plays games at one table after the other, and checks each game.
async fn play(shared: Arc<Shared>, mut chance: Quick) -> Result<()> {
    while !shared.over.load(Ordering::Relaxed) {
        // Without the response to opening or sitting down there is no token: abandon this table.
        let Ok((table, tokens)) = open(shared.address, &mut chance).await else {
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        let mut seats = Vec::new();
        for (seat, token) in tokens {
            let (own, address, table) = (Quick::new(u64::from(chance.below(u32::MAX))), shared.address, table.clone());
            let player = Player { address, table, seat, token, chance: own };
            seats.push(if chance.below(2) == 0 {
                tokio::spawn(player.by_requests())
            } else {
                tokio::spawn(player.on_sockets())
            });
        }
        let mut acknowledged = Vec::new();
        for seat in seats {
            acknowledged.extend(seat.await?.with_context(|| format!("table {table}"))?);
        }
        check(shared.address, &table, &acknowledged).await.with_context(|| format!("table {table}"))?;
        let mut survived = shared.survived.lock().unwrap_or_else(PoisonError::into_inner);
        survived.games += 1;
        survived.actions += acknowledged.len();
    }
    Ok(())
}

/// Opens a table for a random number of players and bots. Returns the seats and tokens of the players.
pub(crate) async fn open(address: SocketAddr, chance: &mut Quick) -> Result<(String, Vec<(String, String)>)> {
    let mut connection = Connection::open(address).await?;
    let players = 2 + chance.below(4);
    let people = 1 + chance.below(players);
    let seat = |number| if number < people { r#"{"human":true}"# } else { r#"{"bot":"merchant"}"# };
    let seats: Vec<&str> = (0..players).map(seat).collect();
    let body = format!(r#"{{"players":{players},"seats":[{}]}}"#, seats.join(","));
    let opened = connection.ask("POST", "/api/v1/tables", None, &body).await?;
    let told = |answer: &Answer, name: &str| field(&answer.body, name).map(ToOwned::to_owned).context("no table");
    let table = told(&opened, "table")?;
    let mut tokens = vec![(told(&opened, "seat")?, told(&opened, "token")?)];
    for _ in 1..people {
        let seated = connection.ask("POST", &format!("/api/v1/tables/{table}/seats"), None, "{}").await?;
        tokens.push((told(&seated, "seat")?, told(&seated, "token")?));
    }
    Ok((table, tokens))
}

/// Plays one seat to the end of the game and reconnects whenever the server was killed.
struct Player {
    address: SocketAddr,
    table: String,
    seat: String,
    token: String,
    chance: Quick,
}

impl Player {
    /// Chooses a random legal action; `None` if it is not this seat's turn.
    fn choose(&mut self, view: &str) -> Result<Option<Acknowledged>> {
        if field(view, "to_act") != Some(&self.seat) {
            return Ok(None);
        }
        let at = field(view, "at").context("a view has an `at`")?.parse()?;
        Ok(Some(Acknowledged { at, action: random_legal(view, &mut self.chance)? }))
    }

    /// Plays with a stream of events and HTTP requests. Returns the actions that were acknowledged by a response.
    async fn by_requests(mut self) -> Result<Vec<Acknowledged>> {
        let mut acknowledged = Vec::new();
        let path = format!("/api/v1/tables/{}/actions", self.table);
        loop {
            let open = || Events::open(self.address, &self.table, Some(&self.token), None);
            let mut events = once_there(open).await.context("no stream opens")?;
            while let Ok(event) = timeout(STUCK, events.next()).await.context("the game is stuck")? {
                if field(&event.data, "phase") == Some("over") {
                    return Ok(acknowledged);
                }
                if let Some(chosen) = self.choose(&event.data)? {
                    let answer = answered(self.address, "POST", &path, Some(&self.token), &chosen.body()).await?;
                    ensure!(answer.status == 200, "{chosen:?}: {} {}", answer.status, answer.body);
                    acknowledged.push(chosen);
                }
            }
        }
    }

    /// Plays on a WebSocket. Returns the actions that were acknowledged by a later view.
    async fn on_sockets(mut self) -> Result<Vec<Acknowledged>> {
        let mut acknowledged = Vec::new();
        let path = format!("/api/v1/tables/{}/socket", self.table);
        let head = format!("authorization: Bearer {}\r\n", self.token);
        // The last action sent, if it is not acknowledged yet.
        let mut said: Option<Acknowledged> = None;
        loop {
            let call = async || {
                let called = Socket::open(self.address, &path, &head).await?;
                called.map_err(|status| anyhow::anyhow!("no socket: {status}"))
            };
            let mut socket = once_there(call).await.context("no socket opens")?;
            let mut repeats = said.is_some();
            while let Ok(told) = timeout(STUCK, socket.next_text()).await.context("the game is stuck")? {
                if told.starts_with("{\"problem\"") {
                    // The database is unavailable: send the action again on a new connection.
                    ensure!(field(&told, "status") == Some("503"), "{said:?}: {told}");
                    break;
                }
                let at: usize = field(&told, "at").context("a view has an `at`")?.parse()?;
                acknowledged.extend(said.take_if(|said| said.at < at));
                if field(&told, "phase") == Some("over") {
                    return Ok(acknowledged);
                }
                // Repeat an unacknowledged action on a new connection; on the same connection, wait for its response.
                let chosen = match &said {
                    Some(said) if std::mem::take(&mut repeats) => said.clone(),
                    Some(_) => continue,
                    None => match self.choose(&told)? {
                        Some(chosen) => chosen,
                        None => continue,
                    },
                };
                let body = chosen.body();
                said = Some(chosen);
                if socket.send_text(&body).await.is_err() {
                    break;
                }
            }
        }
    }
}

/// Opens a connection, retrying until the server is up.
async fn once_there<T, F: Future<Output = Result<T>>>(open: impl Fn() -> F) -> Result<T> {
    let opened = async {
        loop {
            match open().await {
                Ok(line) => return line,
                Err(_) => sleep(Duration::from_millis(10)).await,
            }
        }
    };
    Ok(timeout(STUCK, opened).await?)
}

/// Sends a request until the server responds with a status other than 503.
async fn answered(address: SocketAddr, method: &str, path: &str, token: Option<&str>, body: &str) -> Result<Answer> {
    let asked = async {
        loop {
            let asked = async { Connection::open(address).await?.ask(method, path, token, body).await };
            match asked.await {
                Ok(answer) if answer.status != 503 => return answer,
                Ok(_) | Err(_) => sleep(Duration::from_millis(10)).await,
            }
        }
    };
    timeout(STUCK, asked).await.with_context(|| format!("no answer to {method} {path}"))
}

/// Checks that every acknowledged action is at its position in the record, and that the record is valid.
pub(crate) async fn check(address: SocketAddr, table: &str, acknowledged: &[Acknowledged]) -> Result<()> {
    let path = format!("/api/v1/tables/{table}/record");
    let answer = answered(address, "GET", &path, None, "").await?;
    ensure!(answer.status == 200, "no record: {} {}", answer.status, answer.body);
    let record = Record::from_json(&answer.body)?;
    for Acknowledged { at, action } in acknowledged {
        let stored = record.actions.get(*at).map(ToString::to_string);
        ensure!(stored.as_ref() == Some(action), "{action} at {at} was acknowledged, but {stored:?} is stored");
    }
    let verdict = verify(&record);
    ensure!(verdict.faults.is_empty(), "the record does not hold: {:?}", verdict.faults);
    ensure!(verdict.replay.is_some_and(|replay| replay.game().outcome().is_some()), "the record has no end");
    Ok(())
}
