//! A server that is killed again and again while people play at it: nothing it acknowledged may be lost or done twice.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use sultan_domain::{Chance, Record};
use sultan_rules::{Quick, verify};
use tokio::time::{sleep, timeout};

use sultan_testkit::http::{Answer, Connection, Events, any_legal, field};
use sultan_testkit::server::Server;
use sultan_testkit::socket::Socket;

/// What came of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Survived {
    /// How often the server was killed.
    pub kills: u32,
    /// Games that came to their end.
    pub games: usize,
    /// Actions that were acknowledged, all of which are in their game's record.
    pub actions: usize,
}

/// An action that was acknowledged, or is about to be.
#[derive(Clone, Debug)]
pub(crate) struct Acknowledged {
    pub(crate) at: usize,
    pub(crate) action: String,
}

impl Acknowledged {
    /// As it is sent.
    fn body(&self) -> String {
        let Self { at, action } = self;
        format!(r#"{{"action":"{action}","at":{at}}}"#)
    }
}

/// What the tasks share.
struct Shared {
    address: SocketAddr,
    over: AtomicBool,
    survived: Mutex<Survived>,
}

/// How long a game may stand still before that is a fault.
const STUCK: Duration = Duration::from_mins(1);

/// Plays at so many tables while the server is killed so many times at random moments.
///
/// # Errors
/// When something acknowledged is missing, a game does not go on, or a record does not hold.
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

/// Plays games at one table after the other, and checks each.
async fn play(shared: Arc<Shared>, mut chance: Quick) -> Result<()> {
    while !shared.over.load(Ordering::Relaxed) {
        // Who loses the answer to opening or sitting down has no token: that table is nobody's.
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

/// Opens a table for some people and some bots. Gives the people's seats and tokens.
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

/// Somebody who plays one seat to the end of the game, however often the server goes away.
struct Player {
    address: SocketAddr,
    table: String,
    seat: String,
    token: String,
    chance: Quick,
}

impl Player {
    /// What is done about a view: nothing unless it is this seat's turn.
    fn choose(&mut self, view: &str) -> Result<Option<Acknowledged>> {
        if field(view, "to_act") != Some(&self.seat) {
            return Ok(None);
        }
        let at = field(view, "at").context("a view has an `at`")?.parse()?;
        Ok(Some(Acknowledged { at, action: any_legal(view, &mut self.chance)? }))
    }

    /// Watches a stream and sends requests. Gives what was acknowledged, by their answers.
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

    /// Watches and acts on sockets. Gives what was acknowledged, by the views that it led to.
    async fn on_sockets(mut self) -> Result<Vec<Acknowledged>> {
        let mut acknowledged = Vec::new();
        let path = format!("/api/v1/tables/{}/socket", self.table);
        let head = format!("authorization: Bearer {}\r\n", self.token);
        // What was said last, and whether it was done is not known yet.
        let mut said: Option<Acknowledged> = None;
        loop {
            let call = async || {
                let called = Socket::call(self.address, &path, &head).await?;
                called.map_err(|status| anyhow::anyhow!("no socket: {status}"))
            };
            let mut socket = once_there(call).await.context("no socket opens")?;
            let mut repeats = said.is_some();
            while let Ok(told) = timeout(STUCK, socket.text()).await.context("the game is stuck")? {
                if told.starts_with("{\"problem\"") {
                    // A database that is away for a moment: the same is said again on a new line.
                    ensure!(field(&told, "status") == Some("503"), "{said:?}: {told}");
                    break;
                }
                let at: usize = field(&told, "at").context("a view has an `at`")?.parse()?;
                acknowledged.extend(said.take_if(|said| said.at < at));
                if field(&told, "phase") == Some("over") {
                    return Ok(acknowledged);
                }
                // On a new line the same is said again; on the old one it is on its way.
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
                if socket.say(&body).await.is_err() {
                    break;
                }
            }
        }
    }
}

/// Opens a line, as soon as the server is there.
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

/// Asks until the server says yes or no.
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

/// Every acknowledged action is in the record, in its place, and the record holds.
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
