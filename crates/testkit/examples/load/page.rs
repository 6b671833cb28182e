//! Pages of a table, held open as a browser does.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use sultan_testkit::http::field;
use sultan_testkit::socket::{Message, Socket};

use crate::client::{Moves, Opened};

/// What pages received.
#[derive(Default)]
pub(crate) struct PageLog {
    /// For every move and page, the time from sending the move until the page had it.
    latencies: Vec<Duration>,
    messages: usize,
    bytes: usize,
}

impl PageLog {
    pub(crate) fn add(&mut self, other: Self) {
        self.latencies.extend(other.latencies);
        self.messages += other.messages;
        self.bytes += other.bytes;
    }

    pub(crate) fn print(&mut self, moves: f64) {
        if self.messages == 0 {
            return;
        }
        self.latencies.sort_unstable();
        let at = |share: usize| {
            let place = (self.latencies.len() * share / 1000).min(self.latencies.len().saturating_sub(1));
            self.latencies.get(place).map_or(0.0, |latency| latency.as_secs_f64() * 1e3)
        };
        println!("until a page has it:   p50 {:.2} ms, p99 {:.2} ms, p99.9 {:.2} ms", at(500), at(990), at(999));
        #[expect(clippy::cast_precision_loss, reason = "few enough to count")]
        let (messages, bytes) = (self.messages as f64, self.bytes as f64);
        println!("messages to pages:     {:.2} per move, {:.0} bytes each", messages / moves, bytes / messages);
    }
}

/// Opens the page of a seat. The future ends with the game.
pub(crate) async fn watch(
    address: SocketAddr,
    table: Arc<Opened>,
    number: usize,
    moves: Arc<Mutex<Moves>>,
) -> Result<impl Future<Output = Result<PageLog>> + use<>> {
    let token = &table.tokens[number % table.tokens.len()];
    let head = format!("origin: http://sultan.example\r\nauthorization: Bearer {token}\r\n");
    let path = format!("/t/{}/live?page=table&version=4", table.id);
    let socket = Socket::open(address, &path, &head).await?;
    let mut socket = socket.map_err(|status| anyhow!("no page: {status}"))?;
    Ok(async move {
        let mut log = PageLog::default();
        loop {
            let message = match socket.next_message().await?.context("the page was disconnected")? {
                Message::Text(text) => text,
                Message::Ping(_) => continue,
                other => return Err(anyhow!("no text but {other:?}")),
            };
            log.messages += 1;
            log.bytes += message.len();
            let Some(at) = field(&message, "at") else { continue };
            let at: usize = at.parse()?;
            if let Some(Some(sent)) =
                at.checked_sub(1).and_then(|at| moves.lock().expect("no client panics").sent.get(at).copied())
            {
                log.latencies.push(sent.elapsed());
            }
            if field(&message, "phase") == Some("over") {
                return Ok(log);
            }
        }
    })
}
