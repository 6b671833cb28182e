//! Telling: one state of a table, and all who watch it.

use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use sultan_domain::{Observer, Seat};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::Rejection;
use crate::present::Presence;
use crate::react::Signs;
use crate::request::Caller;
use crate::sight::{Common, Sight};
use crate::table::{Place, Table};

/// What one observer is told of one state. Its `Debug` does not tell it to others.
#[derive(Clone)]
pub struct JsonView {
    /// The table's version as this observer knows it.
    pub version: u32,
    /// The view as JSON.
    pub json: Bytes,
}

impl fmt::Debug for JsonView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, json } = self;
        f.debug_struct("JsonView").field("version", version).field("bytes", &json.len()).finish()
    }
}

/// One state of a table, with what was made of it for those who asked. All observers of a kind share one text.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) table: Table,
    frames: [OnceLock<JsonView>; 6],
    /// What all frames have in common.
    common: OnceLock<Common>,
}

impl Snapshot {
    pub(crate) fn new(table: Table) -> Self {
        Self { table, frames: Default::default(), common: OnceLock::new() }
    }

    /// What this observer is told.
    pub(crate) fn frame(&self, observer: Observer) -> &JsonView {
        let place = observer.seat().map_or(5, Seat::index);
        self.frames[place].get_or_init(|| {
            // Where something is held back, not all see the same round.
            let alike = self.table.play.as_ref().is_some_and(|play| play.held.is_empty());
            let json = match Sight::of(&self.table, observer) {
                Sight::Playing(playing) if alike => {
                    self.common.get_or_init(|| Common::of(&playing)).with(&playing.view)
                }
                sight => sight.json(),
            };
            JsonView { version: self.version(observer), json: json.into() }
        })
    }

    /// The version that an observer knows: what is not shown to it yet does not count.
    pub(crate) fn version(&self, observer: Observer) -> u32 {
        let hidden = self.table.play.as_ref().map_or(0, |play| play.hidden_from(observer).len());
        self.table.version - u32::try_from(hidden).unwrap_or(0)
    }
}

/// One state of a table, bound to one observer: it cannot be shown from another seat by mistake.
#[derive(Clone, Debug)]
pub struct ObserverSnapshot {
    snapshot: Arc<Snapshot>,
    observer: Observer,
    live: Arc<LiveTable>,
}

impl ObserverSnapshot {
    pub(crate) const fn new(snapshot: Arc<Snapshot>, observer: Observer, live: Arc<LiveTable>) -> Self {
        Self { snapshot, observer, live }
    }

    /// Who sees it so.
    #[must_use]
    pub const fn observer(&self) -> Observer {
        self.observer
    }

    /// The version that the observer knows.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.snapshot.version(self.observer)
    }

    /// The view as JSON. It is written once for all who see the same.
    #[must_use]
    pub fn json(&self) -> JsonView {
        self.snapshot.frame(self.observer).clone()
    }

    /// The view, with the seats whose players are absent just now.
    #[must_use]
    pub fn view(&self) -> Sight {
        let absent = self.live.gone(&self.snapshot.table);
        Sight::of(&self.snapshot.table, self.observer).with_gone(absent)
    }
}

/// More changes than this are never held back at a time.
const MOST_HELD: u32 = 8;
/// Changes that may wait for a slow watcher; one who is slower is told the newest only.
const WAITING: usize = 16;

/// A table in memory.
#[derive(Debug)]
pub(crate) struct LiveTable {
    /// Whoever changes the table holds this meanwhile.
    pub(crate) turn: Arc<tokio::sync::Mutex<()>>,
    /// What everybody knows; nothing while it is not known here.
    now: Mutex<Option<Arc<Snapshot>>>,
    watchers: Mutex<Option<broadcast::Sender<Arc<Snapshot>>>>,
    pub(crate) signs: Signs,
    pub(crate) presence: Presence,
}

