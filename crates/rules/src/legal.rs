//! The legal actions of the seat to act. Whether one action is legal is decided in `play`; tests show that both agree.

use sultan_domain::Legal;

use crate::Game;
use crate::game::Phase;

impl Game {
    /// The legal actions of the seat to act, each once; of the orders of an offer only the canonical one.
    #[must_use]
    #[inline]
    pub fn legal(&self) -> Legal {
        if self.phase() == Phase::Bid {
            return Legal::Bids { hand: self.hands[self.to_act], values: self.values.into(), cushions: self.open };
        }
        if self.phase() == Phase::Offer { Legal::Offers { drawn: self.board.drawn.jewels() } } else { Legal::Nothing }
    }
}
