//! Computes the results of each option of a decision in the last round, from the knowledge of the deciding seat. All
//! continuations are enumerated (`ends`), so no random numbers are needed.

use sultan_bots::search::net::SeatValue;
use sultan_bots::search::{Guess, Knowledge, Search, World};
use sultan_domain::{Action, Bids, BySeat};

use super::{OptionResult, jewel_winners};
use crate::ends::{Ends, PossibleCharacters};

/// A possible table, with the possible characters of the other seats and the probability of the table.
struct PossibleTable {
    world: World,
    characters: PossibleCharacters,
    probability: f64,
}

/// The exact results of every option in the last round: the mean over all continuations, weighted with their
/// probabilities. `None` if `stop` returned `true`.
pub(super) fn enumerated(search: &mut Search, actions: &[Action]) -> Option<Vec<OptionResult>> {
    for belief in &mut search.beliefs {
        belief.enumerate_hands(&search.history);
    }
    let mut results = vec![OptionResult::default(); actions.len()];
    for PossibleTable { world, characters, probability } in possible_tables(search) {
        for (&action, result) in actions.iter().zip(&mut results) {
            if (search.stop)() {
                return None;
            }
            // The table after this option, before all later bids.
            let mut after = world;
            match action {
                Action::Offer(offer) => after.public.make_offer(offer),
                Action::Bid { card, cushion } => after.bid(card, cushion),
            }
            let ends = Ends::new(search.policy, &after, &characters, search.stop);
            ends.visit(&after, probability, &mut |mut end, probability| {
                let jewel_chances = jewel_winners(&end);
                end.settle();
                result.add(SeatValue::at_the_end(&end.public, search.knowledge.seat), &jewel_chances, probability);
            })?;
        }
    }
    // The probabilities are rounded, so their sum may differ slightly from 1.
    Some(results.iter().map(OptionResult::mean).collect())
}

/// All possible tables in the last round. With a single other seat: a table for each division of its cards into hand
/// and face-down cards. With several other seats, each of them has a single card, so only one table is possible, and
/// only the characters are unknown.
fn possible_tables(search: &Search) -> Vec<PossibleTable> {
    let knowledge = search.knowledge;
    let mut world = World { public: knowledge.public, hands: BySeat::default(), bids: knowledge.own };
    world.hands[knowledge.seat] = knowledge.hand;
    if let [belief] = search.beliefs.as_slice() {
        let table = |(guess, probability): (&Guess, f64)| {
            let (mut world, mut characters, mut bids) = (world, PossibleCharacters::default(), BySeat::default());
            world.hands[belief.seat] = guess.hand;
            bids[belief.seat] = guess.bids;
            world.bids = in_order(knowledge, &bids);
            characters[belief.seat] = vec![(guess.character, 1.0)];
            PossibleTable { world, characters, probability }
        };
        return belief.guesses().map(table).collect();
    }
    let (mut characters, mut bids) = (PossibleCharacters::default(), BySeat::default());
    for belief in &search.beliefs {
        for (guess, probability) in belief.guesses() {
            world.hands[belief.seat] = guess.hand;
            bids[belief.seat] = guess.bids;
            characters[belief.seat].push((guess.character, probability));
        }
    }
    world.bids = in_order(knowledge, &bids);
    vec![PossibleTable { world, characters, probability: 1.0 }]
}

/// All bids of the round in the order in which they were placed, given the bids of each other seat.
fn in_order(knowledge: &Knowledge, others: &BySeat<Bids>) -> Bids {
    let mut bids_by_seat = others.0.map(IntoIterator::into_iter);
    bids_by_seat[knowledge.seat.index()] = knowledge.own.into_iter();
    knowledge.public.placed.iter().filter_map(|bid| bids_by_seat[bid.seat.index()].next()).collect()
}