/// What a mutex keeps, also where somebody broke down who held it.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LiveTable {
    pub(crate) fn new() -> Self {
        Self {
            turn: Arc::default(),
            now: Mutex::new(None),
            watchers: Mutex::new(None),
            signs: Signs::default(),
            presence: Presence::default(),
        }
    }

    pub(crate) fn now(&self) -> Option<Arc<Snapshot>> {
        locked(&self.now).clone()
    }

    /// Tells everybody.
    pub(crate) fn publish(&self, published: &Arc<Snapshot>) {
        let before = locked(&self.now).replace(Arc::clone(published));
        if let Some(before) = before.filter(|before| !Arc::ptr_eq(&before.table.places, &published.table.places)) {
            self.seats_changed(&before.table, &published.table);
        }
        let mut watchers = locked(&self.watchers);
        if watchers.as_ref().is_some_and(|sender| sender.send(Arc::clone(published)).is_err()) {
            // Nobody watches any more.
            *watchers = None;
        }
    }

    /// Whether somebody watches.
    pub(crate) fn is_watched(&self) -> bool {
        locked(&self.watchers).as_ref().is_some_and(|sender| sender.receiver_count() > 0)
    }

    /// Forgets what is known: it is read again when it is asked for.
    pub(crate) fn forget(&self) {
        *locked(&self.now) = None;
    }

    /// Ends all watching.
    pub(crate) fn hang_up(&self) {
        *locked(&self.watchers) = None;
    }

    fn subscribe(&self) -> broadcast::Receiver<Arc<Snapshot>> {
        locked(&self.watchers).get_or_insert_with(|| broadcast::channel(WAITING).0).subscribe()
    }
}

/// Somebody who watches a table.
pub struct Watch {
    slot: Arc<LiveTable>,
    changes: broadcast::Receiver<Arc<Snapshot>>,
    caller: Caller,
    seat: Option<Seat>,
    /// Who sat where when it was last looked up that the watcher has the seat.
    places: Arc<Vec<Place>>,
    /// What the watcher says it knows.
    known: Option<u32>,
    /// What was told last.
    last: Option<u32>,
    first: Option<Arc<Snapshot>>,
}

/// Says who watches, and nothing of what is to be seen.
impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("seat", &self.seat).field("last", &self.last).finish_non_exhaustive()
    }
}

impl Watch {
    pub(crate) fn new(
        slot: Arc<LiveTable>,
        now: Arc<Snapshot>,
        caller: Caller,
        known: Option<u32>,
    ) -> Result<Self, Rejection> {
        let changes = slot.subscribe();
        let seat = now.table.seat_of(&caller)?;
        let places = Arc::clone(&now.table.places);
        // What was told between looking and subscribing.
        let first = slot.now().unwrap_or(now);
        Ok(Self { slot, changes, caller, seat, places, known, last: None, first: Some(first) })
    }

    /// Whose eyes this is seen with.
    #[must_use]
    pub fn observer(&self) -> Observer {
        self.seat.map_or(Observer::Public, Observer::Seat)
    }

    /// What is told next: at once the newest, if it is news, then every change. Nothing more when the watcher has lost the
    /// seat, or the server stops.
    pub async fn next(&mut self) -> Option<JsonView> {
        Some(self.news().await?.frame(self.observer()).clone())
    }

    /// The same as a snapshot, for pages.
    pub async fn next_snapshot(&mut self) -> Option<ObserverSnapshot> {
        let news = self.news().await?;
        Some(ObserverSnapshot::new(news, self.observer(), Arc::clone(&self.slot)))
    }

    async fn news(&mut self) -> Option<Arc<Snapshot>> {
        loop {
            let published = match self.first.take() {
                Some(published) => published,
                None => match self.changes.recv().await {
                    Ok(published) => published,
                    Err(RecvError::Lagged(_)) => {
                        // What still waits is old by now.
                        self.changes = self.changes.resubscribe();
                        match self.slot.now() {
                            Some(published) => published,
                            None => continue,
                        }
                    }
                    Err(RecvError::Closed) => return None,
                },
            };
            // Nobody has sat down or got up where the places are the same ones.
            if !Arc::ptr_eq(&self.places, &published.table.places) {
                if self.seat.is_some() && published.table.seat_of(&self.caller).ok()? != self.seat {
                    return None;
                }
                self.places = Arc::clone(&published.table.places);
            }
            let version = published.version(self.observer());
            // What the watcher says it knows, as far as that can be. Where the pace is even, another node may have shown a beat
            // that comes here in a moment.
            let ahead = if published.table.opened.even_pace { MOST_HELD } else { 0 };
            let told = self.last.or(self.known.filter(|known| (version..=version + ahead).contains(known)));
            // A beat tells those who acted nothing new, an action that is held back tells the others nothing, and what was
            // told while this watcher came may be told once more.
            let is_news = told.is_none_or(|told| version > told);
            self.last = told.max(Some(version));
            if is_news {
                return Some(published);
            }
        }
    }
}
