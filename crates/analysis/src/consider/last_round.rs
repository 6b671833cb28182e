//! Counts out the options of a decision in the last round (`ends`), from what the deciding seat knows.

use sultan_bots::search::net::Worth;
use sultan_bots::search::{Guess, Known, Search, World};
use sultan_domain::{Action, Bids, BySeat};

use super::{Sum, scaled, takers_at};
use crate::ends::{Ends, Ways};

/// What comes of every option in the last round: all that may come, each with its chance. Nothing is left to chance but
/// how the others choose. Nothing where it was stopped.
pub(super) fn counted_out(search: &mut Search, actions: &[Action]) -> Option<Vec<Sum>> {
    for belief in &mut search.beliefs {
        belief.count_out(&search.history);
    }
    let mut sums = vec![Sum::default(); actions.len()];
    for (world, ways, chance) in tables(search) {
        for (&action, sum) in actions.iter().zip(&mut sums) {
            if (search.stop)() {
                return None;
            }
            let mut after = world;
            match action {
                Action::Offer(offer) => after.public.make_offer(offer),
                Action::Bid { card, cushion } => after.bid(card, cushion),
            }
            add_ends(search, &after, &ways, chance, sum)?;
        }
    }
    // Shares are rounded, so that together they may be a little more or less than 1.
    Some(sums.iter().map(|sum| scaled(sum, 1.0 / sum.chance)).collect())
}

/// Adds every end that may come from a table on; nothing where it was stopped.
fn add_ends(search: &Search, world: &World, ways: &Ways, chance: f64, sum: &mut Sum) -> Option<()> {
    let seat = search.known.seat;
    Ends::new(search.policy, world, ways, search.stop).each(world, chance, &mut |mut after, chance| {
        let takers = takers_at(&after);
        after.settle();
        sum.add(Worth::at_the_end(&after.public, seat), &takers, chance);
    })
}

/// Every table that may be, in the last round: where one other seat plays, one for each way its cards may lie; where
/// more do, each has a single card, and they differ only in how they bid.
fn tables(search: &Search) -> Vec<(World, Ways, f64)> {
    let known = search.known;
    let mut world = World { public: known.public, hands: BySeat::default(), bids: known.own };
    world.hands[known.seat] = known.hand;
    let placed = |belief_bids: &BySeat<_>| in_order(known, belief_bids);
    if let [belief] = search.beliefs.as_slice() {
        let table = |(guess, chance): (&Guess, f64)| {
            let (mut world, mut ways, mut bids) = (world, Ways::default(), BySeat::default());
            world.hands[belief.seat] = guess.hand;
            bids[belief.seat] = guess.bids;
            world.bids = placed(&bids);
            ways[belief.seat] = vec![(guess.character, 1.0)];
            (world, ways, chance)
        };
        return belief.guesses().map(table).collect();
    }
    let (mut ways, mut bids) = (Ways::default(), BySeat::default());
    for belief in &search.beliefs {
        for (guess, chance) in belief.guesses() {
            world.hands[belief.seat] = guess.hand;
            bids[belief.seat] = guess.bids;
            ways[belief.seat].push((guess.character, chance));
        }
    }
    world.bids = placed(&bids);
    vec![(world, ways, 1.0)]
}

/// All cards placed, in the order in which they were, given those of the other seats.
fn in_order(known: &Known, others: &BySeat<Bids>) -> Bids {
    let mut each = others.0.map(IntoIterator::into_iter);
    each[known.seat.index()] = known.own.into_iter();
    known.public.placed.iter().filter_map(|bid| each[bid.seat.index()].next()).collect()
}
