//! What can be asked of a game that is over: to see it once more, and to play on from one of its moments.

use std::sync::Arc;

use sultan_domain::{Seat, ServerSeed, TableId};
use sultan_rules::{Quick, commitment};
use sultan_store::StoreError;

use crate::replay::Replay;
use crate::request::{NewTable, SeatWish, Sitting};
use crate::service::Opened;
use crate::sight::Around;
use crate::table::Table;
use crate::token::SeatToken;
use crate::{Rejection, Service, ServiceError, seating};

/// How somebody would like to play on from a moment of a game that is over.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The moment: how many actions there had been.
    pub at: usize,
    /// The seat to take.
    pub seat: Seat,
    /// Whether what this seat could not know is thought up anew, and does not stay as it was.
    pub imagined: bool,
    /// The bot in all other seats.
    pub bot: String,
    /// Whether the player may ask a coach.
    pub coach: bool,
    /// How the player would like to sit down.
    pub host: Sitting,
}

impl Table {
    fn replay(&self) -> Result<Result<Replay, String>, Rejection> {
        let play = self.finished()?;
        let actions = play.actions.iter().map(|&(_, action)| action).collect();
        Ok(Replay::new(Arc::clone(&play.course), actions, self.people(), &Around::of(self)))
    }
}

impl Service {
    /// What a game that is over tells, asked here and, where it seems not to be over, of the other nodes.
    pub(crate) async fn of_finished<T>(
        &self,
        table: TableId,
        tell: impl Fn(&Table) -> Result<T, Rejection>,
    ) -> Result<T, ServiceError> {
        match tell(&self.0.published(table).await?.table) {
            Ok(told) => Ok(told),
            Err(_) => Ok(tell(&self.0.newest(table).await?.table)?),
        }
    }

    /// A game that is over, moment by moment.
    ///
    /// # Errors
    /// [`Rejection::NotOver`] while it is secret.
    pub async fn replay(&self, table: TableId) -> Result<Replay, ServiceError> {
        let replay = self.of_finished(table, Table::replay).await?;
        Ok(replay.map_err(|reason| StoreError::Unreadable { table, reason })?)
    }

    /// Opens a table where somebody plays on from a moment of a game that is over, against bots. It promises no fair
    /// chance, and there is no record of its game.
    ///
    /// # Errors
    /// [`Rejection`] where the game is not over, or was at that moment.
    pub async fn branch(&self, table: TableId, wish: Branch) -> Result<Opened, ServiceError> {
        let replay = self.replay(table).await?;
        let inner = &self.0;
        let (fresh, luck) = ((inner.settings.random_bytes)(), (inner.settings.random_bytes)());
        let luck = u64::from_le_bytes(std::array::from_fn(|place| luck[place]));
        let mut chance = wish.imagined.then(|| Quick::new(luck));
        let branch = replay.branch(table, wish.at, wish.seat, chance.as_mut())?;
        let server_seed = if wish.imagined { ServerSeed(fresh) } else { replay.course.server_seed };
        let mut seats = vec![SeatWish::Bot(wish.bot); usize::from(replay.course.players().count())];
        seats[wish.seat.index()] = SeatWish::Human;
        let colour = wish.host.colour.or(Some(replay.people[wish.seat.index()].colour));
        let new = NewTable {
            seats,
            screens: replay.course.screens(),
            first_seat: Some(replay.course.first_seat()),
            coach: wish.coach,
            host: Sitting { colour, ..wish.host },
            ..NewTable::plain(replay.course.players())
        };
        let mut opened = seating::open(&new, server_seed)?;
        opened.branch = Some(Box::new(branch));
        let token = SeatToken::from_bytes((inner.settings.random_bytes)());
        let (seat, events) = inner.opening(opened, &new.host, &token)?;
        inner.has_room().await?;
        let table = inner.found(events).await?;
        tracing::debug!(%table, "a game is played on");
        Ok(Opened { table, commitment: commitment(&server_seed), token, seat })
    }
}
