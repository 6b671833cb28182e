//! Notifications between nodes, by Postgres's LISTEN and NOTIFY: new versions of tables, and short signals.
//!
//! A node first stores a change and then announces it, many tables in one message: while one message is being sent, the
//! next one is collected. If a node is killed in between, its last changes are not announced; other nodes detect the
//! missing heartbeat, and compare their tables with the database.

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

/// The NOTIFY channel of new versions: `TABLE:VERSION,TABLE:VERSION,…`, or an empty message for a heartbeat.
const CHANGES: &str = "sultan_changes";
/// The NOTIFY channel of signals: `TABLE:TEXT`.
const SIGNALS: &str = "sultan_signs";
/// Sent instead of a list of tables if more than [`MAX_NAMED_TABLES`] tables have changed. Receivers then compare all
/// their tables with the database.
const ALL_TABLES: &str = "*";
/// Postgres accepts messages of less than 8000 bytes.
const MAX_MESSAGE_BYTES: usize = 7900;
/// The maximum number of tables that one NOTIFY statement lists. If more tables have changed, for example because
/// NOTIFY has failed for a long time, it sends [`ALL_TABLES`] instead, which bounds its size.
const MAX_NAMED_TABLES: usize = 20_000;
/// The maximum number of received notifications that are not handled yet. Receiving waits while the limit is reached.
const MAX_PENDING_NOTIFICATIONS: usize = 10_000;
/// Every heartbeat of a node is a notification, so a LISTEN connection without notifications for this long is lost.
const LISTEN_TIMEOUT: Duration = Duration::from_secs(4);
/// Wait before retrying to send or to connect.
const RETRY_DELAY: Duration = Duration::from_millis(250);

/// Time limit for the last notifications at shutdown. Other nodes find changes that were not announced by comparing
/// versions.
const FINISH_TIMEOUT: Duration = Duration::from_millis(500);

/// An input of the task that sends notifications. It answers `Flush` once it has sent all earlier notifications.
pub(crate) enum Outgoing {
    Changed { table: TableId, version: u32 },
    Signal { table: TableId, text: String },
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

    pub(crate) fn send(&self, outgoing: Outgoing) {
        // Sending to the task fails only if it panicked.
        let _ = self.0.send(outgoing);
    }

    /// Waits until all notifications were sent, for at most [`FINISH_TIMEOUT`].
    pub(crate) async fn finish(&self) {
        let (flushed, all_sent) = oneshot::channel();
        self.send(Outgoing::Flush(flushed));
        if timeout(FINISH_TIMEOUT, all_sent).await.is_err() {
            tracing::warn!("NOTIFY of the last changes timed out; other nodes find them by polling");
        }
    }
}

const NOTIFY: &str =
    "SELECT pg_notify(channel, message) FROM unnest($1::text[], $2::text[]) AS sent (channel, message)";

/// Sends `messages[i]` on `channels[i]`, all in one statement.
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

/// The task of a [`Notifier`]: sends all notifications until the last clone of the notifier is dropped.
async fn send_all(mut connection: DedicatedConnection, mut outgoing: mpsc::UnboundedReceiver<Outgoing>) {
    // The newest versions that are not announced yet, and the flushes that are not answered yet.
    let (mut changed, mut flushes, mut received) = (BTreeMap::new(), Vec::<oneshot::Sender<()>>::new(), Vec::new());
    loop {
        if changed.is_empty() {
            outgoing.recv_many(&mut received, MAX_NAMED_TABLES).await;
        } else {
            // The last NOTIFY failed: wait, and then retry, together with everything that has arrived in between.
            sleep(RETRY_DELAY).await;
            while let Ok(notification) = outgoing.try_recv() {
                received.push(notification);
            }
        }
        // No clone of the notifier exists. Changes that could not be announced are found by polling.
        if received.is_empty() && outgoing.is_closed() {
            return;
        }
        let mut signals = Vec::new();
        for notification in received.drain(..) {
            match notification {
                Outgoing::Changed { table, version } => {
                    let newest = changed.entry(table).or_insert(version);
                    *newest = version.max(*newest);
                }
                Outgoing::Signal { table, text } => signals.push(format!("{table}:{text}")),
                Outgoing::Flush(flushed) => flushes.push(flushed),
            }
        }
        let changes = change_messages(&changed).into_iter().map(|message| (CHANGES, message));
        let signals = signals.into_iter().map(|message| (SIGNALS, message));
        let (channels, messages): (Vec<_>, Vec<_>) = changes.chain(signals).unzip();
        if !channels.is_empty()
            && let Err(error) = notify(&mut connection, channels, messages).await
        {
            // Changes are sent again until NOTIFY succeeds. Signals are dropped: a late signal is of no use, and
            // signals about the presence of a player are repeated with the player's next activity.
            tracing::warn!(%error, "NOTIFY failed; retrying");
            if !changed.is_empty() {
                continue;
            }
        }
        changed.clear();
        for flushed in flushes.drain(..) {
            // Fails if `finish` has timed out.
            let _ = flushed.send(());
        }
    }
}

