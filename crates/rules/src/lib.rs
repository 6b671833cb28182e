//! The rules of Sultan: the complete state of a game, legal actions, their effects, and views of observers.
//!
//! A [`Setup`] becomes a [`Game`]. [`Game::pending`] returns the next input, and [`Game::play`] and [`Game::draw`]
//! change the game in place. [`Game::view`] is the only function that makes views. [`SeededGame`] plays whole games: it
//! keeps the finished rounds and the source of the draws. The rules never generate random numbers themselves; the
//! caller passes decks and draws. [`GameSeed`] makes them from seeds that players can verify, [`FastRng`] makes them
//! fast.
//!
//! A [`Game`] cannot be serialized, and its `Debug` shows no hidden information.
//!
//! ```
//! use sultan_rules::{FastRng, SeededGame, domain::{Parameters, Players, Screens, Seat}};
//!
//! let mut rng = FastRng::new(7);
//! let players = Players::new(4).expect("four can play");
//! let mut game = SeededGame::shuffled(Parameters::of(players), Seat::default(), Screens::Closed, &mut rng);
//! let mut choices = FastRng::new(8);
//! while game.game().outcome().is_none() {
//!     game.draw().expect("a generator draws from the pouch");
//!     let action = game.game().legal().pick(&mut choices).expect("after a draw or a bid a seat can act");
//!     game.play(action).expect("a listed action is legal");
//! }
//! assert_eq!(game.rounds().len(), 15);
//! ```

// A game, and the actions and draws that change it.
mod finished;
mod game;
mod legal;
mod pending;
mod placed;
mod play;
mod resolve;
mod setup;

// Views, and games that fit a view.
mod imagine;
mod project;

// Random decks and draws, and whole games.
mod chance;
mod replay;
mod seeded;
mod verify;

pub use sultan_domain as domain;
pub use sultan_domain::{Chance, outcome, place};

pub use chance::{FastRng, GameSeed, commitment, shuffle};
pub use game::Game;
pub use imagine::{Contradiction, imagine};
pub use pending::{Draw, Pending};
pub use play::{BadDraw, Progress};
pub use replay::{ReplayError, ReplayStep, replay, replay_with};
pub use resolve::winners;
pub use seeded::{DrawSource, FixedDraws, SeededGame};
pub use setup::{BadSetup, Setup};
pub use verify::{Fault, Verdict, check_seeds, verify};
