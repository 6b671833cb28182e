//! The options chosen by the host of a table.

use serde::{Deserialize, Serialize};

use crate::{Screens, Seat, TableId};

/// The planned occupant of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeatPlan {
    /// A person.
    Human,
    /// The bot with this name.
    Bot(String),
}

/// The options chosen by the host of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Options))]
#[expect(clippy::struct_excessive_bools, reason = "the options are independent of each other")]
pub struct TableOptions {
    /// Whether won jewels are hidden.
    pub screens: Screens,
    /// The first player of the first round; null for a random seat.
    #[cfg_attr(feature = "schema", schema(value_type = Option<u8>, required))]
    pub first_seat: Option<Seat>,
    /// The time limit per action; null for no limit.
    #[cfg_attr(feature = "schema", schema(required))]
    pub seconds_per_action: Option<u32>,
    /// Whether the table is listed publicly.
    pub public: bool,
    /// Whether actions become visible only at fixed intervals, which hides the thinking times.
    pub even_pace: bool,
    /// The name of the bot that acts for absent players.
    pub stand_in: String,
    /// For a rematch, the table of the previous game.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, required))]
    pub rematch_of: Option<TableId>,
    /// Whether this is a guided first game with a fixed deal.
    pub guided: bool,
    /// Whether the table has a coach (hints for the players).
    pub coach: bool,
}
