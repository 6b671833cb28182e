//! Plays games to their end: all seats play by a policy, with the same random numbers at all tables that are compared.

use sultan_bots::search::math::random_unit;
use sultan_bots::search::{Policy, World};
use sultan_domain::{Cards, MoneyCard};
use sultan_rules::{FastRng, shuffle};

use super::rng_for;

/// The seed of all random numbers of one playout. From every starting position, the same luck gives the same hands, the
/// same draws as far as the pouch allows, and the same choices. So the results of two positions can be compared without
/// differences caused by luck.
#[derive(Clone, Copy)]
pub(super) struct Luck(pub(super) u64);

/// The purposes of the random numbers within a round. Each has its own generator, so that choices for one purpose do
/// not affect choices for another.
#[derive(Clone, Copy)]
enum Purpose {
    Hands,
    Draw,
    Offer,
    Bids,
}

impl Luck {
    fn rng(self, world: &World, purpose: Purpose) -> FastRng {
        // Four numbers per round, one for each purpose.
        rng_for(self.0, 4 * u64::from(world.public.round_index) + purpose as u64)
    }
}

/// Plays a game to its end from any position.
pub(super) fn play_out(policy: &dyn Policy, world: &mut World, luck: Luck) {
    while !world.public.is_over() {
        play_round(policy, world, luck);
    }
}

/// Plays the current round to its end.
fn play_round(policy: &dyn Policy, world: &mut World, luck: Luck) {
    let placed_bids = world.public.turn();
    let first = world.public.first;
    if world.public.offer.is_empty() {
        if world.public.drawn.is_empty() {
            // Hands are empty before a draw only at the start of a stage.
            if world.hands[first].is_empty() {
                deal_hands(world, luck.rng(world, Purpose::Hands));
            }
            world.public.draw(&mut luck.rng(world, Purpose::Draw));
        }
        let mix = policy.offers(&world.knowledge(first));
        let offer = mix.offers[mix.pick(&mut luck.rng(world, Purpose::Offer))];
        world.public.make_offer(offer);
    }
    let mut bid_rng = luck.rng(world, Purpose::Bids);
    // Every bid uses one random number. Skip the numbers of the bids already placed, so that each later bid gets the
    // same number from every starting position.
    (0..placed_bids).for_each(|_| _ = random_unit(&mut bid_rng));
    let context = world.context(policy);
    world.finish_bids(policy, &context, &mut bid_rng);
    world.settle();
}

/// Deals a random hand to each seat from its unrevealed cards, at the start of a stage. The real hands are not used.
fn deal_hands(world: &mut World, mut rng: FastRng) {
    let hand_size = usize::from(world.public.parameters.hand_size());
    for seat in world.public.parameters.players.seats() {
        let mut cards: Vec<MoneyCard> = world.public.left[seat].iter().collect();
        shuffle(&mut cards, &mut rng);
        cards.truncate(hand_size);
        world.hands[seat] = Cards::of(&cards);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_bots::Nets;
    use sultan_bots::search::PublicState;
    use sultan_domain::{Bids, BySeat, Parameters, Players, Seat};

    #[test]
    fn playouts_with_the_same_luck_end_the_same_from_any_earlier_position() {
        for players in Players::ALL {
            let net_set = &Nets::shipped(players).net_set;
            let public = PublicState::start(Parameters::of(players), Seat::default());
            let start = World { public, hands: BySeat::default(), bids: Bids::new() };
            let end = |seed| {
                let mut world = start;
                play_out(net_set, &mut world, Luck(seed));
                world.public
            };
            assert_eq!(end(1), end(1));
            assert_ne!(end(1).collections, end(2).collections);
            assert!(end(3).is_over() && players.seats().all(|seat| end(3).left[seat].is_empty()));
            // A playout that starts after the first round ends the same.
            let mut after_first_round = start;
            play_round(net_set, &mut after_first_round, Luck(5));
            play_out(net_set, &mut after_first_round, Luck(5));
            assert_eq!(after_first_round.public, end(5));
        }
    }
}
