//! What happens at tables by itself: bots act, time runs out, beats come.

use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest, Sha256};
use sultan_bots::Bot;
use sultan_domain::{Action, Observer, Seat, TableId};
use sultan_rules::Quick;
use sultan_store::{EventRecord, StoreError};

use crate::publish::Snapshot;
use crate::service::{Inner, Service};
use crate::table::Table;
use crate::{Rejection, ServiceError};

/// The longest a bot may think. So long before its time it begins, or as soon as it is its turn, so that nobody sees
/// from when it acts how long that took.
const LONGEST: Duration = Duration::from_millis(LONGEST_MS.unsigned_abs());
const LONGEST_MS: i64 = 2000;
/// After a start, nobody's time runs out before players had the time to connect again.
const GRACE_MS: i64 = 5000;
/// So long nothing need be looked at where nothing is to come.
const IDLE_MS: i64 = 3_600_000;
/// So long a database that does not answer is left alone.
const AGAIN_MS: i64 = 1000;
/// So long a table that cannot go on is left alone: a newer program may know what to do with it.
const LATER_MS: i64 = 600_000;

/// What is to happen at a table next.
enum Next {
    /// Something is shown to all.
    Beat,
    /// A bot acts.
    Bot,
    /// A bot acts for somebody whose time has run out.
    Clock,
}

impl Service {
    /// Lets bots act and clocks run, for as long as the service lives: first for the tables that were in play when the
    /// program ended last. Forgets old promises and merges what is over, too. Does not come back.
    pub async fn run(&self) {
        let inner = &self.0;
        inner.started_ms();
        tokio::join!(self.live_together(), self.forget_promises(), self.merge_settled(), async {
            loop {
                let (tables, next) = inner.schedule.due(inner.now_ms());
                for table in tables {
                    let inner = Arc::clone(inner);
                    tokio::spawn(async move {
                        if let Err(error) = inner.wake(table).await {
                            inner.cannot_go_on(table, &error);
                        }
                    });
                }
                let until = next.unwrap_or_else(|| inner.now_ms() + IDLE_MS);
                tokio::select! {
                    () = (inner.settings.sleep_until)(until) => {}
                    () = inner.schedule.sooner() => {}
                }
            }
        });
    }

    /// Looks at every table that goes on by itself and is this node's, where that is not known to be noted.
    pub(crate) async fn resume(&self) {
        const PAGE: u32 = 256;
        let (mut last, mut count) = (None, 0_usize);
        loop {
            let page = match self.0.store.attended_tables(last, PAGE).await {
                Ok(page) => page,
                Err(error) => {
                    tracing::error!(%error, "the tables in play could not be listed; trying again");
                    (self.0.settings.sleep_until)(self.0.now_ms() + AGAIN_MS).await;
                    continue;
                }
            };
            for &table in &page {
                if !self.0.neighbours.attends(table) || self.0.schedule.has(table) {
                    continue;
                }
                count += 1;
                // Whatever is due there is noted by looking.
                if let Err(error) = self.0.attend_anew(table).await {
                    self.0.cannot_go_on(table, &error);
                }
            }
            let Some(&end) = page.last() else { break };
            last = Some(end);
        }
        if count > 0 {
            tracing::debug!(tables = count, "tables in play go on");
        }
    }
}

impl Inner {
    /// Looks at a table again after a while: the database may be back then.
    pub(crate) fn look_again(&self, table: TableId) {
        self.schedule.set(table, Some(self.now_ms() + AGAIN_MS));
    }

    /// Looks after a table that does not go on, and says so.
    pub(crate) fn cannot_go_on(&self, table: TableId, error: &ServiceError) {
        let again_ms = match error {
            // It was forgotten.
            ServiceError::Rejected(Rejection::NoSuchTable) => return,
            ServiceError::Rejected(_) | ServiceError::Store(StoreError::Unreadable { .. }) => LATER_MS,
            ServiceError::Store(_) => AGAIN_MS,
        };
        tracing::error!(%table, %error, "a table does not go on by itself");
        self.schedule.set(table, Some(self.now_ms() + again_ms));
    }

    /// When this node began to attend to tables.
    fn started_ms(&self) -> i64 {
        *self.started_ms.get_or_init(|| self.now_ms())
    }

    /// Notes when something happens at a table by itself, and is this node's to do.
    pub(crate) fn attend(&self, table: &Table) {
        let due = self.next(table).map(|(_, due)| due);
        self.schedule.set(table.id, due);
    }

    /// The same for a table as it is now: nobody changes it meanwhile, so that nothing newer that was noted gets lost.
    async fn attend_anew(self: &Arc<Self>, id: TableId) -> Result<(), ServiceError> {
        let slot = self.slot(id);
        let _turn = slot.turn.lock().await;
        let now = self.known(&slot, id).await?;
        self.attend(&now.table);
        self.list(&now.table);
        Ok(())
    }

