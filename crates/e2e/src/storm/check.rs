//! The checker: whether what everybody at a table asked and saw fits one game, played once, in order.
//!
//! Nothing here talks to anybody: it compares a history with the record of the game, and the views with those that the rules give.

mod actions;
mod views;

#[cfg(test)]
mod tests;

use std::fmt;

use sultan_domain::Record;
use sultan_rules::{Game, SeededGame, verify};

use super::history::History;

/// What can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The game did not reach its end, or its record cannot be had.
    NoEnd,
    /// The record does not hold, or is not of the table that was opened.
    BadRecord,
    /// Two nodes, or two moments, tell different games.
    RecordsDiffer,
    /// What was acknowledged is not in the record at its place.
    AcknowledgedLost,
    /// What was refused is in the record.
    RefusedDone,
    /// Something is in the record that nobody asked for.
    NobodyAsked,
    /// Somebody who was to act was refused what was legal.
    WronglyRefused,
    /// A watcher saw an older state after a newer one.
    WentBack,
    /// Two states have one version.
    Forked,
    /// A view is not what the rules give this observer at that moment.
    WrongView,
}

impl Kind {
    /// A short name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoEnd => "no end",
            Self::BadRecord => "bad record",
            Self::RecordsDiffer => "records differ",
            Self::AcknowledgedLost => "acknowledged, but lost",
            Self::RefusedDone => "refused, but done",
            Self::NobodyAsked => "done, but nobody asked",
            Self::WronglyRefused => "wrongly refused",
            Self::WentBack => "went back",
            Self::Forked => "forked",
            Self::WrongView => "wrong view",
        }
    }
}

/// Something that is wrong at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What.
    pub kind: Kind,
    /// Which table.
    pub table: String,
    /// Who, which request, and what was expected.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: table {}: {}", self.kind.name(), self.table, self.what)
    }
}

/// Everything that is wrong with a table's history, given its record.
#[must_use]
pub fn check(history: &History, record: Option<&str>) -> Vec<Fault> {
    let mut faults = Faults { table: history.table.told(), all: Vec::new() };
    views::in_order(history, &mut faults);
    views::answered(history, &mut faults);
    let Some(record) = record else {
        faults.add(Kind::NoEnd, "there is no record".to_owned());
        return faults.all;
    };
    let mut record = match Record::from_json(record) {
        Ok(record) => record,
        Err(error) => {
            faults.add(Kind::BadRecord, error.to_string());
            return faults.all;
        }
    };
    holds(history, &record, &mut faults);
    // What may be seen goes by what was opened, whatever the record says.
    record.screens = history.table.screens;
    let truth = Truth::of(record);
    actions::kept(history, &truth, &mut faults);
    views::true_to(history, &truth, &mut faults);
    faults.all
}

/// What was found so far.
struct Faults {
    table: String,
    all: Vec<Fault>,
}

impl Faults {
    fn add(&mut self, kind: Kind, what: String) {
        self.all.push(Fault { kind, table: self.table.clone(), what });
    }
}

/// The game of a record, after every number of actions.
struct Truth {
    record: Record,
    games: Vec<Game>,
}

impl Truth {
    fn of(record: Record) -> Self {
        let mut games = Vec::new();
        if let Ok(mut game) = SeededGame::from_record(&record) {
            let mut actions = record.actions.iter();
            loop {
                game.draw().expect("a seed draws from the pouch");
                games.push(*game.game());
                if actions.next().is_none_or(|&action| game.play(action).is_err()) {
                    break;
                }
            }
        }
        Self { record, games }
    }

    fn game(&self, at: u64) -> Option<&Game> {
        self.games.get(usize::try_from(at).ok()?)
    }

    /// Who did what then, in the record.
    fn done(&self, at: u64) -> Option<(u8, String)> {
        let action = self.record.actions.get(usize::try_from(at).ok()?)?;
        Some((self.game(at)?.to_act()?.number(), action.to_string()))
    }
}

/// The record holds by itself, and is of this table.
fn holds(history: &History, record: &Record, faults: &mut Faults) {
    let verdict = verify(record);
    for fault in &verdict.faults {
        faults.add(Kind::BadRecord, fault.to_string());
    }
    let opened = &history.table;
    if verdict.replay.is_some_and(|replay| replay.game().outcome().is_none()) && !opened.ended {
        faults.add(Kind::NoEnd, format!("the record stops after {} actions", record.actions.len()));
    }
    let commitment = record.commitment.map(|promise| promise.to_string());
    if commitment.as_deref() != Some(&opened.commitment) {
        faults.add(Kind::BadRecord, format!("{} was promised, the record has {commitment:?}", opened.commitment));
    }
    if usize::from(record.players.count()) != opened.people.len() {
        faults.add(Kind::BadRecord, format!("{} players instead of {}", record.players, opened.people.len()));
    }
    if record.screens != opened.screens {
        faults.add(Kind::BadRecord, format!("screens are {:?} instead of {:?}", record.screens, opened.screens));
    }
}
