//! From one moment of a game to the next. Nothing else changes a [`Game`].
//!
//! One set of functions serves two callers: [`Game::apply`] copies the game and tells its events, [`Game::play`] changes
//! it in place and tells nothing, which is what search and simulation want.

use sultan_domain::{
    Action, BySeat, Cards, Cushion, Drawn, Illegal, Jewel, Jewels, MoneyCard, Offer, RoundTold, Seat, Winners,
};
use thiserror::Error;

use crate::game::{Bidding, Phase};
use crate::resolve::winners;
use crate::{Event, Game};

/// A game after one step, and what happened in it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The next moment.
    pub game: Game,
    /// What happened, in order.
    pub events: Vec<Event>,
}

/// Why jewels cannot be what was drawn. It names none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadDraw {
    /// No draw is due.
    #[error("no draw is due")]
    NotDue,
    /// The wrong number of jewels, or jewels that are not in the pouch.
    #[error("these jewels cannot be drawn from the pouch")]
    NotInPouch,
}

/// Somebody who may want to hear what happens. An event is only made if it is heard.
trait Listener {
    fn hear(&mut self, event: impl FnOnce() -> Event);
}

impl Listener for Vec<Event> {
    fn hear(&mut self, event: impl FnOnce() -> Event) {
        self.push(event());
    }
}

struct Nobody;

impl Listener for Nobody {
    #[inline]
    fn hear(&mut self, _: impl FnOnce() -> Event) {}
}

impl Game {
    /// The first step of a game, as events: the hands of the first stage.
    #[must_use]
    pub fn opening(&self) -> Event {
        self.hands_taken()
    }

    /// The game after a seat's action, and what happened.
    ///
    /// # Errors
    /// [`Illegal`] says which rule the action breaks; this game is unchanged.
    pub fn apply(&self, seat: Seat, action: Action) -> Result<Step, Illegal> {
        self.check_turn(seat)?;
        let mut step = Step { game: *self, events: Vec::with_capacity(3) };
        step.game.advance(action, &mut step.events)?;
        Ok(step)
    }

    /// The game after a draw, and what happened.
    ///
    /// # Errors
    /// [`BadDraw`] where no draw is due or these jewels cannot be drawn; this game is unchanged.
    pub fn apply_draw(&self, drawn: Drawn) -> Result<Step, BadDraw> {
        let mut step = Step { game: *self, events: Vec::with_capacity(1) };
        step.game.advance_draw(drawn, &mut step.events)?;
        Ok(step)
    }

    /// Plays an action of the seat to act, in place and unheard.
    ///
    /// # Errors
    /// [`Illegal`] says which rule the action breaks; the game is unchanged.
    #[inline]
    pub fn play(&mut self, action: Action) -> Result<(), Illegal> {
        self.advance(action, &mut Nobody)
    }

    /// Draws these jewels, in place and unheard.
    ///
    /// # Errors
    /// [`BadDraw`] where no draw is due or these jewels cannot be drawn; the game is unchanged.
    #[inline]
    pub fn draw(&mut self, drawn: Drawn) -> Result<(), BadDraw> {
        self.advance_draw(drawn, &mut Nobody)
    }

    fn check_turn(&self, seat: Seat) -> Result<(), Illegal> {
        if !self.numbers.players.has(seat) {
            return Err(Illegal::NoSuchSeat(seat));
        }
        match self.to_act() {
            Some(to_act) if to_act != seat => Err(Illegal::NotYourTurn { to_act }),
            _ => Ok(()),
        }
    }

    #[inline]
    fn advance(&mut self, action: Action, listener: &mut impl Listener) -> Result<(), Illegal> {
        match (&mut self.phase, action) {
            (Phase::Over, _) => Err(Illegal::GameOver),
            (Phase::Draw, _) => Err(Illegal::DrawDue),
            (Phase::Offer { .. }, Action::Bid { .. }) => Err(Illegal::OfferDue),
            (Phase::Bid(_), Action::Offer(_)) => Err(Illegal::BidDue),
            (Phase::Offer { drawn }, Action::Offer(offer)) => {
                let drawn = *drawn;
                self.offer(drawn, offer, listener)
            }
            (Phase::Bid(_), Action::Bid { card, cushion }) => self.bid(card, cushion, listener),
        }
    }

    #[inline]
    fn advance_draw(&mut self, drawn: Drawn, listener: &mut impl Listener) -> Result<(), BadDraw> {
        if self.phase != Phase::Draw {
            return Err(BadDraw::NotDue);
        }
        if drawn.as_slice().len() != usize::from(self.numbers.draw()) {
            return Err(BadDraw::NotInPouch);
        }
        self.pouch = self.pouch.without(drawn.jewels()).ok_or(BadDraw::NotInPouch)?;
        self.phase = Phase::Offer { drawn };
        listener.hear(|| {
            let (stage, round) = self.numbers.clock(self.round_index);
            Event::JewelsDrawn { stage, round, first_seat: self.first, drawn }
        });
        Ok(())
    }

