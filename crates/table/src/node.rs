//! The parts of a node (one server process) that the registry, the driver, the cluster and the analysis queue share.

use std::sync::Arc;

use sultan_domain::TableId;
use sultan_store::Store;

use crate::analysis_inbox::AnalysisInbox;
use crate::compute_pool::ComputePool;
use crate::membership::Membership;
use crate::node_message::NodeMessage;
use crate::schedule::Schedule;
use crate::settings::Settings;

/// The store, the settings, and passive state: types that never call the registry or its users.
pub(crate) struct NodeContext {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) settings: Arc<Settings>,
    pub(crate) membership: Arc<Membership>,
    pub(crate) schedule: Schedule,
    pub(crate) compute: ComputePool,
    pub(crate) analysis_inbox: AnalysisInbox,
}

impl NodeContext {
    pub(crate) fn new(store: Arc<dyn Store>, settings: Settings) -> Self {
        let (settings, membership) = (Arc::new(settings), Arc::<Membership>::default());
        let schedule = Schedule::new(Arc::clone(&settings), Arc::clone(&membership));
        let (compute, analysis_inbox) = (ComputePool::default(), AnalysisInbox::default());
        Self { store, settings, membership, schedule, compute, analysis_inbox }
    }

    /// Sends a message about a table to the other nodes. Delivery is not guaranteed.
    pub(crate) fn send_to_nodes(&self, table: TableId, message: NodeMessage) {
        if let Some(nodes) = self.store.nodes() {
            nodes.send_signal(table, format!("{}:{}", self.membership.own.number(), message.encode()));
        }
    }
}
