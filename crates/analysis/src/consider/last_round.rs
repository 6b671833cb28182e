//! Enumerates the options of a decision in the last round (`ends`), from the knowledge of the deciding seat.

use sultan_bots::search::net::SeatValue;
use sultan_bots::search::{Guess, Knowledge, Search, World};
use sultan_domain::{Action, Bids, BySeat};

use super::{Sum, scaled, takers_at};
use crate::ends::{CharacterOdds, Ends};

/// The exact results of every option in the last round: all continuations with their probabilities, where only the
/// choices of other seats are random. `None` if stopped.
pub(super) fn enumerated(search: &mut Search, actions: &[Action]) -> Option<Vec<Sum>> {
    for belief in &mut search.beliefs {
        belief.enumerate_hands(&search.history);
    }
    let mut sums = vec![Sum::default(); actions.len()];
    for (world, characters, chance) in tables(search) {
        for (&action, sum) in actions.iter().zip(&mut sums) {
            if (search.stop)() {
                return None;
            }
            let mut after = world;
            match action {
                Action::Offer(offer) => after.public.make_offer(offer),
                Action::Bid { card, cushion } => after.bid(card, cushion),
            }
            add_ends(search, &after, &characters, chance, sum)?;
        }
    }
    // Shares are rounded, so the total may differ slightly from 1.
    Some(sums.iter().map(|sum| scaled(sum, 1.0 / sum.chance)).collect())
}

/// Adds all ends that follow from a table; `None` if stopped.
fn add_ends(search: &Search, world: &World, characters: &CharacterOdds, chance: f64, sum: &mut Sum) -> Option<()> {
    let seat = search.knowledge.seat;
    Ends::new(search.policy, world, characters, search.stop).each(world, chance, &mut |mut after, chance| {
        let takers = takers_at(&after);
        after.settle();
        sum.add(SeatValue::at_the_end(&after.public, seat), &takers, chance);
    })
}

/// All possible tables in the last round. With one other seat, a table for each division of its cards into hand and
/// face-down bids. With more, each has a single card, so only their characters are unknown.
fn tables(search: &Search) -> Vec<(World, CharacterOdds, f64)> {
    let knowledge = search.knowledge;
    let mut world = World { public: knowledge.public, hands: BySeat::default(), bids: knowledge.own };
    world.hands[knowledge.seat] = knowledge.hand;
    let placed = |belief_bids: &BySeat<_>| in_order(knowledge, belief_bids);
    if let [belief] = search.beliefs.as_slice() {
        let table = |(guess, chance): (&Guess, f64)| {
            let (mut world, mut characters, mut bids) = (world, CharacterOdds::default(), BySeat::default());
            world.hands[belief.seat] = guess.hand;
            bids[belief.seat] = guess.bids;
            world.bids = placed(&bids);
            characters[belief.seat] = vec![(guess.character, 1.0)];
            (world, characters, chance)
        };
        return belief.guesses().map(table).collect();
    }
    let (mut characters, mut bids) = (CharacterOdds::default(), BySeat::default());
    for belief in &search.beliefs {
        for (guess, chance) in belief.guesses() {
            world.hands[belief.seat] = guess.hand;
            bids[belief.seat] = guess.bids;
            characters[belief.seat].push((guess.character, chance));
        }
    }
    world.bids = placed(&bids);
    vec![(world, characters, 1.0)]
}

/// All bids in order of placement, given those of the other seats.
fn in_order(knowledge: &Knowledge, others: &BySeat<Bids>) -> Bids {
    let mut each = others.0.map(IntoIterator::into_iter);
    each[knowledge.seat.index()] = knowledge.own.into_iter();
    knowledge.public.placed.iter().filter_map(|bid| each[bid.seat.index()].next()).collect()
}
