//! Tables where people and bots play: opening, seats, actions, clocks, watching, and several nodes.
//!
//! [`Service`] is the entry point: open a table, sit down, act, watch, leave. It delegates to owners with private
//! state: `registry` loads, changes and publishes tables; `driver` runs bots and clocks; `cluster` follows the other
//! nodes on the same database; `analysis_queue` analyses finished games. These call the registry, and never each other.
//! Read `table` first: a table changes only by applying stored events.
//!
//! No public function returns a game or a stored event, so other crates cannot name hidden information.

// Requests and errors.
mod error;
mod request;
mod token;

// One table.
mod files;
mod replay;
mod table;
mod views;

// All tables.
mod analysis_queue;
mod cluster;
mod coach;
mod deal;
mod driver;
mod housekeeping;
mod lists;
mod openings;
mod registry;
mod service;

// Passive state, which never calls an owner above.
mod compute_pool;
mod membership;
mod node;
mod node_message;
mod presence;
mod schedule;
mod settings;
mod signals;
mod sync;
mod table_quota;

pub use analysis_queue::{AnalysisProgress, AnalysisState};
pub use cluster::PresenceGuard;
pub use coach::Advice;
pub use error::{Rejection, ServiceError};
pub use files::{BadFile, FalseClaim, records_in};
pub use lists::{OpenTable, OwnSeat};
pub use openings::{BranchRequest, OpenedTable, TakenSeat};
pub use registry::{JsonView, ObserverSnapshot, Watch};
pub use replay::{OpenMoment, Replay};
pub use request::{Caller, NewPlayer, NewTable, SeatChange};
pub use service::Service;
pub use settings::{Settings, Sleep};
pub use signals::{Reaction, SeatReaction, Signal};
pub use sultan_analysis as analysis;
pub use sultan_bots::{DEFAULT_OPPONENT, DEFAULT_STAND_IN, Level};
pub use sultan_domain as domain;
pub use table::MAX_SECONDS_PER_ACTION;
pub use token::{SeatToken, Visitor};
