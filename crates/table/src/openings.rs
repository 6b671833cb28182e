//! Opens tables: new tables, rematches, and branches, which continue a finished game from one of its positions.
//!
//! Also issues commitments: the hash of a server seed, given to a host before the host chooses a client seed. So
//! players can check after the game that the server did not choose its seed to suit theirs.

use std::sync::Arc;

use sultan_domain::{Commitment, Seat, SeatPlan, ServerSeed, TableId};
use sultan_rules::{FastRng, commitment};
use sultan_store::{EventRecord, OpenedRecord, StoreError, StoredCommitment};

use crate::node::NodeContext;
use crate::registry::Registry;
use crate::replay::Replay;
use crate::request::{Caller, GUIDED_SEED, NewPlayer, NewTable, SeatChange};
use crate::table::{Table, opening_record};
use crate::table_quota::TableQuota;
use crate::token::SeatToken;
use crate::{Rejection, ServiceError};

/// How long a commitment can be used to open a table.
const COMMITMENT_LIFETIME_MS: i64 = 10 * 60 * 1000;

/// A newly opened table.
#[derive(Clone, Debug)]
pub struct OpenedTable {
    /// The id of the table.
    pub table: TableId,
    /// The commitment to the server's seed.
    pub commitment: Commitment,
    /// The token of the host's seat.
    pub token: SeatToken,
    /// The host's seat.
    pub seat: Seat,
}

/// A seat that a player has taken.
#[derive(Clone, Debug)]
pub struct TakenSeat {
    /// The seat.
    pub seat: Seat,
    /// The token of the seat.
    pub token: SeatToken,
}

/// A request to continue a finished game from one of its positions.
#[derive(Clone, Debug)]
pub struct BranchRequest {
    /// The number of actions before the position.
    pub at: usize,
    /// The seat to take.
    pub seat: Seat,
    /// Whether everything hidden from this seat is replaced by random values. Otherwise the cards and draws stay as in
    /// the finished game.
    pub imagined: bool,
    /// The name of the bot for all other seats.
    pub bot: String,
    /// Whether the player may use a coach.
    pub coach: bool,
    /// The player's name, colour and seed.
    pub host: NewPlayer,
}

/// Opens tables.
pub(crate) struct Openings {
    registry: Registry,
    quota: TableQuota,
}

impl Openings {
    pub(crate) fn new(registry: Registry) -> Self {
        Self { registry, quota: TableQuota::default() }
    }

    fn node(&self) -> &NodeContext {
        self.registry.node()
    }

    /// Commits to a new server seed.
    pub(crate) async fn new_commitment(&self) -> Result<Commitment, ServiceError> {
        let node = self.node();
        let server_seed = ServerSeed((node.settings.random_bytes)());
        let commitment = commitment(&server_seed);
        let at_ms = node.settings.now_ms();
        node.store.store_commitment(StoredCommitment { commitment, server_seed, at_ms }).await?;
        Ok(commitment)
    }

    /// Deletes expired commitments periodically. Never returns.
    pub(crate) async fn delete_expired_commitments(&self) {
        let node = self.node();
        loop {
            let now_ms = node.settings.now_ms();
            if let Err(error) = node.store.delete_commitments(now_ms - COMMITMENT_LIFETIME_MS).await {
                tracing::error!(%error, "cannot delete expired commitments; retrying later");
            }
            node.settings.sleep_until(now_ms + COMMITMENT_LIFETIME_MS).await;
        }
    }

    /// The server's seed of a new table: the seed of this commitment, which is thereby used up, or a new random seed.
    async fn take_server_seed(&self, commitment: Option<Commitment>) -> Result<ServerSeed, ServiceError> {
        let node = self.node();
        let Some(commitment) = commitment else { return Ok(ServerSeed((node.settings.random_bytes)())) };
        let since_ms = node.settings.now_ms() - COMMITMENT_LIFETIME_MS;
        let stored = node.store.take_commitment(commitment, since_ms).await?;
        Ok(stored.ok_or(Rejection::NoSuchCommitment)?.server_seed)
    }

    /// Opens a table, with the caller as its host.
    pub(crate) async fn open(&self, new: NewTable) -> Result<OpenedTable, ServiceError> {
        let new = if new.options.guided { new.as_guided()? } else { new };
        let server_seed =
            async { if new.options.guided { Ok(GUIDED_SEED) } else { self.take_server_seed(new.commitment).await } };
        // `create` replaces this seed by `server_seed`.
        self.create(opening_record(&new, GUIDED_SEED)?, &new.host, server_seed).await
    }

