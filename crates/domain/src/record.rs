//! Records (`*.sultan.json`): the seeds and actions of a game, from which the whole game can be replayed.
//!
//! [`Record::from_json`] checks only the form of a record. `replay` and `verify` of `sultan-rules` check that its
//! actions are legal, and that its commitment and first seat match its seeds.

use serde::{Deserialize, Serialize, Serializer};
use thiserror::Error;

use crate::notation::one_line_prefix;
use crate::{
    Action, BadParameters, ClientSeed, Commitment, NotationError, Parameters, Players, Screens, Seat, SeedError,
    ServerSeed, Variant,
};

/// How the first seat was chosen (RULES 2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FirstSeatBy {
    /// The host chose it.
    Host,
    /// It was computed from the seeds.
    Chance,
    /// The game is a rematch: the left neighbour of the last game's first player begins.
    Rematch,
}

/// The seeds and actions of a game, from which the whole game can be replayed.
///
/// It contains the server's seed, so it exists only for finished or abandoned games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The number of players.
    pub players: Players,
    /// Parameters that differ from the published game.
    pub variant: Variant,
    /// The first player of the first round.
    pub first_seat: Seat,
    /// The way in which the first player was chosen, if recorded.
    pub first_seat_by: Option<FirstSeatBy>,
    /// Whether won jewels were hidden.
    pub screens: Screens,
    /// One name per seat.
    pub names: Vec<String>,
    /// The commitment made before the game, if recorded.
    pub commitment: Option<Commitment>,
    /// The server's seed.
    pub server_seed: ServerSeed,
    /// Each seat's seed.
    pub client_seeds: Vec<ClientSeed>,
    /// All actions, in order.
    pub actions: Vec<Action>,
}

/// The name of the format.
const FORMAT: &str = "sultan-record";
/// The version of a record of the published game.
const VERSION: u32 = 1;
/// The version of a record with parameters. Programs without support for parameters reject this version, instead of
/// playing the published game by mistake.
const VARIANT_VERSION: u32 = 2;

/// Why a text is not a record.
#[derive(Debug, Error)]
pub enum RecordError {
    /// Not JSON, or a missing or malformed field.
    #[error("not a record: {0}")]
    Shape(String),
    /// `format` is missing or has another value.
    #[error("not a record: its format is not “{FORMAT}”")]
    Format,
    /// An unsupported version.
    #[error("a record of version {0}; this program reads versions {VERSION} and {VARIANT_VERSION}")]
    Version(u64),
    /// `version` is missing.
    #[error("not a record: its version is missing")]
    NoVersion,
    /// A list that does not have one entry per seat.
    #[error("{players} players, but {entries} {list}")]
    Count {
        /// The name of the field.
        list: &'static str,
        /// The number of players.
        players: Players,
        /// The number of entries.
        entries: usize,
    },
    /// Parameters with which no game can be played.
    #[error("parameters: {0}")]
    Parameters(#[from] BadParameters),
    /// Parameters in a record of version 1: programs without support for parameters would play the published game.
    #[error("a record with parameters has version {VARIANT_VERSION}")]
    VersionOfParameters,
    /// A first seat that the table does not have.
    #[error("first_seat is {seat}, but {players} players have seats 0 to {}", players.count() - 1)]
    FirstSeat {
        /// The seat.
        seat: Seat,
        /// The number of players.
        players: Players,
    },
    /// A malformed seed or commitment.
    #[error("{field}: {error}")]
    Seed {
        /// The name of the field.
        field: &'static str,
        /// The error.
        error: SeedError,
    },
    /// A malformed entry of `actions`.
    #[error("action {number}: {error}")]
    Action {
        /// The number of the action, counted from 1.
        number: usize,
        /// The error.
        error: NotationError,
    },
}

/// The fields that are read first: they determine the meaning of the other fields.
#[derive(Deserialize)]
#[serde(expecting = "one JSON object")]
struct Header {
    format: Option<String>,
    version: Option<u64>,
}

/// The seeds and actions of a game, from which the whole game can be replayed.
// This comment becomes the description in the API's schema. The type has the fields of the JSON before validation.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Record))]
#[expect(missing_docs, reason = "the format is documented in docs/formats.md")]
pub struct RecordJson {
    /// `sultan-record`.
    pub format: String,
    /// The version of the format: 1, or 2 with parameters.
    pub version: u32,
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub players: Players,
    /// The parameters that differ from the published game; absent for the published game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Object>))]
    pub parameters: Option<Variant>,
    #[cfg_attr(feature = "schema", schema(value_type = u8))]
    pub first_seat: Seat,
    /// `host`, `chance` or `rematch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub first_seat_by: Option<FirstSeatBy>,
    pub screens: Screens,
    pub names: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<String>,
    pub server_seed: String,
    pub client_seeds: Vec<String>,
    #[cfg_attr(feature = "schema", schema(example = json!(["RYB", "12@1", "7@3"])))]
    pub actions: Vec<String>,
}

/// Reads JSON. serde may quote the whole input in its error, so the error is cut to one short line.
fn parse<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T, RecordError> {
    serde_json::from_str(json).map_err(|error| RecordError::Shape(one_line_prefix(&error.to_string(), 200)))
}

impl Record {
    /// Reads a record from its JSON.
    ///
    /// Unknown fields are ignored.
    ///
    /// # Errors
    /// [`RecordError`] names the malformed field on one line.
    pub fn from_json(json: &str) -> Result<Self, RecordError> {
        // Format and version are checked first: in a newer version any other field may have changed.
        let header: Header = parse(json)?;
        if header.format.as_deref() != Some(FORMAT) {
            return Err(RecordError::Format);
        }
        match header.version {
            Some(version) if version == u64::from(VERSION) || version == u64::from(VARIANT_VERSION) => {}
            Some(version) => return Err(RecordError::Version(version)),
            None => return Err(RecordError::NoVersion),
        }
        Self::validate(parse(json)?)
    }

