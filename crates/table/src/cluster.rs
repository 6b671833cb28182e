//! The other nodes (servers) on the same database.
//!
//! Every node sends heartbeats to the database; from the list of living nodes each node computes which node runs the
//! bots and clocks of a table. If two nodes disagree for a short time, both may store an action; the store accepts only
//! the first, since an action names the table's version that it is based on. The store notifies each node of changes by
//! other nodes. A node finds a change without a notification by comparing versions: regularly, and whenever a
//! notification may have been missed.
//!
//! When Postgres is down or unavailable (the shared database does not answer), no change can be saved:
//! - Requests that need the database fail with status 503 within seconds, and `/readyz` reports 503.
//! - Bots, clocks and heartbeats try again, about every second.
//! - After `Settings::cut_off_after` the node counts as cut off, because other nodes may have changed its tables: it
//!   closes live connections and rejects reads too, so that clients try another node.
//! - When the database answers again, the node compares all its tables with it before it serves clients.
//!
//! Nothing that was acknowledged is lost.

mod presence;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sultan_domain::{Observer, Players, Seat, TableId};
use sultan_store::{Change, Notification, StoreError};
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, sleep, timeout};

pub use self::presence::PresenceGuard;
use crate::ServiceError;
use crate::node::NodeContext;
use crate::node_message::NodeMessage;
use crate::presence::PresenceStatus;
use crate::registry::{LiveTable, Registry};
use crate::signals::SeatReaction;
use crate::sync::locked;

const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(500);
/// A node without a heartbeat for this long counts as dead.
const NODE_LEASE_MS: i64 = 2500;
/// A new node requests the database's time up to this many times, until an answer takes less than
/// [`PROMPT_ANSWER_TIME`], since the time in a slow answer is inaccurate.
const MAX_TIME_REQUESTS: usize = 8;
const PROMPT_ANSWER_TIME: Duration = Duration::from_millis(5);
/// How long changed tables that are not loaded here are collected before they are looked up together. Less than a bot's
/// pause, so bots do not act late.
const LOOKUP_DELAY: Duration = Duration::from_millis(100);
/// The maximum number of tables per database request, and of notifications handled together.
const MAX_BATCH: usize = 1000;

/// Keeps the tables and the presence of players on this node in agreement with the other nodes. Clones share the
/// cluster.
#[derive(Clone)]
pub(crate) struct Cluster(Arc<Shared>);

struct Shared {
    registry: Registry,
    /// Notified when the database answers again while this node is still marked as cut off.
    reconnected: Notify,
    /// Tables that were changed by other nodes, that this node should run, and that are not loaded here.
    not_loaded: Mutex<BTreeSet<TableId>>,
    not_loaded_added: Notify,
}

impl Cluster {
    pub(crate) fn new(registry: Registry) -> Self {
        let (reconnected, not_loaded_added) = (Notify::new(), Notify::new());
        Self(Arc::new(Shared { registry, reconnected, not_loaded: Mutex::default(), not_loaded_added }))
    }

    fn node(&self) -> &NodeContext {
        self.0.registry.node()
    }

    /// Announces this node to the other nodes, and adopts the time of the database.
    pub(crate) async fn join(&self) -> Result<(), ServiceError> {
        for _ in 0..MAX_TIME_REQUESTS {
            let sent_at = Instant::now();
            self.send_heartbeat().await?;
            if sent_at.elapsed() < PROMPT_ANSWER_TIME {
                break;
            }
        }
        Ok(())
    }

    /// Follows the other nodes. Returns at once if the store does not support several nodes, otherwise never.
    pub(crate) async fn run(&self) {
        let Some(nodes) = self.node().store.nodes() else { return };
        let notifications = nodes.notifications();
        tokio::join!(
            self.send_heartbeats(),
            self.receive(notifications),
            self.compare_regularly(),
            self.load_tables_to_run()
        );
    }

    /// Announces to the other nodes that this node stops.
    pub(crate) async fn leave(&self) {
        if let Some(nodes) = self.node().store.nodes()
            && let Err(error) = nodes.leave(self.node().membership.this_node).await
        {
            tracing::warn!(%error, "cannot announce the shutdown to other nodes; they will detect it by missing heartbeats");
        }
    }

