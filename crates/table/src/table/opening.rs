//! Decides about new tables: with new players, or as a rematch of a finished game.

use sultan_domain::{FirstSeatBy, Seat, SeatPlan, ServerSeed, TableId, TableOptions};
use sultan_store::{EventRecord, OpenedRecord, SatRecord};

use super::{Occupant, Table};
use crate::request::{self, NewTable, SeatChange};
use crate::{Rejection, ServiceError};

/// The longest time limit for an action: 7 days.
pub const MAX_SECONDS_PER_ACTION: u32 = 7 * 24 * 3600;

/// Checks the request for a new table, and makes the event that opens the table.
pub(crate) fn opening_record(new: &NewTable, server_seed: ServerSeed) -> Result<OpenedRecord, Rejection> {
    let &NewTable { players, variant, ref options, .. } = new;
    if new.seats.len() > usize::from(players.count()) {
        return Err(Rejection::BadTable("there are more seats than players"));
    }
    if options.first_seat.is_some_and(|seat| !players.has(seat)) {
        return Err(Rejection::NoSuchSeat);
    }
    if options.seconds_per_action.is_some_and(|seconds| !(1..=MAX_SECONDS_PER_ACTION).contains(&seconds)) {
        return Err(Rejection::BadTable("the time for each action is 1 second to 7 days"));
    }
    variant.parameters(players)?;
    let mut seats = new.seats.clone();
    seats.resize(players.count().into(), SeatPlan::Human);
    for plan in &seats {
        if let SeatPlan::Bot(bot) = plan {
            request::check_bot(bot)?;
        }
    }
    if !seats.contains(&SeatPlan::Human) {
        return Err(Rejection::BadTable("the host plays too, so at least one seat must be for a person"));
    }
    request::check_bot(&options.stand_in)?;
    let options = TableOptions { rematch_of: None, ..options.clone() };
    let first_by = if options.first_seat.is_some() { FirstSeatBy::Host } else { FirstSeatBy::Chance };
    Ok(OpenedRecord { players, variant, seats, options, first_by, server_seed, branch: None })
}

impl Table {
    /// A new table for the same players and bots. Only the player in the seat `requester` has agreed to play so far;
    /// `change` is that player's request. The seats of players who have left are free.
    pub(crate) fn rematch_table(
        &self,
        id: TableId,
        requester: Seat,
        change: &SeatChange,
        server_seed: ServerSeed,
    ) -> Result<Self, ServiceError> {
        let mut table = Self::new(id, self.rematch_record(server_seed)?, self.changed_ms());
        for seat in self.seats() {
            let Some(player) = self.player(seat).filter(|player| seat == requester || !player.has_left()) else {
                continue;
            };
            let change = Some(change).filter(|_| seat == requester);
            let name = change.and_then(|change| change.name.as_deref());
            let colour = change.and_then(|change| change.colour).unwrap_or(player.colour);
            let visitors = player.visitors_of_rematch();
            table.apply_now(EventRecord::Sat(Box::new(SatRecord {
                seat,
                name: name.map_or(Ok(player.name.clone()), request::checked_name)?,
                colour: self.free_colour(Some(colour), Some(seat))?,
                // A player without a seed has not agreed to play yet.
                seed: change.map(|change| change.client_seed.clone().unwrap_or_default()),
                token: player.token,
                visitor: visitors.first().copied(),
            })))?;
            // The first browser is already linked by `Sat`.
            for &visitor in visitors.iter().skip(1) {
                table.apply_now(EventRecord::Linked { seat, visitor })?;
            }
        }
        table.apply_now(EventRecord::HostChanged { seat: requester })?;
        table.start_if_ready()?;
        Ok(table)
    }

    /// The event that opens a rematch of this table's finished game.
    fn rematch_record(&self, server_seed: ServerSeed) -> Result<OpenedRecord, Rejection> {
        let play = self.finished()?;
        let plan = |seat| match self.occupant(seat) {
            Occupant::Bot(bot) => SeatPlan::Bot(bot.clone()),
            Occupant::Free | Occupant::Player(_) => SeatPlan::Human,
        };
        let options = TableOptions {
            // RULES 2.5: the left neighbour of the first seat is first in the rematch.
            first_seat: Some(play.deal.setup.first_seat.left_neighbour(self.players())),
            rematch_of: Some(self.id()),
            // The fixed deal of a guided game is played once; the next game is random.
            guided: false,
            ..self.options().clone()
        };
        let seats = self.seats().map(plan).collect();
        let first_by = FirstSeatBy::Rematch;
        Ok(OpenedRecord { seats, options, first_by, server_seed, branch: None, ..self.opened().clone() })
    }
}
