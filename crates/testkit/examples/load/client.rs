//! Clients that play games and measure latencies.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use sultan_rules::FastRng;
use sultan_testkit::http::{Connection, Events, field, random_legal};
use sultan_testkit::socket::Socket;

use crate::page::{self, PageMeasurements};

/// The measurements at one or several tables.
#[derive(Default)]
pub(crate) struct Measurements {
    /// For every move, the time from sending it until all four clients have received it.
    pub(crate) latencies: Vec<Duration>,
    /// The number of games that were played to their end.
    pub(crate) finished_games: usize,
    pub(crate) pages: PageMeasurements,
}

impl Measurements {
    pub(crate) fn add(&mut self, other: Self) {
        self.latencies.extend(other.latencies);
        self.finished_games += other.finished_games;
        self.pages.add(other.pages);
    }
}

/// A table with the tokens of its seats.
pub(crate) struct OpenTable {
    pub(crate) id: String,
    pub(crate) tokens: Vec<String>,
}

/// Opens a table for human players and takes all its seats.
pub(crate) async fn open_table(address: SocketAddr, players: usize) -> Result<OpenTable> {
    let mut connection = Connection::open(address).await?;
    let read_field = |response: &str, name: &str| {
        field(response, name).map(ToOwned::to_owned).with_context(|| format!("no {name} in {response}"))
    };
    let body = format!("{{\"players\":{players},\"name\":\"Client 0\"}}");
    let response = connection.ask("POST", "/api/v1/tables", None, &body).await?.body;
    let mut table = OpenTable { id: read_field(&response, "table")?, tokens: vec![read_field(&response, "token")?] };
    let path = format!("/api/v1/tables/{}/seats", table.id);
    for number in 1..players {
        let response = connection.ask("POST", &path, None, &format!("{{\"name\":\"Client {number}\"}}")).await?.body;
        table.tokens.push(read_field(&response, "token")?);
    }
    Ok(table)
}

/// Opens tables without any play.
pub(crate) async fn open_idle_tables(address: SocketAddr, count: usize) -> Result<()> {
    let mut connection = Connection::open(address).await?;
    for _ in 0..count {
        let answer = connection.ask("POST", "/api/v1/tables", None, r#"{"players":4,"name":"Nobody"}"#).await?;
        if answer.status != 201 {
            bail!("{}: {}", answer.status, answer.body);
        }
    }
    Ok(())
}

/// Plays the first round of a table: an offer and four bids.
pub(crate) async fn play_round(address: SocketAddr, table: &OpenTable) -> Result<()> {
    let mut connection = Connection::open(address).await?;
    let mut rng = FastRng::new(1);
    let path = format!("/api/v1/tables/{}", table.id);
    for at in 0..5 {
        let view = connection.ask("GET", &path, None, "").await?.body;
        let seat: usize = field(&view, "to_act").with_context(|| format!("no seat is to act: {view}"))?.parse()?;
        let token = Some(&*table.tokens[seat]);
        let view = connection.ask("GET", &path, token, "").await?.body;
        let body = format!("{{\"action\":\"{}\",\"at\":{at}}}", random_legal(&view, &mut rng)?);
        let answer = connection.ask("POST", &format!("{path}/actions"), token, &body).await?;
        if answer.status != 200 {
            bail!("{}: {}", answer.status, answer.body);
        }
    }
    Ok(())
}

/// The moves of one game, by number.
#[derive(Default)]
pub(crate) struct Moves {
    /// The time at which each move was sent.
    pub(crate) sent_times: Vec<Option<Instant>>,
    /// The number of clients that have received each move.
    receivers: Vec<u8>,
    latencies: Vec<Duration>,
}

impl Moves {
    /// Records that the move with this number is being sent.
    fn record_sent(&mut self, number: usize) {
        self.sent_times.resize(self.sent_times.len().max(number + 1), None);
        self.sent_times[number] = Some(Instant::now());
    }

    /// Records that a client has received a view with `count` moves. The previous view of the client had `old_count`
    /// moves.
    fn record_received(&mut self, count: usize, old_count: usize) {
        self.receivers.resize(self.receivers.len().max(count), 0);
        for number in old_count..count {
            self.receivers[number] += 1;
            // The last of the four clients of the table has received the move.
            if self.receivers[number] == 4
                && let Some(Some(sent)) = self.sent_times.get(number)
            {
                self.latencies.push(sent.elapsed());
            }
        }
    }
}

/// The way a client communicates with the server.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    /// One WebSocket for views and actions.
    Socket,
    /// A stream of events for views, and requests on a second connection for actions.
    Requests,
}

/// The connection on which a client receives the views of a table.
pub(crate) enum Watcher {
    Socket(Box<Socket>),
    Events(Events),
}

impl Watcher {
    /// Watches as a spectator.
    pub(crate) async fn open(transport: Transport, address: SocketAddr, table: &OpenTable) -> Result<Self> {
        Self::open_as(transport, address, table, None).await
    }

