//! Counts out the last round: every way in which it may end, with its probability.
//!
//! Used by `consider` (from one seat's knowledge) and `open` (with all cards open).

use sultan_bots::search::{Character, Common, Policy, World};
use sultan_domain::BySeat;

/// How each seat may bid, with the chance of each way.
pub(super) type Ways = BySeat<Vec<(Character, f64)>>;

/// A round to be counted out.
pub(super) struct Ends<'a> {
    policy: &'a dyn Policy,
    common: Common,
    ways: &'a Ways,
    stop: &'a dyn Fn() -> bool,
}

/// With fewer bids to come, so little is left to count that nobody is asked whether to stop: it takes no millisecond.
const MANY: u8 = 3;

impl<'a> Ends<'a> {
    /// From this table on. A seat without ways bids by the policy.
    pub(super) fn new(policy: &'a dyn Policy, world: &World, ways: &'a Ways, stop: &'a dyn Fn() -> bool) -> Self {
        Self { policy, common: world.common(policy), ways, stop }
    }

    /// Shows every table to which the bids to come may lead, all cards placed but not turned up, with its chance.
    /// Nothing where it was stopped before it had shown all of them.
    pub(super) fn each(&self, world: &World, chance: f64, end: &mut impl FnMut(World, f64)) -> Option<()> {
        if world.public.is_full() {
            end(*world, chance);
            return Some(());
        }
        if world.public.turn() + MANY <= world.public.parameters.bids() && (self.stop)() {
            return None;
        }
        let known = world.known(world.public.bidder());
        let nets = [(Character::Nets, 1.0)];
        let ways = &self.ways[known.seat];
        // Several ways are for seats that bid once: a first bid would tell more about the second.
        for &(character, likely) in if ways.is_empty() { &nets } else { ways.as_slice() } {
            let (trunk, outlook) = (&self.common.trunks[known.seat], &self.common.outlook);
            let mix = self.policy.bids_as(character, &known, trunk, outlook);
            for (card, cushion, share) in mix.iter().filter(|&(_, _, share)| share > 0.0) {
                let mut next = *world;
                next.bid(card, cushion);
                self.each(&next, chance * likely * f64::from(share), end)?;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_bots::Nets;
    use sultan_bots::search::Public;
    use sultan_domain::{Bids, Cards, Drawn, Jewel, Offer, Parameters, Players, Seat};

    /// How likely all ends are together, and how likely it is that the last seat has bid on the first cushion by then.
    fn counted(ways: &Ways) -> (f64, f64) {
        let three = Players::new(3).unwrap();
        let mut public = Public::start(Parameters::of(three), Seat::default());
        let drawn = [Jewel::Red, Jewel::Yellow, Jewel::Green, Jewel::White];
        public.drawn = Drawn::new(&drawn).unwrap();
        public.make_offer(Offer::new(&drawn[..3]).unwrap());
        let world = World { public, hands: BySeat([Cards::full(2, 1); 5]), bids: Bids::new() };
        let (mut all, mut first) = (0.0, 0.0);
        let brain = &Nets::shipped(three).brain;
        let shown = Ends::new(brain, &world, ways, &|| false).each(&world, 0.5, &mut |after, chance| {
            assert!(after.public.is_full());
            let last = after.bids.into_iter().last().unwrap();
            all += chance;
            first += if last.cushion.index() == 0 { chance } else { 0.0 };
        });
        assert_eq!(shown, Some(()));
        (all, first)
    }

    #[test]
    fn the_ends_are_together_as_likely_as_the_beginning() {
        let is_near = |one: f64, other: f64| (one - other).abs() < 1e-5;
        let (all, by_nets) = counted(&Ways::default());
        assert!(is_near(all, 0.5), "{all}");
        let mut ways = Ways::default();
        let last = Seat::new(2).unwrap();
        ways[last] = vec![(Character::Random, 1.0)];
        let (all, by_chance) = counted(&ways);
        assert!(is_near(all, 0.5) && !is_near(by_nets, by_chance), "{all} {by_nets} {by_chance}");
        ways[last] = vec![(Character::Nets, 0.25), (Character::Random, 0.75)];
        let (all, by_either) = counted(&ways);
        assert!(is_near(all, 0.5) && is_near(by_either, 0.25 * by_nets + 0.75 * by_chance), "{all} {by_either}");
    }
}
