//! One published state of a table, and its views.

use std::fmt;
use std::sync::{Arc, OnceLock};

use sultan_domain::{Observer, Seat, SharedJson, TableView};

use super::LiveTable;
use crate::table::{Play, Table};
use crate::views;

/// The view of one observer as JSON. Its `Debug` output does not show the view, which contains hidden cards.
#[derive(Clone)]
pub struct JsonView {
    /// The table's version for this observer: not counting actions that are still hidden from the observer.
    pub version: u32,
    /// The view.
    pub json: Arc<str>,
}

impl fmt::Debug for JsonView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, json } = self;
        f.debug_struct("JsonView").field("version", version).field("bytes", &json.len()).finish()
    }
}

/// One published state of a table. The JSON of each observer's view is written at its first request, and then kept.
#[derive(Debug)]
pub(crate) struct Snapshot {
    table: Table,
    /// The views of the five seats, then the view of spectators.
    views: [OnceLock<JsonView>; 6],
    /// The parts of the JSON that are the same in all views.
    shared: OnceLock<SharedJson>,
}

impl Snapshot {
    pub(super) fn new(table: Table) -> Self {
        Self { table, views: Default::default(), shared: OnceLock::new() }
    }

    pub(crate) const fn table(&self) -> &Table {
        &self.table
    }

    /// The view of this observer as JSON.
    pub(crate) fn json(&self, observer: Observer) -> &JsonView {
        // The last view is for spectators.
        let index = observer.seat().map_or(5, Seat::index);
        self.views[index].get_or_init(|| {
            // While actions are hidden from some observers, observers may see different rounds, so views share no
            // parts.
            let is_same_round = self.table.play().is_some_and(Play::is_all_visible);
            let json = match views::view(&self.table, observer) {
                TableView::Playing(playing) if is_same_round => {
                    playing.to_json(self.shared.get_or_init(|| SharedJson::of(&playing)))
                }
                view => view.to_json(),
            };
            JsonView { version: self.version(observer), json: json.into() }
        })
    }

    /// The version for an observer: the stored version minus the number of actions hidden from the observer. The stored
    /// version itself would reveal that there are hidden actions.
    pub(crate) fn version(&self, observer: Observer) -> u32 {
        let hidden_actions = self.table.play().map_or(0, |play| play.hidden_from(observer));
        self.table.version() - u32::try_from(hidden_actions).unwrap_or(0)
    }
}

/// One state of a table, bound to one observer, so that it cannot be shown from another seat by mistake.
#[derive(Clone, Debug)]
pub struct ObserverSnapshot {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(super) observer: Observer,
    pub(crate) live: Arc<LiveTable>,
}

impl ObserverSnapshot {
    /// The observer.
    #[must_use]
    pub const fn observer(&self) -> Observer {
        self.observer
    }

    /// The table's version for the observer: not counting actions that are still hidden from the observer.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.snapshot.version(self.observer)
    }

    /// The view as JSON, without the attendance. All callers share the text.
    #[must_use]
    pub fn json(&self) -> JsonView {
        self.snapshot.json(self.observer).clone()
    }

    /// The view, with the current attendance.
    #[must_use]
    pub fn view(&self) -> TableView {
        let attendance = self.live.attendance(&self.snapshot.table);
        views::view(&self.snapshot.table, self.observer).with_attendance(attendance)
    }
}
