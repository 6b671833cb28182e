//! The start of a game. A [`Setup`] may be invalid; [`Game::new`](crate::Game::new) checks it.

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
    /// Whether all observers see the jewels won by every seat.
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

/// Why no game can start with a setup. The error names seats, never cards, which are hidden (RULES 7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadSetup {
    /// Parameters with which no game can be played.
    #[error(transparent)]
    Parameters(#[from] BadParameters),
    /// The first seat is not at the table.
    #[error("the first seat {0} is not at this table")]
    FirstSeat(Seat),
    /// A deck that is not a full set of the player's cards (RULES 2.2, 2.3).
    #[error("the deck of seat {0} is not the full set of its cards")]
    Deck(Seat),
}

impl Setup {
    /// The setup with the decks that a seed gives (docs/fairness.md).
    #[must_use]
    pub fn seeded(parameters: Parameters, first_seat: Seat, screens: Screens, seed: &GameSeed) -> Self {
        let mut decks = BySeat::default();
        for seat in parameters.players.seats() {
            decks[seat] = seed.deck(&parameters, seat);
        }
        Self { parameters, first_seat, screens, decks }
    }

    /// Checks that a game can start with this setup.
    pub(crate) fn check(&self) -> Result<(), BadSetup> {
        let players = self.parameters.players;
        self.parameters.check()?;
        if !players.has(self.first_seat) {
            return Err(BadSetup::FirstSeat(self.first_seat));
        }
        let full_set = self.parameters.full_set();
        let is_full_set = |deck: &CardsInOrder| {
            // A set of cards leaves out a third card of a value, so the length must be compared too.
            deck.len() == full_set.len() as usize && deck.iter().copied().collect::<Cards>() == full_set
        };
        match players.seats().find(|&seat| !is_full_set(&self.decks[seat])) {
            Some(seat) => Err(BadSetup::Deck(seat)),
            None => Ok(()),
        }
    }
}
