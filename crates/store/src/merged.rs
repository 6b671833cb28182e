//! All changes of a table as one value: a compressed JSON list, a third as long as the separate changes.
//!
//! The list omits the versions, because the first change has version 1, the second version 2, and so on.

use std::io;

use crate::compress::{compress, decompress};
use crate::database::json;
use crate::record::EventRecord;
use crate::store::Change;

/// All changes of a table as one value; `None` if a version is missing, which should never happen.
pub(crate) fn merge(changes: &[Change]) -> Option<Vec<u8>> {
    if !changes.iter().zip(1..).all(|(change, version)| change.version == version) {
        return None;
    }
    let times_and_events: Vec<(i64, &[EventRecord])> =
        changes.iter().map(|change| (change.at_ms, &change.events[..])).collect();
    compress(&json(&times_and_events)).ok()
}

/// The separate changes of a merged value.
pub(crate) fn split(merged: &[u8]) -> io::Result<Vec<Change>> {
    let times_and_events: Vec<(i64, Vec<EventRecord>)> = serde_json::from_str(&decompress(merged)?)?;
    Ok(times_and_events
        .into_iter()
        .zip(1..)
        .map(|((at_ms, events), version)| Change { version, at_ms, events })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(version: u32) -> Change {
        Change { version, at_ms: 1_800_000_000_000 + i64::from(version), events: vec![EventRecord::Started] }
    }

    #[test]
    fn merged_changes_round_trip() {
        let changes: Vec<_> = (1..=80).map(change).collect();
        let merged = merge(&changes).unwrap();
        // Without compression the list has more than 2000 bytes.
        assert!(merged.len() < 500, "{} bytes", merged.len());
        assert_eq!(split(&merged).unwrap(), changes);
        for damaged in [&merged[1..], &merged[..20], &[]] {
            split(damaged).unwrap_err();
        }
    }

    #[test]
    fn changes_with_a_missing_version_are_not_merged() {
        assert_eq!(merge(&[change(2)]), None);
        assert_eq!(merge(&[change(1), change(3)]), None);
    }
}