    /// The parameters of the game.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        Parameters::of(self.players).with(&self.variant)
    }

    /// Checks and converts all fields except `format` and the range of `version`, which the caller has checked.
    fn validate(json: RecordJson) -> Result<Self, RecordError> {
        let players = json.players;
        if json.parameters.is_some() && json.version == VERSION {
            return Err(RecordError::VersionOfParameters);
        }
        for (list, entries) in [("names", json.names.len()), ("client_seeds", json.client_seeds.len())] {
            if entries != usize::from(players.count()) {
                return Err(RecordError::Count { list, players, entries });
            }
        }
        let variant = json.parameters.unwrap_or_default().parameters(players)?.variant();
        if !players.has(json.first_seat) {
            return Err(RecordError::FirstSeat { seat: json.first_seat, players });
        }
        let seed_error = |field| move |error| RecordError::Seed { field, error };
        let parse_action =
            |(number, text): (usize, &String)| text.parse().map_err(|error| RecordError::Action { number, error });
        let client_seeds = json.client_seeds.into_iter().map(ClientSeed::try_from);
        Ok(Self {
            players,
            variant,
            first_seat: json.first_seat,
            first_seat_by: json.first_seat_by,
            screens: json.screens,
            names: json.names,
            commitment: json.commitment.map(|hex| hex.parse()).transpose().map_err(seed_error("commitment"))?,
            server_seed: json.server_seed.parse().map_err(seed_error("server_seed"))?,
            client_seeds: client_seeds.collect::<Result<_, _>>().map_err(seed_error("client_seeds"))?,
            actions: (1..).zip(&json.actions).map(parse_action).collect::<Result<_, _>>()?,
        })
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_published = self.variant.is_published();
        RecordJson {
            format: FORMAT.to_owned(),
            version: if is_published { VERSION } else { VARIANT_VERSION },
            players: self.players,
            parameters: (!is_published).then_some(self.variant),
            first_seat: self.first_seat,
            first_seat_by: self.first_seat_by,
            screens: self.screens,
            names: self.names.clone(),
            commitment: self.commitment.map(|commitment| commitment.to_string()),
            server_seed: self.server_seed.reveal(),
            client_seeds: self.client_seeds.iter().map(|seed| seed.as_str().to_owned()).collect(),
            actions: self.actions.iter().map(Action::to_string).collect(),
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = r#"{"format":"sultan-record","version":1,"players":4,"first_seat":2,"first_seat_by":"chance","screens":"closed","names":["Ana","bot:merchant","Bo","bot:sultan"],"commitment":"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff","server_seed":"ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100","client_seeds":["tulip","","",""],"actions":["RYB","12@1","7@3","1@2","15@1","WGB"]}"#;

    #[test]
    fn record_json_round_trips_byte_for_byte() {
        let record = Record::from_json(EXAMPLE).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), EXAMPLE);
    }

