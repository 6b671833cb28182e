//! Lists of tables: those that everybody may find, and those where a browser has a seat.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use sultan_domain::{Observer, Players, Seat, TableId, ViewPhase};
use sultan_store::{Old, StoreError, TableState};

use crate::ServiceError;
use crate::publish::{LiveTable, Snapshot};
use crate::seating::MOST_SECONDS;
use crate::service::Service;
use crate::sight::{OptionsView, Sight, WaitingSeat, rfc3339};
use crate::token::Visitor;

/// The most tables of a list.
const MOST: u32 = 50;
/// What goes on by itself does so within the longest time that a player may think, and a day in which the server may be
/// down.
const STALLED_MS: i64 = (MOST_SECONDS as i64 + 24 * 3600) * 1000;

/// A table that everybody may find.
#[derive(Clone, Debug, Serialize)]
pub struct OpenTable {
    /// Which.
    pub table: TableId,
    /// Whether the game is on: then it can be watched.
    pub playing: bool,
    /// How many play.
    pub players: Players,
    /// Who sits where.
    pub seats: Vec<WaitingSeat>,
    /// How it was opened.
    pub options: OptionsView,
    /// Since when (RFC 3339).
    pub since: String,
}

/// A seat that a browser has in a game.
#[derive(Clone, Debug, Serialize)]
pub struct OwnSeat {
    /// Which table.
    pub table: TableId,
    /// Which seat.
    pub seat: Seat,
    /// `waiting`, `playing` or `over`.
    pub state: &'static str,
    /// Whether it is this seat's turn.
    pub your_turn: bool,
    /// The names of all who play.
    pub names: Vec<String>,
}

impl Service {
    /// The tables that everybody may find, those that wait for players first.
    ///
    /// # Errors
    /// [`ServiceError::Store`] when they cannot be read.
    pub async fn public_tables(&self) -> Result<Vec<OpenTable>, ServiceError> {
        let mut tables = Vec::new();
        for state in [TableState::Waiting, TableState::Playing] {
            for listed in self.0.store.public_tables(state, MOST).await? {
                let Some(published) = self.to_be_listed(listed.table).await? else { continue };
                let table = &published.table;
                if table.is_known_to_be_over() {
                    continue;
                }
                let waiting = crate::sight::waiting(table, Observer::Public);
                tables.push(OpenTable {
                    table: table.id,
                    playing: state == TableState::Playing,
                    players: waiting.players,
                    seats: waiting.seats,
                    options: waiting.options,
                    since: rfc3339(listed.changed_ms),
                });
            }
        }
        Ok(tables)
    }

    /// The games in which a browser has a seat, the newest first.
    ///
    /// # Errors
    /// [`ServiceError::Store`] when they cannot be read.
    pub async fn games_of(&self, visitor: &Visitor) -> Result<Vec<OwnSeat>, ServiceError> {
        let mut games = Vec::new();
        for one in self.0.store.seats_of(visitor.hash(), MOST).await? {
            let Some(published) = self.to_be_listed(one.table).await? else { continue };
            // A seat that was given to somebody else since is not theirs.
            let caller = crate::Caller::Visitor { visitor: *visitor, seat: Some(one.seat) };
            if published.table.seat_of(&caller).is_err() {
                continue;
            }
            let sight = Sight::of(&published.table, Observer::Seat(one.seat));
            let (state, your_turn) = match &sight {
                Sight::Waiting(waiting) => (if waiting.ended { "over" } else { "waiting" }, false),
                Sight::Playing(playing) if playing.view.phase == ViewPhase::Over || playing.around.ended => {
                    ("over", false)
                }
                Sight::Playing(playing) => ("playing", playing.view.to_act == Some(one.seat)),
            };
            let names = published.table.people().into_iter().map(|person| person.name).collect();
            games.push(OwnSeat { table: one.table, seat: one.seat, state, your_turn, names });
        }
        Ok(games)
    }

    /// A table of a list; none where it is gone or cannot be read, which keeps nobody from the others.
    async fn to_be_listed(&self, table: TableId) -> Result<Option<Arc<Snapshot>>, ServiceError> {
        match self.0.published(table).await {
            Ok(published) => Ok(Some(published)),
            Err(error @ (ServiceError::Rejected(_) | ServiceError::Store(StoreError::Unreadable { .. }))) => {
                tracing::warn!(%table, %error, "a listed table cannot be shown");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Forgets tables, with the names of those who played there, that have not changed for so long. Says how many. The
    /// time is the one that all nodes on the database go by.
    ///
    /// # Errors
    /// [`ServiceError::Store`] when the store does not.
    pub async fn forget_after(&self, age: Duration) -> Result<u64, ServiceError> {
        const PAGE: u32 = 100;
        let now = self.0.now_ms();
        let before_ms = now.saturating_sub(i64::try_from(age.as_millis()).unwrap_or(i64::MAX));
        let old = Old { before_ms, stalled_ms: before_ms.min(now - STALLED_MS) };
        let mut all = 0;
        loop {
            let some = self.0.store.forget(old, PAGE).await?;
            all += some;
            // Some of a page may have changed just now.
            if some == 0 {
                break;
            }
        }
        // Nor is anything remembered of them here, whichever node it was that forgot them: what is still there is read
        // again when it is asked for.
        let is_old = |slot: &LiveTable| slot.now().is_some_and(|now| now.table.changed_ms < before_ms);
        self.0.slots().iter().filter(|(_, slot)| is_old(slot)).for_each(|(_, slot)| slot.forget());
        Ok(all)
    }
}
