//! Whether a record holds, for those who cannot name the rules.

use sultan_domain::Record;
use sultan_rules::verify;

/// What does not hold about a record in JSON; nothing for a good one of a game that was played to its end.
#[must_use]
pub fn faults(json: &str) -> Vec<String> {
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
