//! Validation of a view from an untrusted source: its parts must be consistent with each other.
//!
//! A view can pass these checks although no game leads to it. `imagine` of `sultan-rules` checks that.

use thiserror::Error;

use super::{FORMAT, Observer, PlacedBid, Screens, SeatView, VARIANT_VERSION, VERSION, View, ViewPhase};
use crate::{BadParameters, FaceDownBid, Seat};

/// Why a text is not a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ViewError {
    /// `format` or `version` has another value.
    #[error("not a view of format “{FORMAT}”, version {VERSION} or {VARIANT_VERSION}")]
    Format,
    /// Parameters with which no game can be played.
    #[error("parameters: {0}")]
    Parameters(#[from] BadParameters),
    /// Parameters in a view of version 1: programs without support for parameters would play the published game.
    #[error("a view with parameters has version {VARIANT_VERSION}")]
    VersionOfParameters,
    /// A required field is missing.
    #[error("missing field `{0}`")]
    Missing(&'static str),
    /// The view of a table that waits for players.
    #[error("the game has not started")]
    Waiting,
    /// `seats` does not list every seat once, in order.
    #[error("`seats` must list every seat once, in order")]
    Seats,
    /// A seat that the table does not have.
    #[error("a seat that this table does not have")]
    NoSuchSeat,
    /// A stage or round that the game does not have.
    #[error("a stage or round that this game does not have")]
    StageOrRound,
    /// Jewels or cushions that are not possible with this number of players, in this phase, or together.
    #[error("`drawn` and `cushions` do not fit the phase and the number of players")]
    Jewels,
    /// Bids that could not have been placed in this order.
    #[error("the bids on the cushions do not fit their order and the first player")]
    Bids,
    /// A seat to act that does not follow from the phase and the bids.
    #[error("`to_act` does not fit the phase and the bids")]
    Turn,
    /// The last round is missing, is unfinished, or is present although no round is finished.
    #[error("`last_round` does not fit the round")]
    LastRound,
    /// The view has information that its observer may not see, or lacks information that the observer may see.
    #[error("`collection` and `played` do not fit the screens and the observer")]
    Visibility,
    /// A result before the end, or a missing result after it.
    #[error("`final` does not fit the phase")]
    Outcome,
    /// The observer's hand does not have the number of cards stated for the observer's seat.
    #[error("`hand` does not fit the number of cards of its seat")]
    Hand,
}

impl View {
    /// Validates a view, so that other code can rely on views from untrusted sources.
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

    /// Validates the view of an abandoned game: the game may have stopped in any phase, and no seat is to act.
    ///
    /// # Errors
    /// As [`View::check`].
    pub fn check_abandoned(&self) -> Result<(), ViewError> {
        if self.to_act.is_some() {
            return Err(ViewError::Turn);
        }
        // The view must have been valid before the players left, with the seat to act at that time.
        let is_draw_due = self.phase == ViewPhase::Offer && self.drawn.is_empty();
        let to_act = if is_draw_due { None } else { self.seat_due() };
        Self { to_act, ..self.clone() }.check()
    }

    /// The seat to act according to the phase and the bids, once the jewels of the round are drawn.
    fn seat_due(&self) -> Option<Seat> {
        match self.phase {
            ViewPhase::Offer => Some(self.first_seat),
            ViewPhase::Bid => {
                let bid_index = u8::try_from(self.bids.len()).expect("a list of five bids at most");
                Some(self.parameters.bidder(self.first_seat, bid_index))
            }
            ViewPhase::Over => None,
        }
    }

    /// Checks that the view has exactly the information that its observer may see (RULES 7.5, 7.6, 7.7, 7.10).
    fn check_visibility(&self) -> Result<(), ViewError> {
        let is_over = self.phase == ViewPhase::Over;
        // After the only round of a game the view still has the first round, but that round is finished.
        let is_first_round = self.parameters.round_index(self.stage, self.round) == Some(0) && !is_over;
        let has_finished_round = self.last_round.is_some_and(|round| round.winners.is_some());
        if self.last_round.is_some() != has_finished_round || has_finished_round == is_first_round {
            return Err(ViewError::LastRound);
        }
        let is_visibility_right = |seat_view: &SeatView| {
            let is_own = self.observer == Observer::Seat(seat_view.seat);
            let is_visible = is_own || is_over || self.screens == Screens::Open;
            seat_view.collection.is_some() == is_visible && seat_view.played.is_some() == is_visible
        };
        if !self.seats.iter().all(is_visibility_right) {
            return Err(ViewError::Visibility);
        }
        if self.outcome.is_some() == is_over { Ok(()) } else { Err(ViewError::Outcome) }
    }

    /// Checks that the jewels are possible in the phase, and then the bids and the turn (RULES 4.1, 4.2, 4.3).
    fn check_board(&self) -> Result<(), ViewError> {
        let parameters = self.parameters;
        let is_all_drawn = self.drawn.len() == usize::from(parameters.draw_size());
        let is_all_offered = self.offer.len() == usize::from(parameters.cushions);
        let are_jewels_possible = match self.phase {
            // Before the draw no seat is to act, after the draw the first player is.
            ViewPhase::Offer if self.to_act.is_none() => self.drawn.is_empty() && self.offer.is_empty(),
            ViewPhase::Offer => is_all_drawn && self.offer.is_empty(),
            ViewPhase::Bid => is_all_drawn && is_all_offered && self.drawn.jewels().has_all(self.offer.jewels()),
            ViewPhase::Over => self.drawn.is_empty() && self.offer.is_empty(),
        };
        if !are_jewels_possible {
            return Err(ViewError::Jewels);
        }
        self.check_bids()?;
        let is_draw_due = self.phase == ViewPhase::Offer && self.to_act.is_none();
        let is_right_turn = is_draw_due || self.seat_due() == self.to_act;
        // After its last bid a round is settled at once, so no view shows all bids.
        let is_bid_missing = self.bids.len() < usize::from(parameters.bids_per_round());
        if is_right_turn && is_bid_missing { Ok(()) } else { Err(ViewError::Turn) }
    }

    /// Checks that the bids could have been placed in this order, and that only a view of the bidding has bids.
    fn check_bids(&self) -> Result<(), ViewError> {
        let bids: Vec<FaceDownBid> = self.bids.into_iter().map(PlacedBid::face_down).collect();
        let may_have_bids = self.phase == ViewPhase::Bid || bids.is_empty();
        if may_have_bids && self.parameters.allow_bids(self.first_seat, &bids) { Ok(()) } else { Err(ViewError::Bids) }
    }
}