    #[inline]
    fn offer(&mut self, drawn: Drawn, offer: Offer, listener: &mut impl Listener) -> Result<(), Illegal> {
        let put_back = left_over(drawn.jewels(), offer, self.numbers.cushions)?;
        // RULES 4.1: the jewel left over goes back at once, before any bid.
        self.pouch.put(put_back);
        let seat = self.first;
        self.phase = Phase::Bid(Bidding { drawn, offer, put_back, bids: sultan_domain::Bids::new(), to_act: seat });
        self.at += 1;
        listener.hear(|| Event::Offered { seat, offer, put_back });
        Ok(())
    }

    #[inline]
    fn bid(&mut self, card: MoneyCard, cushion: Cushion, listener: &mut impl Listener) -> Result<(), Illegal> {
        let Phase::Bid(bidding) = &mut self.phase else { return Err(Illegal::OfferDue) };
        let seat = bidding.to_act;
        if cushion.index() >= usize::from(self.numbers.cushions) {
            return Err(Illegal::NoSuchCushion(cushion));
        }
        // RULES 4.3: a player's own cards must lie on different cushions.
        let own_there = |bidding: &Bidding| bidding.bids.iter().any(|bid| bid.seat == seat && bid.cushion == cushion);
        if self.numbers.bids_per_round > 1 && own_there(bidding) {
            return Err(Illegal::OwnCardThere(cushion));
        }
        if !self.seats[seat].hand.take(card) {
            return Err(Illegal::CardNotInHand(card));
        }
        let bid = sultan_domain::Bid { seat, card, cushion };
        bidding.bids.push(bid);
        bidding.to_act = seat.left(self.numbers.players);
        self.at += 1;
        let placed = bidding.bids.len();
        listener.hear(|| Event::BidPlaced { bid, order: u8::try_from(placed).unwrap_or(u8::MAX) });
        if placed == usize::from(self.numbers.bids()) {
            let bidding = *bidding;
            self.settle(&bidding, listener);
        }
        Ok(())
    }

    /// Turns all cards up and settles each cushion on its own (RULES 4.5), then goes on to the next round.
    fn settle(&mut self, bidding: &Bidding, listener: &mut impl Listener) {
        let Bidding { drawn, offer, put_back, bids, to_act: _ } = *bidding;
        let taken = winners(&self.numbers, self.first, &bids);
        let mut told_winners = Winners::new();
        for (&jewel, winner) in offer.as_slice().iter().zip(taken.0) {
            match winner {
                Some(seat) => self.seats[seat].collection.put(jewel),
                // RULES 4.5.1: nobody bid, so the jewel goes back.
                None => self.pouch.put(jewel),
            }
            told_winners.push(winner);
        }
        for bid in bids {
            self.seats[bid.seat].played.push(bid.card);
        }
        let (stage, round) = self.numbers.clock(self.round_index);
        let told = RoundTold {
            stage,
            round,
            first_seat: self.first,
            drawn,
            offer: Some(offer),
            put_back: Some(put_back),
            bids,
            winners: Some(told_winners),
        };
        self.last_round = Some(told);
        listener.hear(|| Event::RoundSettled { told });
        self.next_round(listener);
    }

    fn next_round(&mut self, listener: &mut impl Listener) {
        self.rounds_left -= 1;
        if self.round_index + 1 == self.numbers.rounds() {
            self.phase = Phase::Over;
            listener.hear(|| Event::GameEnded { outcome: self.outcome() });
            return;
        }
        self.phase = Phase::Draw;
        self.round_index += 1;
        // RULES 4.9: the left neighbour is next, also across stages.
        self.first = self.first.left(self.numbers.players);
        if self.rounds_left == 0 {
            self.rounds_left = self.numbers.rounds_per_stage;
            self.take_hands();
            listener.hear(|| self.hands_taken());
        }
    }

    /// Everybody takes the top cards of the own deck in hand (RULES 3.2).
    pub(crate) fn take_hands(&mut self) {
        let cards = usize::from(self.numbers.hand());
        let top = cards * usize::from(self.stages_begun() - 1);
        for seat in self.numbers.players.seats() {
            let holdings = &mut self.seats[seat];
            holdings.hand = holdings.deck.iter().skip(top).take(cards).copied().collect();
        }
    }

    fn hands_taken(&self) -> Event {
        let mut hands = BySeat::<Cards>::default();
        for seat in self.numbers.players.seats() {
            hands[seat] = self.seats[seat].hand;
        }
        let (stage, _) = self.numbers.clock(self.round_index);
        Event::HandsTaken { stage, cards: self.numbers.hand(), hands }
    }
}

/// The one jewel of a draw that an offer leaves over (RULES 4.1).
#[inline]
fn left_over(drawn: Jewels, offer: Offer, cushions: u8) -> Result<Jewel, Illegal> {
    let given = offer.as_slice().len();
    if given != usize::from(cushions) {
        return Err(Illegal::WrongNumberOfJewels { given: u8::try_from(given).unwrap_or(u8::MAX), needed: cushions });
    }
    let offered = offer.jewels();
    match drawn.without(offered).and_then(|left| left.at(0)) {
        Some(put_back) => Ok(put_back),
        None => {
            let missing = Jewel::ALL.into_iter().find(|&jewel| offered.count(jewel) > drawn.count(jewel));
            Err(Illegal::JewelNotDrawn(missing.unwrap_or_default()))
        }
    }
}
