//! The parts of a node that all others share.

use std::sync::Arc;

use sultan_store::Store;

use crate::compute_pool::ComputePool;
use crate::membership::Membership;
use crate::schedule::Schedule;
use crate::settings::Settings;

/// The store, the settings, and the state that calls nobody.
pub(crate) struct NodeContext {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) settings: Arc<Settings>,
    pub(crate) membership: Arc<Membership>,
    pub(crate) schedule: Schedule,
    pub(crate) compute: ComputePool,
}

impl NodeContext {
    pub(crate) fn new(store: Arc<dyn Store>, settings: Settings) -> Self {
        let (settings, membership) = (Arc::new(settings), Arc::<Membership>::default());
        let schedule = Schedule::new(Arc::clone(&settings), Arc::clone(&membership));
        Self { store, settings, membership, schedule, compute: ComputePool::default() }
    }

    pub(crate) fn now_ms(&self) -> i64 {
        self.settings.now_ms()
    }
}
