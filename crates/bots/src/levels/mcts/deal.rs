//! Samples the hidden cards for one iteration.

use sultan_domain::{Bid, Bids, BySeat, Cards, CardsInOrder, FaceDownBid, MoneyCard, Seat};
use sultan_rules::{Chance, FastRng};
use tinyvec::ArrayVec;

use super::plan;
use crate::search::knowledge::Knowledge;
use crate::search::world::World;

/// The unrevealed cards of each other seat. A sample reorders them: first the seat's face-down cards, then its hand,
/// then its deck.
pub(super) struct Deal {
    unrevealed: BySeat<CardsInOrder>,
    /// The number of each seat's unrevealed cards that are in its hand or face down, not in its deck.
    out_of_deck: BySeat<usize>,
    /// The face-down bids of other seats, with the weight of each card by its value.
    face_down: ArrayVec<[(Seat, [u16; 16]); 5]>,
}

impl Deal {
    pub(super) fn new(knowledge: &Knowledge) -> Self {
        let public = &knowledge.public;
        let mut deal =
            Self { unrevealed: BySeat::default(), out_of_deck: BySeat::default(), face_down: ArrayVec::new() };
        for seat in knowledge.others() {
            deal.unrevealed[seat] = public.left[seat].iter().collect();
            deal.out_of_deck[seat] = (public.out_of_deck(seat) as usize).min(deal.unrevealed[seat].len());
        }
        for (turn, bid) in public.placed.into_iter().enumerate() {
            if bid.seat != knowledge.seat {
                deal.face_down.push((bid.seat, integer_weights(&plan::face_down_probabilities(public, turn))));
            }
        }
        deal
    }

    /// Samples a possible game. Face-down cards are drawn with the weights of `plan`, hands uniformly.
    pub(super) fn imagine(&mut self, knowledge: &Knowledge, rng: &mut FastRng) -> World {
        let mut face_down_count = BySeat([0; 5]);
        for &(seat, ref weights) in &self.face_down {
            move_drawn_card_to_front(&mut self.unrevealed[seat][face_down_count[seat]..], weights, rng);
            face_down_count[seat] += 1;
        }
        let mut hands = BySeat::default();
        hands[knowledge.seat] = knowledge.hand;
        for seat in knowledge.others() {
            let cards = &mut self.unrevealed[seat];
            let hand = face_down_count[seat]..self.out_of_deck[seat];
            // Shuffles only the places of the hand: the order of the cards after them, in the deck, does not matter.
            for place in hand.clone() {
                let offset = rng.below(u32::try_from(cards.len() - place).unwrap_or(1)) as usize;
                cards.swap(place, place + offset);
            }
            hands[seat] = Cards::of(&cards[hand]);
        }
        World { public: knowledge.public, hands, bids: self.bids(knowledge) }
    }

    /// The bids on the board, with the real cards of the searching seat and the sampled cards of the other seats.
    fn bids(&self, knowledge: &Knowledge) -> Bids {
        let mut own_bids = knowledge.own.iter();
        let mut sampled_cards = self.unrevealed.0.each_ref().map(|cards| cards.iter());
        let with_card = |FaceDownBid { seat, cushion }| {
            let card = if seat == knowledge.seat {
                own_bids.next().map(|bid| bid.card)
            } else {
                sampled_cards[seat.index()].next().copied()
            };
            Bid { seat, card: card.expect("each bid has its card"), cushion }
        };
        knowledge.public.placed.into_iter().map(with_card).collect()
    }
}

/// Converts probabilities to integer weights from 1 to 1001: even the least probable card can be drawn.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to a thousand")]
fn integer_weights(probabilities: &[f32; 16]) -> [u16; 16] {
    let highest = probabilities.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    probabilities.map(|probability| (probability / highest * 1000.0) as u16 + 1)
}

/// Draws one of the cards with these weights, and swaps it with the first card.
fn move_drawn_card_to_front(cards: &mut [MoneyCard], weights: &[u16; 16], rng: &mut FastRng) {
    let weight = |card: MoneyCard| u32::from(weights[usize::from(card.value())]);
    let weight_sum: u32 = cards.iter().map(|&card| weight(card)).sum();
    let mut position = rng.below(weight_sum.max(1));
    let mut drawn = 0;
    while drawn + 1 < cards.len() && position >= weight(cards[drawn]) {
        position -= weight(cards[drawn]);
        drawn += 1;
    }
    if drawn < cards.len() {
        cards.swap(0, drawn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::{Observer, Players, Screens};
    use sultan_testkit::{Script, recall};

    #[test]
    fn sampled_deal_agrees_with_everything_the_seat_has_seen() {
        let mut rng = FastRng::new(5);
        for players in Players::ALL {
            let moments = Script::random(players, Screens::Closed, 8).moments();
            for (index, moment) in moments.iter().enumerate() {
                let Some(seat) = moment.game.to_act() else { continue };
                let observer = Observer::Seat(seat);
                let view = moment.game.view(observer);
                let knowledge = Knowledge::new(&view, &recall(&moments[..=index], observer), &mut rng).unwrap();
                let world = Deal::new(&knowledge).imagine(&knowledge, &mut rng);
                let real_bids = moment.game.bids();
                let face_down = |bids: &Bids| bids.iter().map(|bid| bid.face_down()).collect::<Vec<_>>();
                assert_eq!(face_down(&world.bids), face_down(&real_bids));
                assert_eq!(world.hands[seat], knowledge.hand);
                for player in players.seats() {
                    let cards_of =
                        |bids: &Bids| bids.iter().filter(|bid| bid.seat == player).map(|bid| bid.card).collect();
                    let (sampled, real): (Cards, Cards) = (cards_of(&world.bids), cards_of(&real_bids));
                    assert_eq!(world.hands[player].len(), moment.game.hand(player).len());
                    assert!(player != seat || sampled == real, "the seat knows its own face-down cards");
                    let in_hand_or_deck = knowledge.public.left[player].without(sampled);
                    let in_deck = in_hand_or_deck.and_then(|cards| cards.without(world.hands[player]));
                    assert!(in_deck.is_some(), "{player:?} has a sampled card that was revealed or is not in the game");
                }
            }
        }
    }
}