    /// Watches as the seat of this token, or else as a spectator.
    async fn open_as(
        transport: Transport,
        address: SocketAddr,
        table: &OpenTable,
        token: Option<&str>,
    ) -> Result<Self> {
        Ok(match transport {
            Transport::Socket => {
                let head = token.map_or(String::new(), |token| format!("authorization: Bearer {token}\r\n"));
                let path = format!("/api/v1/tables/{}/socket", table.id);
                let socket = Socket::open(address, &path, &head).await?;
                let rejected = |status| anyhow::anyhow!("the server rejected the WebSocket with status {status}");
                Self::Socket(Box::new(socket.map_err(rejected)?))
            }
            Transport::Requests => Self::Events(Events::open(address, &table.id, token, None).await?),
        })
    }

    /// The next view.
    pub(crate) async fn next(&mut self) -> Result<String> {
        match self {
            Self::Socket(socket) => socket.next_text().await,
            Self::Events(events) => Ok(events.next().await?.data),
        }
    }
}

/// A client that receives the views of a seat and acts for the seat.
struct Player {
    watcher: Watcher,
    /// The connection for actions; `None` if they are sent on the WebSocket.
    action_connection: Option<Connection>,
    action_path: String,
    token: String,
}

impl Player {
    async fn open(transport: Transport, address: SocketAddr, table: &OpenTable, seat: usize) -> Result<Self> {
        let token = table.tokens[seat].clone();
        let watcher = Watcher::open_as(transport, address, table, Some(&token)).await?;
        let action_connection = match transport {
            Transport::Socket => None,
            Transport::Requests => Some(Connection::open(address).await?),
        };
        Ok(Self { watcher, action_connection, action_path: format!("/api/v1/tables/{}/actions", table.id), token })
    }

    async fn act(&mut self, body: &str) -> Result<()> {
        if let Watcher::Socket(socket) = &mut self.watcher {
            return socket.send_text(body).await;
        }
        let connection = self.action_connection.as_mut().context("a connection is open")?;
        let response = connection.ask("POST", &self.action_path, Some(&self.token), body).await?;
        if response.status != 200 {
            bail!("action {body} failed: {}: {}", response.status, response.body);
        }
        Ok(())
    }
}

/// Plays games at one table after the other until `time_is_up`, with a number of open pages at each table. `nodes` has
/// the address of the node for each of the four clients.
pub(crate) async fn play_tables(
    transport: Transport,
    nodes: [SocketAddr; 4],
    (seed, pages): (u64, usize),
    time_is_up: Arc<AtomicBool>,
) -> Result<Measurements> {
    let mut measurements = Measurements::default();
    while !time_is_up.load(Ordering::Relaxed) {
        let table = Arc::new(open_table(nodes[0], 4).await?);
        let moves = Arc::new(Mutex::new(Moves::default()));
        let mut page_tasks = Vec::new();
        for number in 0..pages {
            page_tasks.push(tokio::spawn(
                page::watch(nodes[number % 4], Arc::clone(&table), number, Arc::clone(&moves)).await?,
            ));
        }
        let mut clients = Vec::new();
        for (seat, node) in nodes.into_iter().enumerate() {
            let (table, shared) = (Arc::clone(&table), (Arc::clone(&moves), Arc::clone(&time_is_up)));
            let rng = FastRng::new(seed << 8 | seat as u64);
            clients.push(tokio::spawn(play_seat((transport, node), table, seat, rng, shared)));
        }
        let mut is_finished = true;
        for client in clients {
            is_finished &= client.await??;
        }
        measurements.finished_games += usize::from(is_finished);
        for page_task in page_tasks {
            // The task of a page ends only when the game is over.
            if is_finished {
                measurements.pages.add(page_task.await??);
            } else {
                page_task.abort();
            }
        }
        let moves = std::mem::take(&mut *moves.lock().expect("no client panics"));
        measurements.latencies.extend(moves.latencies);
    }
    Ok(measurements)
}

/// Plays one seat. Returns whether the game was played to its end.
async fn play_seat(
    (transport, address): (Transport, SocketAddr),
    table: Arc<OpenTable>,
    seat: usize,
    mut rng: FastRng,
    (moves, time_is_up): (Arc<Mutex<Moves>>, Arc<AtomicBool>),
) -> Result<bool> {
    let mut player = Player::open(transport, address, &table, seat).await?;
    let (mut old_count, own_seat) = (0, seat.to_string());
    loop {
        // If no view arrives for five seconds, another client has stopped because the time is up.
        let Ok(event) = tokio::time::timeout(Duration::from_secs(5), player.watcher.next()).await else {
            return Ok(false);
        };
        let view = event?;
        let count: usize = field(&view, "at").with_context(|| format!("not a view: {view}"))?.parse()?;
        moves.lock().expect("no client panics").record_received(count, old_count);
        old_count = count;
        if field(&view, "phase") == Some("over") {
            return Ok(true);
        }
        if time_is_up.load(Ordering::Relaxed) {
            return Ok(false);
        }
        if field(&view, "to_act") == Some(&own_seat) {
            let action = random_legal(&view, &mut rng)?;
            moves.lock().expect("no client panics").record_sent(count);
            player.act(&format!("{{\"action\":\"{action}\",\"at\":{count}}}")).await?;
        }
    }
}
