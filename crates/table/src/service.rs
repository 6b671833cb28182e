//! The entry point of the crate: all requests to the tables.
//!
//! [`Service`] has no state of its own and decides nothing. It forwards each request to the part that handles it, and
//! marks the player that sent a request as present.

mod seats;

use std::sync::Arc;
use std::time::Duration;

use sultan_domain::{Action, Attendance, Commitment, MayHold, Record, Seat, TableId};
use sultan_store::Store;
use tokio::sync::broadcast;

use crate::analysis_queue::{AnalysisQueue, AnalysisState};
use crate::cluster::{Cluster, PresenceGuard};
use crate::coach::{self, Advice};
use crate::driver::Driver;
use crate::housekeeping;
use crate::lists::{self, OpenTable, OwnSeat};
use crate::node::NodeContext;
use crate::openings::{BranchRequest, OpenedTable, Openings, TakenSeat};
use crate::registry::{ObserverSnapshot, Registry, Watch};
use crate::replay::Replay;
use crate::request::{Caller, NewPlayer, NewTable, SeatChange};
use crate::settings::Settings;
use crate::signals::{Reaction, SeatReaction, Signal};
use crate::sync::spawn_uncancellable;
use crate::table::Table;
use crate::token::{Visitor, random_bytes};
use crate::{Rejection, ServiceError};

type Result<T> = std::result::Result<T, ServiceError>;

/// All tables of a node. Clones share the service.
#[derive(Clone)]
pub struct Service(Arc<Parts>);

struct Parts {
    registry: Registry,
    driver: Driver,
    cluster: Cluster,
    analysis: AnalysisQueue,
    openings: Openings,
}

