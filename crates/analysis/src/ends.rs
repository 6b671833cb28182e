//! Enumerates the ends of the last round, with their probabilities.
//!
//! Used by `consider` (from one seat's knowledge) and `open` (with all cards open).

use sultan_bots::search::{Character, Policy, RoundContext, World};
use sultan_domain::BySeat;

/// The possible characters of each seat, with their probabilities.
pub(super) type CharacterOdds = BySeat<Vec<(Character, f64)>>;

/// A round to be enumerated.
pub(super) struct Ends<'a> {
    policy: &'a dyn Policy,
    context: RoundContext,
    characters: &'a CharacterOdds,
    stop: &'a dyn Fn() -> bool,
}

/// With fewer remaining bids, `stop` is not checked: the enumeration takes less than a millisecond.
const MANY: u8 = 3;

impl<'a> Ends<'a> {
    /// Enumerates from this table. A seat without characters bids by the policy.
    pub(super) fn new(
        policy: &'a dyn Policy,
        world: &World,
        characters: &'a CharacterOdds,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        Self { policy, context: world.context(policy), characters, stop }
    }

    /// Calls `end` with every possible table at the end of bidding, cards not yet revealed, and its probability. `None`
    /// if stopped before all were visited.
    pub(super) fn each(&self, world: &World, chance: f64, end: &mut impl FnMut(World, f64)) -> Option<()> {
        if world.public.is_full() {
            end(*world, chance);
            return Some(());
        }
        if world.public.turn() + MANY <= world.public.parameters.bids() && (self.stop)() {
            return None;
        }
        let knowledge = world.knowledge(world.public.bidder());
        let nets = [(Character::Nets, 1.0)];
        let characters = &self.characters[knowledge.seat];
        // A seat has several characters only if it bids once: a first bid would change their probabilities for the
        // second.
        for &(character, likely) in if characters.is_empty() { &nets } else { characters.as_slice() } {
            let (trunk, outlook) = (&self.context.trunks[knowledge.seat], &self.context.outlook);
            let mix = self.policy.bids_as(character, &knowledge, trunk, outlook);
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
    use sultan_bots::search::PublicState;
    use sultan_domain::{Bids, Cards, Drawn, Jewel, Offer, Parameters, Players, Seat};

    /// The total probability of all ends, and the probability that the last seat bids on the first cushion.
    fn counted(characters: &CharacterOdds) -> (f64, f64) {
        let three = Players::new(3).unwrap();
        let mut public = PublicState::start(Parameters::of(three), Seat::default());
        let drawn = [Jewel::Red, Jewel::Yellow, Jewel::Green, Jewel::White];
        public.drawn = Drawn::new(&drawn).unwrap();
        public.make_offer(Offer::new(&drawn[..3]).unwrap());
        let world = World { public, hands: BySeat([Cards::full(2, 1); 5]), bids: Bids::new() };
        let (mut all, mut first) = (0.0, 0.0);
        let net_set = &Nets::shipped(three).net_set;
        let shown = Ends::new(net_set, &world, characters, &|| false).each(&world, 0.5, &mut |after, chance| {
            assert!(after.public.is_full());
            let last = after.bids.into_iter().last().unwrap();
            all += chance;
            first += if last.cushion.index() == 0 { chance } else { 0.0 };
        });
        assert_eq!(shown, Some(()));
        (all, first)
    }

    #[test]
    fn end_probabilities_add_up_to_that_of_the_start() {
        let is_near = |one: f64, other: f64| (one - other).abs() < 1e-5;
        let (all, by_nets) = counted(&CharacterOdds::default());
        assert!(is_near(all, 0.5), "{all}");
        let mut characters = CharacterOdds::default();
        let last = Seat::new(2).unwrap();
        characters[last] = vec![(Character::Random, 1.0)];
        let (all, by_chance) = counted(&characters);
        assert!(is_near(all, 0.5) && !is_near(by_nets, by_chance), "{all} {by_nets} {by_chance}");
        characters[last] = vec![(Character::Nets, 0.25), (Character::Random, 0.75)];
        let (all, by_either) = counted(&characters);
        assert!(is_near(all, 0.5) && is_near(by_either, 0.25 * by_nets + 0.75 * by_chance), "{all} {by_either}");
    }
}
