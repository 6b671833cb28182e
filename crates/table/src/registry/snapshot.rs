//! One published state of a table, and its views.

use std::fmt;
use std::sync::{Arc, OnceLock};

use sultan_domain::{Observer, Seat, SharedJson, TableView};

use super::LiveTable;
use crate::table::{Play, Table};
use crate::views;

/// The view of one observer as JSON. Its `Debug` output omits the view.
#[derive(Clone)]
pub struct JsonView {
    /// The table's version as known to this observer.
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

/// One published state of a table. The JSON of each observer is written at the first request, and only once.
#[derive(Debug)]
pub(crate) struct Snapshot {
    table: Table,
    views: [OnceLock<JsonView>; 6],
    /// The JSON that all views share.
    shared: OnceLock<SharedJson>,
}

impl Snapshot {
    pub(super) fn new(table: Table) -> Self {
        Self { table, views: Default::default(), shared: OnceLock::new() }
    }

    pub(crate) const fn table(&self) -> &Table {
        &self.table
    }

    /// The view of this observer.
    pub(crate) fn json(&self, observer: Observer) -> &JsonView {
        let slot = observer.seat().map_or(5, Seat::index);
        self.views[slot].get_or_init(|| {
            // With hidden actions, observers may see different rounds.
            let same_round = self.table.play().is_some_and(Play::is_all_visible);
            let json = match views::view(&self.table, observer) {
                TableView::Playing(playing) if same_round => {
                    playing.to_json(self.shared.get_or_init(|| SharedJson::of(&playing)))
                }
                view => view.to_json(),
            };
            JsonView { version: self.version(observer), json: json.into() }
        })
    }

    /// The version that an observer knows: the stored version minus the number of actions hidden from them.
    pub(crate) fn version(&self, observer: Observer) -> u32 {
        let hidden = self.table.play().map_or(0, |play| play.hidden_from(observer));
        self.table.version() - u32::try_from(hidden).unwrap_or(0)
    }
}

/// One state of a table, bound to one observer, so that it cannot be shown from another seat by mistake.
#[derive(Clone, Debug)]
pub struct ObserverSnapshot {
    snapshot: Arc<Snapshot>,
    observer: Observer,
    live: Arc<LiveTable>,
}

impl ObserverSnapshot {
    pub(super) const fn new(snapshot: Arc<Snapshot>, observer: Observer, live: Arc<LiveTable>) -> Self {
        Self { snapshot, observer, live }
    }

    /// The observer.
    #[must_use]
    pub const fn observer(&self) -> Observer {
        self.observer
    }

    /// The version that the observer knows.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.snapshot.version(self.observer)
    }

    /// The view as JSON. It is written once for all callers.
    #[must_use]
    pub fn json(&self) -> JsonView {
        self.snapshot.json(self.observer).clone()
    }

    /// The view, with the currently absent players.
    #[must_use]
    pub fn view(&self) -> TableView {
        let absent = self.live.absent_seats(&self.snapshot.table);
        views::view(&self.snapshot.table, self.observer).with_absent(absent)
    }

    pub(crate) fn table(&self) -> &Table {
        &self.snapshot.table
    }

    pub(crate) fn live(&self) -> &LiveTable {
        &self.live
    }

    pub(super) fn into_snapshot(self) -> Arc<Snapshot> {
        self.snapshot
    }
}
