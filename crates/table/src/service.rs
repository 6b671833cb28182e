//! All tables: what is asked is decided, stored, and only then told.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use lru::LruCache;
use sultan_domain::{Action, Commitment, Observer, Record, Seat, ServerSeed, TableId};
use sultan_rules::commitment;
use sultan_store::{Append, Change, EventRecord, Store, StoreError, StoredCommitment, VisitorSeat};

use crate::acting::Decided;
use crate::publish::{Frame, Published, Slot, Watch};
use crate::request::{Caller, NewTable, Sitting, Wish};
use crate::schedule::Schedule;
use crate::sight::Sight;
use crate::table::{Table, Unreadable};
use crate::token::{SeatToken, Visitor, fresh};
use crate::{Refused, Trouble, seating};

/// How the service works.
#[derive(Clone)]
pub struct Settings {
    /// How long bots pause before they act, on average.
    pub bot_pause: Duration,
    /// How many tables are kept in memory while nobody watches them.
    pub cached_tables: NonZeroUsize,
    /// What time it is, in milliseconds since 1970.
    pub now_ms: fn() -> i64,
    /// Where secrets and names come from: bytes that nobody can foresee.
    pub fresh: fn() -> [u8; 32],
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            bot_pause: Duration::from_millis(900),
            cached_tables: NonZeroUsize::new(10_000).expect("not zero"),
            now_ms: || {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
            },
            fresh,
        }
    }
}

/// How long a promise is kept for its host.
const PROMISE_MS: i64 = 10 * 60 * 1000;

/// All tables. Copies are the same service.
#[derive(Clone)]
pub struct Service(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) settings: Settings,
    tables: Mutex<Tables>,
    pub(crate) schedule: Schedule,
    /// How many bots may think at once.
    pub(crate) thinking: tokio::sync::Semaphore,
    pub(crate) started_ms: i64,
    /// Whether nobody should watch any more.
    stopping: AtomicBool,
}

/// The tables in memory.
struct Tables {
    /// Those used last.
    recent: LruCache<TableId, Arc<Slot>>,
    /// Those and all that somebody still watches: never two of one.
    all: HashMap<TableId, Weak<Slot>>,
}

impl Tables {
    fn slot(&mut self, table: TableId) -> Arc<Slot> {
        if let Some(slot) = self.recent.get(&table) {
            return Arc::clone(slot);
        }
        if self.all.len() > 2 * self.recent.len() + 1000 {
            self.all.retain(|_, slot| slot.strong_count() > 0);
        }
        let known = self.all.get(&table).and_then(Weak::upgrade);
        let slot = known.unwrap_or_else(|| Arc::new(Slot::new()));
        self.all.insert(table, Arc::downgrade(&slot));
        self.recent.put(table, Arc::clone(&slot));
        slot
    }
}

/// A promise given before a table is opened.
#[derive(Clone, Copy, Debug)]
pub struct Promise {
    /// What is shown.
    pub commitment: Commitment,
}

/// A table that was opened.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Which.
    pub table: TableId,
    /// The promise of the server's seed.
    pub commitment: Commitment,
    /// The proof of the host's seat.
    pub token: SeatToken,
    /// The host's seat.
    pub seat: Seat,
}

/// Somebody who sat down.
#[derive(Clone, Debug)]
pub struct Seated {
    /// Where.
    pub seat: Seat,
    /// The proof of it.
    pub token: SeatToken,
}

/// What came of something that was asked: what the asker sees now.
#[derive(Clone, Debug)]
pub struct Acted(pub Frame);

