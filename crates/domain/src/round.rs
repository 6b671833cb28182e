//! One round told in full: what all know once its cards are turned up.

use std::fmt;

use serde::{Deserialize, Serialize};
use tinyvec::ArrayVec;

use crate::{Bid, Cushion, Drawn, Jewel, Jewels, Offer, Round, Seat, Stage};

/// The bids of a round in the order they were placed.
pub type Bids = ArrayVec<[Bid; 5]>;

/// For each cushion the seat that took its jewel; none where the jewel went back into the pouch.
pub type Winners = ArrayVec<[Option<Seat>; Cushion::MOST as usize]>;

/// One round, as far as it has gone. All that lies in a finished one was seen by everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundTold {
    /// The stage.
    pub stage: Stage,
    /// The round within the stage.
    pub round: Round,
    /// The round's first player.
    pub first_seat: Seat,
    /// The jewels drawn.
    pub drawn: Drawn,
    /// The jewels on the cushions, once they are there.
    pub offer: Option<Offer>,
    /// The jewel put back into the pouch, once it is.
    pub put_back: Option<Jewel>,
    /// The bids placed, in order.
    pub bids: Bids,
    /// Who took each jewel, once the round is finished.
    pub winners: Option<Winners>,
}

impl RoundTold {
    /// The jewels that a seat took in this round.
    #[must_use]
    pub fn won_by(&self, seat: Seat) -> Jewels {
        let (Some(offer), Some(winners)) = (self.offer, self.winners) else {
            return Jewels::NONE;
        };
        let taken = offer.iter().zip(winners);
        taken.filter(|&(_, winner)| winner == Some(seat)).map(|(jewel, _)| jewel).collect()
    }

    /// The cards that a seat played in this round, in order.
    pub fn played_by(&self, seat: Seat) -> impl Iterator<Item = crate::MoneyCard> {
        self.bids.into_iter().filter(move |bid| bid.seat == seat).map(|bid| bid.card)
    }
}

/// One line: `1.3 first 0, drawn WRYG, offer RYG back W: 0:12@1 1:7@3, won 0 - 1`.
impl fmt::Display for RoundTold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{} first {}, drawn {}", self.stage, self.round, self.first_seat, self.drawn)?;
        if let (Some(offer), Some(put_back)) = (self.offer, self.put_back) {
            write!(f, ", offer {offer} back {put_back}:")?;
        }
        for bid in self.bids {
            write!(f, " {}:{}@{}", bid.seat, bid.card, bid.cushion)?;
        }
        if let Some(winners) = self.winners {
            write!(f, ", won")?;
            for winner in winners {
                match winner {
                    Some(seat) => write!(f, " {seat}")?,
                    None => write!(f, " -")?,
                }
            }
        }
        Ok(())
    }
}
