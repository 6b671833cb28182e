//! The rules of Sultan: the whole truth of a game, what may be done, what happens, and who sees it.
//!
//! A [`Setup`] becomes a [`Game`]; [`Game::pending`] says what it waits for; [`Game::apply`] gives the next game and
//! the [`Event`]s of the step; [`Event::seen_by`] and [`Game::view`] are the only ways from truth to sight. Chance is
//! an input: [`GameSeed`] makes decks and draws from seeds that anybody can check, [`Quick`] makes them fast.
//!
//! Neither [`Game`] nor [`Event`] can be serialised, and their `Debug` tells nothing hidden.
//!
//! ```
//! use sultan_rules::{Game, Pending, Quick, domain::{Numbers, Players, Screens, Seat}};
//!
//! let mut chance = Quick::new(7);
//! let players = Players::new(4).expect("four can play");
//! let mut game = Game::shuffled(Numbers::of(players), Seat::default(), Screens::Closed, &mut chance);
//! let outcome = loop {
//!     match game.pending() {
//!         Pending::Chance(draw) => game.draw(draw.with(&mut chance)).expect("drawn from the pouch"),
//!         Pending::Seat(_) => {
//!             let action = game.legal().pick(&mut chance).expect("a seat to act can act");
//!             game.play(action).expect("a listed action is legal");
//!         }
//!         Pending::Over(outcome) => break outcome,
//!     }
//! };
//! assert!(outcome.winners().count() >= 1);
//! ```

// A game and how it goes on.
mod apply;
mod event;
mod game;
mod legal;
mod pending;
mod placed;
mod resolve;
mod setup;

// Who sees what, and what may be behind it.
mod imagine;
mod project;

// Chance, and whole games from their records.
mod chance;
mod replay;
mod seeded;
mod verify;

pub use sultan_domain as domain;
pub use sultan_domain::{Chance, outcome, place};

pub use apply::{BadDraw, Progress, Step};
pub use chance::{GameSeed, Quick, commitment, shuffle};
pub use event::Event;
pub use game::Game;
pub use imagine::{Contradiction, imagine};
pub use pending::{Draw, Pending};
pub use replay::{ReplayError, ReplayStep, replay, replay_with};
pub use resolve::winners;
pub use seeded::{DrawSource, FixedDraws, SeededGame};
pub use setup::{BadSetup, Setup};
pub use verify::{Fault, Verdict, verify};
