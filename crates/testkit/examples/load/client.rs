//! Clients that play and measure latencies.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use sultan_rules::Quick;
use sultan_testkit::http::{Connection, Events, field, random_legal};
use sultan_testkit::socket::Socket;

use crate::page::{self, PageLog};

/// The measurements.
#[derive(Default)]
pub(crate) struct Log {
    /// For every move, the time from sending it until all four clients have received it.
    pub(crate) latencies: Vec<Duration>,
    pub(crate) games: usize,
    /// What the pages received.
    pub(crate) pages: PageLog,
}

impl Log {
    pub(crate) fn add(&mut self, other: Self) {
        self.latencies.extend(other.latencies);
        self.games += other.games;
        self.pages.add(other.pages);
    }
}

/// A table with the tokens of its seats.
pub(crate) struct Opened {
    pub(crate) id: String,
    pub(crate) tokens: Vec<String>,
}

/// Opens a table for human players and takes all its seats.
pub(crate) async fn open_table(address: SocketAddr, players: usize) -> Result<Opened> {
    let mut connection = Connection::open(address).await?;
    let read = |answer: &str, name: &str| {
        field(answer, name).map(ToOwned::to_owned).with_context(|| format!("no {name} in {answer}"))
    };
    let body = format!("{{\"players\":{players},\"name\":\"Client 0\"}}");
    let answer = connection.ask("POST", "/api/v1/tables", None, &body).await?.body;
    let mut opened = Opened { id: read(&answer, "table")?, tokens: vec![read(&answer, "token")?] };
    let path = format!("/api/v1/tables/{}/seats", opened.id);
    for number in 1..players {
        let answer = connection.ask("POST", &path, None, &format!("{{\"name\":\"Client {number}\"}}")).await?.body;
        opened.tokens.push(read(&answer, "token")?);
    }
    Ok(opened)
}

/// Opens tables that stay idle.
pub(crate) async fn open_many(address: SocketAddr, count: usize) -> Result<()> {
    let mut connection = Connection::open(address).await?;
    for _ in 0..count {
        let answer = connection.ask("POST", "/api/v1/tables", None, r#"{"players":4,"name":"Nobody"}"#).await?;
        if answer.status != 201 {
            bail!("{}: {}", answer.status, answer.body);
        }
    }
    Ok(())
}

/// The send time of each move of one table, and the number of clients that have received it.
#[derive(Default)]
pub(crate) struct Moves {
    pub(crate) sent: Vec<Option<Instant>>,
    seen: Vec<u8>,
    latencies: Vec<Duration>,
}

impl Moves {
    fn send(&mut self, at: usize) {
        self.sent.resize(self.sent.len().max(at + 1), None);
        self.sent[at] = Some(Instant::now());
    }

    /// Records that a client has received a view after `at` moves; its previous view was after `before` moves.
    fn saw(&mut self, at: usize, before: usize) {
        self.seen.resize(self.seen.len().max(at), 0);
        for number in before..at {
            self.seen[number] += 1;
            if self.seen[number] == 4
                && let Some(Some(sent)) = self.sent.get(number)
            {
                self.latencies.push(sent.elapsed());
            }
        }
    }
}

/// The transport of a client.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// One WebSocket for views and actions.
    Socket,
    /// A stream of events, and a second connection for actions.
    Requests,
}

/// A client that watches a table.
pub(crate) enum Watching {
    Socket(Box<Socket>),
    Events(Events),
}

impl Watching {
    /// Watches as a spectator.
    pub(crate) async fn open(by: By, address: SocketAddr, table: &Opened) -> Result<Self> {
        Self::open_as(by, address, table, None).await
    }

