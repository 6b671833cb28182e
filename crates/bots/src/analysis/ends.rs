//! All ways in which a round may end, counted out: for the last round, where all cards are known.

use sultan_domain::BySeat;

use crate::character::Character;
use crate::net::brain::Brain;
use crate::world::{Common, World};

/// How each seat may bid, with the chance of each way.
pub(super) type Ways = BySeat<Vec<(Character, f64)>>;

/// A round to be counted out.
pub(super) struct Ends<'a> {
    brain: &'a Brain,
    common: Common,
    ways: &'a Ways,
    stop: &'a dyn Fn() -> bool,
}

/// With fewer bids to come, so little is left to count that nobody is asked whether to stop: it takes no millisecond.
const MANY: u8 = 3;

impl<'a> Ends<'a> {
    /// From this table on. A seat without ways bids as the nets do.
    pub(super) fn new(brain: &'a Brain, world: &World, ways: &'a Ways, stop: &'a dyn Fn() -> bool) -> Self {
        Self { brain, common: world.common(brain), ways, stop }
    }

    /// Shows every table to which the bids to come may lead, all cards placed but not turned up, with its chance.
    /// Nothing where it was stopped before it had shown all of them.
    pub(super) fn each(&self, world: &World, chance: f64, end: &mut impl FnMut(World, f64)) -> Option<()> {
        if world.public.is_full() {
            end(*world, chance);
            return Some(());
        }
        if world.public.turn() + MANY <= world.public.numbers.bids() && (self.stop)() {
            return None;
        }
        let known = world.known(world.public.bidder());
        let nets = [(Character::Nets, 1.0)];
        let ways = &self.ways[known.seat];
        // Several ways are for seats that bid once: a first bid would tell more about the second.
        for &(character, likely) in if ways.is_empty() { &nets } else { ways.as_slice() } {
            let mix = match character {
                Character::Nets => self.brain.bids(&known, &self.common.trunks[known.seat], &self.common.outlook),
                _ => character.bids(&known, &self.common.outlook),
            };
            for (card, cushion, share) in mix.iter().filter(|&(_, _, share)| share > 0.0) {
                let mut next = *world;
                next.bid(card, cushion);
                self.each(&next, chance * likely * f64::from(share), end)?;
            }
        }
        Some(())
    }
}
