//! Verification of records for crates that must not depend on `rules`.

use sultan_domain::Record;
use sultan_rules::verify;

/// The faults of a record in JSON; empty for a valid record of a finished game.
#[must_use]
pub fn record_faults(json: &str) -> Vec<String> {
    let record = match Record::from_json(json) {
        Ok(record) => record,
        Err(error) => return vec![error.to_string()],
    };
    let verdict = verify(&record);
    let mut faults: Vec<String> = verdict.faults.iter().map(ToString::to_string).collect();
    if verdict.replay.is_none_or(|replay| replay.game().outcome().is_none()) {
        faults.push("the game was not played to its end".to_owned());
    }
    faults
}
