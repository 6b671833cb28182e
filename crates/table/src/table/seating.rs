//! Decides about seats: sitting down, leaving, returning, and replacement by a bot.

use sultan_domain::{Observer, PlayerColour, Seat};
use sultan_store::{EventRecord, SatRecord, VisitorHash};

use super::occupant::{MAX_LINKED_BROWSERS, SeatedPlayer};
use super::status::ABSENCE_SECONDS;
use super::{Occupant, Table};
use crate::request::{self, NewPlayer, SeatChange};
use crate::token::SeatToken;
use crate::{Rejection, ServiceError};

impl Table {
    /// Checks that the game has not started, and that the table was not abandoned.
    fn check_waiting(&self) -> Result<(), Rejection> {
        if self.is_abandoned() {
            return Err(Rejection::Over);
        }
        if self.play().is_some() { Err(Rejection::Started) } else { Ok(()) }
    }

    fn check_seat(&self, seat: Seat) -> Result<(), Rejection> {
        if self.players().has(seat) { Ok(()) } else { Err(Rejection::NoSuchSeat) }
    }

    fn check_host(&self, seat: Seat) -> Result<(), Rejection> {
        if seat == self.info().host { Ok(()) } else { Err(Rejection::NotHost) }
    }

    /// The colour of a player: `wanted` or, without a wish, the first free colour. `own_seat` is the player's seat, if
    /// the player already has one: its present colour counts as free. So do the colours of bots, which get the
    /// remaining ones.
    pub(super) fn free_colour(
        &self,
        wanted: Option<PlayerColour>,
        own_seat: Option<Seat>,
    ) -> Result<PlayerColour, Rejection> {
        let others = self.seats().filter(|&seat| Some(seat) != own_seat).filter_map(|seat| self.player(seat));
        let taken: Vec<PlayerColour> = others.map(|player| player.colour).collect();
        match wanted {
            Some(colour) if taken.contains(&colour) => Err(Rejection::ColourTaken),
            Some(colour) => Ok(colour),
            None => PlayerColour::ALL.into_iter().find(|colour| !taken.contains(colour)).ok_or(Rejection::ColourTaken),
        }
    }

    /// Gives a new player the lowest free seat. Starts the game if all seats are ready then.
    pub(crate) fn take_seat(&mut self, player: &NewPlayer, token: &SeatToken) -> Result<Seat, ServiceError> {
        self.check_waiting()?;
        let is_free = |seat: &Seat| matches!(self.occupant(*seat), Occupant::Free);
        let seat = self.seats().find(is_free).ok_or(Rejection::NoSeatFree)?;
        let sat = SatRecord {
            seat,
            name: request::checked_name(&player.name)?,
            colour: self.free_colour(player.colour, None)?,
            seed: Some(player.client_seed.clone()),
            token: token.hash(),
            visitor: player.visitor.map(|visitor| visitor.hash()),
        };
        self.apply_now(EventRecord::Sat(Box::new(sat)))?;
        self.start_if_ready()?;
        Ok(seat)
    }

    /// Starts the game if all seats are ready.
    pub(super) fn start_if_ready(&mut self) -> Result<(), ServiceError> {
        if self.seats().all(|seat| self.occupant(seat).is_ready()) {
            self.apply_now(EventRecord::Started)
        } else {
            Ok(())
        }
    }

    /// Changes a player's name, colour or seed before the start. In a rematch, this request also means that the player
    /// agrees to play.
    pub(crate) fn change_seat(&mut self, caller: Seat, seat: Seat, change: &SeatChange) -> Result<(), ServiceError> {
        if caller != seat {
            return Err(Rejection::WrongToken.into());
        }
        self.check_waiting()?;
        let SeatedPlayer { name, colour, seed, .. } = self.player(seat).ok_or(Rejection::SeatEmpty)?;
        let changed = EventRecord::Changed {
            seat,
            name: change.name.as_deref().map_or(Ok(name.clone()), request::checked_name)?,
            colour: change.colour.map_or(Ok(*colour), |colour| self.free_colour(Some(colour), Some(seat)))?,
            // A player without any seed agrees to a rematch with the empty seed.
            seed: change.client_seed.clone().or_else(|| seed.clone()).unwrap_or_default(),
        };
        self.apply_now(changed)?;
        self.start_if_ready()
    }

    /// Removes a player from the table. Before the start the seat becomes free; later the player is replaced by a bot
    /// (stand-in). If the player was the host, the host role passes to another player. If all players have left, the
    /// table is abandoned. Does nothing if the game is over or the player has already left.
    pub(crate) fn leave(&mut self, seat: Seat) -> Result<(), ServiceError> {
        if self.is_over(Observer::Seat(seat)) {
            return Ok(());
        }
        if self.player(seat).ok_or(Rejection::SeatEmpty)?.has_left() {
            return Ok(());
        }
        let was_host = seat == self.info().host;
        self.apply_now(if self.play().is_none() {
            EventRecord::Freed { seat }
        } else {
            EventRecord::StoodIn { seat, bot: self.options().stand_in.clone(), left: true }
        })?;
        match self.next_host(seat) {
            None => self.apply_now(EventRecord::Ended),
            Some(next) if was_host => self.apply_now(EventRecord::HostChanged { seat: next }),
            Some(_) => Ok(()),
        }
    }

