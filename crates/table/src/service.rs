//! All tables, and all that can be asked of them.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use sultan_domain::{Action, Commitment, Record, Seat, ServerSeed, TableId};
use sultan_rules::commitment;
use sultan_store::{Store, StoredCommitment};

use crate::acting::Decided;
use crate::analysing::Studies;
use crate::memory::Tables;
use crate::neighbours::Neighbours;
use crate::publish::{ObserverSnapshot, Watch};
use crate::request::{Caller, GUIDED_SEED, NewTable, SeatChange, Sitting};
use crate::schedule::Schedule;
use crate::settings::Settings;
use crate::table::Table;
use crate::table_quota::TableQuota;
use crate::token::{SeatToken, Visitor, random_bytes};
use crate::{Rejection, ServiceError, seating};

/// All tables. Copies are the same service.
#[derive(Clone)]
pub struct Service(pub(crate) Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) settings: Settings,
    pub(crate) tables: Mutex<Tables>,
    pub(crate) schedule: Schedule,
    pub(crate) room: TableQuota,
    pub(crate) studies: Studies,
    pub(crate) neighbours: Neighbours,
    /// How many bots may think at once.
    pub(crate) thinking: Arc<tokio::sync::Semaphore>,
    pub(crate) started_ms: OnceLock<i64>,
    /// Whether nobody should watch any more.
    stopping: AtomicBool,
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

