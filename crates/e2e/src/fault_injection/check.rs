//! The checker: verifies that the requests and views of a table belong to one game with every action applied once, in
//! order.
//!
//! It has no I/O: it compares the history with the record of the game, and the views with the views that the rules
//! compute.

mod actions;
mod views;

#[cfg(test)]
mod tests;

use std::fmt;

use sultan_domain::Record;
use sultan_rules::{Game, SeededGame, verify};

use super::history::History;

/// The kinds of violations that the checker finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViolationKind {
    /// The game did not reach its end, or its record is not available.
    Unfinished,
    /// The record is invalid, or belongs to another table.
    InvalidRecord,
    /// Two nodes, or one node at different times, return different records.
    RecordsDiffer,
    /// An acknowledged action is not at its position in the record.
    AcknowledgedActionLost,
    /// A rejected action is in the record.
    RejectedActionApplied,
    /// The record has an action of a player that was never requested.
    UnrequestedAction,
    /// A legal action of the seat to act was rejected.
    WronglyRejected,
    /// A watcher received an older state after a newer state.
    OlderState,
    /// Two different states have the same version.
    VersionConflict,
    /// A view differs from the view that the rules compute for this observer.
    WrongView,
}

impl ViolationKind {
    /// A short name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unfinished => "unfinished",
            Self::InvalidRecord => "invalid record",
            Self::RecordsDiffer => "records differ",
            Self::AcknowledgedActionLost => "acknowledged action lost",
            Self::RejectedActionApplied => "rejected action applied",
            Self::UnrequestedAction => "unrequested action",
            Self::WronglyRejected => "wrongly rejected",
            Self::OlderState => "older state",
            Self::VersionConflict => "version conflict",
            Self::WrongView => "wrong view",
        }
    }
}

/// A violation at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The kind of violation.
    pub kind: ViolationKind,
    /// The table.
    pub table: String,
    /// The observer or request, the received value and the expected value.
    pub details: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: table {}: {}", self.kind.name(), self.table, self.details)
    }
}

/// All violations in the history of a table, given its record.
#[must_use]
pub fn check(history: &History, record: Option<&str>) -> Vec<Violation> {
    let mut violations = Violations { table: history.table.description(), list: Vec::new() };
    views::check_order(history, &mut violations);
    views::check_acknowledgements(history, &mut violations);
    let Some(record) = record else {
        violations.add(ViolationKind::Unfinished, "no record".to_owned());
        return violations.list;
    };
    let mut record = match Record::from_json(record) {
        Ok(record) => record,
        Err(error) => {
            violations.add(ViolationKind::InvalidRecord, error.to_string());
            return violations.list;
        }
    };
    check_record(history, &record, &mut violations);
    // Visibility depends on the options the table was opened with, even if the record has others.
    record.screens = history.table.screens;
    let replayed = ReplayedGame::new(record);
    actions::check(history, &replayed, &mut violations);
    views::check_contents(history, &replayed, &mut violations);
    violations.list
}

/// The violations found so far.
struct Violations {
    table: String,
    list: Vec<Violation>,
}

impl Violations {
    fn add(&mut self, kind: ViolationKind, details: String) {
        self.list.push(Violation { kind, table: self.table.clone(), details });
    }
}

/// The game of a record, recomputed by the rules.
struct ReplayedGame {
    record: Record,
    /// The state before the first action and after each action, up to the first illegal one.
    states: Vec<Game>,
}

impl ReplayedGame {
    fn new(record: Record) -> Self {
        let mut states = Vec::new();
        if let Ok(mut game) = SeededGame::from_record(&record) {
            let mut actions = record.actions.iter();
            loop {
                game.draw().expect("a seed draws from the pouch");
                states.push(*game.game());
                if actions.next().is_none_or(|&action| game.play(action).is_err()) {
                    break;
                }
            }
        }
        Self { record, states }
    }

    /// The state after `at` actions.
    fn state(&self, at: u64) -> Option<&Game> {
        self.states.get(usize::try_from(at).ok()?)
    }

    /// The action after `at` other actions, with the seat that took it, according to the record.
    fn action(&self, at: u64) -> Option<(u8, String)> {
        let action = self.record.actions.get(usize::try_from(at).ok()?)?;
        Some((self.state(at)?.to_act()?.number(), action.to_string()))
    }
}

/// Checks that the record is valid and belongs to this table.
fn check_record(history: &History, record: &Record, violations: &mut Violations) {
    let verdict = verify(record);
    for fault in &verdict.faults {
        violations.add(ViolationKind::InvalidRecord, fault.to_string());
    }
    let opened = &history.table;
    if verdict.replay.is_some_and(|replay| replay.game().outcome().is_none()) && !opened.is_left_early {
        violations.add(ViolationKind::Unfinished, format!("the record stops after {} actions", record.actions.len()));
    }
    let commitment = record.commitment.map(|commitment| commitment.to_string());
    if commitment.as_deref() != Some(&opened.commitment) {
        violations.add(
            ViolationKind::InvalidRecord,
            format!("the table showed the commitment {}, but the record has {commitment:?}", opened.commitment),
        );
    }
    if usize::from(record.players.count()) != opened.people.len() {
        violations.add(
            ViolationKind::InvalidRecord,
            format!("the record has {} players instead of {}", record.players, opened.people.len()),
        );
    }
    if record.screens != opened.screens {
        violations.add(
            ViolationKind::InvalidRecord,
            format!("the record has {:?} screens instead of {:?}", record.screens, opened.screens),
        );
    }
}
