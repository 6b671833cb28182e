//! The start of a game. A [`Setup`] is unchecked; a [`Game`](crate::Game) is always valid.

use std::fmt;

use sultan_domain::{BadParameters, BySeat, Cards, CardsInOrder, Parameters, Screens, Seat};
use thiserror::Error;

use crate::GameSeed;

/// The start of a game: parameters, decks, first seat.
#[derive(Clone)]
pub struct Setup {
    /// The parameters of the game.
    pub parameters: Parameters,
    /// The first player of the first round (RULES 2.5).
    pub first_seat: Seat,
    /// Whether won jewels are hidden.
    pub screens: Screens,
    /// Each seat's deck, the top card first (RULES 2.2, 2.3).
    pub decks: BySeat<CardsInOrder>,
}

/// Omits the decks.
impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { parameters, first_seat, screens, decks: _ } = self;
        let mut output = f.debug_struct("Setup");
        output.field("parameters", parameters).field("first_seat", first_seat).field("screens", screens);
        output.finish_non_exhaustive()
    }
}

/// Why no game can start from a setup. It names seats, never cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadSetup {
    /// Parameters with which no game can be played.
    #[error(transparent)]
    Parameters(#[from] BadParameters),
    /// The first seat is not at the table.
    #[error("the first seat {0} is not at this table")]
    FirstSeat(Seat),
    /// A deck that is not one full set of cards (RULES 2.2, 2.3).
    #[error("the deck of seat {0} is not the full set of its cards")]
    Deck(Seat),
}

impl Setup {
    /// The setup that seeds give (docs/fairness.md).
    #[must_use]
    pub fn seeded(parameters: Parameters, first_seat: Seat, screens: Screens, seed: &GameSeed) -> Self {
        let mut decks = BySeat::default();
        for seat in parameters.players.seats() {
            decks[seat] = seed.deck(&parameters, seat);
        }
        Self { parameters, first_seat, screens, decks }
    }

    /// Checks that a game can start from it.
    pub(crate) fn check(&self) -> Result<(), BadSetup> {
        let players = self.parameters.players;
        self.parameters.check()?;
        if !players.has(self.first_seat) {
            return Err(BadSetup::FirstSeat(self.first_seat));
        }
        let full = self.parameters.full_set();
        let complete =
            |deck: &CardsInOrder| deck.len() == full.len() as usize && deck.iter().copied().collect::<Cards>() == full;
        match players.seats().find(|&seat| !complete(&self.decks[seat])) {
            Some(seat) => Err(BadSetup::Deck(seat)),
            None => Ok(()),
        }
    }
}
