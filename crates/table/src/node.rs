//! The parts of a node (one server process) that the registry, the driver, the cluster and the analysis queue share.

use std::sync::Arc;

use sultan_domain::TableId;
use sultan_store::Store;
use tokio::sync::broadcast;

use crate::compute_pool::ComputePool;
use crate::membership::Membership;
use crate::node_message::{AnalysisMessage, NodeMessage};
use crate::schedule::Schedule;
use crate::settings::Settings;

/// The store, the settings, and passive state: types that never call the registry or its users.
pub(crate) struct NodeContext {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) settings: Arc<Settings>,
    pub(crate) membership: Arc<Membership>,
    pub(crate) schedule: Schedule,
    pub(crate) compute: ComputePool,
    /// Passes the messages of other nodes about analyses from the cluster to the analysis queue.
    pub(crate) analysis_messages: broadcast::Sender<(TableId, AnalysisMessage)>,
}

/// The number of messages that may wait for the analysis queue. If more arrive, the oldest are dropped, since other
/// nodes repeat their requests.
pub(crate) const MAX_WAITING_ANALYSIS_MESSAGES: usize = 256;

impl NodeContext {
    pub(crate) fn new(store: Arc<dyn Store>, settings: Settings) -> Self {
        let (settings, membership) = (Arc::new(settings), Arc::<Membership>::default());
        let schedule = Schedule::new(Arc::clone(&settings), Arc::clone(&membership));
        let (analysis_messages, _) = broadcast::channel(MAX_WAITING_ANALYSIS_MESSAGES);
        Self { store, settings, membership, schedule, compute: ComputePool::default(), analysis_messages }
    }

    /// Sends a message about a table to the other nodes. Delivery is not guaranteed.
    pub(crate) fn send_to_nodes(&self, table: TableId, message: NodeMessage) {
        if let Some(nodes) = self.store.nodes() {
            nodes.send_signal(table, format!("{}:{}", self.membership.this_node.number(), message.encode()));
        }
    }
}
