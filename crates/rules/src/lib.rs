//! The rules of Sultan: the complete state of a game, legal actions, their effects, and views of observers.
//!
//! A [`Setup`] becomes a [`Game`]. [`Game::pending`] returns the next input, and [`Game::play`] and [`Game::draw`]
//! change the game in place. [`Game::view`] is the only way to a view. [`SeededGame`] plays whole games: it keeps the
//! finished rounds and the source of the draws. Chance is an input: [`GameSeed`] makes decks and draws from verifiable
//! seeds, [`Quick`] makes them fast.
//!
//! A [`Game`] cannot be serialized, and its `Debug` shows no hidden information.
//!
//! ```
//! use sultan_rules::{Quick, SeededGame, domain::{Parameters, Players, Screens, Seat}};
//!
//! let mut chance = Quick::new(7);
//! let players = Players::new(4).expect("four can play");
//! let mut game = SeededGame::shuffled(Parameters::of(players), Seat::default(), Screens::Closed, &mut chance);
//! let mut choices = Quick::new(8);
//! while game.game().outcome().is_none() {
//!     game.draw().expect("a generator draws from the pouch");
//!     let action = game.game().legal().pick(&mut choices).expect("a seat to act can act");
//!     game.play(action).expect("a listed action is legal");
//! }
//! assert_eq!(game.rounds().len(), 15);
//! ```

// A game and its changes.
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

// Chance, and whole games from their records.
mod chance;
mod replay;
mod seeded;
mod verify;

pub use sultan_domain as domain;
pub use sultan_domain::{Chance, outcome, place};

pub use chance::{GameSeed, Quick, commitment, shuffle};
pub use game::Game;
pub use imagine::{Contradiction, imagine};
pub use pending::{Draw, Pending};
pub use play::{BadDraw, Progress};
pub use replay::{ReplayError, ReplayStep, replay, replay_with};
pub use resolve::winners;
pub use seeded::{DrawSource, FixedDraws, SeededGame};
pub use setup::{BadSetup, Setup};
pub use verify::{Fault, Verdict, check_seeds, verify};