    /// Sends one heartbeat. The answer contains the time of the database and the living nodes.
    async fn send_heartbeat(&self) -> Result<(), StoreError> {
        let node = self.node();
        let Some(nodes) = node.store.nodes() else { return Ok(()) };
        let sent_at = Instant::now();
        let living = nodes.send_heartbeat(node.membership.this_node, NODE_LEASE_MS).await?;
        self.adopt_time(living.now_ms, sent_at.elapsed());
        if node.membership.set_alive(&living.nodes) {
            tracing::info!(nodes = living.nodes.len(), "the nodes on this database have changed");
            node.membership.changed.notify_one();
        }
        Ok(())
    }

    /// Adopts the time of the database if it is more accurate than the local time. `round_trip` is the time from the
    /// request to the answer: the database read its clock somewhere in between, by assumption in the middle.
    fn adopt_time(&self, database_ms: i64, round_trip: Duration) {
        let node = self.node();
        let max_error = round_trip / 2 + Duration::from_millis(1);
        let database_ms = database_ms + i64::try_from(round_trip.as_millis() / 2).unwrap_or(0);
        let difference = Duration::from_millis(database_ms.abs_diff(node.settings.now_ms()));
        if node.membership.accepts_time(max_error, difference) {
            (node.settings.set_time)(database_ms);
        }
    }

    /// Sends heartbeats forever. If the database is down for longer than `Settings::cut_off_after`, marks this node as
    /// cut off and closes live connections.
    async fn send_heartbeats(&self) {
        let cut_off_after = self.node().settings.cut_off_after;
        let mut last_answer = Instant::now();
        loop {
            match self.send_heartbeat().await {
                Ok(()) => {
                    last_answer = Instant::now();
                    if self.node().membership.is_cut_off() {
                        self.0.reconnected.notify_one();
                    }
                }
                Err(error) if last_answer.elapsed() > cut_off_after => {
                    if !self.node().membership.set_cut_off(true) {
                        tracing::error!(
                            %error,
                            "lost connection to the database; closing live connections so that clients reconnect elsewhere"
                        );
                    }
                    // At each failed heartbeat, since further clients may have connected.
                    self.0.registry.disconnect_watchers();
                }
                Err(error) => tracing::warn!(%error, "heartbeat failed: the database does not answer; retrying"),
            }
            sleep(HEARTBEAT_INTERVAL).await;
        }
    }

    /// Handles the notifications of the store.
    async fn receive(&self, mut notifications: mpsc::Receiver<Notification>) {
        let mut batch = Vec::new();
        while notifications.recv_many(&mut batch, MAX_BATCH).await > 0 {
            let (mut changed, mut has_missed_notifications) = (BTreeMap::new(), false);
            for notification in batch.drain(..) {
                match notification {
                    Notification::Changed { table, version } => {
                        let newest = changed.entry(table).or_insert(version);
                        *newest = version.max(*newest);
                    }
                    Notification::Signal { table, text } => self.receive_signal(table, &text),
                    Notification::Missed => has_missed_notifications = true,
                }
            }
            let mut compared = Ok(());
            if has_missed_notifications {
                // This lets the driver search for tables to run.
                self.node().membership.changed.notify_one();
                self.reset_presence();
                compared = self.compare().await;
            }
            if let Err(error) = self.catch_up(changed).await.and(compared) {
                tracing::warn!(%error, "cannot read the changes of other nodes; retrying later");
            }
        }
    }

    /// Compares all tables with the database forever: regularly, and when the database answers again. Only after a
    /// comparison does a node that was cut off serve clients: clients may have seen newer states on other nodes.
    async fn compare_regularly(&self) {
        let interval = self.node().settings.compare_interval;
        loop {
            let has_reconnected = timeout(interval, self.0.reconnected.notified()).await.is_ok();
            match self.compare().await {
                Ok(()) if has_reconnected && self.node().membership.set_cut_off(false) => {
                    tracing::info!("connection to the database restored");
                }
                Ok(()) => {}
                Err(error) => tracing::warn!(%error, "cannot compare tables with the database; retrying later"),
            }
        }
    }

