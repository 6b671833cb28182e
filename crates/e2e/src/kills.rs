//! A server that is killed repeatedly during games: no acknowledged action may be lost or applied twice.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use sultan_domain::{Chance, Record};
use sultan_rules::{FastRng, verify};
use tokio::time::{sleep, timeout};

use sultan_testkit::http::{Answer, Connection, Events, field, random_legal};
use sultan_testkit::server::Server;
use sultan_testkit::socket::Socket;

/// The results of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct KillResults {
    /// The number of times the server was killed.
    pub kills: u32,
    /// The number of games played to their end.
    pub games: usize,
    /// The number of acknowledged actions, all of which are in the record of their game.
    pub actions: usize,
}

/// An action that a player has sent to the server.
#[derive(Clone, Debug)]
pub(crate) struct SentAction {
    /// The number of actions before it: its position in the record. The server rejects an action with another number.
    pub(crate) at: usize,
    /// The notation of the action, such as `12@2`.
    pub(crate) action: String,
}

impl SentAction {
    /// The JSON body of the request.
    fn body(&self) -> String {
        let Self { at, action } = self;
        format!(r#"{{"action":"{action}","at":{at}}}"#)
    }
}

/// The state shared by all tasks.
struct Shared {
    address: SocketAddr,
    stop: AtomicBool,
    results: Mutex<KillResults>,
}

/// Time limit without progress in a game.
const PROGRESS_TIMEOUT: Duration = Duration::from_mins(1);

/// Plays at `tables` tables while the server is killed `kills` times at random intervals.
///
/// # Errors
/// If an acknowledged action is missing, a game is stuck, or a record is invalid.
pub async fn play_while_killing(binary: &Path, db: &str, tables: u64, kills: u32) -> Result<KillResults> {
    let mut server = Server::start(binary, db, &[]).await?;
    let (address, stop) = (server.address, AtomicBool::new(false));
    let shared = Arc::new(Shared { address, stop, results: Mutex::default() });
    let players: Vec<_> =
        (0..tables).map(|number| tokio::spawn(play_tables(Arc::clone(&shared), FastRng::new(number)))).collect();
    let mut rng = FastRng::new(u64::from(kills));
    for _ in 0..kills {
        sleep(Duration::from_millis(20 + u64::from(rng.below(300)))).await;
        server.kill().await?;
        server.restart().await?;
    }
    shared.stop.store(true, Ordering::Relaxed);
    for player in players {
        player.await??;
    }
    let mut results = *shared.results.lock().unwrap_or_else(PoisonError::into_inner);
    results.kills = kills;
    Ok(results)
}

/// Plays games at one table after the other, and checks each game.
async fn play_tables(shared: Arc<Shared>, mut rng: FastRng) -> Result<()> {
    while !shared.stop.load(Ordering::Relaxed) {
        // Without the response to opening or sitting down there is no token: abandon this table.
        let Ok((table, tokens)) = open_table(shared.address, &mut rng).await else {
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        let mut seats = Vec::new();
        for (seat, token) in tokens {
            let seed = rng.below(u32::MAX).into();
            let (address, table, rng_of_seat) = (shared.address, table.clone(), FastRng::new(seed));
            let player = Player { address, table, seat, token, rng: rng_of_seat };
            seats.push(if rng.below(2) == 0 {
                tokio::spawn(player.play_by_requests())
            } else {
                tokio::spawn(player.play_by_socket())
            });
        }
        let mut acknowledged = Vec::new();
        for seat in seats {
            acknowledged.extend(seat.await?.with_context(|| format!("table {table}"))?);
        }
        check_record(shared.address, &table, &acknowledged).await.with_context(|| format!("table {table}"))?;
        let mut results = shared.results.lock().unwrap_or_else(PoisonError::into_inner);
        results.games += 1;
        results.actions += acknowledged.len();
    }
    Ok(())
}

/// Opens a table for a random number of players and bots. Returns its ID, and the seats and tokens of the players.
pub(crate) async fn open_table(address: SocketAddr, rng: &mut FastRng) -> Result<(String, Vec<(String, String)>)> {
    let mut connection = Connection::open(address).await?;
    let players = 2 + rng.below(4);
    let humans = 1 + rng.below(players);
    let seat = |number| if number < humans { r#"{"human":true}"# } else { r#"{"bot":"merchant"}"# };
    let seats: Vec<&str> = (0..players).map(seat).collect();
    let body = format!(r#"{{"players":{players},"seats":[{}]}}"#, seats.join(","));
    let opened = connection.ask("POST", "/api/v1/tables", None, &body).await?;
    let field_of = |answer: &Answer, name: &str| {
        field(&answer.body, name).map(ToOwned::to_owned).with_context(|| format!("no {name} in {}", answer.body))
    };
    let table = field_of(&opened, "table")?;
    let mut tokens = vec![(field_of(&opened, "seat")?, field_of(&opened, "token")?)];
    for _ in 1..humans {
        let seated = connection.ask("POST", &format!("/api/v1/tables/{table}/seats"), None, "{}").await?;
        tokens.push((field_of(&seated, "seat")?, field_of(&seated, "token")?));
    }
    Ok((table, tokens))
}

/// Plays one seat to the end of the game and reconnects whenever the server was killed.
struct Player {
    address: SocketAddr,
    table: String,
    seat: String,
    token: String,
    rng: FastRng,
}

impl Player {
    /// Chooses a random legal action; `None` if it is not this seat's turn.
    fn choose(&mut self, view: &str) -> Result<Option<SentAction>> {
        if field(view, "to_act") != Some(&self.seat) {
            return Ok(None);
        }
        let at = field(view, "at").context("the view has no `at`")?.parse()?;
        Ok(Some(SentAction { at, action: random_legal(view, &mut self.rng)? }))
    }

    /// Plays with a stream of events and HTTP requests. After a lost connection, both are retried. Returns the actions
    /// that were acknowledged by a response.
    async fn play_by_requests(mut self) -> Result<Vec<SentAction>> {
        let mut acknowledged = Vec::new();
        let path = format!("/api/v1/tables/{}/actions", self.table);
        loop {
            let open = || Events::open(self.address, &self.table, Some(&self.token), None);
            let mut events = retry_until_connected(open).await.context("cannot open an event stream")?;
            while let Ok(event) = timeout(PROGRESS_TIMEOUT, events.next())
                .await
                .context("no event within the time limit: the game is stuck")?
            {
                if field(&event.data, "phase") == Some("over") {
                    return Ok(acknowledged);
                }
                if let Some(chosen) = self.choose(&event.data)? {
                    let answer =
                        request_until_answered(self.address, "POST", &path, Some(&self.token), &chosen.body()).await?;
                    ensure!(answer.status == 200, "{chosen:?}: {} {}", answer.status, answer.body);
                    acknowledged.push(chosen);
                }
            }
        }
    }

    /// Plays on a WebSocket. Returns the actions that were acknowledged by a later view.
    async fn play_by_socket(mut self) -> Result<Vec<SentAction>> {
        let mut acknowledged = Vec::new();
        let path = format!("/api/v1/tables/{}/socket", self.table);
        let head = format!("authorization: Bearer {}\r\n", self.token);
        // The last action sent, if it is not acknowledged yet.
        let mut pending: Option<SentAction> = None;
        loop {
            let open = async || {
                let opened = Socket::open(self.address, &path, &head).await?;
                opened.map_err(|status| anyhow::anyhow!("the server refused the WebSocket with status {status}"))
            };
            let mut socket = retry_until_connected(open).await.context("cannot open a WebSocket")?;
            let mut must_repeat = pending.is_some();
            while let Ok(text) = timeout(PROGRESS_TIMEOUT, socket.next_text())
                .await
                .context("no event within the time limit: the game is stuck")?
            {
                if text.starts_with("{\"problem\"") {
                    // The database is unavailable: send the action again on a new connection.
                    ensure!(field(&text, "status") == Some("503"), "{pending:?}: {text}");
                    break;
                }
                let at: usize = field(&text, "at").context("the view has no `at`")?.parse()?;
                // A view with a higher `at` includes the pending action.
                acknowledged.extend(pending.take_if(|pending| pending.at < at));
                if field(&text, "phase") == Some("over") {
                    return Ok(acknowledged);
                }
                // Repeat an unacknowledged action on a new connection; on the same connection, wait for its response.
                let chosen = match &pending {
                    Some(pending) if std::mem::take(&mut must_repeat) => pending.clone(),
                    Some(_) => continue,
                    None => match self.choose(&text)? {
                        Some(chosen) => chosen,
                        None => continue,
                    },
                };
                let body = chosen.body();
                pending = Some(chosen);
                if socket.send_text(&body).await.is_err() {
                    break;
                }
            }
        }
    }
}

/// Opens a connection, retrying until the server is up.
async fn retry_until_connected<T, F: Future<Output = Result<T>>>(open: impl Fn() -> F) -> Result<T> {
    let retries = async {
        loop {
            match open().await {
                Ok(connection) => return connection,
                Err(_) => sleep(Duration::from_millis(10)).await,
            }
        }
    };
    Ok(timeout(PROGRESS_TIMEOUT, retries).await?)
}

/// Sends a request until the server responds with a status other than 503.
async fn request_until_answered(
    address: SocketAddr,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: &str,
) -> Result<Answer> {
    let retries = async {
        loop {
            let response = async { Connection::open(address).await?.ask(method, path, token, body).await };
            match response.await {
                Ok(answer) if answer.status != 503 => return answer,
                Ok(_) | Err(_) => sleep(Duration::from_millis(10)).await,
            }
        }
    };
    timeout(PROGRESS_TIMEOUT, retries).await.with_context(|| format!("no response to {method} {path}"))
}

/// Checks that every acknowledged action is at its position in the record, and that the record is valid.
pub(crate) async fn check_record(address: SocketAddr, table: &str, acknowledged: &[SentAction]) -> Result<()> {
    let path = format!("/api/v1/tables/{table}/record");
    let answer = request_until_answered(address, "GET", &path, None, "").await?;
    ensure!(answer.status == 200, "cannot get the record of table {table}: {} {}", answer.status, answer.body);
    let record = Record::from_json(&answer.body)?;
    for SentAction { at, action } in acknowledged {
        let stored = record.actions.get(*at).map(ToString::to_string);
        ensure!(stored.as_ref() == Some(action), "{action} at {at} was acknowledged, but {stored:?} is stored");
    }
    let verdict = verify(&record);
    ensure!(verdict.faults.is_empty(), "the record is invalid: {:?}", verdict.faults);
    ensure!(
        verdict.replay.is_some_and(|replay| replay.game().outcome().is_some()),
        "the record stops before the end of the game"
    );
    Ok(())
}
