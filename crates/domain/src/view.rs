//! The visible state of a game for one observer (RULES 7).
//!
//! The module `project` of `sultan-rules` makes views of running games; no other code does. A view contains only the
//! game. A [`crate::TableView`] adds the people in the seats, and its modules read and write the JSON. `check`
//! validates a view. Information that was visible earlier and is hidden again is not in a view but in a
//! [`crate::Recall`].

mod check;

use serde::{Deserialize, Serialize};
use tinyvec::ArrayVec;

use crate::{
    Bid, Cards, CardsInOrder, Collection, Cushion, Drawn, FaceDownBid, Jewel, Legal, Offer, Outcome, Parameters,
    Players, Round, RoundRecord, Seat, Stage,
};

pub use check::ViewError;

/// The name of the JSON format.
pub(crate) const FORMAT: &str = "sultan-view";
/// The version of a view of the published game.
pub(crate) const VERSION: u32 = 1;
/// The version of a view with parameters. Programs without support for parameters reject this version, instead of
/// playing the published game by mistake.
pub(crate) const VARIANT_VERSION: u32 = 2;

/// The observer of a view. No observer sees all hidden information.
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

/// Whether all observers see the jewels won and the cards played by every seat (RULES 7.6, 7.7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Screens {
    /// They are hidden behind screens, as in the published game.
    #[default]
    Closed,
    /// All observers see them.
    Open,
}

/// The phase of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewPhase {
    /// The first player is to make an offer, once the jewels of the round are drawn.
    Offer,
    /// A seat is to bid.
    Bid,
    /// The game is over.
    Over,
}

/// A bid on a cushion as one observer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacedBid {
    /// Another seat's bid, without its card, which is hidden from the observer.
    FaceDown(FaceDownBid),
    /// The observer's own bid.
    Own(Bid),
}

impl PlacedBid {
    /// The bid without its card, as all observers see it.
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

    /// The cushion on which the card was placed.
    #[must_use]
    pub const fn cushion(self) -> Cushion {
        self.face_down().cushion
    }
}

/// `ArrayVec` needs a default to fill the unused entries of its array.
impl Default for PlacedBid {
    fn default() -> Self {
        Self::FaceDown(FaceDownBid::default())
    }
}

/// One seat, as the observer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatView {
    /// The seat.
    pub seat: Seat,
    /// The number of cards in its hand.
    pub hand: u8,
    /// The number of cards left in its deck.
    pub deck: u8,
    /// The jewels that the seat won, if the observer may see them.
    pub collection: Option<Collection>,
    /// The cards that the seat played in finished rounds, in order, if the observer may see them.
    pub played: Option<CardsInOrder>,
}

/// The visible state of a game for one observer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The parameters of the game. The JSON has only the number of players, and the parameters that differ from the
    /// published game.
    pub parameters: Parameters,
    /// The observer.
    pub observer: Observer,
    /// Whether all observers see the jewels won by every seat.
    pub screens: Screens,
    /// The phase of the game.
    pub phase: ViewPhase,
    /// The number of actions so far in the game. In JSON `at`.
    pub action_count: u16,
    /// The stage; the last stage once the game is over.
    pub stage: Stage,
    /// The round within the stage; the last round once the game is over.
    pub round: Round,
    /// The round's first player.
    pub first_seat: Seat,
    /// The seat to act; `None` before a draw, and once the game is over or abandoned.
    pub to_act: Option<Seat>,
    /// The jewels drawn for this round; empty until they are drawn.
    pub drawn: Drawn,
    /// The jewels on the cushions; empty until the offer is made.
    pub offer: Offer,
    /// The bids placed in this round, in order.
    pub bids: ArrayVec<[PlacedBid; 5]>,
    /// The observer's own hand; empty for a spectator.
    pub hand: Cards,
    /// All seats, in order.
    pub seats: Vec<SeatView>,
    /// The last finished round.
    pub last_round: Option<RoundRecord>,
    /// The result, once the game is over.
    pub outcome: Option<Outcome>,
}

impl View {
    /// The observer's legal actions; empty unless it is the observer's turn.
    #[must_use]
    pub fn legal(&self) -> Legal {
        if self.to_act.is_none() || self.to_act != self.observer.seat() {
            return Legal::Nothing;
        }
        match self.phase {
            ViewPhase::Offer => Legal::Offers { drawn: self.drawn.jewels() },
            ViewPhase::Bid => {
                let own_bids = self.bids.iter().filter(|bid| Some(bid.seat()) == self.to_act);
                Legal::bids(self.hand, self.parameters.open_cushions(own_bids.map(|bid| bid.cushion())))
            }
            ViewPhase::Over => Legal::Nothing,
        }
    }

    /// The drawn jewel that was put back in this round; `None` before the offer.
    #[must_use]
    pub fn put_back(&self) -> Option<Jewel> {
        self.drawn.put_back(self.offer.jewels())
    }
}
