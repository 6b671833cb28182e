//! Records from files: read, checked, and shown as finished games. They are not stored.

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

/// A claim of a record that is false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FalseClaim {
    /// The server's seed does not match the commitment.
    Commitment,
    /// The first player is not the randomly chosen one.
    FirstSeat,
}

/// Reads all records of a text, which may contain several in a row.
///
/// # Errors
/// [`BadFile`] for the first invalid record.
pub fn records_in(text: &str) -> Result<Vec<Record>, BadFile> {
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
    /// Replays a recorded game. Also returns the false claims of the record. Names are reduced to displayable
    /// characters.
    ///
    /// # Errors
    /// [`BadFile::Impossible`] if the recorded game breaks the rules.
    pub fn of_record(record: &Record) -> Result<(Self, Vec<FalseClaim>), BadFile> {
        let false_claims = check_seeds(record).into_iter().filter_map(|fault| match fault {
            Fault::Commitment { .. } => Some(FalseClaim::Commitment),
            Fault::FirstSeat { .. } => Some(FalseClaim::FirstSeat),
            Fault::Replay(_) => None,
        });
        let mut games = Vec::with_capacity(record.actions.len() + 1);
        let before_each_action = |game: &SeededGame, step| {
            if matches!(step, ReplayStep::Acting(..)) {
                games.push(*game.game());
            }
        };
        let end = replay_with(record, before_each_action).map_err(BadFile::impossible)?;
        games.push(*end.game());
        let people = record.players.seats().zip(&record.names).map(|(seat, name)| person(seat, name));
        let info = TableInfo {
            table: TableId::new(0),
            commitment: record.commitment.unwrap_or_else(|| commitment(&record.server_seed)),
            host: record.first_seat,
            ended: false,
            rematch: None,
            guided: false,
            coach: false,
            branch: None,
        };
        let deal = Arc::new(Deal::recorded(record));
        Ok((Self { deal, games, people: people.collect(), info }, false_claims.collect()))
    }
}

/// The occupant of a seat as the record names it.
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
        let first_person = |name| person(Seat::default(), name);
        assert_eq!(first_person("bot:page").kind, Kind::Bot("page".to_owned()));
        assert_eq!(first_person("bot:HAL").name, "bot:HAL");
        assert_eq!(first_person(&format!(" A\u{202e}na\n{}", "x".repeat(99))).name, format!("Ana{}", "x".repeat(37)));
    }

    #[test]
    fn file_errors_are_distinguished() {
        let record = |change: &dyn Fn(&mut serde_json::Value)| {
            let mut record = serde_json::json!({"format": "sultan-record", "version": 1, "players": 2, "first_seat": 0,
                "screens": "closed", "names": ["", ""], "server_seed": "07".repeat(32), "client_seeds": ["", ""],
                "actions": []});
            change(&mut record);
            record.to_string()
        };
        let good = record(&|_| {});
        assert_eq!(records_in(&format!("\u{feff}{good}\n\n{good} ")).unwrap().len(), 2);
        let bad = |text: &str| records_in(text).unwrap_err();
        assert!(matches!(bad(""), BadFile::Empty) && matches!(bad(" \n"), BadFile::Empty));
        assert!(matches!(bad(&good[..good.len() - 5]), BadFile::CutOff));
        assert!(matches!(bad(&format!("{good}\n{}", &good[..9])), BadFile::CutOff), "the second record is read too");
        assert!(matches!(bad("no JSON"), BadFile::NoRecord) && matches!(bad("[1]"), BadFile::NoRecord));
        assert!(matches!(bad(&record(&|record| record["format"] = "chess".into())), BadFile::NoRecord));
        assert!(matches!(bad(&record(&|record| record["version"] = 3.into())), BadFile::Newer(3)));
        for (key, value) in [("names", vec!["one"]), ("actions", vec!["dance"])] {
            let faulty = bad(&record(&|record| record[key] = value.clone().into()));
            assert!(matches!(faulty, BadFile::Faulty(_)), "{key}: {faulty:?}");
        }
    }
}
