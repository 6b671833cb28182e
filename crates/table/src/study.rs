//! What can be asked of a game that is over: to see it once more.

use sultan_domain::TableId;
use sultan_store::StoreError;

use crate::replay::Replay;
use crate::sight::Around;
use crate::{Service, Trouble};

impl Service {
    /// A game that is over, moment by moment.
    ///
    /// # Errors
    /// [`Refused::NotOver`](crate::Refused) while it is secret.
    pub async fn replay(&self, table: TableId) -> Result<Replay, Trouble> {
        let record = self.record(table).await?;
        let now = self.0.published(table).await?;
        let replay = Replay::new(&record, now.table.people(), &Around::of(&now.table));
        Ok(replay.map_err(|error| StoreError::Unreadable { table, reason: error.to_string() })?)
    }
}
