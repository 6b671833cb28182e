//! Reads record files, and makes replays of the recorded games. Neither is stored.

use std::sync::Arc;

use serde_json::value::RawValue;
use sultan_domain::{Kind, Person, Record, RecordError, Seat, TableId, TableInfo};
use sultan_rules::{Fault, ReplayError, ReplayStep, SeededGame, check_seeds, commitment, replay_with};
use thiserror::Error;

use crate::deal::Deal;
use crate::replay::Replay;
use crate::request;

/// The reason why a file cannot be shown as a game.
#[derive(Debug, Error)]
pub enum BadFile {
    /// The file is empty.
    #[error("the file contains no record")]
    Empty,
    /// The file ends in the middle of a record.
    #[error("it is cut off")]
    CutOff,
    /// The file is not a record.
    #[error("it is not a record")]
    NoRecord,
    /// A newer program wrote the file.
    #[error("it is a record of version {0}")]
    Newer(u64),
    /// The record has invalid contents.
    #[error("{0}")]
    Faulty(RecordError),
    /// The recorded game breaks the rules.
    #[error("action {number} is impossible: {error}")]
    Impossible {
        /// The number of the first impossible action, counted from 1; 0 if the setup is impossible.
        number: usize,
        /// The reason.
        error: ReplayError,
    },
}

impl BadFile {
    fn impossible(error: ReplayError) -> Self {
        let number = match &error {
            ReplayError::Setup(_) => 0,
            ReplayError::TooMany { number, .. } | ReplayError::Illegal { number, .. } => *number,
        };
        Self::Impossible { number, error }
    }
}

/// A fact in a record that contradicts the seeds in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FalseClaim {
    /// The commitment is not the hash of the server's seed.
    Commitment,
    /// The first seat is not the seat that the seeds give.
    FirstSeat,
}

/// Reads all records of a text, which contains one or more.
///
/// # Errors
/// [`BadFile`] for the first invalid record.
pub fn records_in(text: &str) -> Result<Vec<Record>, BadFile> {
    // Some editors write this mark (the byte order mark) at the start of a file.
    let text = text.trim_start_matches('\u{feff}');
    let records = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>().map(|raw| {
        let raw = raw.map_err(|error| if error.is_eof() { BadFile::CutOff } else { BadFile::NoRecord })?;
        Record::from_json(raw.get()).map_err(|error| match error {
            RecordError::Version(version) => BadFile::Newer(version),
            RecordError::Shape(_) | RecordError::Format | RecordError::NoVersion => BadFile::NoRecord,
            RecordError::Count { .. }
            | RecordError::Parameters(_)
            | RecordError::VersionOfParameters
            | RecordError::FirstSeat { .. }
            | RecordError::Seed { .. }
            | RecordError::Action { .. } => BadFile::Faulty(error),
        })
    });
    let records: Vec<Record> = records.collect::<Result<_, _>>()?;
    if records.is_empty() { Err(BadFile::Empty) } else { Ok(records) }
}

impl Replay {
    /// Replays a recorded game. Also returns the false claims of the record. Removes characters from the names that
    /// cannot be displayed safely.
    ///
    /// # Errors
    /// [`BadFile::Impossible`] if the recorded game breaks the rules.
    pub fn of_record(record: &Record) -> Result<(Self, Vec<FalseClaim>), BadFile> {
        let false_claims = check_seeds(record).into_iter().filter_map(|fault| match fault {
            Fault::Commitment { .. } => Some(FalseClaim::Commitment),
            Fault::FirstSeat { .. } => Some(FalseClaim::FirstSeat),
            // The replay below reports this error.
            Fault::Replay(_) => None,
        });
        let mut games = Vec::with_capacity(record.actions.len() + 1);
        let keep_position_before_each_action = |game: &SeededGame, step| {
            if matches!(step, ReplayStep::Acting(..)) {
                games.push(*game.game());
            }
        };
        let end = replay_with(record, keep_position_before_each_action).map_err(BadFile::impossible)?;
        games.push(*end.game());
        let people = record.players.seats().zip(&record.names).map(|(seat, name)| person(seat, name));
        let info = TableInfo {
            // The game of a file belongs to no table.
            table: TableId::new(0),
            commitment: record.commitment.unwrap_or_else(|| commitment(&record.server_seed)),
            host: record.first_seat,
            ended: false,
            paused: false,
            rematch: None,
            guided: false,
            coach: false,
            branch: None,
        };
        let deal = Arc::new(Deal::recorded(record));
        Ok((Self { deal, games, people: people.collect(), info }, false_claims.collect()))
    }
}

/// The player or bot in a seat, from the name in the record: `bot:NAME` for a bot, otherwise the player's name.
fn person(seat: Seat, name: &str) -> Person {
    let nameless = Person::nameless(seat);
    match name.strip_prefix("bot:").filter(|bot| request::check_bot(bot).is_ok()) {
        Some(bot) => Person { name: bot.to_owned(), kind: Kind::Bot(bot.to_owned()), ..nameless },
        None => Person { name: request::displayable_name(name), ..nameless },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_names_distinguish_people_and_bots() {
        let person_named = |name| person(Seat::default(), name);
        assert_eq!(person_named("bot:page").kind, Kind::Bot("page".to_owned()));
        assert_eq!(person_named("bot:HAL").name, "bot:HAL", "a bot that does not exist is a player's name");
        // The name is trimmed, loses unsafe characters, and is cut to 40 characters.
        assert_eq!(person_named(&format!(" A\u{202e}na\n{}", "x".repeat(99))).name, format!("Ana{}", "x".repeat(37)));
    }

    #[test]
    fn each_kind_of_bad_file_has_its_own_error() {
        let valid = serde_json::json!({"format": "sultan-record", "version": 1, "players": 2, "first_seat": 0,
            "screens": "closed", "names": ["", ""], "server_seed": "07".repeat(32), "client_seeds": ["", ""],
            "actions": []});
        let record_with = |key: &str, value: serde_json::Value| {
            let mut record = valid.clone();
            record[key] = value;
            record.to_string()
        };
        let valid = valid.to_string();
        assert_eq!(records_in(&format!("\u{feff}{valid}\n\n{valid} ")).unwrap().len(), 2);
        let error = |text: &str| records_in(text).unwrap_err();
        assert!(matches!(error(""), BadFile::Empty) && matches!(error(" \n"), BadFile::Empty));
        // A record without its last five characters, then a second record of only nine.
        assert!(matches!(error(&valid[..valid.len() - 5]), BadFile::CutOff));
        assert!(matches!(error(&format!("{valid}\n{}", &valid[..9])), BadFile::CutOff), "the second record is cut off");
        assert!(matches!(error("no JSON"), BadFile::NoRecord) && matches!(error("[1]"), BadFile::NoRecord));
        assert!(matches!(error(&record_with("format", "chess".into())), BadFile::NoRecord));
        assert!(matches!(error(&record_with("version", 3.into())), BadFile::Newer(3)));
        for (key, value) in [("names", vec!["one"]), ("actions", vec!["dance"])] {
            let error = error(&record_with(key, value.into()));
            assert!(matches!(error, BadFile::Faulty(_)), "wrong {key}: {error:?}");
        }
    }
}