    fn next(&self, table: &Table) -> Option<(Next, i64)> {
        if let Some(beat) = table.next_beat_ms() {
            return Some((Next::Beat, beat));
        }
        if !self.neighbours.attends(table.id) {
            return None;
        }
        if table.bot_to_act().is_some() {
            let since = table.play.as_ref()?.turn_since_ms;
            return Some((Next::Bot, since.max(self.bot_due_ms(table)? - LONGEST_MS)));
        }
        table.to_act()?;
        Some((Next::Clock, table.clock_ms()?.max(self.started_ms() + GRACE_MS)))
    }

    /// When a bot acts: after a pause that depends on nothing but the table's name and how much was played.
    fn bot_due_ms(&self, table: &Table) -> Option<i64> {
        let play = table.play.as_ref()?;
        let mut hash = Sha256::new();
        hash.update(table.id.number().to_le_bytes());
        hash.update(play.game.at().to_le_bytes());
        let part = i64::from(hash.finalize()[0]);
        let mean = i64::try_from(self.settings.bot_pause.as_millis()).unwrap_or(i64::MAX);
        // From half the pause to one and a half.
        Some(play.turn_since_ms + mean / 2 + mean.saturating_mul(part) / 255)
    }

    /// Does what is due at a table.
    async fn wake(self: &Arc<Self>, id: TableId) -> Result<(), ServiceError> {
        let now = self.published(id).await?;
        match self.next(&now.table) {
            None => {
                self.list(&now.table);
                Ok(())
            }
            // The node slept, or somebody acted meanwhile: it is not time yet.
            Some((_, due)) if due > self.now_ms() => self.attend_anew(id).await,
            Some((Next::Beat, _)) => {
                let slot = self.slot(id);
                let _turn = slot.turn.lock().await;
                let now = self.known(&slot, id).await?;
                self.show(&slot, &now);
                Ok(())
            }
            Some((Next::Bot, _)) => self.bot_acts(&now, false).await,
            Some((Next::Clock, _)) => self.bot_acts(&now, true).await,
        }
    }

    async fn bot_acts(self: &Arc<Self>, now: &Arc<Snapshot>, clock: bool) -> Result<(), ServiceError> {
        let table = &now.table;
        let Some(seat) = table.to_act() else { return Ok(()) };
        // Where it was read just now, this was noted once more.
        self.schedule.set(table.id, None);
        let name = table.place(seat).bot().unwrap_or(&table.opened.stand_in);
        let Some(bot) = sultan_bots::by_name(name) else { return Err(Rejection::NoSuchBot(name.to_owned()).into()) };
        let Some(action) = self.think(now, seat, bot).await else {
            tracing::error!(table = %table.id, bot = name, "a bot did not choose");
            self.look_again(table.id);
            return Ok(());
        };
        if !clock && let Some(due) = self.bot_due_ms(table) {
            (self.settings.sleep_until)(due).await;
        }
        let (version, id) = (table.version, table.id);
        let act = |table: &Table| {
            Ok(match (table.version == version, clock) {
                (false, _) => Vec::new(),
                (true, false) => vec![EventRecord::Acted(action)],
                (true, true) => vec![EventRecord::ActedByClock(action)],
            })
        };
        self.change(id, act).await?;
        // Somebody else may have acted when what is due was forgotten above.
        self.attend_anew(id).await
    }

    /// Lets a bot choose, from what its seat sees and remembers. Its chance comes from the table's secret and how much was
    /// played: nobody can foresee it, and after a crash it chooses the same.
    async fn think(&self, now: &Arc<Snapshot>, seat: Seat, bot: Box<dyn Bot>) -> Option<Action> {
        let now = Arc::clone(now);
        let choose = move || {
            let play = now.table.play.as_ref()?;
            let mut hash = Sha256::new();
            hash.update(b"sultan/bot");
            hash.update(now.table.opened.server_seed.0);
            hash.update(play.game.at().to_le_bytes());
            let seed = hash.finalize().iter().take(8).fold(0, |bits, &byte| bits << 8 | u64::from(byte));
            let view = play.game.view(Observer::Seat(seat));
            let begun = std::time::Instant::now();
            bot.choose(&view, &play.recall(), &mut Quick::new(seed), &|| begun.elapsed() > LONGEST)
        };
        self.thought(choose).await.flatten()
    }

    /// Thinks, in turn with all others who do. Whoever asked may go away meanwhile, and still no more think at once
    /// than may.
    pub(crate) async fn thought<T: Send + 'static>(&self, think: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let playing = self.studies.playing();
        let turn = Arc::clone(&self.thinking).acquire_owned().await.ok()?;
        let thinking = tokio::task::spawn_blocking(move || {
            let _until_the_end = (playing, turn);
            think()
        });
        thinking.await.ok()
    }
}
