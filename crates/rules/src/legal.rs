//! The list of legal actions. [`Game::play`] checks single actions by itself, because that is faster; tests assert that
//! it accepts exactly the listed actions, and offers with the same jewels in another order.

use sultan_domain::Legal;

use crate::Game;
use crate::game::Phase;

impl Game {
    /// The legal actions of the seat to act. Offers are listed only with their jewels in the order `W`, `R`, `Y`, `G`,
    /// `B`.
    #[must_use]
    #[inline]
    pub fn legal(&self) -> Legal {
        // Two comparisons, bids first, are faster than a `match`: after inlining, the compiler merges each of them with
        // the same comparison in `Legal::pick` and `Game::play`.
        if self.phase() == Phase::Bid {
            let (hand, value_count) = (self.hands[self.to_act], self.value_count.into());
            return Legal::Bids { hand, value_count, cushions: self.open_cushions };
        }
        if self.phase() == Phase::Offer { Legal::Offers { drawn: self.board.drawn.jewels() } } else { Legal::Nothing }
    }
}
