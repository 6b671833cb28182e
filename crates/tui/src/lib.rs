//! The terminal client: against bots, with friends at one screen, or at a table on a running server.
//!
//! `place` gives access to a table, either on the [`sultan_table::Service`] of this process or through the HTTP API of
//! a server. Both give the same views, so that the other modules need not know the difference. `play` runs the screens,
//! `plain` the same game as lines of text, and `replay` steps through a finished game. Read in this order: `place`,
//! `choice` and `setup` (the state of what the player is choosing), `app` (the effect of each key), `screens`
//! (drawing), `run` (the event loop).

// Access to tables.
mod place;

// The player's choices.
mod choice;
mod setup;

// Wording and drawing.
mod glyph;
mod narration;
mod paint;
mod width;

// The screens.
mod app;
mod events;
mod input;
mod screens;

// Event loops.
mod plain;
mod replaying;
mod run;
mod terminal;

pub use place::{InvalidLink, PlayError, TableLink};
pub use plain::plain;
pub use replaying::replay;
pub use run::{Ended, Start, play};
pub use setup::{SeatSetup, Setup};
