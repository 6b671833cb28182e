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

/// SHA-256 of a secret: enough to recognize the secret, not to recover it.
macro_rules! hash {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub struct $name(#[serde(with = "hex_bytes")] pub [u8; 32]);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(hidden)"))
            }
        }
    };
}

hash! {
    /// The SHA-256 of a seat's token.
    TokenHash
}
hash! {
    /// The SHA-256 of a browser's identity.
    VisitorHash
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
    /// The position of another game that this game continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<Box<BranchRecord>>,
}

/// The stored form of [`TableOptions`], on the same level as the other fields. Defaults are omitted.
#[derive(Serialize, Deserialize)]
#[serde(remote = "TableOptions")]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
struct StoredOptions {
    screens: Screens,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first_seat: Option<Seat>,
    #[serde(default, rename = "seconds", skip_serializing_if = "Option::is_none")]
    seconds_per_action: Option<u32>,
    #[serde(default, skip_serializing_if = "is_false")]
    public: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    even_pace: bool,
    stand_in: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rematch_of: Option<TableId>,
    #[serde(default, skip_serializing_if = "is_false")]
    guided: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    coach: bool,
}

/// The stored form of a [`ServerSeed`], which is not serializable, so that it cannot be leaked by accident.
#[derive(Serialize, Deserialize)]
#[serde(remote = "ServerSeed")]
struct StoredServerSeed(#[serde(with = "hex_bytes")] [u8; 32]);

/// The start of a game that continues another game from one of its positions. It is self-contained: the other table may
/// have been deleted, and the method of imagining hidden facts may change.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchRecord {
    /// The table of the original game.
    #[serde(rename = "of")]
    pub original: TableId,
    /// Whether hidden information was sampled again.
    pub imagined: bool,
    /// Each seat's deck, the top card first.
    pub decks: Vec<Vec<MoneyCard>>,
    /// The draws of each round so far.
    pub draws: Vec<Drawn>,
    /// All actions so far.
    pub actions: Vec<Action>,
    /// Each seat's seed for the remaining draws.
    pub client_seeds: Vec<ClientSeed>,
}

/// Omits the cards.
impl fmt::Debug for BranchRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { original, imagined, decks: _, draws: _, actions: _, client_seeds: _ } = self;
        f.debug_struct("BranchRecord").field("original", original).field("imagined", imagined).finish_non_exhaustive()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "required by serde")]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// Bytes as hexadecimal digits.
mod hex_bytes {
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex::encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u8; 32], D::Error> {
        hex::FromHex::from_hex(String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// A seated player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SatRecord {
    /// The seat.
    pub seat: Seat,
    /// The name.
    pub name: String,
    /// The colour.
    pub colour: PlayerColour,
    /// The player's seed; `None` while the seat is only reserved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<ClientSeed>,
    /// The hash of the player's token.
    pub token: TokenHash,
    /// The hash of the player's browser identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub visitor: Option<VisitorHash>,
}

/// An event at a table. `Debug` prints only its kind, because an event may contain hidden cards.
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
    /// A bot took a free seat permanently.
    Filled {
        /// The seat.
        seat: Seat,
        /// The bot's name.
        bot: String,
    },
    /// A bot acts for an absent player.
    StoodIn {
        /// The seat.
        seat: Seat,
        /// The bot's name.
        bot: String,
        /// Whether the player left, in contrast to being replaced by the host.
        #[serde(default, skip_serializing_if = "is_false")]
        left: bool,
    },
    /// An absent player is back.
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
    /// The player whose turn it was acted.
    #[serde(rename = "a")]
    Acted(Action),
    /// The time limit expired, and a bot acted once for the player.
    #[serde(rename = "t")]
    ActedByClock(Action),
    /// All players left before the end.
    Ended,
    /// A rematch was opened at another table.
    Rematched {
        /// The table of the rematch.
        table: TableId,
    },
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
    fn stored_action_is_short() {
        let action: Action = "12@2".parse().unwrap();
        let json = serde_json::to_string(&EventRecord::Acted(action)).unwrap();
        assert_eq!(json, r#"{"a":"12@2"}"#);
        assert_eq!(serde_json::from_str::<EventRecord>(&json).unwrap(), EventRecord::Acted(action));
    }

    #[test]
    fn debug_output_hides_face_down_cards() {
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
        assert!(!debug.contains("07") && !debug.contains("MoneyCard"), "{debug}");
        let opened = EventRecord::Opened(opened);
        let json = serde_json::to_string(&opened).unwrap();
        assert_eq!(serde_json::from_str::<EventRecord>(&json).unwrap(), opened);
        let stored = concat!(
            r#"{"opened":{"players":3,"parameters":{"stages":1},"seats":["human",{"bot":"page"},"human"],"screens":"open","#,
            r#""seconds":30,"public":true,"stand_in":"jeweller","coach":true,"first_by":"chance","server_seed":"0707"#,
        );
        assert!(json.starts_with(stored), "{json}");
        assert!(!json.contains("guided"), "an option with its default value is not stored");
        assert_eq!(format!("{:?}", TokenHash([1; 32])), "TokenHash(hidden)");
    }
}
