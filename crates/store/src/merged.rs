//! All changes of a table as one value: a compressed JSON list, a third as long as the single changes.
//!
//! Versions are omitted, since they count from one.

use std::io;

use crate::compress::{compress, decompress};
use crate::record::EventRecord;
use crate::store::Change;

/// All changes of a table as one value; `None` if some are missing, which should never happen.
pub(crate) fn merge(changes: &[Change]) -> Option<Vec<u8>> {
    if !changes.iter().zip(1..).all(|(change, version)| change.version == version) {
        return None;
    }
    let all: Vec<(i64, &[EventRecord])> = changes.iter().map(|change| (change.at_ms, &change.events[..])).collect();
    let json = serde_json::to_vec(&all).expect("an event can be written as JSON");
    compress(&json).ok()
}

/// The single changes of a merged value.
pub(crate) fn split(merged: &[u8]) -> io::Result<Vec<Change>> {
    let all: Vec<(i64, Vec<EventRecord>)> = serde_json::from_slice(&decompress(merged)?)?;
    Ok(all.into_iter().zip(1..).map(|((at_ms, events), version)| Change { version, at_ms, events }).collect())
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
        assert!(merged.len() < 500, "{} bytes", merged.len());
        assert_eq!(split(&merged).unwrap(), changes);
        split(&merged[1..]).unwrap_err();
        split(&merged[..20]).unwrap_err();
        split(&[]).unwrap_err();
    }

    #[test]
    fn incomplete_changes_are_not_merged() {
        assert_eq!(merge(&[change(2)]), None);
        assert_eq!(merge(&[change(1), change(3)]), None);
    }
}
