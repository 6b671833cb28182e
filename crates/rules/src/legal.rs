//! The legal actions of the seat to act. Whether one action is legal is decided in `apply`; tests show that both agree.

use sultan_domain::{HasNumbers, Legal};

use crate::Game;
use crate::game::Phase;

impl<N: HasNumbers> Game<N> {
    /// The legal actions of the seat to act, each once; of the orders of an offer only the canonical one.
    #[must_use]
    #[inline]
    pub fn legal(&self) -> Legal {
        if self.phase() == Phase::Bid {
            let hand = self.hands[self.to_act];
            // With one set each, all values differ, and a hand is as many cards as the stage has rounds left.
            let values = if self.numbers().copies == 1 { u32::from(self.rounds_left) } else { hand.values_len() };
            return Legal::Bids { hand, values, cushions: self.open_cushions() };
        }
        if self.phase() == Phase::Offer { Legal::Offers { drawn: self.board.drawn.jewels() } } else { Legal::Nothing }
    }
}
