//! The cards placed in a round, packed into four bytes: a simulation copies games very often, and a game contains the
//! placed cards of all its rounds.

use sultan_domain::{Bid, Bids, Cushion, MoneyCard, Players, Seat};

/// The cards placed in a round with their cushions, in order. The seats are not stored, because they follow from the
/// first player. A value with more cards is greater than a value with fewer cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Placed {
    /// Six bits per card, the last card lowest: four bits for its value, then two for the index of its cushion. One
    /// more bit is set above the first card, so that the highest set bit shows the number of cards.
    codes: u32,
}

/// The number of bits per card.
const CODE_BITS: u8 = 6;

impl Default for Placed {
    fn default() -> Self {
        Self::smallest_with(0)
    }
}

impl Placed {
    /// The smallest value with this number of cards. Except for zero cards it is only for comparisons, because no card
    /// has the value 0.
    pub(crate) const fn smallest_with(card_count: u8) -> Self {
        Self { codes: 1 << (CODE_BITS * card_count) }
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

    /// The card before the last `later_cards` cards.
    #[inline]
    pub(crate) fn card_before(self, later_cards: u8) -> MoneyCard {
        MoneyCard::new((self.codes >> (CODE_BITS * later_cards + 2) & 15) as u8).unwrap_or_default()
    }

    /// The cushion of the card before the last `later_cards` cards.
    #[inline]
    const fn cushion_before(self, later_cards: u8) -> Option<Cushion> {
        Cushion::new((self.codes >> (CODE_BITS * later_cards) & 3) as u8 + 1)
    }

    /// The cards as bids: the first player placed the first card, the left neighbour the next card, and so on.
    #[inline]
    pub(crate) fn bids(self, players: Players, first_seat: Seat) -> Bids {
        let mut bids = [Bid::default(); 5];
        let mut seat = first_seat;
        for (bid, later_cards) in bids.iter_mut().zip((0..self.len()).rev()) {
            let cushion = self.cushion_before(later_cards).unwrap_or_default();
            *bid = Bid { seat, card: self.card_before(later_cards), cushion };
            seat = seat.left_neighbour(players);
        }
        Bids::from_array_len(bids, self.len().into())
    }

    /// Packs these bids of a round.
    pub(crate) fn from_bids(bids: &[Bid]) -> Self {
        let mut placed = Self::default();
        for bid in bids {
            placed.push(bid.card, bid.cushion);
        }
        placed
    }

    /// The cushion on which the seat to bid has placed its first card of the round. `None` before that; only with two
    /// players does a seat bid twice.
    #[inline]
    pub(crate) const fn own_cushion(self, players: Players) -> Option<Cushion> {
        // The other players have placed one card each since.
        let later_cards = players.count() - 1;
        // More than the extra bit is left only if at least `later_cards + 1` cards are placed.
        let has_placed = self.codes >> (CODE_BITS * later_cards) > 1;
        if has_placed { self.cushion_before(later_cards) } else { None }
    }
}