    /// Creates a table with its host in the first free seat. `server_seed` replaces the seed in `opened`.
    ///
    /// Makes the table twice. The first table only checks the request, with any seed: an impossible request must use up
    /// neither the table quota nor, by running `server_seed`, a commitment.
    async fn create(
        &self,
        opened: OpenedRecord,
        host: &NewPlayer,
        server_seed: impl Future<Output = Result<ServerSeed, ServiceError>>,
    ) -> Result<OpenedTable, ServiceError> {
        let settings = &self.node().settings;
        let token = settings.random_token();
        Table::new(TableId::new(0), opened.clone(), settings.now_ms()).take_seat(host, &token)?;
        self.quota.take(&*self.node().store, settings).await?;
        let server_seed = server_seed.await?;
        let id = settings.random_id();
        let mut table = Table::new(id, OpenedRecord { server_seed, ..opened }, settings.now_ms());
        let seat = table.take_seat(host, &token)?;
        self.registry.create(table).await?;
        tracing::debug!(table = %id, "table opened");
        Ok(OpenedTable { table: id, commitment: commitment(&server_seed), token, seat })
    }

    /// Opens a table where the same people play again. If the game already has a rematch, returns its table.
    pub(crate) async fn rematch(
        &self,
        table: TableId,
        caller: &Caller,
        change: &SeatChange,
        commitment: Option<Commitment>,
    ) -> Result<TableId, ServiceError> {
        let lock = self.registry.lock(table).await;
        let finished = self.registry.load_newest(&lock).await?;
        let seat = finished.table().require_seat(caller)?;
        if let Some(rematch) = finished.table().info().rematch {
            return Ok(rematch);
        }
        let settings = &self.node().settings;
        let (finished, id) = (finished.table().copy_for_change(settings.now_ms()), settings.random_id());
        // Check the request with any seed: an impossible rematch must not use up the commitment.
        finished.rematch_table(id, seat, change, ServerSeed([0; 32]))?;
        self.quota.take(&*self.node().store, settings).await?;
        let server_seed = self.take_server_seed(commitment).await?;
        self.registry.create(finished.rematch_table(id, seat, change, server_seed)?).await?;
        let announcement = self.registry.update_locked(lock, |table| match table.info().rematch {
            Some(first_rematch) => Ok(first_rematch),
            None => table.apply_now(EventRecord::Rematched { table: id }).map(|()| id),
        });
        let (rematch, _) = announcement.await?;
        if rematch != id {
            // Another node has opened a rematch first, so the table opened here is abandoned.
            self.registry.update(id, |table| table.apply_now(EventRecord::Ended)).await?;
        }
        Ok(rematch)
    }

    /// A replay of a finished game.
    pub(crate) async fn replay(&self, table: TableId) -> Result<Replay, ServiceError> {
        let replay = self.registry.read_finished(table, |table| {
            let play = table.finished()?;
            let (deal, people) = (Arc::clone(&play.deal), Arc::clone(table.occupants().people()));
            Ok(Replay::new(deal, &play.actions(), people, table.info().clone()))
        });
        Ok(replay.await?.map_err(|reason| StoreError::Unreadable { table, reason })?)
    }

    /// Opens a table where one player continues a finished game against bots from a given position. It has no fairness
    /// proof and no record.
    pub(crate) async fn branch(&self, table: TableId, branch: BranchRequest) -> Result<OpenedTable, ServiceError> {
        let replay = self.replay(table).await?;
        let random_bytes = &self.node().settings.random_bytes;
        let (new_server_seed, rng_bytes) = (random_bytes(), random_bytes());
        let rng_seed = u64::from_le_bytes(std::array::from_fn(|index| rng_bytes[index]));
        let mut rng = branch.imagined.then(|| FastRng::new(rng_seed));
        let record = replay.branch(table, branch.at, branch.seat, rng.as_mut())?;
        // In an imagined branch, the later draws must not be those of the finished game.
        let server_seed = if branch.imagined { ServerSeed(new_server_seed) } else { replay.deal.server_seed };
        let setup = &replay.deal.setup;
        let mut seats = vec![SeatPlan::Bot(branch.bot); usize::from(setup.parameters.players.count())];
        seats[branch.seat.index()] = SeatPlan::Human;
        let colour = branch.host.colour.or(Some(replay.people[branch.seat.index()].colour));
        let mut new = NewTable {
            seats,
            host: NewPlayer { colour, ..branch.host },
            variant: setup.parameters.variant(),
            ..NewTable::plain(setup.parameters.players)
        };
        new.options.screens = setup.screens;
        new.options.first_seat = Some(setup.first_seat);
        new.options.coach = branch.coach;
        let opened = OpenedRecord { branch: Some(Box::new(record)), ..opening_record(&new, server_seed)? };
        self.create(opened, &new.host, async { Ok(server_seed) }).await
    }
}
