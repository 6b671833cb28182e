//! The legal actions of the seat to act. Whether one action is legal is decided in `apply`; tests show that both agree.

use sultan_domain::Legal;

use crate::Game;
use crate::game::Phase;

impl Game {
    /// The legal actions of the seat to act, each once; of the orders of an offer only the canonical one.
    #[must_use]
    #[inline]
    pub fn legal(&self) -> Legal {
        if self.phase() == Phase::Bid {
            let hand = self.hands[self.to_act];
            // With one set and one bid a round, all values differ and a hand is as many cards as the stage has rounds
            // left.
            let one_each = self.parameters.copies == 1 && self.parameters.bids_per_round == 1;
            let values = if one_each { u32::from(self.rounds_left) } else { hand.values_len() };
            return Legal::Bids { hand, values, cushions: self.open_cushions() };
        }
        if self.phase() == Phase::Offer { Legal::Offers { drawn: self.board.drawn.jewels() } } else { Legal::Nothing }
    }
}
