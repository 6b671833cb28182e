//! The nodes on a database: which nodes are alive, which node runs a table, and how accurate this node's clock is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sultan_domain::TableId;
use sultan_store::NodeId;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::sync::locked;
use crate::token::random_bytes;

/// The assumed drift of a clock: one part in this number.
const CLOCK_DRIFT: u32 = 10_000;

/// The nodes on a database, as known to this node.
pub(crate) struct Membership {
    pub(crate) this_node: NodeId,
    /// The living nodes, sorted. Empty if the database cannot be shared.
    alive: Mutex<Arc<[NodeId]>>,
    /// Whether the database has not answered this node for some time, see `cluster`.
    is_cut_off: AtomicBool,
    /// When the time of the database was last adopted, and the maximum error of that time.
    adopted_time: Mutex<Option<(Instant, Duration)>>,
    /// Notified when this node may run other tables than before.
    pub(crate) changed: Notify,
}

impl Default for Membership {
    fn default() -> Self {
        let this_node = NodeId::new(u64::from_le_bytes(random_bytes()));
        let (alive, is_cut_off, adopted_time, changed) = Default::default();
        Self { this_node, alive, is_cut_off, adopted_time, changed }
    }
}

impl Membership {
    /// Returns whether this node runs the bots and clocks of a table.
    pub(crate) fn runs(&self, table: TableId) -> bool {
        let alive = Arc::clone(&locked(&self.alive));
        // Rendezvous hashing: all nodes compute the same result, and if a node leaves, only its own tables move to
        // other nodes. If the database cannot be shared, the list is empty, and this node runs all tables.
        alive
            .iter()
            .max_by_key(|node| hash_number(node.number() ^ hash_number(table.number())))
            .is_none_or(|node| *node == self.this_node)
    }

    /// Sets the living nodes. Returns whether the list has changed.
    pub(crate) fn set_alive(&self, nodes: &[NodeId]) -> bool {
        let mut alive = locked(&self.alive);
        let has_changed = **alive != *nodes;
        if has_changed {
            *alive = nodes.into();
        }
        has_changed
    }

    /// Returns whether this node has lost its database, so that its state may be outdated.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.is_cut_off.load(Ordering::Relaxed)
    }

    /// Sets whether this node has lost its database. Returns the former value.
    pub(crate) fn set_cut_off(&self, is_cut_off: bool) -> bool {
        self.is_cut_off.swap(is_cut_off, Ordering::Relaxed)
    }

    /// Decides whether to adopt a time of the database, and if so, remembers its accuracy.
    ///
    /// `max_error` is the maximum error of the database's time, `difference` its distance from the local time. The
    /// database's time is adopted if it is more accurate than the local time, or if the distance is larger than both
    /// errors together, which proves that the local time is wrong.
    pub(crate) fn accepts_time(&self, max_error: Duration, difference: Duration) -> bool {
        let mut adopted_time = locked(&self.adopted_time);
        let local_error = adopted_time.map(|(adopted_at, max_error)| max_error + adopted_at.elapsed() / CLOCK_DRIFT);
        let is_accepted = local_error.is_none_or(|local| max_error <= local || difference > max_error + local);
        if is_accepted {
            *adopted_time = Some((Instant::now(), max_error));
        }
        is_accepted
    }
}

/// Hashes a number, so that adjacent numbers give very different results (the last step of `SplitMix64`).
const fn hash_number(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The membership as the node with this number knows it.
    fn membership(number: u64, alive: &[u64]) -> Membership {
        let membership = Membership { this_node: NodeId::new(number), ..Membership::default() };
        membership.set_alive(&alive.iter().copied().map(NodeId::new).collect::<Vec<_>>());
        membership
    }

    #[test]
    fn each_table_is_run_by_one_node_and_all_nodes_run_equally_many() {
        let alive = [3, 1 << 40, 77];
        let nodes = alive.map(|number| membership(number, &alive));
        let mut table_counts = [0; 3];
        for table in (0..3000).map(TableId::new) {
            let running: Vec<usize> = (0..3).filter(|&index| nodes[index].runs(table)).collect();
            assert_eq!(running.len(), 1, "table {table} is run by {} nodes", running.len());
            table_counts[running[0]] += 1;
        }
        assert!(table_counts.iter().all(|&count| (900..1100).contains(&count)), "{table_counts:?}");
    }

    #[test]
    fn only_the_tables_of_a_leaving_node_move() {
        let before = [3, 4, 5].map(|number| membership(number, &[3, 4, 5]));
        let after = [3, 4].map(|number| membership(number, &[3, 4]));
        for table in (0..1000).map(TableId::new) {
            for (before, after) in before.iter().zip(&after) {
                assert!(!before.runs(table) || after.runs(table), "table {table} moved away from a living node");
            }
        }
    }

    /// The arguments of `accepts_time`: the maximum error of the database's time, and its distance from the local time.
    #[test]
    fn database_time_is_adopted_if_more_accurate_or_contradicting() {
        let (node, ms) = (Membership::default(), Duration::from_millis);
        assert!(node.accepts_time(ms(200), ms(3_600_000)), "the first time is always adopted");
        assert!(!node.accepts_time(ms(300), ms(250)), "the database's time is less accurate");
        assert!(node.accepts_time(ms(3), ms(150)), "the database's time is more accurate");
        assert!(!node.accepts_time(ms(40), ms(20)), "both times may be right, and the local time is more accurate");
        assert!(node.accepts_time(ms(40), ms(60)), "the local time must be wrong");
        assert!(node.accepts_time(ms(40), ms(0)), "both times are equally accurate");
    }

    #[test]
    fn adopted_time_gets_less_accurate_by_drift() {
        let (node, ms) = (Membership::default(), Duration::from_millis);
        // One part in ten thousand: after 100 s the local clock may be off by another 10 ms.
        *locked(&node.adopted_time) = Some((Instant::now() - Duration::from_secs(100), ms(3)));
        assert!(!node.accepts_time(ms(20), ms(20)), "both times may be right, and the local time is more accurate");
        assert!(node.accepts_time(ms(12), ms(0)), "after 100 s the database's time is more accurate");
    }

    #[test]
    fn single_node_runs_all_tables() {
        assert!(Membership::default().runs(TableId::new(1)));
    }
}
