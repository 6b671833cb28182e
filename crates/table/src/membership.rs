//! The nodes on a database: the living nodes, the node that runs a table, and the accuracy of this node's clock.

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
    pub(crate) own: NodeId,
    /// Sorted. Empty while this node is alone on its database.
    alive: Mutex<Arc<[NodeId]>>,
    /// Whether the database is down for this node, see `cluster`.
    cut_off: AtomicBool,
    /// When the time of the database was last adopted, and the maximum error of that time.
    clock: Mutex<Option<(Instant, Duration)>>,
    /// Notified when this node may run other tables than before.
    pub(crate) changed: Notify,
}

impl Default for Membership {
    fn default() -> Self {
        Self {
            own: NodeId::new(u64::from_le_bytes(random_bytes())),
            alive: Mutex::new(Arc::new([])),
            cut_off: AtomicBool::new(false),
            clock: Mutex::new(None),
            changed: Notify::new(),
        }
    }
}

impl Membership {
    /// Returns whether this node runs the bots and clocks of a table.
    pub(crate) fn runs(&self, table: TableId) -> bool {
        let alive = Arc::clone(&locked(&self.alive));
        // Rendezvous hashing: all nodes compute the same result, and if a node leaves, only its own tables move.
        alive.iter().max_by_key(|node| mix(node.number() ^ mix(table.number()))).is_none_or(|node| *node == self.own)
    }

    /// Sets the living nodes. Returns whether the list has changed.
    pub(crate) fn set_alive(&self, nodes: &[NodeId]) -> bool {
        let mut alive = locked(&self.alive);
        let changed = **alive != *nodes;
        if changed {
            *alive = nodes.into();
        }
        changed
    }

    /// Returns whether this node has lost its database, so that its state may be outdated.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.cut_off.load(Ordering::Relaxed)
    }

    /// Sets whether this node has lost its database. Returns the former value.
    pub(crate) fn set_cut_off(&self, cut_off: bool) -> bool {
        self.cut_off.swap(cut_off, Ordering::Relaxed)
    }

    /// Decides whether to adopt a time of the database. `error` is its maximum error, `difference` its distance from
    /// the local time. It is adopted if it is more accurate than the local time, or proves that the local time is
    /// wrong.
    pub(crate) fn accepts_time(&self, error: Duration, difference: Duration) -> bool {
        let mut clock = locked(&self.clock);
        let own_error = clock.map(|(when, error)| error + when.elapsed() / CLOCK_DRIFT);
        let accepts = own_error.is_none_or(|own| error <= own || difference > error + own);
        if accepts {
            *clock = Some((Instant::now(), error));
        }
        accepts
    }
}

/// Distributes adjacent numbers evenly (the last step of `SplitMix64`).
const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(own: u64, alive: &[u64]) -> Membership {
        let node = Membership { own: NodeId::new(own), ..Membership::default() };
        node.set_alive(&alive.iter().copied().map(NodeId::new).collect::<Vec<_>>());
        node
    }

    #[test]
    fn every_table_is_run_by_one_node_and_all_have_their_share() {
        let alive = [3, 1 << 40, 77];
        let nodes = alive.map(|own| node(own, &alive));
        let mut shares = [0; 3];
        for table in (0..3000).map(TableId::new) {
            let running: Vec<usize> = (0..3).filter(|&n| nodes[n].runs(table)).collect();
            assert_eq!(running.len(), 1, "{table}");
            shares[running[0]] += 1;
        }
        assert!(shares.iter().all(|&share| (900..1100).contains(&share)), "{shares:?}");
    }

    #[test]
    fn only_the_tables_of_a_leaving_node_move() {
        let before = [3, 4, 5].map(|own| node(own, &[3, 4, 5]));
        let after = [3, 4].map(|own| node(own, &[3, 4]));
        for table in (0..1000).map(TableId::new) {
            for n in 0..2 {
                assert!(!before[n].runs(table) || after[n].runs(table), "{table}");
            }
        }
    }

    #[test]
    fn database_time_is_adopted_if_more_accurate_or_contradicting() {
        let node = Membership::default();
        let ms = Duration::from_millis;
        assert!(node.accepts_time(ms(200), ms(3_600_000)), "the first time is always adopted");
        assert!(!node.accepts_time(ms(300), ms(250)), "less accurate");
        assert!(node.accepts_time(ms(3), ms(150)), "more accurate");
        assert!(!node.accepts_time(ms(40), ms(20)), "both may be right");
        assert!(node.accepts_time(ms(40), ms(60)), "the own time is wrong");
        assert!(node.accepts_time(ms(40), ms(0)), "as accurate");
    }

    #[test]
    fn adopted_time_gets_less_accurate_by_drift() {
        let (node, ms) = (Membership::default(), Duration::from_millis);
        // One part in ten thousand: after 100 s the local clock may be off by another 10 ms.
        *locked(&node.clock) = Some((Instant::now() - Duration::from_secs(100), ms(3)));
        assert!(!node.accepts_time(ms(20), ms(20)), "both may be right, and the own one is still more accurate");
        assert!(node.accepts_time(ms(12), ms(0)), "more accurate by now");
    }

    #[test]
    fn single_node_runs_all_tables() {
        assert!(Membership::default().runs(TableId::new(1)));
    }
}
