//! Runs everything that happens without a request: bot turns, expired clocks, the even pace.
//!
//! The driver keeps one wake-up time per table in a [`Schedule`](crate::schedule::Schedule). At that time
//! [`Driver::wake`] determines the due work and submits bot and clock actions through [`Registry::update`], the same
//! path a player's action takes. (The beat of an even pace stores nothing: it only makes stored actions visible.)

use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest, Sha256};
use sultan_bots::Bot;
use sultan_domain::{Action, Observer, Seat, TableId};
use sultan_rules::FastRng;
use sultan_store::EventRecord;
use tokio::time::timeout;

use crate::node::NodeContext;
use crate::registry::{Registry, Snapshot};
use crate::schedule::{BOT_TIME_LIMIT, Due, RETRY_DELAY_MS};
use crate::{Rejection, ServiceError};

/// Longest sleep while no table is scheduled.
const MAX_IDLE_MS: i64 = 3_600_000;

/// If several nodes share the database: how often a node searches for tables to run, even if the list of nodes has not
/// changed.
const RESUME_INTERVAL: Duration = Duration::from_secs(30);

/// Tables per database request, when a node searches for tables to run.
const RESUME_PAGE_TABLES: u32 = 256;

/// Runs bots and clocks. Clones share the driver.
#[derive(Clone)]
pub(crate) struct Driver {
    registry: Registry,
}

impl Driver {
    pub(crate) const fn new(registry: Registry) -> Self {
        Self { registry }
    }

    fn node(&self) -> &NodeContext {
        self.registry.node()
    }

    /// Runs bots and clocks, starting with the tables that were in play when the program last ended. Never returns.
    pub(crate) async fn run(&self) {
        // The first call sets the start time.
        self.node().schedule.started_ms();
        tokio::join!(self.resume_tables(), self.wake_tables());
    }

    /// Sleeps until the next wake-up, and does the due work of each table in a task of its own. Never returns.
    async fn wake_tables(&self) {
        loop {
            let (tables, next_ms) = self.node().schedule.take_due(self.node().settings.now_ms());
            for table in tables {
                let driver = self.clone();
                tokio::spawn(async move {
                    if let Err(error) = driver.wake(table).await {
                        driver.node().schedule.retry_after(table, &error);
                    }
                });
            }
            let until_ms = next_ms.unwrap_or_else(|| self.node().settings.now_ms() + MAX_IDLE_MS);
            tokio::select! {
                () = self.node().settings.sleep_until(until_ms) => {}
                () = self.node().schedule.earlier_wake_up.notified() => {}
            }
        }
    }

    /// Schedules the tables that this node runs: once if it is the only node, otherwise regularly and whenever the list
    /// of nodes changes.
    async fn resume_tables(&self) {
        loop {
            self.schedule_tables_to_run().await;
            if self.node().store.nodes().is_none() {
                return;
            }
            // The result is not needed: the search is due after a change of the list as well as after the timeout.
            let _ = timeout(RESUME_INTERVAL, self.node().membership.changed.notified()).await;
        }
    }

    /// Schedules all tables that this node runs and that are not scheduled yet.
    async fn schedule_tables_to_run(&self) {
        let (mut last_table, mut count) = (None, 0_usize);
        loop {
            let page = match self.node().store.tables_with_bots_or_clocks(last_table, RESUME_PAGE_TABLES).await {
                Ok(page) => page,
                Err(error) => {
                    tracing::error!(%error, "cannot list the tables in play; retrying");
                    self.node().settings.sleep(RETRY_DELAY_MS).await;
                    continue;
                }
            };
            for &table in &page {
                if !self.node().membership.runs(table) || self.node().schedule.is_scheduled(table) {
                    continue;
                }
                count += 1;
                if let Err(error) = self.registry.reschedule(table).await {
                    self.node().schedule.retry_after(table, &error);
                }
            }
            last_table = page.last().copied();
            if last_table.is_none() {
                break;
            }
        }
        if count > 0 {
            tracing::debug!(tables = count, "resumed tables in play");
        }
    }

    /// Does the work of a table that is due now, if any.
    async fn wake(&self, id: TableId) -> Result<(), ServiceError> {
        let current = self.registry.snapshot(id).await?;
        match self.node().schedule.next_wake_up(current.table()) {
            // A wake-up without work is a retry after the store failed. The failed request may have been
            // `mark_if_over`, so repeat it.
            None => {
                self.registry.mark_if_over(current.table());
                Ok(())
            }
            // Since this wake-up was scheduled, a player has acted or the clock was set back: no work is due yet.
            Some((_, due_ms)) if due_ms > self.node().settings.now_ms() => self.registry.reschedule(id).await,
            Some((Due::Beat, _)) => self.registry.reveal_due_actions(id).await,
            Some((due @ (Due::Bot | Due::Clock), _)) => self.bot_turn(&current, due).await,
        }
    }

    /// Lets a bot act for the seat to act: the bot that has the seat, a stand-in, or, if the player's time has run out,
    /// the bot that the table's options name for this case.
    async fn bot_turn(&self, current: &Arc<Snapshot>, due: Due) -> Result<(), ServiceError> {
        let table = current.table();
        let Some(seat) = table.to_act() else { return Ok(()) };
        // If `wake` had to load the table, loading has scheduled this turn a second time: remove that wake-up.
        self.node().schedule.set(table.id(), None);
        let name = table.occupant(seat).bot().unwrap_or(&table.options().stand_in);
        let Some(bot) = sultan_bots::by_name(name) else { return Err(Rejection::NoSuchBot(name.to_owned()).into()) };
        let Some(action) = self.choose(current, seat, bot).await else {
            tracing::error!(table = %table.id(), bot = name, "bot returned no action; retrying");
            self.node().schedule.retry(table.id());
            return Ok(());
        };
        // A bot is woken early, so that it has time to think. Its action waits until the planned time.
        if due == Due::Bot
            && let Some(due_ms) = self.node().schedule.bot_due_ms(table)
        {
            self.node().settings.sleep_until(due_ms).await;
        }
        let event = if due == Due::Bot { EventRecord::Acted(action) } else { EventRecord::ActedByClock(action) };
        let version = table.version();
        let update = self.registry.update(table.id(), |table| {
            // If the table has changed, the bot's choice is outdated.
            if table.version() == version { table.apply_now(event.clone()) } else { Ok(()) }
        });
        update.await?;
        // If the table had changed, this function may have removed the wake-up that the change scheduled.
        self.registry.reschedule(table.id()).await
    }

    /// Lets a bot choose an action from the view and the memory (finished rounds) of its seat.
    ///
    /// The bot's randomness is derived from the server's secret seed and the number of actions: players cannot predict
    /// it, and after a crash the bot chooses the same action.
    async fn choose(&self, current: &Arc<Snapshot>, seat: Seat, bot: Box<dyn Bot>) -> Option<Action> {
        let current = Arc::clone(current);
        let think = move |is_late: &dyn Fn() -> bool| {
            let play = current.table().play()?;
            let game = &play.stored.game;
            let mut hash = Sha256::new_with_prefix(b"sultan/bot");
            hash.update(current.table().opened().server_seed.0);
            hash.update(game.action_count().to_le_bytes());
            let seed = hash.finalize().iter().take(8).fold(0, |bits, &byte| bits << 8 | u64::from(byte));
            bot.choose(&game.view(Observer::Seat(seat)), &game.recall(), &mut FastRng::new(seed), is_late)
        };
        self.node().compute.run(BOT_TIME_LIMIT, think).await
    }
}
