//! What a node knows of itself and of the others on its database: who lives, whose tables are whose, and what time it is.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sultan_domain::TableId;
use sultan_store::NodeId;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::publish::locked;
use crate::token::random_bytes;

/// So much a clock may go wrong, of the time that has passed.
const DRIFT: u32 = 10_000;

/// What a node knows of itself and the others.
pub(crate) struct Neighbours {
    pub(crate) own: NodeId,
    /// Who lives, in order. Nobody while a node is alone on its database.
    living: Mutex<Arc<[NodeId]>>,
    pub(crate) cut_off: AtomicBool,
    /// The database answers, though this node still counts as cut off.
    pub(crate) answers_again: Notify,
    /// When the database last said what time it is, and how far that may be off.
    told_time: Mutex<Option<(Instant, Duration)>>,
    /// Somebody came or went, or something may have been missed.
    pub(crate) look_through: Notify,
    /// Tables that have changed elsewhere, are this node's to attend to, and are not known here.
    pub(crate) unknown: Mutex<BTreeSet<TableId>>,
    pub(crate) unknown_came: Notify,
}

impl Default for Neighbours {
    fn default() -> Self {
        Self {
            own: NodeId::new(u64::from_le_bytes(random_bytes())),
            living: Mutex::new(Arc::new([])),
            cut_off: AtomicBool::new(false),
            answers_again: Notify::new(),
            told_time: Mutex::new(None),
            look_through: Notify::new(),
            unknown: Mutex::default(),
            unknown_came: Notify::new(),
        }
    }
}

impl Neighbours {
    /// Whether it is this node that lets bots act and clocks run at a table.
    pub(crate) fn attends(&self, table: TableId) -> bool {
        let living = Arc::clone(&locked(&self.living));
        // Everybody comes to the same, and whoever goes leaves only its own tables to others.
        living
            .iter()
            .max_by_key(|node| mixed(node.number() ^ mixed(table.number())))
            .is_none_or(|node| *node == self.own)
    }

    /// Whether the database has not answered for long.
    pub(crate) fn is_cut_off(&self) -> bool {
        self.cut_off.load(Ordering::Relaxed)
    }

    /// Takes in that the database has said what time it is, which may be off by this much, and is away from the time here by that
    /// much. Says whether to believe it: where it is surer than what is known, or cannot be where that is right.
    pub(crate) fn believes(&self, off: Duration, away: Duration) -> bool {
        let mut told = locked(&self.told_time);
        let known = told.map(|(when, off)| off + when.elapsed() / DRIFT);
        let believes = known.is_none_or(|known| off <= known || away > off + known);
        if believes {
            *told = Some((Instant::now(), off));
        }
        believes
    }

    /// Takes in who lives. Says whether that is news.
    pub(crate) fn meet(&self, nodes: &[NodeId]) -> bool {
        let mut living = locked(&self.living);
        let news = **living != *nodes;
        if news {
            *living = nodes.into();
        }
        news
    }
}

/// Numbers that are near each other come out far apart (the last step of `SplitMix64`).
const fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(own: u64, living: &[u64]) -> Neighbours {
        let node = Neighbours { own: NodeId::new(own), ..Neighbours::default() };
        node.meet(&living.iter().copied().map(NodeId::new).collect::<Vec<_>>());
        node
    }

    #[test]
    fn every_table_has_one_node_and_all_have_their_share() {
        let living = [3, 1 << 40, 77];
        let nodes = living.map(|own| node(own, &living));
        let mut shares = [0; 3];
        for table in (0..3000).map(TableId::new) {
            let attending: Vec<usize> = (0..3).filter(|&n| nodes[n].attends(table)).collect();
            assert_eq!(attending.len(), 1, "{table}");
            shares[attending[0]] += 1;
        }
        assert!(shares.iter().all(|&share| (900..1100).contains(&share)), "{shares:?}");
    }

    #[test]
    fn who_goes_leaves_only_its_own_tables() {
        let before = [3, 4, 5].map(|own| node(own, &[3, 4, 5]));
        let after = [3, 4].map(|own| node(own, &[3, 4]));
        for table in (0..1000).map(TableId::new) {
            for n in 0..2 {
                assert!(!before[n].attends(table) || after[n].attends(table), "{table}");
            }
        }
    }

    #[test]
    fn the_time_is_believed_where_it_is_surer_or_must_be_right() {
        let node = Neighbours::default();
        let ms = Duration::from_millis;
        assert!(node.believes(ms(200), ms(3_600_000)), "nothing was known");
        assert!(!node.believes(ms(300), ms(250)), "it is less sure");
        assert!(node.believes(ms(3), ms(150)), "it is surer");
        assert!(!node.believes(ms(40), ms(20)), "both may be right");
        assert!(node.believes(ms(40), ms(60)), "what was known is wrong");
        // It is as sure as what is known.
        assert!(node.believes(ms(40), ms(0)));
    }

    #[test]
    fn what_was_told_long_ago_is_less_sure() {
        let (node, ms) = (Neighbours::default(), Duration::from_millis);
        // A clock that goes wrong by one in ten thousand is off by another 10 ms by now.
        *locked(&node.told_time) = Some((Instant::now() - Duration::from_secs(100), ms(3)));
        assert!(!node.believes(ms(20), ms(20)), "both may be right, and what was known is still surer");
        assert!(node.believes(ms(12), ms(0)), "it is surer by now");
    }

    #[test]
    fn a_node_that_is_alone_attends_to_all() {
        assert!(Neighbours::default().attends(TableId::new(1)));
    }
}
