//! The options chosen by the host of a table.

use serde::{Deserialize, Serialize};

use crate::{Screens, Seat, TableId};

/// The planned occupant of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeatPlan {
    /// A person.
    Human,
    /// A bot, by its name.
    Bot(String),
}

/// The options chosen by the host of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Options))]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct TableOptions {
    /// Whether won jewels are hidden.
    pub screens: Screens,
    /// The first player of the first round; null if chance chooses.
    #[cfg_attr(feature = "schema", schema(value_type = Option<u8>, required))]
    pub first_seat: Option<Seat>,
    /// The time limit per action; null for no limit.
    #[cfg_attr(feature = "schema", schema(required))]
    pub seconds_per_action: Option<u32>,
    /// Whether the table is listed publicly.
    pub public: bool,
    /// Whether actions become visible at fixed intervals, which hides thinking times.
    pub even_pace: bool,
    /// The bot that acts for absent players.
    pub stand_in: String,
    /// The previous table of a rematch.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, required))]
    pub rematch_of: Option<TableId>,
    /// Whether it is a guided first game with a fixed deal.
    pub guided: bool,
    /// Whether the table has a coach.
    pub coach: bool,
}
