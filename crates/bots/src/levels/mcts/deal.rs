//! Samples the hidden cards for one iteration.

use sultan_domain::{Bid, Bids, BySeat, Cards, CardsInOrder, FaceDownBid, MoneyCard, Seat};
use sultan_rules::{Chance, Quick};
use tinyvec::ArrayVec;

use super::plan;
use crate::search::knowledge::Knowledge;
use crate::search::world::World;

/// The possible cards of each other seat, in an order that changes with every sample.
pub(super) struct Deal {
    unseen: BySeat<CardsInOrder>,
    /// The number of these cards in hand or face down.
    out: BySeat<usize>,
    others: ArrayVec<[Seat; 5]>,
    /// The face-down bids of other seats, with the weight of each card.
    face_down: ArrayVec<[(Seat, [u16; 16]); 5]>,
}

impl Deal {
    pub(super) fn new(knowledge: &Knowledge) -> Self {
        let public = &knowledge.public;
        let others = public.parameters.players.seats().filter(|&seat| seat != knowledge.seat).collect();
        let mut deal = Self { unseen: BySeat::default(), out: BySeat::default(), others, face_down: ArrayVec::new() };
        for seat in deal.others {
            deal.unseen[seat] = public.left[seat].iter().collect();
            deal.out[seat] = (public.out_of_deck(seat) as usize).min(deal.unseen[seat].len());
        }
        for (turn, bid) in public.placed.into_iter().enumerate() {
            if bid.seat != knowledge.seat {
                deal.face_down.push((bid.seat, integer_weights(&plan::face_down_probabilities(public, turn))));
            }
        }
        deal
    }

    /// Samples a possible game. Face-down cards are drawn with the weights of `plan`, all others uniformly.
    pub(super) fn imagine(&mut self, knowledge: &Knowledge, rng: &mut Quick) -> World {
        let mut placed = [0; 5];
        for &(seat, ref weights) in &self.face_down {
            let front = &mut placed[seat.index()];
            move_drawn_card_to_front(&mut self.unseen[seat][*front..], weights, rng);
            *front += 1;
        }
        let mut hands = BySeat::default();
        hands[knowledge.seat] = knowledge.hand;
        for seat in self.others {
            let cards = &mut self.unseen[seat];
            // Only the front needs shuffling: the remaining cards are in the deck.
            for place in placed[seat.index()]..self.out[seat] {
                let other = rng.below(u32::try_from(cards.len() - place).unwrap_or(1)) as usize;
                cards.swap(place, place + other);
            }
            hands[seat] = Cards::of(&cards[placed[seat.index()]..self.out[seat]]);
        }
        World { public: knowledge.public, hands, bids: self.bids(knowledge) }
    }

    /// The bids on the board, with the sampled cards.
    fn bids(&self, knowledge: &Knowledge) -> Bids {
        let mut own = knowledge.own.iter();
        let mut placed = [0; 5];
        let with_card = |bid: FaceDownBid| {
            let nth = &mut placed[bid.seat.index()];
            let dealt = self.unseen[bid.seat].get(*nth).copied();
            *nth += 1;
            let card = if bid.seat == knowledge.seat { own.next().map(|bid| bid.card) } else { dealt };
            Bid { seat: bid.seat, card: card.expect("each bid has its card"), cushion: bid.cushion }
        };
        knowledge.public.placed.into_iter().map(with_card).collect()
    }
}

/// Converts probabilities to integer weights.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to a thousand")]
fn integer_weights(weights: &[f32; 16]) -> [u16; 16] {
    let highest = weights.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    weights.map(|weight| (weight / highest * 1000.0) as u16 + 1)
}

/// Swaps a card to the front, drawn with these weights.
fn move_drawn_card_to_front(cards: &mut [MoneyCard], weights: &[u16; 16], rng: &mut Quick) {
    let weight = |card: MoneyCard| u32::from(weights[usize::from(card.value())]);
    let all: u32 = cards.iter().map(|&card| weight(card)).sum();
    let mut position = rng.below(all.max(1));
    let mut taken = 0;
    while taken + 1 < cards.len() && position >= weight(cards[taken]) {
        position -= weight(cards[taken]);
        taken += 1;
    }
    if taken < cards.len() {
        cards.swap(0, taken);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::{Observer, Players, Screens};
    use sultan_testkit::{Script, recall};

    #[test]
    fn sampled_deals_give_the_seat_the_same_view_as_the_real_deal() {
        let mut rng = Quick::new(5);
        for players in Players::ALL {
            let moments = Script::random(players, Screens::Closed, 8).moments();
            for (at, moment) in moments.iter().enumerate() {
                let Some(seat) = moment.game.to_act() else { continue };
                let observer = Observer::Seat(seat);
                let view = moment.game.view(observer);
                let knowledge = Knowledge::new(&view, &recall(&moments[..=at], observer), &mut rng).unwrap();
                let world = Deal::new(&knowledge).imagine(&knowledge, &mut rng);
                let real = moment.game.bids();
                let places = |bids: &Bids| bids.iter().map(|bid| (bid.seat, bid.cushion)).collect::<Vec<_>>();
                assert_eq!(places(&world.bids), places(&real));
                assert_eq!(world.hands[seat], knowledge.hand);
                for other in players.seats() {
                    let down = |bids: &Bids| bids.iter().filter(|bid| bid.seat == other).map(|bid| bid.card).collect();
                    let (imagined, actual): (Cards, Cards) = (down(&world.bids), down(&real));
                    assert_eq!(world.hands[other].len(), moment.game.hand(other).len());
                    assert!(other != seat || imagined == actual);
                    let rest = knowledge.public.left[other].without(imagined);
                    assert!(rest.and_then(|rest| rest.without(world.hands[other])).is_some());
                }
            }
        }
    }
}
