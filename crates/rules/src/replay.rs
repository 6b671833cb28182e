//! A whole game from its record.

use sultan_domain::{Action, Illegal, Numbers, Record, RoundTold, Seat, Telling};
use thiserror::Error;

use crate::{BadSetup, Game, GameSeed, Pending, Setup};

/// A game played from its record, as far as the record goes.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Where it ended.
    pub game: Game,
    /// All finished rounds.
    pub rounds: Vec<RoundTold>,
    first_seat: Seat,
}

/// Why a record is not a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// No game can start so.
    #[error(transparent)]
    Setup(#[from] BadSetup),
    /// More actions than the game has.
    #[error("action {number} “{action}” comes after the end of the game (rule {})", Illegal::GameOver.rule())]
    TooMany {
        /// Which action, counted from 1.
        number: usize,
        /// The action.
        action: Action,
    },
    /// An illegal action.
    #[error("action {number} “{action}” of seat {seat} is illegal: {illegal} (rule {}, {})", .illegal.rule(), .illegal.code())]
    Illegal {
        /// Which action, counted from 1.
        number: usize,
        /// The action.
        action: Action,
        /// Whose turn it was.
        seat: Seat,
        /// What it breaks.
        illegal: Illegal,
    },
}

/// Plays a record.
///
/// # Errors
/// [`ReplayError`] names the first action that cannot be played.
pub fn replay(record: &Record) -> Result<Replay, ReplayError> {
    let seed = GameSeed::new(&record.server_seed, &record.client_seeds);
    let setup = Setup::seeded(Numbers::of(record.players), record.first_seat, record.screens, &seed);
    let mut replay = Replay { game: Game::new(&setup)?, rounds: Vec::new(), first_seat: record.first_seat };
    replay.draw(&seed);
    for (&action, number) in record.actions.iter().zip(1..) {
        let Some(seat) = replay.game.to_act() else { return Err(ReplayError::TooMany { number, action }) };
        let finished = replay.game.last_round();
        replay.game.play(action).map_err(|illegal| ReplayError::Illegal { number, action, seat, illegal })?;
        if replay.game.last_round() != finished {
            replay.rounds.extend(replay.game.last_round());
        }
        replay.draw(&seed);
    }
    Ok(replay)
}

impl Replay {
    /// Draws the round's jewels, if that is what the game waits for.
    fn draw(&mut self, seed: &GameSeed) {
        if let Pending::Chance(draw) = self.game.pending() {
            self.game.draw(seed.draw(&draw)).expect("a draw from the pouch can be drawn");
        }
    }

    /// The game told in full.
    #[must_use]
    pub fn telling(&self) -> Telling {
        let players = self.game.numbers().players;
        let outcome = match self.game.pending() {
            Pending::Over(outcome) => Some(outcome),
            Pending::Chance(_) | Pending::Seat(_) => None,
        };
        Telling {
            players,
            first_seat: self.first_seat,
            complete: outcome.is_some(),
            decks: players.seats().map(|seat| self.game.dealt_deck(seat)).collect(),
            rounds: self.rounds.iter().copied().chain(self.game.this_round()).collect(),
            outcome,
        }
    }
}
