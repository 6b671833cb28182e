//! The stored form of events at a table.
//!
//! It contains all facts, including hidden ones, so only `sultan-store` and `sultan-table` use it. The JSON is short,
//! since every action is stored; fields may be added (with a default), never changed.

use std::fmt;

use serde::{Deserialize, Serialize};
use sultan_domain::{
    Action, ClientSeed, Drawn, FirstSeatBy, MoneyCard, PlayerColour, Players, Screens, Seat, SeatPlan, ServerSeed,
    TableId, TableOptions, Variant,
};

/// The SHA-256 of a seat's token. With the hash a token can be recognized, but not recovered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TokenHash(#[serde(with = "hex::serde")] pub [u8; 32]);

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(hidden)")
    }
}

/// The SHA-256 of the visitor's id in a browser's cookie.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct VisitorHash(#[serde(with = "hex::serde")] pub [u8; 32]);

impl fmt::Debug for VisitorHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VisitorHash(hidden)")
    }
}

/// The options and seeds that a table was opened with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenedRecord {
    /// The number of players.
    pub players: Players,
    /// Parameters that differ from the published game.
    #[serde(default, rename = "parameters", skip_serializing_if = "Variant::is_published")]
    pub variant: Variant,
    /// The planned seats.
    pub seats: Vec<SeatPlan>,
    /// The host's options.
    #[serde(flatten, with = "StoredOptions")]
    pub options: TableOptions,
    /// The way the first player was chosen.
    pub first_by: FirstSeatBy,
    /// The server's share of the randomness.
    #[serde(with = "StoredServerSeed")]
    pub server_seed: ServerSeed,
    /// The start of the game, if it continues another game from one of its positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<Box<BranchRecord>>,
}

/// The stored form of [`TableOptions`]: fields of the JSON object of [`OpenedRecord`]. Defaults are omitted.
#[derive(Serialize, Deserialize)]
#[serde(remote = "TableOptions")]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
struct StoredOptions {
    screens: Screens,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first_seat: Option<Seat>,
    #[serde(default, rename = "seconds", skip_serializing_if = "Option::is_none")]
    seconds_per_action: Option<u32>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    public: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    even_pace: bool,
    stand_in: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rematch_of: Option<TableId>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    guided: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    coach: bool,
}

/// The stored form of a [`ServerSeed`], which is not serializable, so that it cannot be leaked by accident.
#[derive(Serialize, Deserialize)]
#[serde(remote = "ServerSeed")]
struct StoredServerSeed(#[serde(with = "hex::serde")] [u8; 32]);

/// The start of a game that continues another game from one of its positions.
///
/// It is self-contained, because the table of the original game may be deleted, and a later version of the program may
/// sample hidden facts differently.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchRecord {
    /// The table of the original game.
    #[serde(rename = "of")]
    pub original: TableId,
    /// Whether the facts that the player could not see were sampled at random instead of copied.
    pub imagined: bool,
    /// Each seat's deck, the top card first.
    pub decks: Vec<Vec<MoneyCard>>,
    /// The jewels drawn for each round so far.
    pub draws: Vec<Drawn>,
    /// All actions so far.
    pub actions: Vec<Action>,
    /// Each seat's share of the randomness for the remaining draws.
    pub client_seeds: Vec<ClientSeed>,
}

/// Omits cards, draws and actions, which may be hidden from some players.
impl fmt::Debug for BranchRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { original, imagined, decks: _, draws: _, actions: _, client_seeds: _ } = self;
        f.debug_struct("BranchRecord").field("original", original).field("imagined", imagined).finish_non_exhaustive()
    }
}

/// A seated player, or the player for whom a seat is reserved in a rematch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SatRecord {
    /// The seat.
    pub seat: Seat,
    /// The name.
    pub name: String,
    /// The colour.
    pub colour: PlayerColour,
    /// The player's share of the randomness; `None` while the seat is only reserved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<ClientSeed>,
    /// The hash of the player's token.
    pub token: TokenHash,
    /// The hash of the player's browser identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visitor: Option<VisitorHash>,
}

/// An event at a table.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventRecord {
    /// The table was opened.
    Opened(Box<OpenedRecord>),
    /// A player sat down, or a seat is reserved for a player of the previous game.
    Sat(Box<SatRecord>),
    /// A player changed name, colour or seed before the start, or accepted a rematch.
    Changed {
        /// The seat.
        seat: Seat,
        /// The name.
        name: String,
        /// The colour.
        colour: PlayerColour,
        /// The player's seed.
        seed: ClientSeed,
    },
    /// Another browser was linked to the seat.
    Linked {
        /// The seat.
        seat: Seat,
        /// The hash of the browser identity.
        visitor: VisitorHash,
    },
    /// A seat is free again before the start.
    Freed {
        /// The seat.
        seat: Seat,
    },
    /// The host gave a free seat to a bot, for the whole game.
    Filled {
        /// The seat.
        seat: Seat,
        /// The bot's name.
        bot: String,
    },
    /// A bot acts for an absent player from now on (stand-in).
    StoodIn {
        /// The seat.
        seat: Seat,
        /// The bot's name.
        bot: String,
        /// Whether the player left the table. Otherwise the host let the bot act.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        left: bool,
    },
    /// An absent player is back: the bot stops acting.
    Returned {
        /// The seat.
        seat: Seat,
    },
    /// Another player became the host.
    #[serde(rename = "host")]
    HostChanged {
        /// The new host's seat.
        seat: Seat,
    },
    /// The game started.
    Started,
    /// The player to act took an action.
    #[serde(rename = "a")]
    Acted(Action),
    /// The time limit of the player to act expired, and a bot took this one action.
    #[serde(rename = "t")]
    ActedByClock(Action),
    /// The only person at the table paused the game: no bot and no clock acts.
    Paused,
    /// The game goes on after a pause. The turn of the seat to act begins anew.
    Resumed,
    /// The game ended early, because all players left.
    Ended,
    /// A rematch was opened at another table.
    Rematched {
        /// The table of the rematch.
        table: TableId,
    },
}

