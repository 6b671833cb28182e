//! The cards placed in a round, packed into eight bytes: the board of a game is copied and logged very often.

use sultan_domain::{Bid, Bids, Cushion, CushionSet, MoneyCard, Numbers, Players, Seat};

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
    pub(crate) fn bids(self, numbers: &Numbers, first: Seat) -> Bids {
        let codes = self.codes.into_iter().zip(0..).take_while(|&(code, _)| code != 0);
        let bid = |(code, turn): (u8, u8)| {
            let seat = numbers.bidder(first, turn);
            Some(Bid { seat, card: MoneyCard::new(code & 15)?, cushion: Cushion::new((code >> 4) + 1)? })
        };
        codes.filter_map(bid).collect()
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
            if let Some(cushion) = Cushion::new((self.codes[(own & 7) as usize] >> 4) + 1) {
                cushions = cushions.without(cushion);
            }
        }
        cushions
    }
}
