//! Enumerates all possible ends of the last round (the tables at which all cards are placed), with their probabilities.
//!
//! Used by `consider` (from one seat's knowledge) and `open` (with all cards open).

use sultan_bots::search::{Character, Policy, RoundContext, World};
use sultan_domain::BySeat;

/// The possible characters (models of play) of each seat, with their probabilities.
pub(super) type PossibleCharacters = BySeat<Vec<(Character, f64)>>;

/// The enumeration of the ends of one round.
pub(super) struct Ends<'a> {
    policy: &'a dyn Policy,
    /// The results of the nets that are the same for all bids of the round.
    context: RoundContext,
    characters: &'a PossibleCharacters,
    stop: &'a dyn Fn() -> bool,
}

/// With fewer remaining bids than this, `stop` is not called: the enumeration takes less than a millisecond.
const MIN_BIDS_FOR_STOP: u8 = 3;

impl<'a> Ends<'a> {
    /// Prepares the enumeration from this table. A seat without an entry in `characters` plays like the policy.
    pub(super) fn new(
        policy: &'a dyn Policy,
        world: &World,
        characters: &'a PossibleCharacters,
        stop: &'a dyn Fn() -> bool,
    ) -> Self {
        Self { policy, context: world.context(policy), characters, stop }
    }

    /// Tries all remaining bids from a table that is reached with this probability. Calls `visit_end` with every end
    /// and its probability. `None` if `stop` returned `true` before all ends were visited.
    pub(super) fn visit(&self, world: &World, probability: f64, visit_end: &mut impl FnMut(World, f64)) -> Option<()> {
        if world.public.is_full() {
            visit_end(*world, probability);
            return Some(());
        }
        if world.public.turn() + MIN_BIDS_FOR_STOP <= world.public.parameters.bids_per_round() && (self.stop)() {
            return None;
        }
        let knowledge = world.knowledge(world.public.bidder());
        let nets = [(Character::Nets, 1.0)];
        let characters = &self.characters[knowledge.seat];
        // The loop ignores that a bid changes the probabilities of the characters for the seat's next bid. This is
        // correct because a seat that bids twice has only one character here.
        for &(character, likelihood) in if characters.is_empty() { &nets } else { characters.as_slice() } {
            let (trunk, outlook) = (&self.context.trunks[knowledge.seat], &self.context.outlook);
            let mix = self.policy.bids_as(character, &knowledge, trunk, outlook);
            for (card, cushion, share) in mix.iter().filter(|&(_, _, share)| share > 0.0) {
                let mut next = *world;
                next.bid(card, cushion);
                self.visit(&next, probability * likelihood * f64::from(share), visit_end)?;
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

    /// Enumerates the ends of a round from its offer, which is reached with the probability 0.5. Returns the sum of the
    /// probabilities of all ends, and of the ends in which the last seat bids on the first cushion.
    fn end_probabilities(characters: &PossibleCharacters) -> (f64, f64) {
        let three = Players::new(3).unwrap();
        let mut public = PublicState::start(Parameters::of(three), Seat::default());
        let drawn = [Jewel::Red, Jewel::Yellow, Jewel::Green, Jewel::White];
        public.drawn = Drawn::new(&drawn).unwrap();
        public.make_offer(Offer::new(&drawn[..3]).unwrap());
        let world = World { public, hands: BySeat([Cards::full(2, 1); 5]), bids: Bids::new() };
        let (mut all, mut on_first_cushion) = (0.0, 0.0);
        let net_set = &Nets::shipped(three).net_set;
        let ends = Ends::new(net_set, &world, characters, &|| false);
        let finished = ends.visit(&world, 0.5, &mut |end, probability| {
            assert!(end.public.is_full());
            let last_bid = end.bids.into_iter().last().unwrap();
            all += probability;
            on_first_cushion += if last_bid.cushion.index() == 0 { probability } else { 0.0 };
        });
        assert_eq!(finished, Some(()));
        (all, on_first_cushion)
    }

    #[test]
    fn end_probabilities_add_up_to_that_of_the_start() {
        let is_near = |one: f64, other: f64| (one - other).abs() < 1e-5;
        // The last seat plays like the nets, then at random, then like either with these probabilities.
        let (all, by_nets) = end_probabilities(&PossibleCharacters::default());
        assert!(is_near(all, 0.5), "{all}");
        let mut characters = PossibleCharacters::default();
        let last_seat = Seat::new(2).unwrap();
        characters[last_seat] = vec![(Character::Random, 1.0)];
        let (all, by_random) = end_probabilities(&characters);
        assert!(is_near(all, 0.5) && !is_near(by_nets, by_random), "{all} {by_nets} {by_random}");
        characters[last_seat] = vec![(Character::Nets, 0.25), (Character::Random, 0.75)];
        let (all, by_either) = end_probabilities(&characters);
        assert!(is_near(all, 0.5) && is_near(by_either, 0.25 * by_nets + 0.75 * by_random), "{all} {by_either}");
    }
}
