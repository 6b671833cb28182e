//! Notifications between nodes, by Postgres's LISTEN and NOTIFY: new versions of tables, and short signals.
//!
//! Changes are stored first and announced afterwards, many tables in one message: while a message is being sent, the
//! next message is collected. A node that is killed in between announces nothing; the other nodes detect its death, and
//! compare their tables with the database.

use std::collections::BTreeMap;
use std::time::Duration;

use sqlx::Error;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sultan_domain::TableId;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};

use crate::deadline::{QUERY_TIMEOUT, timed_out};
use crate::nodes::Notification;
use crate::postgres::DedicatedConnection;

const CHANGES: &str = "sultan_changes";
const SIGNALS: &str = "sultan_signs";
/// Sent instead of a list of tables when too many tables have changed.
const ALL_TABLES: &str = "*";
/// Postgres accepts messages of less than 8000 bytes.
const MAX_MESSAGE_BYTES: usize = 7900;
/// If more tables than this have changed, the message does not list them.
const MAX_NAMED_TABLES: usize = 20_000;
/// Notifications that may wait to be handled.
const MAX_PENDING_NOTIFICATIONS: usize = 10_000;
/// Every node's heartbeat is a notification, so a LISTEN connection that is silent for longer is lost.
const LISTEN_TIMEOUT: Duration = Duration::from_secs(4);
/// Wait before sending or connecting again after an error.
const RETRY_DELAY: Duration = Duration::from_millis(250);

/// Time limit for the last notifications at shutdown. Other nodes find unsent ones by comparing versions.
const FINISH_TIMEOUT: Duration = Duration::from_millis(500);

enum Outgoing {
    Changed(TableId, u32),
    Signal(TableId, String),
    /// Answered once all earlier notifications were sent.
    Flush(oneshot::Sender<()>),
}

/// Sends notifications to all nodes, in a task that ends with the last clone.
#[derive(Clone)]
pub(crate) struct Notifier(mpsc::UnboundedSender<Outgoing>);

impl Notifier {
    pub(crate) fn start(connection: DedicatedConnection) -> Self {
        let (sender, outgoing) = mpsc::unbounded_channel();
        tokio::spawn(send_all(connection, outgoing));
        Self(sender)
    }

    pub(crate) fn changed(&self, table: TableId, version: u32) {
        // The task ends only with the program.
        let _ = self.0.send(Outgoing::Changed(table, version));
    }

    pub(crate) fn signal(&self, table: TableId, signal: String) {
        let _ = self.0.send(Outgoing::Signal(table, signal));
    }

    /// Waits until all notifications were sent, for at most [`FINISH_TIMEOUT`].
    pub(crate) async fn finish(&self) {
        let (done, flushed) = oneshot::channel();
        let _ = self.0.send(Outgoing::Flush(done));
        if timeout(FINISH_TIMEOUT, flushed).await.is_err() {
            tracing::warn!("NOTIFY of the last changes timed out; other nodes find them by polling");
        }
    }
}

const NOTIFY: &str =
    "SELECT pg_notify(channel, message) FROM unnest($1::text[], $2::text[]) AS sent (channel, message)";

async fn notify(
    dedicated: &mut DedicatedConnection,
    channels: Vec<&'static str>,
    messages: Vec<String>,
) -> Result<(), Error> {
    let mut connection = dedicated.take().await?;
    let notify = sqlx::query(NOTIFY).bind(channels).bind(messages).execute(&mut connection);
    timeout(QUERY_TIMEOUT, notify).await.map_err(|_| timed_out())??;
    dedicated.keep(connection);
    Ok(())
}

async fn send_all(mut connection: DedicatedConnection, mut outgoing: mpsc::UnboundedReceiver<Outgoing>) {
    let (mut changed, mut flushed, mut received) = (BTreeMap::new(), Vec::<oneshot::Sender<()>>::new(), Vec::new());
    loop {
        if changed.is_empty() {
            outgoing.recv_many(&mut received, MAX_NAMED_TABLES).await;
        } else {
            // The last attempt failed.
            sleep(RETRY_DELAY).await;
            while let Ok(notification) = outgoing.try_recv() {
                received.push(notification);
            }
        }
        if received.is_empty() && outgoing.is_closed() {
            return;
        }
        let mut signals = Vec::new();
        for notification in received.drain(..) {
            match notification {
                Outgoing::Changed(table, version) => {
                    let last = changed.entry(table).or_insert(version);
                    *last = version.max(*last);
                }
                Outgoing::Signal(table, signal) => signals.push(format!("{table}:{signal}")),
                Outgoing::Flush(done) => flushed.push(done),
            }
        }
        let messages = messages(&changed);
        let channels: Vec<_> = messages.iter().map(|_| CHANGES).chain(signals.iter().map(|_| SIGNALS)).collect();
        if !channels.is_empty()
            && let Err(error) = notify(&mut connection, channels, messages.into_iter().chain(signals).collect()).await
        {
            // Changes are sent again until that succeeds. Signals are not: they are outdated by then, or are sent again
            // with the next activity of their player.
            tracing::warn!(%error, "NOTIFY failed; retrying");
            if !changed.is_empty() {
                continue;
            }
        }
        changed.clear();
        for done in flushed.drain(..) {
            let _ = done.send(());
        }
    }
}

