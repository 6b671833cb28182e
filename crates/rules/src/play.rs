//! Plays actions and draws: they change a [`Game`] in place. No other module changes a game.

use sultan_domain::{Action, Bid, Chance, Cushion, Drawn, Illegal, Jewel, MoneyCard, Offer, Seat};
use thiserror::Error;

use crate::Game;
use crate::finished::FinishedRound;
use crate::game::{Board, Phase};
use crate::resolve::tie_bonuses;

/// Whether an action finished the round or the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The round continues.
    Continues,
    /// The round is over: [`Game::last_round`] returns it, and the next draw is due.
    RoundOver,
    /// The last round is over, so the game is over.
    GameOver,
}

/// Why a draw is invalid. The error names no jewel, because the contents of the pouch are hidden (RULES 7.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadDraw {
    /// No draw is due.
    #[error("no draw is due")]
    NotDue,
    /// The number of jewels is wrong, or not all of them are in the pouch.
    #[error("these jewels cannot be drawn from the pouch")]
    NotInPouch,
}

impl Game {
    /// Plays an action of the seat to act. The caller must have checked that the action comes from that seat
    /// ([`Game::check_turn`]).
    ///
    /// # Errors
    /// [`Illegal`] names the broken rule; the game is unchanged.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "inlined after `Legal::pick`, the kind of action is checked only once, which halves the cost"
    )]
    pub fn play(&mut self, action: Action) -> Result<Progress, Illegal> {
        match action {
            Action::Bid { card, cushion } if self.phase() == Phase::Bid => {
                self.place_bid(card, cushion)?;
                if self.board.placed >= self.derived.all_placed {
                    return Ok(self.settle());
                }
            }
            Action::Offer(offer) if self.phase() == Phase::Offer => self.place_offer(offer)?,
            Action::Bid { .. } | Action::Offer(_) => return Err(self.wrong_kind_of_action()),
        }
        Ok(Progress::Continues)
    }

    /// Draws these jewels.
    ///
    /// # Errors
    /// [`BadDraw`] if no draw is due or these jewels cannot be drawn; the game is unchanged.
    #[inline]
    pub fn draw(&mut self, drawn: Drawn) -> Result<(), BadDraw> {
        if self.phase() != Phase::Draw {
            return Err(BadDraw::NotDue);
        }
        if drawn.jewels().len() != u32::from(self.parameters.draw_size()) {
            return Err(BadDraw::NotInPouch);
        }
        *self.holders.pouch_mut() = self.pouch().without(drawn.jewels()).ok_or(BadDraw::NotInPouch)?;
        self.board.drawn = drawn;
        Ok(())
    }

    /// Draws the round's jewels at random if a draw is due. Returns whether it was.
    #[inline]
    pub fn draw_with(&mut self, rng: &mut impl Chance) -> bool {
        let is_due = self.phase() == Phase::Draw;
        if is_due {
            let count = self.parameters.draw_size();
            self.board.drawn = Drawn::from_pouch(self.holders.pouch_mut(), count, rng);
        }
        is_due
    }

    /// Checks that it is not another seat's turn. [`Game::play`] checks the action itself, and rejects every action
    /// while no seat is to act.
    ///
    /// # Errors
    /// [`Illegal::NoSuchSeat`] and [`Illegal::NotYourTurn`], which are raised only here.
    pub fn check_turn(&self, seat: Seat) -> Result<(), Illegal> {
        if !self.parameters.players.has(seat) {
            return Err(Illegal::NoSuchSeat(seat));
        }
        match self.to_act() {
            Some(to_act) if to_act != seat => Err(Illegal::NotYourTurn { to_act }),
            _ => Ok(()),
        }
    }

    /// The error for a bid or an offer in the wrong phase.
    #[cold]
    fn wrong_kind_of_action(&self) -> Illegal {
        match self.phase() {
            Phase::Bid => Illegal::BidDue,
            Phase::Offer => Illegal::OfferDue,
            Phase::Draw => Illegal::DrawDue,
            Phase::Over => Illegal::GameOver,
        }
    }

    #[inline]
    fn place_offer(&mut self, offer: Offer) -> Result<(), Illegal> {
        let drawn = self.board.drawn;
        // One more jewel is drawn than the board has cushions. So if exactly one jewel remains, the number is right
        // too.
        let remainder = drawn.jewels().single_remainder(offer.jewels());
        let put_back = remainder.ok_or_else(|| bad_offer(drawn, offer, self.parameters.cushions))?;
        // RULES 4.1: the remaining jewel is put back before any bid.
        *self.holders.pouch_mut() = self.pouch().with(put_back);
        self.board.offer = offer;
        Ok(())
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "see `Game::play`")]
    fn place_bid(&mut self, card: MoneyCard, cushion: Cushion) -> Result<(), Illegal> {
        let seat = self.to_act;
        if !self.open_cushions.has(cushion) {
            return Err(self.closed_cushion(cushion));
        }
        if !self.hands[seat].remove(card) {
            return Err(Illegal::CardNotInHand(card));
        }
        self.board.placed.push(card, cushion);
        self.board.leads[cushion].challenge(Bid { seat, card, cushion }, self.tie_bonuses[seat]);
        self.to_act = self.derived.left_neighbours[seat];
        if !self.derived.has_simple_choices {
            self.update_choices();
        }
        Ok(())
    }

    /// The error for a cushion on which the seat to act may not place a card.
    #[cold]
    fn closed_cushion(&self, cushion: Cushion) -> Illegal {
        if cushion.number() > self.parameters.cushions {
            Illegal::NoSuchCushion(cushion)
        } else {
            Illegal::OwnCardThere(cushion)
        }
    }

    /// Finishes the round: settles each cushion (RULES 4.5), stores the round, and starts the next round.
    fn settle(&mut self) -> Progress {
        let Board { drawn, offer, placed, leads } = self.board;
        // This includes cushions that are not on the board: they have no jewel, so nothing changes.
        for cushion in Cushion::first(Cushion::MAX_COUNT) {
            self.holders.settle(leads[cushion], offer.jewels_on(cushion));
        }
        if let Some(finished) = self.finished.get_mut(usize::from(self.round_index)) {
            *finished = FinishedRound::new(placed, drawn, offer);
        }
        self.board = Board::default();
        self.next_round()
    }

    fn next_round(&mut self) -> Progress {
        if self.round_index + 1 == self.parameters.rounds() {
            self.rounds_left = 0;
            return Progress::GameOver;
        }
        self.round_index += 1;
        self.rounds_left -= 1;
        if self.rounds_left == 0 {
            self.rounds_left = self.parameters.rounds_per_stage;
            self.take_hands();
        }
        // RULES 4.9: the left neighbour is the next first player, even if a new stage begins.
        self.start_round(self.derived.left_neighbours[self.first_seat]);
        Progress::RoundOver
    }

    /// Makes a seat the first player of the round that begins.
    pub(crate) fn start_round(&mut self, first_seat: Seat) {
        self.first_seat = first_seat;
        self.to_act = first_seat;
        if self.derived.has_simple_choices {
            self.value_count = self.rounds_left;
        } else {
            self.tie_bonuses = tie_bonuses(&self.parameters, first_seat);
            self.update_choices();
        }
    }

    /// Computes the cushions and the number of values from which the seat to act chooses.
    pub(crate) fn update_choices(&mut self) {
        // RULES 4.3: a seat's own two cards must be on different cushions.
        self.open_cushions = self.parameters.open_cushions(self.board.placed.own_cushion(self.parameters.players));
        self.value_count = self.hands[self.to_act].value_count().to_le_bytes()[0];
    }

    /// Each seat takes the top cards of its deck in hand (RULES 3.2).
    pub(crate) fn take_hands(&mut self) {
        let hand_size = usize::from(self.parameters.hand_size());
        // At the start of a stage the players have placed all cards that they took in earlier stages.
        let taken = usize::from(self.round_index) * usize::from(self.parameters.bids_per_player);
        for seat in self.parameters.players.seats() {
            self.hands[seat] = self.decks[seat].hand(taken, hand_size);
        }
    }
}

/// The error for an offer that does not leave exactly one of the drawn jewels.
#[cold]
fn bad_offer(drawn: Drawn, offer: Offer, cushions: u8) -> Illegal {
    let offered = u8::try_from(offer.len()).unwrap_or(u8::MAX);
    if offered != cushions {
        return Illegal::WrongNumberOfJewels { offered, needed: cushions };
    }
    let is_not_drawn = |&jewel: &Jewel| offer.jewels().count(jewel) > drawn.jewels().count(jewel);
    Illegal::JewelNotDrawn(Jewel::ALL.into_iter().find(is_not_drawn).unwrap_or_default())
}
