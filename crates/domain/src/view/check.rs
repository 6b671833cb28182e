//! Validation of a view by itself. Whether a game can lead to it is checked by `imagine` of `sultan-rules`.

use thiserror::Error;

use super::{FORMAT, Observer, PlacedBid, Screens, SeatView, VARIANT_VERSION, VERSION, View, ViewPhase};
use crate::{BadParameters, FaceDownBid, Seat};

/// Why a text is no view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ViewError {
    /// Another format or version.
    #[error("not a view of format “{FORMAT}”, version {VERSION} or {VARIANT_VERSION}")]
    Format,
    /// Parameters with which no game can be played.
    #[error("parameters: {0}")]
    Parameters(#[from] BadParameters),
    /// Parameters in a view of the published game: older programs would take it for another game.
    #[error("a view with parameters has version {VARIANT_VERSION}")]
    VersionOfParameters,
    /// A field that every view of a game has.
    #[error("missing field `{0}`")]
    Missing(&'static str),
    /// The table of a game that has not started.
    #[error("the game has not started")]
    Waiting,
    /// Wrong seats.
    #[error("`seats` must list every seat once, in order")]
    Seats,
    /// A seat that the table does not have.
    #[error("a seat that this table does not have")]
    NoSuchSeat,
    /// A stage or round that the game does not have.
    #[error("a stage or round that this game does not have")]
    StageOrRound,
    /// Jewels or cushions that do not fit the number of players, the phase, or each other.
    #[error("`drawn` and `cushions` do not fit the phase and the number of players")]
    Jewels,
    /// Bids that could not have been placed in this order.
    #[error("the bids on the cushions do not fit their order and the first player")]
    Bids,
    /// A seat to act that does not follow from the phase and the bids.
    #[error("`to_act` does not fit the phase and the bids")]
    Turn,
    /// The last finished round is missing or unfinished, or is present before any round is finished.
    #[error("`last_round` does not fit the round")]
    LastRound,
    /// Information that this observer may not see, or without information that it may see.
    #[error("`collection` and `played` do not fit the screens and the observer")]
    Visibility,
    /// A result before the end, or a missing result after it.
    #[error("`final` does not fit the phase")]
    Outcome,
    /// A hand that does not fit its number of cards.
    #[error("`hand` does not fit the number of cards of its seat")]
    Hand,
}

impl View {
    /// Validates a view by itself, so that code can rely on views from untrusted sources.
    ///
    /// # Errors
    /// [`ViewError`] for the first violation.
    pub fn check(&self) -> Result<(), ViewError> {
        let seats = [Some(self.first_seat), self.to_act, self.observer.seat()];
        if seats.into_iter().flatten().any(|seat| !self.parameters.players.has(seat)) {
            return Err(ViewError::NoSuchSeat);
        }
        if !self.seats.iter().map(|seat| seat.seat).eq(self.parameters.players.seats()) {
            return Err(ViewError::Seats);
        }
        if self.parameters.round_index(self.stage, self.round).is_none() {
            return Err(ViewError::StageOrRound);
        }
        let hand_size = self.observer.seat().map_or(0, |seat| u32::from(self.seats[seat.index()].hand));
        if hand_size != self.hand.len() {
            return Err(ViewError::Hand);
        }
        self.check_visibility()?;
        self.check_board()
    }

    /// Validates the view of an abandoned game: it may have stopped in any phase, and no seat is to act.
    ///
    /// # Errors
    /// As [`View::check`].
    pub fn check_abandoned(&self) -> Result<(), ViewError> {
        if self.to_act.is_some() {
            return Err(ViewError::Turn);
        }
        let has_drawn = self.phase != ViewPhase::Offer || !self.drawn.is_empty();
        let stopped = Self { to_act: self.seat_due().filter(|_| has_drawn), ..self.clone() };
        stopped.check()
    }

    /// The seat that is to act once the round's jewels are drawn.
    fn seat_due(&self) -> Option<Seat> {
        match self.phase {
            ViewPhase::Offer => Some(self.first_seat),
            ViewPhase::Bid => {
                let turn = u8::try_from(self.bids.len()).expect("a list of five bids at most");
                Some(self.parameters.bidder(self.first_seat, turn))
            }
            ViewPhase::Over => None,
        }
    }

    /// Checks that the view has exactly the information that this observer may see (RULES 7.5, 7.6, 7.7, 7.10).
    fn check_visibility(&self) -> Result<(), ViewError> {
        let over = self.phase == ViewPhase::Over;
        let first_round = self.parameters.round_index(self.stage, self.round) == Some(0) && !over;
        let is_finished = self.last_round.is_some_and(|round| round.winners.is_some());
        if self.last_round.is_some() != is_finished || is_finished == first_round {
            return Err(ViewError::LastRound);
        }
        let all_open = over || self.screens == Screens::Open;
        let fits = |seen: &SeatView| {
            let open = all_open || self.observer == Observer::Seat(seen.seat);
            seen.collection.is_some() == open && seen.played.is_some() == open
        };
        if !self.seats.iter().all(fits) {
            return Err(ViewError::Visibility);
        }
        if self.outcome.is_some() == over { Ok(()) } else { Err(ViewError::Outcome) }
    }

    /// Checks that the jewels fit the phase, and then the bids and the turn (RULES 4.1, 4.2, 4.3).
    fn check_board(&self) -> Result<(), ViewError> {
        let parameters = self.parameters;
        let drawn = self.drawn.len();
        let is_complete =
            drawn == usize::from(parameters.draw()) && self.offer.len() == usize::from(parameters.cushions);
        let fits = match self.phase {
            // Before the draw no seat is to act.
            ViewPhase::Offer => {
                self.offer.is_empty() && drawn == self.to_act.map_or(0, |_| usize::from(parameters.draw()))
            }
            ViewPhase::Bid => is_complete && self.drawn.jewels().has_all(self.offer.jewels()),
            ViewPhase::Over => drawn == 0 && self.offer.is_empty(),
        };
        if !fits {
            return Err(ViewError::Jewels);
        }
        self.check_bids()?;
        let awaits_draw = self.phase == ViewPhase::Offer && self.to_act.is_none();
        let is_right_turn = awaits_draw || self.seat_due() == self.to_act;
        let is_bid_missing = self.bids.len() < usize::from(parameters.bids());
        if is_right_turn && is_bid_missing { Ok(()) } else { Err(ViewError::Turn) }
    }

    /// Checks that bids could have been placed, and only during the bids.
    fn check_bids(&self) -> Result<(), ViewError> {
        let bids: Vec<FaceDownBid> = self.bids.into_iter().map(PlacedBid::face_down).collect();
        let may_have_bids = self.phase == ViewPhase::Bid || bids.is_empty();
        if may_have_bids && self.parameters.allow_bids(self.first_seat, &bids) { Ok(()) } else { Err(ViewError::Bids) }
    }
}
