//! The cards placed in a round, packed into eight bytes: the board of a game is copied and logged very often.

use sultan_domain::{Bid, Bids, Cushion, CushionSet, MoneyCard, Players, Seat};

/// The cards placed in a round and their cushions, in order. Who placed them follows from the first player.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Placed {
    /// One code per card: its value, and in the upper half the cushion's index.
    codes: [u8; 8],
}

impl Placed {
    /// Adds a card to the `turn` cards that are there.
    #[inline]
    pub(crate) const fn push(&mut self, turn: u8, card: MoneyCard, cushion: Cushion) {
        self.codes[(turn & 7) as usize] = card.value() | (cushion.number() - 1) << 4;
    }

    /// The bids, when `first` was the first player.
    pub(crate) fn bids(self, players: Players, first: Seat) -> Bids {
        let mut bids = Bids::new();
        let mut seat = first;
        for code in self.codes {
            let (Some(card), Some(cushion)) = decode(code) else { break };
            bids.push(Bid { seat, card, cushion });
            seat = seat.left(players);
        }
        bids
    }

    /// The cards of the seat whose turn was the `turn`-th, counted from 0, in order.
    pub(crate) fn cards_of(self, players: Players, turn: u8) -> impl Iterator<Item = MoneyCard> {
        let own = self.codes.into_iter().skip(usize::from(turn)).step_by(usize::from(players.count()));
        own.map_while(|code| decode(code).0)
    }

    /// These bids, packed.
    pub(crate) fn of(bids: &[Bid]) -> Self {
        let mut placed = Self::default();
        for (bid, turn) in bids.iter().zip(0..) {
            placed.push(turn, bid.card, bid.cushion);
        }
        placed
    }

    /// The cushions where no own card of the seat lies that is to place the card after the `turn` that are there.
    #[inline]
    pub(crate) fn without_own(self, mut cushions: CushionSet, players: Players, turn: u8) -> CushionSet {
        let mut earlier = turn;
        while let Some(own) = earlier.checked_sub(players.count()) {
            earlier = own;
            if let (_, Some(cushion)) = decode(self.codes[(own & 7) as usize]) {
                cushions = cushions.without(cushion);
            }
        }
        cushions
    }
}

/// The card and the cushion of a code; no card where there is none.
const fn decode(code: u8) -> (Option<MoneyCard>, Option<Cushion>) {
    (MoneyCard::new(code & 15), Cushion::new((code >> 4) + 1))
}
