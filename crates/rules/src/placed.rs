//! The cards placed in a round, packed into eight bytes: the board of a game is copied and logged very often.

use sultan_domain::{Bid, Bids, Cushion, MoneyCard, Players, Seat};

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

    /// The bids, when `first` was the first player and so many cards are placed.
    #[inline]
    pub(crate) fn bids(self, players: Players, first: Seat, turn: u8) -> Bids {
        let mut row = [Bid::default(); 5];
        let mut seat = first;
        let turn = usize::from(turn).min(row.len());
        for (bid, code) in row.iter_mut().zip(self.codes).take(turn) {
            let (card, cushion) = decode(code);
            *bid = Bid { seat, card: card.unwrap_or_default(), cushion: cushion.unwrap_or_default() };
            seat = seat.left(players);
        }
        Bids::from_array_len(row, turn)
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

    /// The cushions of the cards that the seat to place the next card, after these `turn`, has placed before.
    #[inline]
    pub(crate) fn own_cushions(self, players: Players, turn: u8) -> impl Iterator<Item = Cushion> {
        let mut earlier = turn;
        std::iter::from_fn(move || {
            earlier = earlier.checked_sub(players.count())?;
            decode(self.codes[(earlier & 7) as usize]).1
        })
    }
}

/// The card and the cushion of a code; no card where there is none.
const fn decode(code: u8) -> (Option<MoneyCard>, Option<Cushion>) {
    (MoneyCard::new(code & 15), Cushion::new((code >> 4) + 1))
}