    /// Compares all tables in memory with the database, and reads the changes of other nodes.
    async fn compare(&self) -> Result<(), StoreError> {
        let Some(nodes) = self.node().store.nodes() else { return Ok(()) };
        let known_version = |live: &LiveTable| match live.current() {
            Some(current) => Some(current.table().version()),
            // An unloaded table is needed only if a client watches it. Version 0 then lets the store report the table,
            // whatever its version is.
            None => live.is_watched().then_some(0),
        };
        let cached = self.0.registry.cached_tables();
        let versions: Vec<(TableId, u32)> =
            cached.into_iter().filter_map(|(table, live)| Some((table, known_version(&live)?))).collect();
        for page in versions.chunks(MAX_BATCH) {
            let changed = nodes.changed_since(page.to_vec()).await?;
            self.catch_up(changed.into_iter().collect()).await?;
        }
        Ok(())
    }

    /// Updates the tables on this node that are older than these versions: reads the changes if the table is needed
    /// now, otherwise unloads it.
    async fn catch_up(&self, changed: BTreeMap<TableId, u32>) -> Result<(), StoreError> {
        let mut outdated = Vec::new();
        for (table, version) in changed {
            let Some(live) = self.0.registry.cached_table(table) else {
                self.load_later_if_run_here(table);
                continue;
            };
            let is_needed = live.is_watched() || self.node().membership.runs(table);
            match live.current() {
                Some(current) if current.table().version() >= version => {}
                Some(current) if is_needed => outdated.push((table, current.table().version())),
                // The next request reads the table. Unloading needs no lock: if this node is storing a change, it
                // publishes a newer state afterwards. A client that has begun to watch since the check above may have
                // seen the old state, so the table must be loaded for that client.
                Some(_) => {
                    live.unload();
                    if live.is_watched() {
                        self.load(table);
                    }
                }
                None if live.is_watched() => self.load(table),
                None => self.load_later_if_run_here(table),
            }
        }
        self.read_changes(outdated).await
    }

    /// Reads and publishes the changes of tables since these versions.
    async fn read_changes(&self, outdated: Vec<(TableId, u32)>) -> Result<(), StoreError> {
        let Some(nodes) = self.node().store.nodes().filter(|_| !outdated.is_empty()) else { return Ok(()) };
        let mut changes: BTreeMap<TableId, Vec<Change>> = BTreeMap::new();
        for (table, change) in nodes.load_changes(outdated).await? {
            changes.entry(table).or_default().push(change);
        }
        changes.into_iter().for_each(|(table, changes)| self.0.registry.apply_remote_changes(table, changes));
        Ok(())
    }

    /// Lets [`Cluster::load_tables_to_run`] look up a table, if this node should run its bots and clocks.
    fn load_later_if_run_here(&self, table: TableId) {
        if self.node().membership.runs(table) && locked(&self.0.not_loaded).insert(table) {
            self.0.not_loaded_added.notify_one();
        }
    }

    /// Loads changed tables that this node should run, if they have bots or clocks. Most tables have neither, so one
    /// request looks up many tables.
    async fn load_tables_to_run(&self) {
        let Some(nodes) = self.node().store.nodes() else { return };
        loop {
            self.0.not_loaded_added.notified().await;
            sleep(LOOKUP_DELAY).await;
            let tables: Vec<TableId> = std::mem::take(&mut *locked(&self.0.not_loaded)).into_iter().collect();
            for page in tables.chunks(MAX_BATCH) {
                match nodes.filter_with_bots_or_clocks(page.to_vec()).await {
                    Ok(tables_to_run) => tables_to_run.into_iter().for_each(|table| self.load(table)),
                    Err(error) => {
                        tracing::warn!(%error, "cannot look up which tables this node should run; retrying");
                        page.iter().for_each(|&table| self.load_later_if_run_here(table));
                    }
                }
            }
        }
    }

    /// Loads a table in a task of its own. Loading publishes the table to its watchers, and schedules its next wake-up.
    fn load(&self, table: TableId) {
        let cluster = self.clone();
        tokio::spawn(async move {
            if let Err(error) = cluster.0.registry.snapshot(table).await {
                cluster.node().schedule.retry_after(table, &error);
            }
        });
    }
}

