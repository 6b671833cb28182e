//! Sultan in a terminal: against bots, with friends at one screen, or at a table of a running server.
//!
//! `place` is where the game is: on the [`sultan_table::Service`] of this program, or behind the HTTP API of another. Both tell
//! the same views; nothing else here knows the difference. `play` runs the screens, `plain` the same game line by
//! line, and `replay` steps through one that is over. Read in this order: `place`, `choice` and `setup` (what the player is choosing), `app` (what happens on which
//! key), `screens` (what is drawn), `run` (terminal, keys, news and signals in one loop).

// Where the game is, and what it tells.
mod place;

// What the player is choosing.
mod choice;
mod setup;

// How things are said and drawn.
mod glyph;
mod narration;
mod paint;
mod width;

// The screens.
mod app;
mod events;
mod input;
mod screens;

// What runs it all.
mod plain;
mod replaying;
mod run;
mod terminal;

pub use place::{InvalidLink, PlayError, TableLink};
pub use plain::plain;
pub use replaying::replay;
pub use run::{Ended, Start, play};
pub use setup::{SeatSetup, Setup};