    #[test]
    fn record_with_parameters_has_version_2() {
        let espresso =
            EXAMPLE.replace(r#""version":1,"players":4"#, r#""version":2,"players":4,"parameters":{"stages":1}"#);
        let record = Record::from_json(&espresso).unwrap();
        assert_eq!((record.variant, record.parameters().rounds()), (Variant::ESPRESSO, 5));
        assert_eq!(serde_json::to_string(&record).unwrap(), espresso);
    }

    #[test]
    fn parameters_of_the_published_game_are_not_written() {
        let published =
            EXAMPLE.replace(r#""version":1,"players":4"#, r#""version":2,"players":4,"parameters":{"stages":3}"#);
        let record = Record::from_json(&published).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), EXAMPLE);
    }

    #[test]
    fn optional_fields_may_be_missing_or_null_and_unknown_fields_are_ignored() {
        let json = EXAMPLE.replace(r#""first_seat_by":"chance","#, r#""new_field":[1],"#);
        // The value of the commitment moves to an unknown field.
        let json = json.replace(r#""commitment":"00"#, r#""commitment":null,"second_new_field":"00"#);
        let record = Record::from_json(&json).unwrap();
        assert_eq!((record.first_seat_by, record.commitment), (None, None));
        let written = serde_json::to_string(&record).unwrap();
        assert!(!written.contains("commitment") && !written.contains("first_seat_by"));
    }

    #[test]
    fn error_is_one_line_that_names_the_fault() {
        // A part of the example, its replacement, and the expected part of the error.
        let faults = [
            ("sultan-record", "chess-record", "not a record: its format is not “sultan-record”"),
            (r#""version":1"#, r#""version":3"#, "a record of version 3; this program reads versions 1 and 2"),
            (
                r#""version":1,"players":4"#,
                r#""version":2,"players":4,"parameters":{"stages":0}"#,
                "parameters: a game has 1 to 24 rounds",
            ),
            (r#""players":4"#, r#""players":4,"parameters":{"stages":1}"#, "a record with parameters has version 2"),
            (r#""players":4"#, r#""players":4,"parameters":{"stage":1}"#, "not a record: unknown field `stage`"),
            (r#""players":4"#, r#""players":4,"parameters":[]"#, "not a record: invalid type: sequence"),
            (r#""version":1,"#, "", "not a record: its version is missing"),
            (r#""players":4"#, r#""players":6"#, "2 to 5 players"),
            (r#""players":4"#, r#""players":3"#, "3 players, but 4 names"),
            (r#""tulip","","#, r#""tulip","#, "4 players, but 3 client_seeds"),
            (r#""first_seat":2"#, r#""first_seat":4"#, "first_seat is 4, but 4 players have seats 0 to 3"),
            (r#""first_seat":2"#, r#""first_seat":-1"#, "not a record"),
            ("RYB", "RXB", "action 1: “RXB” is neither an offer"),
            ("15@1", "16@1", "action 5: “16@1” is not a bid: money cards"),
            ("ffeedd", "ffeed", "server_seed: 64 hexadecimal digits"),
            ("001122", "0011zz", "commitment: 64 hexadecimal digits"),
            (r#""closed""#, r#""ajar""#, "not a record"),
            (r#""actions""#, r#""acts""#, "missing field `actions`"),
        ];
        for (valid, invalid, expected) in faults {
            let error = Record::from_json(&EXAMPLE.replacen(valid, invalid, 1)).unwrap_err().to_string();
            assert!(error.contains(expected) && !error.contains('\n'), "{invalid}: {error}");
        }
        let long_seed = EXAMPLE.replace("tulip", &"t".repeat(256));
        assert!(Record::from_json(&long_seed).unwrap_err().to_string().contains("at most 255 bytes, not 256"));
    }

    #[test]
    fn error_that_quotes_the_input_is_short_and_on_one_line() {
        for screens in [r#""a\nb""#.to_owned(), format!("\"{}\"", "x".repeat(1_000_000))] {
            let error = Record::from_json(&EXAMPLE.replace(r#""closed""#, &screens)).unwrap_err().to_string();
            assert!(error.len() < 1000 && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn truncated_record_is_rejected() {
        for length in 0..EXAMPLE.len() {
            assert!(Record::from_json(&EXAMPLE[..length]).is_err(), "{length}");
        }
    }
}