/// Presence and reactions.
impl Cluster {
    /// Marks the players of these seats as present as long as the guard lives; without a seat, a spectator.
    pub(crate) fn mark_present(&self, table: TableId, seats: &[Seat]) -> PresenceGuard {
        let live = self.0.registry.live_table(table);
        let connect = |observer| {
            let (is_first_connection, owner) = live.presence.connect(observer);
            live.set_absent(observer, false);
            if is_first_connection {
                self.send_status(table, observer, PresenceStatus::Connected);
            }
            if is_first_connection && observer != Observer::Public {
                // This node may not know yet that a spectator is connected to another node, which then answers.
                self.send_status(table, Observer::Public, PresenceStatus::Missing);
            }
            (observer, owner)
        };
        let observers = match seats {
            [] => vec![connect(Observer::Public)],
            seats => seats.iter().map(|&seat| connect(Observer::Seat(seat))).collect(),
        };
        PresenceGuard { cluster: self.clone(), table, live, observers }
    }

    /// Marks the player of a seat as present after a request, even if the player has no live connection.
    pub(crate) fn record_activity(&self, table: TableId, live: &LiveTable, seat: Seat) {
        if live.set_absent(Observer::Seat(seat), false) {
            self.send_status(table, Observer::Seat(seat), PresenceStatus::Connected);
        }
    }

    /// Sends a reaction to the watchers of a table on all nodes, unless it follows too soon after the seat's last
    /// reaction.
    pub(crate) fn react(&self, table: TableId, live: &LiveTable, reacted: SeatReaction) {
        self.record_activity(table, live, reacted.seat);
        if live.signals.react(reacted, self.node().settings.now_ms()) {
            self.node().send_to_nodes(table, NodeMessage::Reaction(reacted));
        }
    }

    /// Handles a signal from another node, or ignores a signal that this node has sent itself.
    fn receive_signal(&self, table: TableId, signal: &str) {
        let Some((sender, message)) = signal.split_once(':') else { return };
        if sender == self.node().membership.this_node.number().to_string() {
            return;
        }
        match (NodeMessage::decode(message), self.0.registry.cached_table(table)) {
            (Some(NodeMessage::Analysis(message)), _) => {
                // Fails only before the analysis queue runs. The other node repeats its request, so nothing is lost.
                let _ = self.node().analysis_messages.send((table, message));
            }
            (Some(NodeMessage::Reaction(reaction)), Some(live)) => {
                live.signals.react(reaction, self.node().settings.now_ms());
            }
            (Some(NodeMessage::Presence(observer, status)), Some(live)) => {
                self.receive_status(table, &live, observer, status);
            }
            // An unknown message, or a message about a table that is not in memory on this node.
            (None, _) | (_, None) => {}
        }
    }

    /// Handles another node's report about the connections of a player or the spectators. If that node misses them,
    /// and they are connected to this node, answers that they are connected.
    fn receive_status(&self, table: TableId, live: &LiveTable, observer: Observer, status: PresenceStatus) {
        if status != PresenceStatus::Connected && live.presence.is_connected(observer) {
            self.send_status(table, observer, PresenceStatus::Connected);
        } else if status != PresenceStatus::Missing {
            live.set_absent(observer, status == PresenceStatus::Absent);
        }
    }

    /// Restores the presence of all players and spectators after missed signals: marks players as present, since absent
    /// players may have returned, reports the connections to this node again, and asks for spectators of other nodes.
    fn reset_presence(&self) {
        for (table, live) in self.0.registry.cached_tables() {
            for observer in (0..Players::MAX).filter_map(Seat::new).map(Observer::Seat).chain([Observer::Public]) {
                let is_connected = live.presence.is_connected(observer);
                live.set_absent(observer, observer == Observer::Public && !is_connected);
                if is_connected {
                    self.send_status(table, observer, PresenceStatus::Connected);
                }
            }
            if live.is_watched() {
                self.send_status(table, Observer::Public, PresenceStatus::Missing);
            }
        }
    }

    /// Reports the status of the connections of a player, or of the spectators, to the other nodes.
    fn send_status(&self, table: TableId, observer: Observer, status: PresenceStatus) {
        self.node().send_to_nodes(table, NodeMessage::Presence(observer, status));
    }
}
