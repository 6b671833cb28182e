//! Operations on seats after somebody sat down: leaving, stand-ins, pauses, links to browsers.

use sultan_domain::{Seat, TableId};

use super::{Result, Service};
use crate::Rejection;
use crate::registry::ObserverSnapshot;
use crate::request::Caller;
use crate::table::Table;
use crate::token::{SeatToken, Visitor};

impl Service {
    /// Leaves a table. Before the start the seat becomes free; later the player is replaced by a bot (stand-in).
    ///
    /// # Errors
    /// [`Rejection`] if the caller has no seat.
    pub async fn leave(&self, table: TableId, caller: &Caller) -> Result<()> {
        self.update(table, caller, Table::leave).await.map(|_| ())
    }

    /// Removes the bot that stands in, so that the seat's player acts again. Allowed for the player and for the host.
    ///
    /// # Errors
    /// [`Rejection`] of all other callers.
    pub async fn end_stand_in(&self, table: TableId, caller: &Caller, seat: Seat) -> Result<ObserverSnapshot> {
        self.update(table, caller, |table, caller| table.end_stand_in(caller, seat)).await
    }

    /// Gives a seat to a bot: before the start a free or reserved seat, or another bot's; later the seat of an absent
    /// player, or the caller's own (stand-in). Without a name, the table's stand-in is meant.
    ///
    /// # Errors
    /// [`Rejection`] if the seat is another player's: of all callers except the host, or if the player is not absent.
    pub async fn put_bot_in_seat(
        &self,
        table: TableId,
        caller: &Caller,
        seat: Seat,
        bot: Option<&str>,
    ) -> Result<ObserverSnapshot> {
        self.update(table, caller, |table, caller| table.put_bot_in_seat(caller, seat, bot)).await
    }

    /// Pauses or resumes a game that one person plays against bots. An action of the player resumes it, too.
    ///
    /// # Errors
    /// [`Rejection`] if another person has a seat, or the game is not in play.
    pub async fn set_paused(&self, table: TableId, caller: &Caller, paused: bool) -> Result<ObserverSnapshot> {
        self.update(table, caller, |table, caller| table.set_paused(caller, paused)).await
    }

    /// Frees a seat before the start.
    ///
    /// # Errors
    /// [`Rejection`] of all callers except the host, or after the start.
    pub async fn free_seat(&self, table: TableId, caller: &Caller, seat: Seat) -> Result<ObserverSnapshot> {
        self.update(table, caller, |table, caller| table.free_seat(caller, seat)).await
    }

    /// Links a browser to the seat that a token belongs to.
    ///
    /// # Errors
    /// [`Rejection`] if the token belongs to no seat of the table, or too many browsers have the seat.
    pub async fn link(&self, table: TableId, token: SeatToken, visitor: &Visitor) -> Result<Seat> {
        let visitor = visitor.hash();
        let linked = self.update(table, &Caller::Token(token), |table, seat| table.link(seat, visitor)).await?;
        Ok(linked.observer().seat().ok_or(Rejection::NoToken)?)
    }
}