impl EventRecord {
    /// The browser that this event links to a seat, and the seat.
    #[must_use]
    pub fn linked_visitor(&self) -> Option<(VisitorHash, Seat)> {
        match self {
            Self::Sat(sat) => Some((sat.visitor?, sat.seat)),
            Self::Linked { seat, visitor } => Some((*visitor, *seat)),
            Self::Opened(_)
            | Self::Changed { .. }
            | Self::Freed { .. }
            | Self::Filled { .. }
            | Self::StoodIn { .. }
            | Self::Returned { .. }
            | Self::HostChanged { .. }
            | Self::Started
            | Self::Acted(_)
            | Self::ActedByClock(_)
            | Self::Paused
            | Self::Resumed
            | Self::Ended
            | Self::Rematched { .. } => None,
        }
    }
}

/// Prints only the kind of the event, because its fields may contain hidden cards.
impl fmt::Debug for EventRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Opened(_) => "Opened",
            Self::Sat(_) => "Sat",
            Self::Changed { .. } => "Changed",
            Self::Linked { .. } => "Linked",
            Self::Freed { .. } => "Freed",
            Self::Filled { .. } => "Filled",
            Self::StoodIn { .. } => "StoodIn",
            Self::Returned { .. } => "Returned",
            Self::HostChanged { .. } => "HostChanged",
            Self::Started => "Started",
            Self::Acted(_) => "Acted",
            Self::ActedByClock(_) => "ActedByClock",
            Self::Paused => "Paused",
            Self::Resumed => "Resumed",
            Self::Ended => "Ended",
            Self::Rematched { .. } => "Rematched",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Append, Change};

    #[test]
    fn action_is_stored_as_short_json() {
        let action: Action = "12@2".parse().unwrap();
        let json = serde_json::to_string(&EventRecord::Acted(action)).unwrap();
        assert_eq!(json, r#"{"a":"12@2"}"#);
        assert_eq!(serde_json::from_str::<EventRecord>(&json).unwrap(), EventRecord::Acted(action));
    }

    #[test]
    fn debug_output_of_changes_and_appends_hides_actions() {
        let action: Action = "12@2".parse().unwrap();
        let events = vec![EventRecord::Acted(action), EventRecord::ActedByClock(action)];
        let change = Change { version: 3, at_ms: 4000, events };
        assert_eq!(format!("{change:?}"), "Change { version: 3, at_ms: 4000, events: [Acted, ActedByClock] }");
        let append = Append { table: TableId::new(1), change, listing: None, visitors: Vec::new() };
        assert!(!format!("{append:?}").contains("12"), "{append:?}");
    }

    #[test]
    fn opened_record_round_trips_and_debug_hides_the_seed() {
        let opened = Box::new(OpenedRecord {
            players: Players::new(3).unwrap(),
            variant: Variant::ESPRESSO,
            seats: vec![SeatPlan::Human, SeatPlan::Bot("page".to_owned()), SeatPlan::Human],
            options: TableOptions {
                screens: Screens::Open,
                seconds_per_action: Some(30),
                public: true,
                stand_in: "jeweller".to_owned(),
                coach: true,
                ..TableOptions::default()
            },
            first_by: FirstSeatBy::Chance,
            server_seed: ServerSeed([7; 32]),
            branch: Some(Box::new(BranchRecord {
                original: TableId::new(9),
                imagined: true,
                decks: vec![vec![MoneyCard::new(7).unwrap(); 2]; 3],
                draws: vec![Drawn::default()],
                actions: vec!["7@2".parse().unwrap()],
                client_seeds: Vec::new(),
            })),
        });
        let debug = format!("{opened:?}");
        assert!(!debug.contains("07"), "the server seed is printed: {debug}");
        assert!(!debug.contains("MoneyCard"), "the cards of the decks are printed: {debug}");
        let opened = EventRecord::Opened(opened);
        let json = serde_json::to_string(&opened).unwrap();
        assert_eq!(serde_json::from_str::<EventRecord>(&json).unwrap(), opened);
        let start_of_json = concat!(
            r#"{"opened":{"players":3,"parameters":{"stages":1},"seats":["human",{"bot":"page"},"human"],"screens":"open","#,
            r#""seconds":30,"public":true,"stand_in":"jeweller","coach":true,"first_by":"chance","server_seed":"0707"#,
        );
        assert!(json.starts_with(start_of_json), "{json}");
        assert!(!json.contains("guided"), "an option with its default value is not stored");
        assert_eq!(format!("{:?}", TokenHash([1; 32])), "TokenHash(hidden)");
    }
}
