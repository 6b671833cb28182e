//! What the host chose when opening a table.

use serde::{Deserialize, Serialize};

use crate::{Screens, Seat, TableId};

/// Who shall have a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeatPlan {
    /// A person.
    Human,
    /// A bot, by its name.
    Bot(String),
}

/// What the host chose when opening a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Options))]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct TableOptions {
    /// Whether won jewels are hidden.
    pub screens: Screens,
    /// The first player of the first round; null if chance chooses.
    #[cfg_attr(feature = "schema", schema(value_type = Option<u8>, required))]
    pub first_seat: Option<Seat>,
    /// The time limit of each action; null if there is none.
    #[cfg_attr(feature = "schema", schema(required))]
    pub seconds_per_action: Option<u32>,
    /// Whether everybody may find the table.
    pub public: bool,
    /// Whether actions become visible at fixed intervals, so that nobody sees how long a player thought.
    pub even_pace: bool,
    /// The bot that acts for absent players.
    pub stand_in: String,
    /// The table whose players play once more.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, required))]
    pub rematch_of: Option<TableId>,
    /// Whether it is a guided first game with a fixed deal.
    pub guided: bool,
    /// Whether players may ask a coach.
    pub coach: bool,
}