    async fn open_as(by: By, address: SocketAddr, table: &Opened, token: Option<&str>) -> Result<Self> {
        Ok(match by {
            By::Socket => {
                let head = token.map_or(String::new(), |token| format!("authorization: Bearer {token}\r\n"));
                let path = format!("/api/v1/tables/{}/socket", table.id);
                let socket = Socket::open(address, &path, &head).await?;
                Self::Socket(Box::new(socket.map_err(|status| anyhow::anyhow!("no socket: {status}"))?))
            }
            By::Requests => Self::Events(Events::open(address, &table.id, token, None).await?),
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

/// A client that watches and acts.
struct Playing {
    watching: Watching,
    /// The connection for actions; `None` if they are sent on the WebSocket.
    posts: Option<Connection>,
    path: String,
    token: String,
}

impl Playing {
    async fn open(by: By, address: SocketAddr, table: &Opened, seat: usize) -> Result<Self> {
        let token = table.tokens[seat].clone();
        let watching = Watching::open_as(by, address, table, Some(&token)).await?;
        let posts = match by {
            By::Socket => None,
            By::Requests => Some(Connection::open(address).await?),
        };
        Ok(Self { watching, posts, path: format!("/api/v1/tables/{}/actions", table.id), token })
    }

    async fn act(&mut self, body: &str) -> Result<()> {
        if let Watching::Socket(socket) = &mut self.watching {
            return socket.send_text(body).await;
        }
        let posts = self.posts.as_mut().context("a connection is open")?;
        let answer = posts.ask("POST", &self.path, Some(&self.token), body).await?;
        if answer.status != 200 {
            bail!("{}: {}", answer.status, answer.body);
        }
        Ok(())
    }
}

/// Plays games at one table after the other until `over` is set, with a number of open pages. `nodes` has the node of
/// each of the four clients.
pub(crate) async fn play_table(
    by: By,
    nodes: [SocketAddr; 4],
    (seed, pages): (u64, usize),
    over: Arc<AtomicBool>,
) -> Result<Log> {
    let mut log = Log::default();
    while !over.load(Ordering::Relaxed) {
        let table = Arc::new(open_table(nodes[0], 4).await?);
        let moves = Arc::new(Mutex::new(Moves::default()));
        let mut watching = Vec::new();
        for number in 0..pages {
            watching.push(tokio::spawn(
                page::watch(nodes[number % 4], Arc::clone(&table), number, Arc::clone(&moves)).await?,
            ));
        }
        let mut clients = Vec::new();
        for (seat, node) in nodes.into_iter().enumerate() {
            let (table, shared) = (Arc::clone(&table), (Arc::clone(&moves), Arc::clone(&over)));
            let chance = Quick::new(seed << 8 | seat as u64);
            clients.push(tokio::spawn(play_seat((by, node), table, seat, chance, shared)));
        }
        let mut finished = true;
        for client in clients {
            finished &= client.await??;
        }
        log.games += usize::from(finished);
        for page in watching {
            // A page of a game that was not played to its end waits for more.
            if finished {
                log.pages.add(page.await??);
            } else {
                page.abort();
            }
        }
        let moves = std::mem::take(&mut *moves.lock().expect("no client panics"));
        log.latencies.extend(moves.latencies);
    }
    Ok(log)
}

/// Plays one seat. Returns whether the game was played to its end.
async fn play_seat(
    (by, address): (By, SocketAddr),
    table: Arc<Opened>,
    seat: usize,
    mut chance: Quick,
    (moves, over): (Arc<Mutex<Moves>>, Arc<AtomicBool>),
) -> Result<bool> {
    let mut playing = Playing::open(by, address, &table, seat).await?;
    let (mut before, own) = (0, seat.to_string());
    loop {
        let Ok(event) = tokio::time::timeout(Duration::from_secs(5), playing.watching.next()).await else {
            return Ok(false);
        };
        let view = event?;
        let at: usize = field(&view, "at").with_context(|| format!("no view: {view}"))?.parse()?;
        moves.lock().expect("no client panics").saw(at, before);
        before = at;
        if field(&view, "phase") == Some("over") {
            return Ok(true);
        }
        if over.load(Ordering::Relaxed) {
            return Ok(false);
        }
        if field(&view, "to_act") == Some(&own) {
            let action = random_legal(&view, &mut chance)?;
            moves.lock().expect("no client panics").send(at);
            playing.act(&format!("{{\"action\":\"{action}\",\"at\":{at}}}")).await?;
        }
    }
}