/// The newest versions of changed tables, in as few messages as possible; [`ALL_TABLES`] if these are too many tables.
fn change_messages(changed: &BTreeMap<TableId, u32>) -> Vec<String> {
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

/// Parses a message of a node. On the channel of changes, an unknown message comes from a newer version of the program
/// and may be about any table, so it becomes [`Notification::Missed`], like [`ALL_TABLES`]. On the channel of signals,
/// an unknown message is ignored.
fn parse(channel: &str, message: &str) -> Vec<Notification> {
    fn split_table(text: &str) -> Option<(TableId, &str)> {
        let (table, suffix) = text.split_once(':')?;
        Some((table.parse().ok()?, suffix))
    }
    let changed = |entry| {
        let (table, version) = split_table(entry)?;
        Some(Notification::Changed { table, version: version.parse().ok()? })
    };
    match channel {
        CHANGES if message.is_empty() => Vec::new(),
        CHANGES => message.split(',').map(|entry| changed(entry).unwrap_or(Notification::Missed)).collect(),
        _ => {
            let signal = |(table, text): (TableId, &str)| Notification::Signal { table, text: text.to_owned() };
            split_table(message).map(signal).into_iter().collect()
        }
    }
}

/// Receives notifications in a new task, which reconnects after errors, until the returned receiver is dropped.
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
    // The listener has its own pool, which is dropped together with the listener, so that its connection is closed.
    let pool = PgPoolOptions::new().max_connections(1).max_lifetime(None).idle_timeout(None);
    let pool = pool.acquire_timeout(LISTEN_TIMEOUT).connect_lazy_with(options.clone());
    let mut listener = PgListener::connect_with(&pool).await?;
    listener.eager_reconnect(false);
    timeout(LISTEN_TIMEOUT, listener.listen_all([CHANGES, SIGNALS])).await.map_err(|_| timed_out())??;
    // Notifications that other nodes sent before LISTEN were not received.
    let _ = notifications.send(Notification::Missed).await;
    loop {
        let received = tokio::select! {
            received = timeout(LISTEN_TIMEOUT, listener.try_recv()) => received.map_err(|_| timed_out())??,
            () = notifications.closed() => return Ok(()),
        };
        // `None`: the connection is lost.
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
    fn changes_round_trip_in_as_few_messages_as_possible() {
        let changed: BTreeMap<TableId, u32> = (1..=2000_u32).map(|n| (TableId::new(u64::from(n) << 40), n)).collect();
        let messages = change_messages(&changed);
        assert!(messages.len() > 1 && messages.iter().all(|message| message.len() <= MAX_MESSAGE_BYTES));
        // Except for the last message, every message would be too long with another entry (less than 30 bytes).
        assert!(
            messages.iter().rev().skip(1).all(|message| message.len() > MAX_MESSAGE_BYTES - 30),
            "{} messages",
            messages.len()
        );
        let parsed: Vec<Notification> = messages.iter().flat_map(|message| parse(CHANGES, message)).collect();
        let sent: Vec<Notification> =
            changed.into_iter().map(|(table, version)| Notification::Changed { table, version }).collect();
        assert_eq!(parsed, sent);
    }

    #[test]
    fn heartbeat_is_ignored_and_an_unknown_change_message_means_missed() {
        assert_eq!(parse(CHANGES, ""), []);
        assert_eq!(parse(CHANGES, ALL_TABLES), [Notification::Missed]);
        assert_eq!(parse(CHANGES, "something newer"), [Notification::Missed]);
        let table = TableId::new(7);
        let signal = Notification::Signal { table, text: "0:laugh".to_owned() };
        assert_eq!(parse(SIGNALS, &format!("{table}:0:laugh")), [signal]);
        assert_eq!(parse(SIGNALS, "something newer"), []);
    }

    #[tokio::test]
    async fn notifier_task_ends_with_its_last_clone() {
        let (sender, outgoing) = mpsc::unbounded_channel();
        drop(sender);
        let connection = DedicatedConnection::new(&PgConnectOptions::new_without_pgpass());
        let ended = timeout(QUERY_TIMEOUT, send_all(connection, outgoing)).await;
        assert!(ended.is_ok(), "the task still waits for notifications");
    }

    #[test]
    fn too_many_changed_tables_are_announced_by_one_message_without_names() {
        let mut changed: BTreeMap<_, _> = (0..MAX_NAMED_TABLES).map(|n| (TableId::new(n as u64), 1)).collect();
        assert!(change_messages(&changed).len() > 1);
        changed.insert(TableId::new(MAX_NAMED_TABLES as u64), 1);
        assert_eq!(change_messages(&changed), [ALL_TABLES]);
    }
}
