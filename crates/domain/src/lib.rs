//! The public types of Sultan, with their text and JSON forms.
//!
//! This crate has neither the rules (`sultan-rules`) nor a type for the full state of a running game. Read the modules
//! in this order: the material of the game, actions, views, and records.

// Things on the table.
mod bits;
mod chance;
mod cushion;
mod jewel;
mod jewels;
mod money;
mod offer;
mod parameters;
mod seat;
mod stage;
mod variant;

// Actions, and reasons to reject them.
mod action;
mod illegal;
mod legal;

// Views and recalls of an observer.
mod outcome;
mod person;
mod recall;
mod round;
mod score;
mod table_view;
mod view;

// Records and analyses.
mod analysis;
mod full_game;
mod json;
mod notation;
mod record;
mod secret;
mod table_id;

pub use action::{Action, Bid, FaceDownBid};
pub use analysis::{
    Analysis, ChanceMoment, ChanceStep, Decision, Estimate, HeldCard, Hint, MayHold, OptionValue, Reason, SeatAnalysis,
};
pub use chance::Chance;
pub use cushion::{ByCushion, Cushion, CushionSet};
pub use full_game::FullGame;
pub use illegal::Illegal;
pub use jewel::{ByJewel, Jewel};
pub use jewels::{Collection, Jewels};
pub use legal::Legal;
pub use money::{Cards, CardsInOrder, MAX_CARDS, MoneyCard, PackedDeck};
pub use notation::NotationError;
pub use offer::{Drawn, JewelRow, Offer};
pub use outcome::{Outcome, Place, Places};
pub use parameters::{BadParameters, BonusStep, BonusTable, Parameters, Ties};
pub use person::{Kind, NoSuchKind, Person, PlayerColour};
pub use recall::Recall;
pub use record::{FirstSeatBy, Record, RecordError, RecordJson};
pub use round::{Bids, RoundRecord, Winners};
pub use score::{ColourScore, outcome, place};
pub use seat::{BySeat, Players, Seat};
pub use secret::{ClientSeed, Commitment, SeedError, ServerSeed};
pub use stage::{Round, Stage};
pub use table_id::{NoSuchTableId, TableId};
pub use table_view::{
    Attendance, BranchOrigin, PlayingTable, SeatJson, SeatPlan, SharedJson, TableInfo, TableOptions, TableView,
    TurnClock, ViewJson, WaitingSeat, WaitingTable,
};
pub use variant::Variant;
pub use view::{Observer, PlacedBid, Screens, SeatView, View, ViewError, ViewPhase};
