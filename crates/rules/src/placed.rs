//! The cards placed in a round, packed into four bytes: the board of a game is copied and logged very often.

use sultan_domain::{Bid, Bids, Cushion, MoneyCard, Players, Seat};

/// The cards placed in a round and their cushions, in order. The seats follow from the first player. In comparisons the
/// value with more cards is the greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Placed {
    /// Six bits per card, the last card lowest: its value, then the cushion's index. One bit is set before the first
    /// card, so that cards can be counted.
    codes: u32,
}

const CODE_BITS: u8 = 6;

impl Default for Placed {
    fn default() -> Self {
        Self::least_with(0)
    }
}

impl Placed {
    /// The smallest value with this number of cards.
    pub(crate) const fn least_with(cards: u8) -> Self {
        Self { codes: 1 << (CODE_BITS * cards) }
    }

    /// Adds a card.
    #[inline]
    pub(crate) fn push(&mut self, card: MoneyCard, cushion: Cushion) {
        let code = u32::from(card.value()) << 2 | u32::from(cushion.number() - 1);
        self.codes = self.codes << CODE_BITS | code;
    }

    /// The number of placed cards.
    #[inline]
    pub(crate) const fn len(self) -> u8 {
        self.codes.ilog2().to_le_bytes()[0] / CODE_BITS
    }

    /// The card with this many cards placed after it.
    #[inline]
    pub(crate) fn card_followed_by(self, others: u8) -> MoneyCard {
        MoneyCard::new((self.codes >> (CODE_BITS * others + 2) & 15) as u8).unwrap_or_default()
    }

    /// The cushion of the card with this many cards placed after it.
    #[inline]
    const fn cushion_followed_by(self, others: u8) -> Option<Cushion> {
        Cushion::new((self.codes >> (CODE_BITS * others) & 3) as u8 + 1)
    }

    /// The bids, when `first` was the first player.
    #[inline]
    pub(crate) fn bids(self, players: Players, first: Seat) -> Bids {
        let mut row = [Bid::default(); 5];
        let mut seat = first;
        for (bid, others) in row.iter_mut().zip((0..self.len()).rev()) {
            let cushion = self.cushion_followed_by(others).unwrap_or_default();
            *bid = Bid { seat, card: self.card_followed_by(others), cushion };
            seat = seat.left(players);
        }
        Bids::from_array_len(row, self.len().into())
    }

    /// These bids, packed.
    pub(crate) fn from_bids(bids: &[Bid]) -> Self {
        let mut placed = Self::default();
        for bid in bids {
            placed.push(bid.card, bid.cushion);
        }
        placed
    }

    /// The cushion with an earlier card of the seat to bid, if any (only with two cards per round).
    #[inline]
    pub(crate) const fn own_cushion(self, players: Players) -> Option<Cushion> {
        let others = players.count() - 1;
        if self.codes >> (CODE_BITS * others) > 1 { self.cushion_followed_by(others) } else { None }
    }
}