impl Service {
    /// A service on a store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, settings: Settings) -> Self {
        let registry = Registry::new(NodeContext::new(store, settings));
        Self(Arc::new(Parts {
            driver: Driver::new(registry.clone()),
            cluster: Cluster::new(registry.clone()),
            analysis: AnalysisQueue::new(registry.clone()),
            openings: Openings::new(registry.clone()),
            registry,
        }))
    }

    /// Runs bots, clocks, analyses and everything else that happens without a request. Never returns.
    pub async fn run(&self) {
        tokio::join!(
            self.0.driver.run(),
            self.0.cluster.run(),
            self.0.analysis.run(),
            self.0.openings.delete_expired_commitments(),
            housekeeping::compact_finished_games(self.0.registry.node()),
        );
    }

    /// Announces this node to the other nodes on the database, and adopts the database's time.
    ///
    /// # Errors
    /// [`ServiceError::Store`] if the database does not answer.
    pub async fn join(&self) -> Result<()> {
        self.0.cluster.join().await
    }

    /// Checks that the database can be reached and read.
    ///
    /// # Errors
    /// [`ServiceError::Store`] if the database is down.
    pub async fn ready(&self) -> Result<()> {
        Ok(self.0.registry.node().store.ready().await?)
    }

    /// Ends all watches and analyses because the program stops. Clients then reconnect, perhaps to another node.
    pub fn end_watches(&self) {
        self.0.analysis.stop();
        self.0.registry.stop_watches();
    }

    /// Finishes pending writes, closes the store, and ends all watches.
    pub async fn close(&self) {
        self.0.cluster.leave().await;
        if let Err(error) = self.0.registry.node().store.close().await {
            tracing::error!(%error, "cannot close the database cleanly");
        }
        self.end_watches();
    }

    /// The secret that all nodes use to sign cookies. Stores a new random one if there is none.
    ///
    /// # Errors
    /// [`ServiceError::Store`] if it cannot be read.
    pub async fn cookie_secret(&self) -> Result<[u8; 64]> {
        Ok(self.0.registry.node().store.cookie_secret(random_bytes()).await?)
    }

    /// Commits to a new server seed, which a host can then use to open a table.
    ///
    /// # Errors
    /// [`ServiceError::Store`] if it cannot be stored.
    pub async fn new_commitment(&self) -> Result<Commitment> {
        self.0.openings.new_commitment().await
    }

    /// Opens a table. The caller becomes its host and gets its first free seat.
    ///
    /// # Errors
    /// [`Rejection`] if the options are invalid, or too many tables are open.
    pub async fn open(&self, new: NewTable) -> Result<OpenedTable> {
        self.0.openings.open(new).await
    }

    /// Opens a table where the same people play again. If a rematch was already opened, returns its table. `commitment`
    /// is the commitment that the caller received before choosing a client seed, if there was one.
    ///
    /// # Errors
    /// [`Rejection`] if the game is not over, the caller has no seat, `change` or the commitment is invalid, or too
    /// many tables are open.
    pub async fn rematch(
        &self,
        table: TableId,
        caller: &Caller,
        change: SeatChange,
        commitment: Option<Commitment>,
    ) -> Result<TableId> {
        let (parts, caller) = (Arc::clone(&self.0), *caller);
        // The rematch is stored first, its id in the old table second. Both must happen even if the client disconnects:
        // without the id, players could not find the new table.
        spawn_uncancellable(async move { parts.openings.rematch(table, &caller, &change, commitment).await }).await
    }

    /// Opens a table where one player continues a finished game against bots from a given position.
    ///
    /// # Errors
    /// [`Rejection`] if the game is not over, the position is its end, the seat or the bot does not exist, or too many
    /// tables are open.
    pub async fn branch(&self, table: TableId, branch: BranchRequest) -> Result<OpenedTable> {
        self.0.openings.branch(table, branch).await
    }

    /// Takes the lowest free seat of a table.
    ///
    /// # Errors
    /// [`Rejection`] if no seat is free or the colour is taken.
    pub async fn sit(&self, table: TableId, player: NewPlayer) -> Result<TakenSeat> {
        let token = self.0.registry.node().settings.random_token();
        let (seat, _) = self.0.registry.update(table, |table| table.take_seat(&player, &token)).await?;
        Ok(TakenSeat { seat, token })
    }

    /// Changes a player's name, colour or seed before the start. In a rematch, this request also means that the player
    /// agrees to play.
    ///
    /// # Errors
    /// [`Rejection`], for example after the start.
    pub async fn change_seat(
        &self,
        table: TableId,
        caller: &Caller,
        seat: Seat,
        change: SeatChange,
    ) -> Result<ObserverSnapshot> {
        self.update(table, caller, |table, caller| table.change_seat(caller, seat, &change)).await
    }

    /// Plays an action. `at` is the number of actions played before it, as the caller sees the game.
    ///
    /// The request is idempotent: repeating the same action with the same `at` changes nothing and succeeds again.
    ///
    /// # Errors
    /// [`Rejection`]: if several reasons apply, the first in the order that `docs/api.md` promises.
    pub async fn act(&self, table: TableId, caller: &Caller, action: Action, at: u16) -> Result<ObserverSnapshot> {
        self.update(table, caller, |table, seat| table.act(seat, action, at)).await
    }

    /// [`Service::act`] with an action in notation.
    ///
    /// # Errors
    /// As [`Service::act`]; [`Rejection::NoAction`] is checked last.
    pub async fn act_as_text(
        &self,
        table: TableId,
        caller: &Caller,
        action: &str,
        at: u16,
    ) -> Result<ObserverSnapshot> {
        match action.parse() {
            Ok(action) => self.act(table, caller, action, at).await,
            Err(error) => {
                let reject = |table: &mut Table, seat: Seat| Err(table.reject_notation(seat, at, error.clone()).into());
                self.update(table, caller, reject).await
            }
        }
    }

    /// Changes a table on behalf of the caller's seat, which `decide` gets. The request also shows that the player is
    /// present.
    async fn update(
        &self,
        table: TableId,
        caller: &Caller,
        decide: impl FnMut(&mut Table, Seat) -> Result<()>,
    ) -> Result<ObserverSnapshot> {
        let snapshot = self.0.registry.update_from_seat(table, caller, decide).await?;
        if let Some(seat) = snapshot.observer().seat() {
            self.0.cluster.record_activity(table, &snapshot.live, seat);
        }
        Ok(snapshot)
    }

    /// The current state of a table as the caller may see it.
    ///
    /// # Errors
    /// [`Rejection`] if the table does not exist, or the token belongs to no seat of it.
    pub async fn observe(&self, table: TableId, caller: &Caller) -> Result<ObserverSnapshot> {
        self.0.registry.observe(table, caller).await
    }

    /// All seats that a browser has at a table: several people may share a browser.
    ///
    /// # Errors
    /// [`Rejection`] if the table does not exist.
    pub async fn seats_of(&self, table: TableId, visitor: &Visitor) -> Result<Vec<Seat>> {
        Ok(self.0.registry.snapshot(table).await?.table().seats_of(visitor).collect())
    }

    /// Watches a table, starting after a version that the client already has.
    ///
    /// # Errors
    /// As [`Service::observe`].
    pub async fn watch(&self, table: TableId, caller: Caller, after: Option<u32>) -> Result<Watch> {
        self.0.registry.watch(table, caller, after).await
    }

    /// Marks the players of these seats, or without a seat a spectator, as present while the guard exists. Several players may share a device.
    #[must_use]
    pub fn mark_present(&self, table: TableId, seats: &[Seat]) -> PresenceGuard {
        self.0.cluster.mark_present(table, seats)
    }

    /// The absent players of a table and whether somebody watches it, as far as this node knows; `None` while the table
    /// is not loaded.
    #[must_use]
    pub fn attendance(&self, table: TableId) -> Option<Attendance> {
        let live = self.0.registry.live_table(table);
        Some(live.attendance(live.current()?.table()))
    }

    /// Sends a reaction to all watchers of a table. A reaction too soon after the seat's last reaction is dropped.
    ///
    /// # Errors
    /// [`Rejection`] if the table does not exist, or the caller has no seat.
    pub async fn react(&self, table: TableId, caller: &Caller, reaction: Reaction) -> Result<()> {
        let observed = self.observe(table, caller).await?;
        let seat = observed.observer().seat().ok_or(Rejection::NoToken)?;
        self.0.cluster.react(table, &observed.live, SeatReaction { seat, reaction });
        Ok(())
    }

    /// Subscribes to the signals of a table: reactions, and changes of presence.
    #[must_use]
    pub fn signals(&self, table: TableId) -> broadcast::Receiver<Signal> {
        self.0.registry.live_table(table).signals.subscribe()
    }

    /// The record of a finished game.
    ///
    /// # Errors
    /// [`Rejection::NotOver`] before the end of the game, [`Rejection::Branch`] for a branch, which has no record.
    pub async fn record(&self, table: TableId) -> Result<Record> {
        self.0.registry.read_finished(table, Table::record).await
    }

    /// A replay of a finished game.
    ///
    /// # Errors
    /// [`Rejection::NotOver`] before the end of the game.
    pub async fn replay(&self, table: TableId) -> Result<Replay> {
        self.0.openings.replay(table).await
    }

    /// The analysis of a finished game. It starts with the first request, and its result is stored.
    ///
    /// # Errors
    /// [`Rejection::NotOver`] before the end of the game, [`Rejection::Branch`] for a branch, which has no record.
    pub async fn analysis(&self, table: TableId) -> Result<AnalysisState> {
        self.0.analysis.analysis(table).await
    }

    /// The coach's advice to the caller, if it is the caller's turn.
    ///
    /// # Errors
    /// [`Rejection::NoCoach`] if the table has no coach, [`Rejection::CoachBusy`] if the coach ran out of time, other
    /// rejections if it is not the caller's turn.
    pub async fn advice(&self, table: TableId, caller: &Caller) -> Result<Advice> {
        coach::advice(&self.0.registry, table, caller).await
    }

    /// The coach's estimate of the cards that each other player holds. Available at any time, but only at tables with
    /// open screens.
    ///
    /// # Errors
    /// [`Rejection::NoCoach`] if the table has no coach, or its screens are closed.
    pub async fn may_hold(&self, table: TableId, caller: &Caller) -> Result<Vec<MayHold>> {
        coach::may_hold(&self.0.registry, table, caller).await
    }

    /// The public tables. Tables that wait for players are first.
    ///
    /// # Errors
    /// [`ServiceError::Store`] if they cannot be read.
    pub async fn public_tables(&self) -> Result<Vec<OpenTable>> {
        lists::public_tables(&self.0.registry).await
    }

    /// The games in which a browser has a seat, newest first.
    ///
    /// # Errors
    /// [`ServiceError::Store`] if they cannot be read.
    pub async fn games_of(&self, visitor: &Visitor) -> Result<Vec<OwnSeat>> {
        lists::games_of(&self.0.registry, visitor).await
    }

    /// Deletes tables that have not changed for `age`, with the names of their players. Returns their number.
    ///
    /// # Errors
    /// [`ServiceError::Store`] if the store fails.
    pub async fn delete_older_than(&self, age: Duration) -> Result<u64> {
        Ok(housekeeping::delete_older_than(&self.0.registry, age).await?)
    }

    /// Compacts the history of games that ended before a time. Returns their number.
    ///
    /// # Errors
    /// [`ServiceError::Store`] if the store fails.
    pub async fn compact_before(&self, before_ms: i64) -> Result<u64> {
        Ok(housekeeping::compact_before(self.0.registry.node(), before_ms).await?)
    }
}