    /// The next host, if the player in `seat` leaves: going around the table to the left, the first player without a
    /// stand-in or, if every player has one, the first player who has not left. `None` if all players have left.
    fn next_host(&self, seat: Seat) -> Option<Seat> {
        let players = self.players();
        let left_neighbour = |seat: &Seat| Some(seat.left_neighbour(players));
        let other_seats =
            || std::iter::successors(left_neighbour(&seat), left_neighbour).take(usize::from(players.count()) - 1);
        let find_player = |may_be_host: fn(&SeatedPlayer) -> bool| {
            other_seats().find(|&seat| self.player(seat).is_some_and(may_be_host))
        };
        find_player(|player| player.stand_in.is_none()).or_else(|| find_player(|player| !player.has_left()))
    }

    /// Gives a seat to a bot: the named one or, without a name, the table's stand-in. Only for the host; but a player
    /// may let a bot play the rest of the game in the own seat.
    ///
    /// Before the start the seat must be free, have another bot, or be reserved for a player who has not agreed to a
    /// rematch. After the start the bot becomes the stand-in of an absent player or of the caller, or replaces a
    /// stand-in.
    pub(crate) fn put_bot_in_seat(&mut self, caller: Seat, seat: Seat, bot: Option<&str>) -> Result<(), ServiceError> {
        let is_own_seat = caller == seat && self.play().is_some();
        if !is_own_seat {
            self.check_host(caller)?;
        }
        if self.is_over(Observer::Seat(caller)) {
            return Err(Rejection::Over.into());
        }
        let bot = bot.unwrap_or(&self.options().stand_in).to_owned();
        request::check_bot(&bot)?;
        self.check_seat(seat)?;
        let started = self.play().is_some();
        match self.occupant(seat) {
            Occupant::Bot(_) if started => Err(Rejection::Started.into()),
            Occupant::Player(player)
                if started && (is_own_seat || player.stand_in.is_some() || self.is_overdue(seat, caller)) =>
            {
                let left = player.has_left();
                self.apply_now(EventRecord::StoodIn { seat, bot, left })
            }
            Occupant::Player(_) if started => Err(Rejection::NotAbsent(ABSENCE_SECONDS).into()),
            // A rematch reserves seats for its players. If a player has not agreed, the host may give the seat away.
            Occupant::Player(player) if player.seed.is_some() => Err(Rejection::NotStarted.into()),
            Occupant::Free | Occupant::Player(_) | Occupant::Bot(_) => {
                self.apply_now(EventRecord::Filled { seat, bot })?;
                self.start_if_ready()
            }
        }
    }

    /// Returns whether the table has waited for this seat's action for [`ABSENCE_SECONDS`], in the position that the
    /// host sees.
    fn is_overdue(&self, seat: Seat, host: Seat) -> bool {
        self.play().is_some_and(|play| {
            let position = play.position(Observer::Seat(host));
            // `changed_ms` is the present time: this table is a copy made for the host's request.
            let is_due = |due_ms| self.changed_ms() >= due_ms;
            position.game.to_act() == Some(seat) && self.stand_in_from_ms(&position).is_some_and(is_due)
        })
    }

    /// Removes the bot that stands in, so that the seat's player acts again. For the player and for the host.
    pub(crate) fn end_stand_in(&mut self, caller: Seat, seat: Seat) -> Result<(), ServiceError> {
        self.check_seat(seat)?;
        if caller != seat {
            self.check_host(caller)?;
        }
        self.check_in_play(caller)?;
        let player = self.player(seat).ok_or(Rejection::SeatEmpty)?;
        if player.stand_in.is_some() { self.apply_now(EventRecord::Returned { seat }) } else { Ok(()) }
    }

    /// Pauses the game at a table with one person, or ends the pause. During a pause no bot acts and no time limit runs.
    pub(crate) fn set_paused(&mut self, caller: Seat, paused: bool) -> Result<(), ServiceError> {
        self.check_in_play(caller)?;
        if self.seats().any(|seat| seat != caller && self.player(seat).is_some()) {
            return Err(Rejection::BadTable("only a game of one person and bots can be paused").into());
        }
        if self.info().paused == paused {
            return Ok(());
        }
        self.apply_now(if paused { EventRecord::Paused } else { EventRecord::Resumed })
    }

    /// Checks that the game has started and is not over, as this seat sees it.
    fn check_in_play(&self, seat: Seat) -> Result<(), Rejection> {
        if self.is_over(Observer::Seat(seat)) {
            return Err(Rejection::Over);
        }
        if self.play().is_some() { Ok(()) } else { Err(Rejection::NotStarted) }
    }

    /// Frees a seat before the start. Only for the host.
    pub(crate) fn free_seat(&mut self, caller: Seat, seat: Seat) -> Result<(), ServiceError> {
        self.check_host(caller)?;
        self.check_waiting()?;
        self.check_seat(seat)?;
        match self.occupant(seat) {
            Occupant::Free => Err(Rejection::SeatEmpty.into()),
            Occupant::Player(_) if seat == self.info().host => {
                Err(Rejection::BadTable("the host cannot be removed, but can leave").into())
            }
            Occupant::Player(_) | Occupant::Bot(_) => self.apply_now(EventRecord::Freed { seat }),
        }
    }

    /// Links a browser to a seat. Does nothing if it is already linked.
    pub(crate) fn link(&mut self, seat: Seat, visitor: VisitorHash) -> Result<(), ServiceError> {
        let linked = self.player(seat).map_or(&[][..], |player| &player.visitors);
        if linked.contains(&visitor) {
            return Ok(());
        }
        if linked.len() >= MAX_LINKED_BROWSERS {
            return Err(Rejection::TooManyLinks.into());
        }
        self.apply_now(EventRecord::Linked { seat, visitor })
    }
}
