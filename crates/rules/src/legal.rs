//! The legal actions of the seat to act. Whether one action is legal is decided in `apply`; tests show that both agree.

use sultan_domain::Legal;

use crate::Game;
use crate::game::Phase;

impl Game {
    /// The legal actions of the seat to act, each once; of the orders of an offer only the canonical one.
    #[must_use]
    #[inline]
    pub fn legal(&self) -> Legal {
        match &self.phase {
            Phase::Draw | Phase::Over => Legal::Nothing,
            Phase::Offer { drawn } => Legal::Offers { drawn: drawn.jewels() },
            Phase::Bid(bidding) => {
                Legal::Bids { hand: self.seats[bidding.to_act].hand, cushions: self.open_cushions(bidding) }
            }
        }
    }
}
