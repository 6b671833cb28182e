//! Tables where people and bots play: everything that happens around a game.
//!
//! [`Service`] is the way in: open a table, sit down, act, watch, leave. Read in this order: `table` (a table as its stored
//! changes make it), `seating` and `acting` (what somebody asks, and what becomes of it), `pace` (clocks and beats), `sight`
//! (what each observer is told), `service` and `change` (store first, then tell), `attend` (bots and clocks), `nodes` (others on the same database).
//!
//! No public function gives out a game or a stored event: those who talk to people cannot name the truth.

// What is asked, and why it may be refused.
mod error;
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
mod schedule;
mod service;
mod settings;
mod table_quota;

pub use afterwards::Branch;
pub use analysing::{Progress, Studied};
pub use coach::Advice;
pub use error::{Rejection, ServiceError};
pub use files::{BadFile, Doubt, records_in};
pub use lists::{OpenTable, OwnSeat};
pub use present::{AbsentSeats, PresenceGuard};
pub use publish::{JsonView, ObserverSnapshot, Watch};
pub use react::{Reacted, Reaction, Sign};
pub use replay::{OpenMoment, Replay};
pub use request::{Caller, NewTable, SeatChange, SeatWish, Sitting};
pub use service::{Opened, Seated, Service};
pub use settings::{Settings, Sleep};
pub use sight::{Around, BranchView, OptionsView, PlayingView, Sight, WaitingSeat, WaitingView};
pub use sultan_analysis as analysis;
pub use sultan_bots::{DEFAULT_OPPONENT, DEFAULT_STAND_IN, Level};
pub use sultan_domain as domain;
pub use token::{SeatToken, Visitor};
