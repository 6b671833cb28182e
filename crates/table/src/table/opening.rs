//! Decides about new tables: with new players, or as a rematch of a finished game.

use sultan_bots::DEFAULT_STAND_IN;
use sultan_domain::{FirstSeatBy, Seat, ServerSeed, TableId};
use sultan_store::{EventRecord, OpenedRecord, SatRecord, SeatPlan};

use super::{Occupant, Table};
use crate::request::{self, NewTable, SeatChange, SeatWish};
use crate::{Rejection, ServiceError};

/// The longest time limit for an action.
pub(crate) const MAX_SECONDS_PER_ACTION: u32 = 7 * 24 * 3600;

/// Checks the options of a new table.
pub(crate) fn open(new: &NewTable, server_seed: ServerSeed) -> Result<OpenedRecord, Rejection> {
    if new.seats.len() > usize::from(new.players.count()) {
        return Err(Rejection::BadTable("there are more seats than players"));
    }
    if new.first_seat.is_some_and(|seat| !new.players.has(seat)) {
        return Err(Rejection::NoSuchSeat);
    }
    if new.seconds_per_action.is_some_and(|seconds| !(1..=MAX_SECONDS_PER_ACTION).contains(&seconds)) {
        return Err(Rejection::BadTable("the time for each action is 1 second to 7 days"));
    }
    new.variant.parameters(new.players)?;
    let wishes = new.seats.iter().cloned().chain(std::iter::repeat(SeatWish::Human));
    let plan = |wish| match wish {
        SeatWish::Human => Ok(SeatPlan::Human),
        SeatWish::Bot(bot) => request::bot(&bot).map(SeatPlan::Bot),
    };
    let seats: Vec<SeatPlan> = wishes.take(new.players.count().into()).map(plan).collect::<Result<_, _>>()?;
    if !seats.contains(&SeatPlan::Human) {
        return Err(Rejection::BadTable("whoever opens a table plays at it: one seat must be a person's"));
    }
    Ok(OpenedRecord {
        players: new.players,
        variant: new.variant,
        seats,
        screens: new.screens,
        first_seat: new.first_seat,
        first_by: if new.first_seat.is_some() { FirstSeatBy::Host } else { FirstSeatBy::Chance },
        seconds: new.seconds_per_action,
        public: new.public,
        even_pace: new.even_pace,
        stand_in: new.stand_in.as_deref().map_or(Ok(DEFAULT_STAND_IN.to_owned()), request::bot)?,
        server_seed,
        rematch_of: None,
        guided: new.guided,
        coach: new.coach,
        branch: None,
    })
}

impl Table {
    /// A new table for the same players and bots. Only the one who asks has agreed to play there so far.
    pub(crate) fn rematch_table(
        &self,
        id: TableId,
        by: Seat,
        change: &SeatChange,
        server_seed: ServerSeed,
    ) -> Result<Self, ServiceError> {
        let mut table = Self::new(id, self.rematch_options(server_seed)?, self.changed_ms());
        for seat in self.seats() {
            let Some(player) = self.player(seat).filter(|player| seat == by || !player.has_left()) else { continue };
            let own = Some(change).filter(|_| seat == by);
            let name = own.and_then(|own| own.name.as_deref());
            let colour = own.and_then(|own| own.colour).unwrap_or(player.colour);
            let visitors = player.visitors_of_rematch();
            table.apply_now(EventRecord::Sat(Box::new(SatRecord {
                seat,
                name: name.map_or(Ok(player.name.clone()), request::name)?,
                colour: self.free_colour(Some(colour), Some(seat))?,
                seed: own.map(|own| own.client_seed.clone().unwrap_or_default()),
                token: player.token,
                visitor: visitors.first().copied(),
            })))?;
            for &visitor in visitors.iter().skip(1) {
                table.apply_now(EventRecord::Linked { seat, visitor })?;
            }
        }
        table.apply_now(EventRecord::Host { seat: by })?;
        table.start_if_ready()?;
        Ok(table)
    }

    fn rematch_options(&self, server_seed: ServerSeed) -> Result<OpenedRecord, Rejection> {
        let play = self.finished()?;
        let plan = |seat| match self.occupant(seat) {
            Occupant::Bot(bot) => SeatPlan::Bot(bot.clone()),
            Occupant::Nobody | Occupant::Player(_) => SeatPlan::Human,
        };
        Ok(OpenedRecord {
            seats: self.seats().map(plan).collect(),
            // RULES 2.5: in a rematch the first seat moves on.
            first_seat: Some(play.deal().first_seat().left(self.options().players)),
            first_by: FirstSeatBy::Rematch,
            server_seed,
            rematch_of: Some(self.id()),
            // The fixed deal of a guided game is played once; the next game is random.
            guided: false,
            branch: None,
            ..self.options().clone()
        })
    }
}
