//! The terminal client: against bots, with friends on one screen, or at a table on a running server.
//!
//! `connection` gives access to a table, either on the [`sultan_table::Service`] of this process or through the HTTP
//! API of a server. Both give the same views, so that the other modules do not depend on the difference. `play` runs
//! the screens, `plain` the same game as lines of text, and `replay` steps through a finished game. Read in this order:
//! `connection`, `choice` and `form` (the state of what the player is choosing), `app` (the effect of each key),
//! `screens` (drawing), `run` (the event loop).

// Access to tables.
mod connection;

// The player's choices.
mod choice;
mod form;

// Wording and drawing.
mod glyph;
mod narration;
mod styles;
mod width;

// The screens.
mod app;
mod events;
mod input;
mod screens;

// Event loops.
mod plain;
mod replay;
mod run;
mod terminal;

pub use connection::{InvalidLink, TableLink};
pub use form::{SeatSetup, Setup};
pub use plain::plain;
pub use replay::replay;
pub use run::{SessionEnd, Start, play};