impl Service {
    /// A service on a store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, settings: Settings) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let tables = Tables::new(settings.cached_tables);
        let thinking = Arc::new(tokio::sync::Semaphore::new(cores));
        Self(Arc::new(Inner {
            store,
            started_ms: OnceLock::new(),
            settings,
            tables: Mutex::new(tables),
            schedule: Schedule::default(),
            room: TableQuota::default(),
            studies: Studies::default(),
            neighbours: Neighbours::default(),
            thinking,
            stopping: AtomicBool::new(false),
        }))
    }

    /// Commits to a new server seed, with which a host may open a table.
    ///
    /// # Errors
    /// [`ServiceError::Store`] when it cannot be stored.
    pub async fn new_commitment(&self) -> Result<Commitment, ServiceError> {
        let server_seed = ServerSeed((self.0.settings.random_bytes)());
        let commitment = commitment(&server_seed);
        self.0.store.keep_promise(StoredCommitment { commitment, server_seed, at_ms: self.0.now_ms() }).await?;
        Ok(commitment)
    }

    /// Opens a table; whoever asks is its host, and has its first person's seat.
    ///
    /// # Errors
    /// [`Rejection`] when there can be no such table, or there are too many.
    pub async fn open(&self, new: NewTable) -> Result<Opened, ServiceError> {
        let inner = &self.0;
        let new = if new.guided { new.as_guided()? } else { new };
        let token = SeatToken::from_bytes((inner.settings.random_bytes)());
        // What cannot be is refused before a promise is used up.
        inner.opening(seating::open(&new, ServerSeed([0; 32]))?, &new.host, &token)?;
        inner.has_room().await?;
        let server_seed = if new.guided { GUIDED_SEED } else { inner.promised(new.commitment).await? };
        let (seat, events) = inner.opening(seating::open(&new, server_seed)?, &new.host, &token)?;
        let table = inner.found(events).await?;
        tracing::debug!(%table, players = new.players.count(), "table opened");
        Ok(Opened { table, commitment: commitment(&server_seed), token, seat })
    }

    /// Takes the lowest free seat of a table.
    ///
    /// # Errors
    /// [`Rejection`] when none is free or the colour is taken.
    pub async fn sit(&self, table: TableId, sitting: Sitting) -> Result<Seated, ServiceError> {
        let token = SeatToken::from_bytes((self.0.settings.random_bytes)());
        let mut seat = Seat::default();
        self.0
            .change(table, |table| {
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
    /// [`Rejection`], above all after the start.
    pub async fn change_seat(
        &self,
        table: TableId,
        caller: &Caller,
        seat: Seat,
        wish: SeatChange,
    ) -> Result<ObserverSnapshot, ServiceError> {
        let change = |table: &Table, own: Seat| {
            if own == seat { table.change_seat(seat, &wish) } else { Err(Rejection::WrongToken) }
        };
        self.0.ask(table, caller, change).await
    }

    /// Acts. Asking for the same again does nothing more, and answers the same.
    ///
    /// # Errors
    /// [`Rejection`], the first that applies, as the contract lists them.
    pub async fn act(
        &self,
        table: TableId,
        caller: &Caller,
        action: Action,
        at: u16,
    ) -> Result<ObserverSnapshot, ServiceError> {
        let act = |table: &Table, seat: Seat| match table.decide(seat, action, at)? {
            Decided::New(event) => Ok(vec![event]),
            Decided::Again => Ok(Vec::new()),
        };
        self.0.ask(table, caller, act).await
    }

    /// Acts, as somebody wrote it down.
    ///
    /// # Errors
    /// As [`Service::act`]; [`Rejection::NoAction`] comes last.
    pub async fn act_as_text(
        &self,
        table: TableId,
        caller: &Caller,
        action: &str,
        at: u16,
    ) -> Result<ObserverSnapshot, ServiceError> {
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
    /// [`Rejection`] without a seat's token.
    pub async fn leave(&self, table: TableId, caller: &Caller) -> Result<(), ServiceError> {
        self.0.ask(table, caller, Table::leave).await.map(|_| ())
    }

    /// Takes a seat again that a bot has played meanwhile: one's own, or as the host for its player.
    ///
    /// # Errors
    /// [`Rejection`] when it is neither.
    pub async fn come_back(
        &self,
        table: TableId,
        caller: &Caller,
        seat: Seat,
    ) -> Result<ObserverSnapshot, ServiceError> {
        self.0.ask(table, caller, |table, own| table.give_back(own, seat)).await
    }

    /// Lets a bot take a free or abandoned seat.
    ///
    /// # Errors
    /// [`Rejection`] to all but the host.
    pub async fn fill(
        &self,
        table: TableId,
        caller: &Caller,
        seat: Seat,
        bot: &str,
    ) -> Result<ObserverSnapshot, ServiceError> {
        let now_ms = self.0.now_ms();
        self.0.ask(table, caller, |table, own| table.fill(own, seat, bot, now_ms)).await
    }

    /// Frees a seat before the start.
    ///
    /// # Errors
    /// [`Rejection`] to all but the host.
    pub async fn send_away(
        &self,
        table: TableId,
        caller: &Caller,
        seat: Seat,
    ) -> Result<ObserverSnapshot, ServiceError> {
        self.0.ask(table, caller, |table, own| table.send_away(own, seat)).await
    }

    /// The table as the caller may see it now.
    ///
    /// # Errors
    /// [`Rejection`] when there is no such table, or the token is not one of its seats'.
    pub async fn look(&self, table: TableId, caller: &Caller) -> Result<ObserverSnapshot, ServiceError> {
        let (now, observer) = self.0.published_to(table, caller).await?;
        Ok(ObserverSnapshot::new(now, observer, self.0.slot(table)))
    }

    /// All seats that a browser has at a table: several people may share one.
    ///
    /// # Errors
    /// [`Rejection`] when there is no such table.
    pub async fn seats_of(&self, table: TableId, visitor: &Visitor) -> Result<Vec<Seat>, ServiceError> {
        Ok(self.0.published(table).await?.table.seats_of(visitor).collect())
    }

    /// Watches a table, from a version on that is known already.
    ///
    /// # Errors
    /// As [`Service::look`].
    pub async fn watch(&self, table: TableId, caller: Caller, last: Option<u32>) -> Result<Watch, ServiceError> {
        let slot = self.0.slot(table);
        let (mut now, observer) = self.0.published_to(table, &caller).await?;
        if last.is_some_and(|last| last > now.version(observer)) {
            // Another node has told more than is known here.
            now = self.0.newest(table).await?;
        }
        let watch = Watch::new(Arc::clone(&slot), now, caller, last)?;
        // Asked for after watching, as `end_watches` says it before: one of the two sees the other.
        if self.0.stopping.load(Ordering::SeqCst) {
            slot.hang_up();
        }
        Ok(watch)
    }

    /// The shortest account of a game that is over.
    ///
    /// # Errors
    /// [`Rejection::NotOver`] while it is secret, [`Rejection::Branch`] where there is none.
    pub async fn record(&self, table: TableId) -> Result<Record, ServiceError> {
        self.of_finished(table, Table::record).await
    }

    /// Says that a browser has a seat, as its link proves.
    ///
    /// # Errors
    /// [`Rejection`] when the token is not one of the table's seats', or too many browsers have the seat already.
    pub async fn link(&self, table: TableId, token: SeatToken, visitor: &Visitor) -> Result<Seat, ServiceError> {
        let visitor = visitor.hash();
        let mut linked = Seat::default();
        let link = |table: &Table, seat: Seat| {
            linked = seat;
            table.link(seat, visitor)
        };
        self.0.ask(table, &Caller::Token(token), link).await?;
        Ok(linked)
    }

    /// The secret that all nodes sign cookies with.
    ///
    /// # Errors
    /// [`ServiceError::Store`] when it cannot be read.
    pub async fn cookie_secret(&self) -> Result<[u8; 64], ServiceError> {
        let (one, two) = (random_bytes::<32>(), random_bytes::<32>());
        let mut secret = [0; 64];
        secret[..32].copy_from_slice(&one);
        secret[32..].copy_from_slice(&two);
        Ok(self.0.store.secret(secret).await?)
    }

    /// Whether tables can be read: the database answers.
    ///
    /// # Errors
    /// [`ServiceError::Store`] when not.
    pub async fn ready(&self) -> Result<(), ServiceError> {
        Ok(self.0.store.ready().await?)
    }

    /// Tells all who watch that there is nothing more to see here: the program stops, and they come back to the next one.
    pub fn end_watches(&self) {
        self.0.stopping.store(true, Ordering::SeqCst);
        self.0.studies.end();
        self.0.slots().iter().for_each(|(_, slot)| slot.hang_up());
    }

    /// Stores what is under way, lets go of the store, and ends all watching.
    pub async fn close(&self) {
        self.take_leave().await;
        if let Err(error) = self.0.store.close().await {
            tracing::error!(%error, "the store could not be closed");
        }
        self.end_watches();
    }
}
