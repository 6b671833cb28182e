//! Pages of a table: WebSocket connections as a browser opens them for the page.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use sultan_testkit::http::field;
use sultan_testkit::socket::{Message, Socket};

use crate::client::{Moves, OpenTable};

/// The measurements at one or several pages.
#[derive(Default)]
pub(crate) struct PageMeasurements {
    /// For every move and page, the time from sending the move until the page received it.
    latencies: Vec<Duration>,
    messages: usize,
    bytes: usize,
}

impl PageMeasurements {
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
        println!("until a page has it:   {}", percentiles(&self.latencies));
        #[expect(clippy::cast_precision_loss, reason = "few enough to count")]
        let (messages, bytes) = (self.messages as f64, self.bytes as f64);
        println!("messages to pages:     {:.2} per move, {:.0} bytes each", messages / moves, bytes / messages);
    }
}

/// Percentiles of sorted latencies, as text.
pub(crate) fn percentiles(sorted: &[Duration]) -> String {
    let percentile_ms = |per_mille: usize| {
        let index = (sorted.len() * per_mille / 1000).min(sorted.len().saturating_sub(1));
        sorted.get(index).map_or(0.0, |latency| latency.as_secs_f64() * 1e3)
    };
    let [p50, p99, p999] = [500, 990, 999].map(percentile_ms);
    format!("p50 {p50:.2} ms, p99 {p99:.2} ms, p99.9 {p999:.2} ms")
}

/// Opens a page as a browser does. Pages with different numbers belong to different seats.
pub(crate) async fn open(address: SocketAddr, table: &OpenTable, number: usize) -> Result<Socket> {
    let token = &table.tokens[number % table.tokens.len()];
    let head = format!("origin: http://sultan.example\r\nauthorization: Bearer {token}\r\n");
    // `version` is the version of the table that the page shows: the last player sat down with version 4.
    let path = format!("/t/{}/live?page=table&version=4&format=2", table.id);
    let socket = Socket::open(address, &path, &head).await?;
    socket.map_err(|status| anyhow!("the server rejected the WebSocket with status {status}"))
}

/// Reads the messages of a page until it has this number of moves.
pub(crate) async fn read_until(socket: &mut Socket, moves: usize) -> Result<()> {
    loop {
        match socket.next_message().await?.context("the page was disconnected")? {
            Message::Text(text) if field(&text, "at") != Some(&moves.to_string()) => {}
            Message::Ping(_) => {}
            _ => return Ok(()),
        }
    }
}

/// Opens a page. The returned future measures until the game is over.
pub(crate) async fn watch(
    address: SocketAddr,
    table: Arc<OpenTable>,
    number: usize,
    moves: Arc<Mutex<Moves>>,
) -> Result<impl Future<Output = Result<PageMeasurements>> + use<>> {
    let mut socket = open(address, &table, number).await?;
    Ok(async move {
        let mut measurements = PageMeasurements::default();
        loop {
            let message = match socket.next_message().await?.context("the page was disconnected")? {
                Message::Text(text) => text,
                Message::Ping(_) => continue,
                other => return Err(anyhow!("expected a text message, got {other:?}")),
            };
            measurements.messages += 1;
            measurements.bytes += message.len();
            let Some(move_count) = field(&message, "at") else { continue };
            let last_move = move_count.parse::<usize>()?.checked_sub(1);
            let sent_time = last_move
                .and_then(|number| moves.lock().expect("no client panics").sent_times.get(number).copied())
                .flatten();
            if let Some(sent) = sent_time {
                measurements.latencies.push(sent.elapsed());
            }
            if field(&message, "phase") == Some("over") {
                return Ok(measurements);
            }
        }
    })
}