/// The versions of changed tables, in as few messages as possible.
fn messages(changed: &BTreeMap<TableId, u32>) -> Vec<String> {
    if changed.len() > MAX_NAMED_TABLES {
        return vec![ALL_TABLES.to_owned()];
    }
    let mut messages: Vec<String> = Vec::new();
    for (table, version) in changed {
        let entry = format!("{table}:{version}");
        match messages.last_mut() {
            Some(last) if last.len() + entry.len() < MAX_MESSAGE_BYTES => {
                last.push(',');
                last.push_str(&entry);
            }
            _ => messages.push(entry),
        }
    }
    messages
}

/// Parses a message. Only nodes send messages, so an unknown message is from a newer version: it counts as missed
/// changes.
fn parse(channel: &str, message: &str) -> Vec<Notification> {
    fn split_table(text: &str) -> Option<(TableId, &str)> {
        let (table, rest) = text.split_once(':')?;
        Some((table.parse().ok()?, rest))
    }
    let changed =
        |text| split_table(text).and_then(|(table, version)| Some(Notification::Changed(table, version.parse().ok()?)));
    match channel {
        CHANGES if message.is_empty() => Vec::new(),
        CHANGES => message.split(',').map(|text| changed(text).unwrap_or(Notification::Missed)).collect(),
        _ => split_table(message)
            .map(|(table, signal)| Notification::Signal(table, signal.to_owned()))
            .into_iter()
            .collect(),
    }
}

/// Listens, and reconnects, until the receiver is dropped.
pub(crate) fn listen(options: PgConnectOptions) -> mpsc::Receiver<Notification> {
    let (notifications, receiver) = mpsc::channel(MAX_PENDING_NOTIFICATIONS);
    tokio::spawn(async move {
        while !notifications.is_closed() {
            if let Err(error) = receive(&options, &notifications).await {
                tracing::warn!(%error, "LISTEN connection lost; reconnecting");
            }
            sleep(RETRY_DELAY).await;
        }
    });
    receiver
}

/// Passes notifications on until the connection is lost or the receiver is dropped.
async fn receive(options: &PgConnectOptions, notifications: &mpsc::Sender<Notification>) -> Result<(), Error> {
    // A separate pool, so that dropping the listener closes its connection.
    let pool = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
    let pool = pool.acquire_timeout(LISTEN_TIMEOUT).connect_lazy_with(options.clone());
    let mut listener = PgListener::connect_with(&pool).await?;
    listener.eager_reconnect(false);
    timeout(LISTEN_TIMEOUT, listener.listen_all([CHANGES, SIGNALS])).await.map_err(|_| timed_out())??;
    // Notifications before this point were not received.
    let _ = notifications.send(Notification::Missed).await;
    loop {
        let received = tokio::select! {
            received = timeout(LISTEN_TIMEOUT, listener.try_recv()) => received.map_err(|_| timed_out())??,
            () = notifications.closed() => return Ok(()),
        };
        let Some(received) = received else { return Err(timed_out()) };
        for notification in parse(received.channel(), received.payload()) {
            if notifications.send(notification).await.is_err() {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_round_trip_and_are_as_few_as_possible() {
        let changed: BTreeMap<TableId, u32> = (1..=2000_u32).map(|n| (TableId::new(u64::from(n) << 40), n)).collect();
        let messages = messages(&changed);
        assert!(messages.len() > 1 && messages.iter().all(|message| message.len() <= MAX_MESSAGE_BYTES));
        // The message would be too long with another table.
        assert!(
            messages.iter().rev().skip(1).all(|message| message.len() > MAX_MESSAGE_BYTES - 30),
            "{}",
            messages.len()
        );
        let parsed: Vec<Notification> = messages.iter().flat_map(|message| parse(CHANGES, message)).collect();
        let sent: Vec<Notification> =
            changed.into_iter().map(|(table, version)| Notification::Changed(table, version)).collect();
        assert_eq!(parsed, sent);
    }

    #[test]
    fn heartbeat_is_ignored_and_an_unknown_message_means_missed() {
        assert_eq!(parse(CHANGES, ""), []);
        assert_eq!(parse(CHANGES, ALL_TABLES), [Notification::Missed]);
        assert_eq!(parse(CHANGES, "something newer"), [Notification::Missed]);
        let table = TableId::new(7);
        assert_eq!(parse(SIGNALS, &format!("{table}:0:laugh")), [Notification::Signal(table, "0:laugh".to_owned())]);
        assert_eq!(parse(SIGNALS, "something newer"), []);
    }

    #[tokio::test]
    async fn notifier_task_ends_with_its_last_clone() {
        let (sender, outgoing) = mpsc::unbounded_channel();
        drop(sender);
        let ended = timeout(
            QUERY_TIMEOUT,
            send_all(DedicatedConnection::new(&PgConnectOptions::new_without_pgpass()), outgoing),
        )
        .await;
        assert!(ended.is_ok(), "there is nothing more to send");
    }

    #[test]
    fn too_many_changed_tables_are_not_named() {
        let mut changed: BTreeMap<_, _> = (0..MAX_NAMED_TABLES).map(|n| (TableId::new(n as u64), 1)).collect();
        assert!(messages(&changed).len() > 1);
        changed.insert(TableId::new(MAX_NAMED_TABLES as u64), 1);
        assert_eq!(messages(&changed), [ALL_TABLES]);
    }
}
