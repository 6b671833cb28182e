//! Tables where people and bots play: everything that happens around a game.
//!
//! [`Service`] is the way in: open a table, sit down, act, watch, leave. Read in this order: `table` (a table as its stored
//! changes make it), `seating` and `acting` (what somebody asks, and what becomes of it), `pace` (clocks and beats), `sight`
//! (what each observer is told), `service` and `change` (store first, then tell), `attend` (bots and clocks), `nodes` (others on the same database).
//!
//! No public function gives out a game or a stored event: those who talk to people cannot name the truth.

// What is asked, and why it may be refused.
mod refused;
mod request;
mod token;

// A table.
mod acting;
mod course;
mod pace;
mod seating;
mod sight;
mod table;

// All tables.
mod afterwards;
mod analysing;
mod attend;
mod change;
mod coach;
mod files;
mod lists;
mod memory;
mod neighbours;
mod nodes;
mod present;
mod publish;
mod react;
mod rematch;
mod replay;
mod room;
mod schedule;
mod service;
mod settings;

pub use afterwards::Branch;
pub use analysing::{Progress, Studied};
pub use coach::Advice;
pub use files::{BadFile, Doubt, records_in};
pub use lists::{OpenTable, OwnSeat};
pub use present::{Gone, Here};
pub use publish::{Frame, Watch};
pub use react::{Reacted, Reaction, Sign};
pub use refused::{Refused, Trouble};
pub use replay::{OpenMoment, Replay};
pub use request::{Caller, NewTable, SeatWish, Sitting, Wish};
pub use service::{Acted, Opened, Promise, Seated, Service};
pub use settings::{Settings, Sleep};
pub use sight::{Around, BranchView, OptionsView, PlayingView, Sight, WaitingSeat, WaitingView};
pub use sultan_bots::{DEFAULT_OPPONENT, DEFAULT_STAND_IN, Level, analysis};
pub use sultan_domain as domain;
pub use token::{SeatToken, Visitor};
