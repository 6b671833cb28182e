//! The visible state of a game for one observer (RULES 7).
//!
//! Made from a running game in one place only, `project` of `sultan-rules`. A view is the game alone: the people in the
//! seats, and the JSON that has both, are in [`crate::TableView`]. `check` validates a view, and `text` writes it for
//! golden files. Information that was visible earlier and is hidden again is in [`crate::Recall`], not here.

mod check;
mod text;

use serde::{Deserialize, Serialize};
use tinyvec::ArrayVec;

use crate::{
    Bid, Cards, CardsInOrder, Collection, Cushion, Drawn, FaceDownBid, Jewel, Legal, Offer, Outcome, Parameters,
    Players, Round, RoundRecord, Seat, Stage,
};

pub use check::ViewError;

/// The name of the JSON format.
pub(crate) const FORMAT: &str = "sultan-view";
/// The version that this program writes, and the only one it reads.
pub(crate) const VERSION: u32 = 1;
/// The version of a view with parameters, so that older programs refuse it instead of playing another game.
pub(crate) const VARIANT_VERSION: u32 = 2;

/// The observer of a view. No observer sees everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observer {
    /// The player of a seat.
    Seat(Seat),
    /// A spectator.
    Public,
}

impl Observer {
    /// The observer's seat.
    #[must_use]
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Public => None,
        }
    }

    /// Every observer of a table: its seats, then a spectator.
    pub fn all(players: Players) -> impl Iterator<Item = Self> {
        players.seats().map(Self::Seat).chain([Self::Public])
    }
}

/// Whether won jewels and played cards stay in sight (RULES 7.6, 7.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Screens {
    /// Hidden behind the screens, as published.
    #[default]
    Closed,
    /// In sight of all.
    Open,
}

/// The phase of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewPhase {
    /// An offer.
    Offer,
    /// A bid.
    Bid,
    /// The game is over.
    Over,
}

/// A bid on a cushion as one observer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacedBid {
    /// Another seat's bid, without the card's value, which the observer cannot know.
    FaceDown(FaceDownBid),
    /// The observer's own bid.
    Own(Bid),
}

impl PlacedBid {
    /// The bid as all seats see it.
    #[must_use]
    pub const fn face_down(self) -> FaceDownBid {
        match self {
            Self::FaceDown(bid) => bid,
            Self::Own(bid) => bid.face_down(),
        }
    }

    /// The bidder.
    #[must_use]
    pub const fn seat(self) -> Seat {
        self.face_down().seat
    }

    /// On which cushion.
    #[must_use]
    pub const fn cushion(self) -> Cushion {
        self.face_down().cushion
    }
}

/// The padding of fixed-size lists.
impl Default for PlacedBid {
    fn default() -> Self {
        Self::FaceDown(FaceDownBid::default())
    }
}

/// One seat, as the observer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatView {
    /// Which seat.
    pub seat: Seat,
    /// The number of cards in hand.
    pub hand: u8,
    /// The number of cards in the deck.
    pub deck: u8,
    /// The jewels won, if visible to the observer.
    pub collection: Option<Collection>,
    /// The cards played in finished rounds, in order, if visible to the observer.
    pub played: Option<CardsInOrder>,
}

/// The visible state of a game for one observer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The parameters of the game. The JSON has the number of players, and those parameters that differ from the
    /// published game.
    pub parameters: Parameters,
    /// The observer.
    pub observer: Observer,
    /// Whether won jewels are hidden.
    pub screens: Screens,
    /// The phase of the game.
    pub phase: ViewPhase,
    /// The number of actions so far.
    pub at: u16,
    /// The stage; the last one once the game is over.
    pub stage: Stage,
    /// The round within the stage; the last one once the game is over.
    pub round: Round,
    /// The round's first player.
    pub first_seat: Seat,
    /// The seat to act.
    pub to_act: Option<Seat>,
    /// The jewels drawn for this round.
    pub drawn: Drawn,
    /// The jewels on the cushions; empty until the offer is made.
    pub offer: Offer,
    /// The bids placed in this round, in order.
    pub bids: ArrayVec<[PlacedBid; 5]>,
    /// The observer's own hand; empty for a spectator.
    pub hand: Cards,
    /// Every seat, in order.
    pub seats: Vec<SeatView>,
    /// The last finished round.
    pub last_round: Option<RoundRecord>,
    /// The result, once the game is over.
    pub outcome: Option<Outcome>,
}

impl View {
    /// The observer's legal actions: empty out of turn.
    #[must_use]
    pub fn legal(&self) -> Legal {
        if self.to_act.is_none() || self.to_act != self.observer.seat() {
            return Legal::Nothing;
        }
        match self.phase {
            ViewPhase::Offer => Legal::Offers { drawn: self.drawn.jewels() },
            ViewPhase::Bid => {
                let own = self.bids.iter().filter(|bid| Some(bid.seat()) == self.to_act);
                Legal::bids(self.hand, self.parameters.open_cushions(own.map(|bid| bid.cushion())))
            }
            ViewPhase::Over => Legal::Nothing,
        }
    }

    /// The jewel put back in this round, after the offer.
    #[must_use]
    pub fn put_back(&self) -> Option<Jewel> {
        self.drawn.put_back(self.offer.jewels())
    }
}
