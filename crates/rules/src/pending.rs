//! The next input of a game: a draw, an action of a seat, or none once the game is over.

use std::fmt;

use sultan_domain::{Chance, Drawn, Jewels, Outcome, Seat};

use crate::game::Phase;
use crate::{Game, outcome};

/// The next input of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pending {
    /// The jewels of the round are to be drawn.
    Chance(Draw),
    /// This seat is to act.
    Seat(Seat),
    /// The game is over.
    Over(Outcome),
}

/// A due draw. Its `Debug` omits the pouch, which is hidden from all observers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// The number of jewels to draw.
    pub jewels: u8,
    /// The pouch to draw from.
    pub pouch: Jewels,
    /// The round, counted from 0 over the whole game.
    pub round_index: u8,
}

impl fmt::Debug for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Draw").field("jewels", &self.jewels).finish_non_exhaustive()
    }
}

impl Draw {
    /// Draws random jewels one after the other, each jewel in the pouch with the same probability.
    #[must_use]
    #[inline]
    pub fn random(mut self, rng: &mut impl Chance) -> Drawn {
        Drawn::from_pouch(&mut self.pouch, self.jewels, rng)
    }
}

impl Game {
    /// The next input of the game.
    #[must_use]
    #[inline]
    pub fn pending(&self) -> Pending {
        match self.phase() {
            Phase::Draw => Pending::Chance(self.next_draw()),
            Phase::Offer | Phase::Bid => Pending::Seat(self.to_act),
            Phase::Over => Pending::Over(self.standings()),
        }
    }

    /// The draw that is due, if one is.
    #[must_use]
    #[inline]
    pub fn due_draw(&self) -> Option<Draw> {
        (self.phase() == Phase::Draw).then(|| self.next_draw())
    }

    #[inline]
    fn next_draw(&self) -> Draw {
        Draw { jewels: self.parameters.draw_size(), pouch: self.pouch(), round_index: self.round_index }
    }

    /// The seat to act, if the game waits for one.
    #[must_use]
    pub fn to_act(&self) -> Option<Seat> {
        match self.phase() {
            Phase::Offer | Phase::Bid => Some(self.to_act),
            Phase::Draw | Phase::Over => None,
        }
    }

    /// The result, once the game is over.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        (self.phase() == Phase::Over).then(|| self.standings())
    }

    /// The result if the game were over now, with the jewels won so far.
    #[must_use]
    pub fn standings(&self) -> Outcome {
        outcome(&self.parameters, |seat| self.collection(seat))
    }
}