impl Service {
    /// A service on a store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, settings: Settings) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let tables = Tables { recent: LruCache::new(settings.cached_tables), all: HashMap::new() };
        let thinking = tokio::sync::Semaphore::new(cores);
        Self(Arc::new(Inner {
            store,
            started_ms: (settings.now_ms)(),
            settings,
            tables: Mutex::new(tables),
            schedule: Schedule::default(),
            thinking,
            stopping: AtomicBool::new(false),
        }))
    }

    /// Gives a promise that a host may open a table with.
    ///
    /// # Errors
    /// [`Trouble::Store`] when it cannot be kept.
    pub async fn promise(&self) -> Result<Promise, Trouble> {
        let server_seed = ServerSeed((self.0.settings.fresh)());
        let commitment = commitment(&server_seed);
        self.0.store.keep(StoredCommitment { commitment, server_seed, at_ms: self.0.now_ms() }).await?;
        Ok(Promise { commitment })
    }

    /// Opens a table; whoever asks is its host, and has its first person's seat.
    ///
    /// # Errors
    /// [`Refused`] when there can be no such table.
    pub async fn open(&self, new: NewTable) -> Result<Opened, Trouble> {
        let inner = &self.0;
        // What cannot be is refused before a promise is used up.
        seating::open(&new, ServerSeed([0; 32]))?;
        let server_seed = match new.commitment {
            None => ServerSeed((inner.settings.fresh)()),
            Some(commitment) => {
                let kept = inner.store.take(commitment, inner.now_ms() - PROMISE_MS).await?;
                kept.ok_or(Refused::NoSuchCommitment)?.server_seed
            }
        };
        let opened = EventRecord::Opened(Box::new(seating::open(&new, server_seed)?));
        let empty = Table::load(TableId::new(0), &[inner.first_change(vec![opened.clone()])]);
        let empty = empty.map_err(|bad| unreadable(TableId::new(0), bad))?.ok_or(Refused::NoSuchTable)?;
        let token = SeatToken::from_bytes((inner.settings.fresh)());
        let (seat, mut events) = empty.take_seat(&new.host, &token)?;
        events.insert(0, opened);
        let table = inner.found(events).await?;
        tracing::info!(%table, players = new.players.count(), "table opened");
        Ok(Opened { table, commitment: commitment(&server_seed), token, seat })
    }

    /// Takes the lowest free seat of a table.
    ///
    /// # Errors
    /// [`Refused`] when none is free or the colour is taken.
    pub async fn sit(&self, table: TableId, sitting: Sitting) -> Result<Seated, Trouble> {
        let token = SeatToken::from_bytes((self.0.settings.fresh)());
        let mut seat = Seat::default();
        self.0
            .change(table, |table, _| {
                let events;
                (seat, events) = table.take_seat(&sitting, &token)?;
                Ok(events)
            })
            .await?;
        Ok(Seated { seat, token })
    }

    /// Changes what somebody chose when sitting down; in a rematch it also says yes.
    ///
    /// # Errors
    /// [`Refused`], above all after the start.
    pub async fn change_seat(&self, table: TableId, caller: &Caller, seat: Seat, wish: Wish) -> Result<Acted, Trouble> {
        let change = |table: &Table, own: Seat| {
            if own == seat { table.change_seat(seat, &wish) } else { Err(Refused::WrongToken) }
        };
        self.0.ask(table, caller, change).await
    }

    /// Acts. Asking for the same again does nothing more, and answers the same.
    ///
    /// # Errors
    /// [`Refused`], the first that applies, as the contract lists them.
    pub async fn act(&self, table: TableId, caller: &Caller, action: Action, at: u16) -> Result<Acted, Trouble> {
        let act = |table: &Table, seat: Seat| match table.decide(seat, action, at)? {
            Decided::New(event) => Ok(vec![event]),
            Decided::Again => Ok(Vec::new()),
        };
        self.0.ask(table, caller, act).await
    }

    /// Acts, as somebody wrote it down.
    ///
    /// # Errors
    /// As [`Service::act`]; [`Refused::NoAction`] comes last.
    pub async fn act_as_text(&self, table: TableId, caller: &Caller, action: &str, at: u16) -> Result<Acted, Trouble> {
        match action.parse() {
            Ok(action) => self.act(table, caller, action, at).await,
            Err(error) => {
                let refuse = |table: &Table, seat: Seat| Err(table.decide_unreadable(seat, at, error.clone()));
                self.0.ask(table, caller, refuse).await
            }
        }
    }

    /// Gets up. Before the start the seat is free again, later a bot stands in at once.
    ///
    /// # Errors
    /// [`Refused`] without a seat's token.
    pub async fn leave(&self, table: TableId, caller: &Caller) -> Result<(), Trouble> {
        self.0.ask(table, caller, Table::leave).await.map(|_| ())
    }

    /// Takes a seat again that a bot has played meanwhile: one's own, or as the host for its player.
    ///
    /// # Errors
    /// [`Refused`] when it is neither.
    pub async fn come_back(&self, table: TableId, caller: &Caller, seat: Seat) -> Result<Acted, Trouble> {
        self.0.ask(table, caller, |table, own| table.give_back(own, seat)).await
    }

    /// Lets a bot take a free or abandoned seat.
    ///
    /// # Errors
    /// [`Refused`] to all but the host.
    pub async fn fill(&self, table: TableId, caller: &Caller, seat: Seat, bot: &str) -> Result<Acted, Trouble> {
        let now_ms = self.0.now_ms();
        self.0.ask(table, caller, |table, own| table.fill(own, seat, bot, now_ms)).await
    }

    /// Frees a seat before the start.
    ///
    /// # Errors
    /// [`Refused`] to all but the host.
    pub async fn send_away(&self, table: TableId, caller: &Caller, seat: Seat) -> Result<Acted, Trouble> {
        self.0.ask(table, caller, |table, own| table.send_away(own, seat)).await
    }

    /// Opens a table where the same people play once more. Who asks second is told the first one's.
    ///
    /// # Errors
    /// [`Refused`] until the game is over.
    pub async fn rematch(&self, table: TableId, caller: &Caller, wish: Wish) -> Result<TableId, Trouble> {
        let inner = &self.0;
        let slot = inner.slot(table);
        let turn = Arc::clone(&slot.turn).lock_owned().await;
        let now = inner.known(&slot, table).await?;
        let seat = now.table.seated(caller)?;
        if let Some(rematch) = now.table.rematch {
            return Ok(rematch);
        }
        let rematch = inner.fresh_id();
        let server_seed = ServerSeed((inner.settings.fresh)());
        let (events, told) = now.table.once_more(seat, &wish, server_seed, rematch)?;
        inner.found_as(rematch, events).await?;
        // If somebody was faster on another node, that table counts and ours stays empty.
        let (stored, _turn) = inner.store_change(&slot, &now, vec![told], turn).await;
        match stored {
            Ok(_) => Ok(rematch),
            Err(StoreError::Stale) => {
                slot.forget();
                inner.known(&slot, table).await?.table.rematch.ok_or(StoreError::Stale.into())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// What somebody sees.
    ///
    /// # Errors
    /// [`Refused`] when there is no such table, or the token is not one of its seats'.
    pub async fn look(&self, table: TableId, caller: &Caller) -> Result<Frame, Trouble> {
        let now = self.0.published(table).await?;
        let observer = now.table.seat_of(caller)?.map_or(Observer::Public, Observer::Seat);
        Ok(now.frame(observer).clone())
    }

    /// Which seat somebody has, if any.
    ///
    /// # Errors
    /// As [`Service::look`].
    pub async fn seat_of(&self, table: TableId, caller: &Caller) -> Result<Option<Seat>, Trouble> {
        Ok(self.0.published(table).await?.table.seat_of(caller)?)
    }

    /// What somebody sees, for pages.
    ///
    /// # Errors
    /// As [`Service::look`].
    pub async fn sight(&self, table: TableId, caller: &Caller) -> Result<(u32, Sight), Trouble> {
        let now = self.0.published(table).await?;
        let observer = now.table.seat_of(caller)?.map_or(Observer::Public, Observer::Seat);
        Ok((now.version(observer), Sight::of(&now.table, observer)))
    }

    /// Watches a table, from a version on that is known already.
    ///
    /// # Errors
    /// As [`Service::look`].
    pub async fn watch(&self, table: TableId, caller: Caller, last: Option<u32>) -> Result<Watch, Trouble> {
        let slot = self.0.slot(table);
        let now = self.0.published(table).await?;
        let watch = Watch::new(Arc::clone(&slot), now, caller, last)?;
        // Asked for after watching, as `end_watches` says it before: one of the two sees the other.
        if self.0.stopping.load(Ordering::SeqCst) {
            slot.end_watches();
        }
        Ok(watch)
    }

    /// The shortest account of a game that is over, as JSON.
    ///
    /// # Errors
    /// [`Refused::NotOver`] while it is secret.
    pub async fn record(&self, table: TableId) -> Result<Record, Trouble> {
        Ok(self.0.published(table).await?.table.record()?)
    }

    /// Says that a browser has a seat, as its link proves.
    ///
    /// # Errors
    /// [`Refused`] when the token is not one of the table's seats'.
    pub async fn link(&self, table: TableId, token: SeatToken, visitor: &Visitor) -> Result<Seat, Trouble> {
        let visitor = visitor.hash();
        let mut linked = Seat::default();
        let link = |table: &Table, seat: Seat| {
            linked = seat;
            let known = table.guest(seat).is_some_and(|guest| guest.visitors.contains(&visitor));
            Ok(if known { Vec::new() } else { vec![EventRecord::Linked { seat, visitor }] })
        };
        self.0.ask(table, &Caller::Token(token), link).await?;
        Ok(linked)
    }

    /// The secret that all nodes sign cookies with.
    ///
    /// # Errors
    /// [`Trouble::Store`] when it cannot be read.
    pub async fn cookie_secret(&self) -> Result<[u8; 64], Trouble> {
        let (one, two) = (fresh::<32>(), fresh::<32>());
        let mut secret = [0; 64];
        secret[..32].copy_from_slice(&one);
        secret[32..].copy_from_slice(&two);
        Ok(self.0.store.secret(secret).await?)
    }

    /// Whether tables can be read and written.
    ///
    /// # Errors
    /// [`Trouble::Store`] when not.
    pub async fn ready(&self) -> Result<(), Trouble> {
        Ok(self.0.store.ready().await?)
    }

    /// Tells all who watch that there is nothing more to see here: the program stops, and they come back to the next one.
    pub fn end_watches(&self) {
        self.0.stopping.store(true, Ordering::SeqCst);
        for slot in self.0.tables.lock().unwrap_or_else(PoisonError::into_inner).all.values() {
            if let Some(slot) = slot.upgrade() {
                slot.end_watches();
            }
        }
    }

    /// Stores what is under way and lets go of the store.
    pub async fn close(&self) {
        if let Err(error) = self.0.store.close().await {
            tracing::error!(%error, "the store could not be closed");
        }
    }
}

impl Inner {
    pub(crate) fn now_ms(&self) -> i64 {
        (self.settings.now_ms)()
    }

    fn fresh_id(&self) -> TableId {
        let bytes = (self.settings.fresh)();
        TableId::new(bytes.iter().take(8).fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
    }

    pub(crate) fn slot(&self, table: TableId) -> Arc<Slot> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner).slot(table)
    }

    fn first_change(&self, events: Vec<EventRecord>) -> Change {
        Change { version: 1, at_ms: self.now_ms(), events }
    }

    /// What everybody knows of a table.
    pub(crate) async fn published(self: &Arc<Self>, table: TableId) -> Result<Arc<Published>, Trouble> {
        let slot = self.slot(table);
        if let Some(now) = slot.now() {
            return Ok(now);
        }
        let _turn = slot.turn.lock().await;
        self.known(&slot, table).await
    }

    /// The same, for whoever has the turn at the table.
    pub(crate) async fn known(self: &Arc<Self>, slot: &Arc<Slot>, id: TableId) -> Result<Arc<Published>, Trouble> {
        if let Some(now) = slot.now() {
            return Ok(now);
        }
        let changes = self.store.load(id, 0).await?;
        let table = Table::load(id, &changes).map_err(|bad| unreadable(id, bad))?;
        let mut table = table.ok_or(Refused::NoSuchTable)?;
        table.show(self.now_ms());
        Ok(self.publish(slot, table))
    }

    fn publish(&self, slot: &Slot, table: Table) -> Arc<Published> {
        let published = Arc::new(Published::new(table));
        slot.publish(&published);
        self.attend(&published.table);
        published
    }

    /// Shows what the beat has come for.
    pub(crate) fn show(&self, slot: &Slot, now: &Published) {
        let mut table = now.table.clone();
        table.show(self.now_ms());
        self.publish(slot, table);
    }

    /// Opens a table under a new name.
    async fn found(self: &Arc<Self>, events: Vec<EventRecord>) -> Result<TableId, Trouble> {
        let table = self.fresh_id();
        self.found_as(table, events).await?;
        Ok(table)
    }

    async fn found_as(self: &Arc<Self>, id: TableId, events: Vec<EventRecord>) -> Result<(), Trouble> {
        let change = self.first_change(events);
        let table = Table::load(id, std::slice::from_ref(&change)).map_err(|bad| unreadable(id, bad))?;
        let table = table.ok_or(Refused::NoSuchTable)?;
        let append = Append {
            table: id,
            version: 0,
            at_ms: change.at_ms,
            visitors: visitors(id, &change.events),
            listing: Some(table.listing()),
            events: change.events,
        };
        self.store.append(append).await?;
        self.publish(&self.slot(id), table);
        Ok(())
    }

    /// Does what somebody with a seat asks for, and says what that seat sees then.
    async fn ask(
        self: &Arc<Self>,
        table: TableId,
        caller: &Caller,
        mut decide: impl FnMut(&Table, Seat) -> Result<Vec<EventRecord>, Refused>,
    ) -> Result<Acted, Trouble> {
        let mut seat = Seat::default();
        let done = self.change(table, |table, _| {
            seat = table.seated(caller)?;
            decide(table, seat)
        });
        Ok(Acted(done.await?.frame(Observer::Seat(seat)).clone()))
    }

    /// Decides, stores, tells. Where another node was faster, decides again from what it did.
    pub(crate) async fn change(
        self: &Arc<Self>,
        id: TableId,
        mut decide: impl FnMut(&Table, i64) -> Result<Vec<EventRecord>, Refused>,
    ) -> Result<Arc<Published>, Trouble> {
        const TRIES: usize = 5;
        let slot = self.slot(id);
        let mut turn = Arc::clone(&slot.turn).lock_owned().await;
        for _ in 0..TRIES {
            let now = self.known(&slot, id).await?;
            let events = decide(&now.table, self.now_ms())?;
            if events.is_empty() {
                return Ok(now);
            }
            let stored;
            (stored, turn) = self.store_change(&slot, &now, events, turn).await;
            match stored {
                Ok(published) => return Ok(published),
                Err(StoreError::Stale) => slot.forget(),
                Err(error) => {
                    // Whether it was stored is not known: the next one looks.
                    slot.forget();
                    return Err(error.into());
                }
            }
        }
        Err(StoreError::Stale.into())
    }

    /// Stores and tells. Whoever asked may go away meanwhile: what is stored is told in any case.
    async fn store_change(
        self: &Arc<Self>,
        slot: &Arc<Slot>,
        now: &Arc<Published>,
        events: Vec<EventRecord>,
        turn: Turn,
    ) -> (Result<Arc<Published>, StoreError>, Turn) {
        let (inner, slot, now) = (Arc::clone(self), Arc::clone(slot), Arc::clone(now));
        let stored = tokio::spawn(async move { (inner.store_and_tell(&slot, &now, events).await, turn) });
        match stored.await {
            Ok(stored) => stored,
            Err(broken) => std::panic::resume_unwind(broken.into_panic()),
        }
    }

    async fn store_and_tell(
        &self,
        slot: &Slot,
        now: &Published,
        events: Vec<EventRecord>,
    ) -> Result<Arc<Published>, StoreError> {
        let mut table = now.table.clone();
        let change = Change { version: table.version + 1, at_ms: self.now_ms(), events };
        table.change(&change).map_err(|bad| unreadable(table.id, bad))?;
        let listing = Some(table.listing()).filter(|listing| *listing != now.table.listing());
        let append = Append {
            table: table.id,
            version: now.table.version,
            at_ms: change.at_ms,
            visitors: visitors(table.id, &change.events),
            listing,
            events: change.events,
        };
        self.store.append(append).await?;
        Ok(self.publish(slot, table))
    }
}

/// The right to change a table.
type Turn = tokio::sync::OwnedMutexGuard<()>;

fn unreadable(table: TableId, Unreadable(reason): Unreadable) -> StoreError {
    StoreError::Unreadable { table, reason }
}

/// The browsers that have a seat from now on.
fn visitors(table: TableId, events: &[EventRecord]) -> Vec<VisitorSeat> {
    let seat = |event: &EventRecord| match event {
        EventRecord::Sat(sat) => Some(VisitorSeat { visitor: sat.visitor?, table, seat: sat.seat }),
        EventRecord::Linked { seat, visitor } => Some(VisitorSeat { visitor: *visitor, table, seat: *seat }),
        EventRecord::Opened(_)
        | EventRecord::Changed { .. }
        | EventRecord::Freed { .. }
        | EventRecord::Filled { .. }
        | EventRecord::StoodIn { .. }
        | EventRecord::Returned { .. }
        | EventRecord::Host { .. }
        | EventRecord::Started
        | EventRecord::Acted(_)
        | EventRecord::ActedByClock(_)
        | EventRecord::Ended
        | EventRecord::Rematched { .. } => None,
    };
    events.iter().filter_map(seat).collect()
}
