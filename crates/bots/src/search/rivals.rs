//! Estimates by simple formulas how the other seats, the rivals, bid: the chance that each bids for a jewel, and the
//! probability of each card.
//!
//! The hands of rivals are unknown, but their unrevealed cards are public. A rival is assumed to prefer cushions with
//! few cards and a valuable jewel, and to bid a higher card for a better jewel and against more cards.

use sultan_domain::{Cards, Cushion, MoneyCard, Seat, Ties};

use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::math::exp;
use crate::search::outlook::Outlook;

/// Each card on a cushion divides the attraction of the cushion by e to the power of this number.
const CROWDING: f32 = 0.3;
/// The tilt for a jewel of average value on an empty cushion. The tilt is the logarithm of the ratio between the
/// probabilities of a rival's highest and lowest card.
const TILT: f32 = 1.0;
/// The increase of the tilt if the jewel has twice the average value.
const TILT_BY_VALUE: f32 = 1.0;
/// The increase of the tilt for each earlier card on the cushion.
const TILT_BY_CARDS: f32 = 0.3;

/// The chance that a random card has at least the value of the index, which is from 0 to 16.
type AtLeast = [f32; 17];

/// The rivals of one seat in one round.
pub(crate) struct Rivals<'a> {
    knowledge: &'a Knowledge,
    outlook: &'a Outlook,
    /// The attraction of each cushion for each seat, given the cards on the cushion. A rival bids on each of its open
    /// cushions with a probability proportional to the attraction.
    attractions: [[f32; 3]; 5],
    /// The factor on the attraction for each additional card.
    crowding_factor: f32,
}

impl<'a> Rivals<'a> {
    pub(crate) fn new(knowledge: &'a Knowledge, outlook: &'a Outlook) -> Self {
        let public = &knowledge.public;
        let crowding_factor = exp(-CROWDING);
        let mut crowding = [1.0; 3];
        for bid in &public.placed {
            crowding[bid.cushion.index()] *= crowding_factor;
        }
        let mut attractions = [[0.0; 3]; 5];
        for seat in public.parameters.players.seats() {
            for ((jewel, attraction), crowding) in public.offer.iter().zip(&mut attractions[seat.index()]).zip(crowding)
            {
                *attraction = outlook.jewel_value(seat, jewel) * crowding;
            }
        }
        Self { knowledge, outlook, attractions, crowding_factor }
    }

    fn public(&self) -> &PublicState {
        &self.knowledge.public
    }

    /// The value of a cushion's jewel to a seat.
    pub(crate) fn jewel_value(&self, seat: Seat, cushion: Cushion) -> f32 {
        self.public().offer.jewel_on(cushion).map_or(0.0, |jewel| self.outlook.jewel_value(seat, jewel))
    }

    /// The chance to win a cushion with a card placed now, by value of the card from 0 to 15.
    pub(crate) fn win_chance_by_card(&self, cushion: Cushion) -> [f32; 16] {
        let public = self.public();
        let mut win_chances = [1.0; 16];
        let mut earlier_bids = 0.0;
        for bid in public.placed.iter().filter(|bid| bid.cushion == cushion) {
            if bid.seat != self.knowledge.seat {
                let cards = self.card_distribution(bid.seat, cushion, earlier_bids);
                Self::reduce_by_rival(&mut win_chances, &cards, 1.0, self.wins_tie(bid.seat, true));
            }
            earlier_bids += 1.0;
        }
        for rival in self.knowledge.others() {
            let bid_chance = self.bid_chance(rival, cushion, Some(cushion));
            if bid_chance > 0.0 {
                // The card that this seat places now is one more earlier bid for the rival.
                let cards = self.card_distribution(rival, cushion, earlier_bids + 1.0);
                Self::reduce_by_rival(&mut win_chances, &cards, bid_chance, self.wins_tie(rival, false));
            }
        }
        win_chances
    }

    /// Multiplies the chance to win with each card by the probability that a rival does not beat the card. The rival
    /// bids with the probability `bid_chance`, with a card of the distribution `cards`.
    fn reduce_by_rival(win_chances: &mut [f32; 16], cards: &AtLeast, bid_chance: f32, rival_wins_tie: bool) {
        for (value, win_chance) in win_chances.iter_mut().enumerate() {
            // A rival that loses ties needs a card that is higher by at least 1.
            *win_chance *= 1.0 - bid_chance * cards[value + usize::from(!rival_wins_tie)];
        }
    }

    /// Whether a rival's card beats an equal card that is placed now. `is_earlier`: the rival's card is already placed.
    fn wins_tie(&self, rival: Seat, is_earlier: bool) -> bool {
        match self.public().parameters.ties {
            Ties::EarliestBid => is_earlier,
            Ties::FirstPlayer => rival == self.public().first,
        }
    }

    /// The chance that a rival places one of its remaining bids on a cushion. `own_cushion` is the cushion on which
    /// this seat is assumed to bid now; `None` if no bid of this seat is assumed.
    fn bid_chance(&self, rival: Seat, cushion: Cushion, own_cushion: Option<Cushion>) -> f32 {
        let public = self.public();
        // If this seat bids now, the rival's bids start with the next turn.
        let remaining_bids = (public.turn() + u8::from(own_cushion.is_some())..public.parameters.bids_per_round())
            .filter(|&turn| public.parameters.bidder(public.first, turn) == rival)
            .count();
        let open = public.open_cushions(rival);
        if remaining_bids == 0 || !open.has(cushion) {
            return 0.0;
        }
        let attraction = |other: Cushion| {
            self.attractions[rival.index()][other.index()]
                * if own_cushion == Some(other) { self.crowding_factor } else { 1.0 }
        };
        let sum: f32 = open.iter().map(attraction).sum();
        let with_first_card = attraction(cushion) / sum;
        if remaining_bids == 1 {
            return with_first_card;
        }
        // The rival places two cards on different cushions (RULES 4.3): the second one here if the first is elsewhere.
        let with_second_card =
            |first: Cushion| attraction(first) / sum * attraction(cushion) / (sum - attraction(first));
        with_first_card + open.iter().filter(|&first| first != cushion).map(with_second_card).sum::<f32>()
    }

    /// The distribution of a rival's card on a cushion with this number of earlier cards.
    fn card_distribution(&self, rival: Seat, cushion: Cushion, earlier_bids: f32) -> AtLeast {
        let value_above_mean = self.jewel_value(rival, cushion) / self.outlook.mean_jewel_value(rival) - 1.0;
        at_least(self.public().left[rival], TILT + TILT_BY_VALUE * value_above_mean + TILT_BY_CARDS * earlier_bids)
    }

    /// The chance of each rival to win a cushion if this seat does not bid on it: the chance of any bid on the cushion,
    /// divided among the rivals in proportion to their chance to bid on it.
    fn rivals_win_chances(&self, cushion: Cushion) -> [f32; 5] {
        let mut bid_chances = [0.0; 5];
        for rival in self.knowledge.others() {
            let has_bid = self.public().placed.iter().any(|bid| bid.seat == rival && bid.cushion == cushion);
            bid_chances[rival.index()] = if has_bid { 1.0 } else { self.bid_chance(rival, cushion, None) };
        }
        let chance_of_any_bid = 1.0 - bid_chances.iter().map(|chance| 1.0 - chance).product::<f32>();
        let sum: f32 = bid_chances.iter().sum();
        bid_chances.map(|chance| if sum > 0.0 { chance_of_any_bid * chance / sum } else { 0.0 })
    }

    /// The expected harm if this seat does not bid on a cushion, so that a rival may win the jewel. In points that this
    /// seat would have to lose for the same effect on its winning chance.
    pub(crate) fn harm(&self, cushion: Cushion) -> f32 {
        let win_chances = self.rivals_win_chances(cushion);
        let expected_harm = |rival: Seat| {
            win_chances[rival.index()]
                * self.outlook.harm(self.knowledge.seat, rival)
                * self.jewel_value(rival, cushion)
        };
        self.public().parameters.players.seats().map(expected_harm).sum()
    }

    /// The fraction of the rivals' unrevealed cards that a card beats. An equal card counts half.
    pub(crate) fn rank(&self, card: MoneyCard) -> f32 {
        let (mut twice_beaten, mut all) = (0, 0);
        for rival in self.knowledge.others() {
            let unrevealed = self.public().left[rival];
            twice_beaten += 2 * unrevealed.below(card).len() + u32::from(unrevealed.count(card));
            all += unrevealed.len();
        }
        #[expect(clippy::cast_precision_loss, reason = "the number of cards fits")]
        let fraction = twice_beaten as f32 / (2 * all.max(1)) as f32;
        fraction
    }
}

/// The distribution of a random card: the probabilities grow geometrically from the lowest to the highest card, by a
/// total factor of `exp(tilt)`.
fn at_least(cards: Cards, tilt: f32) -> AtLeast {
    let mut at_least = [0.0; 17];
    #[expect(clippy::cast_precision_loss, reason = "a seat has few cards")]
    let steps = (cards.len().max(2) - 1) as f32;
    let (mut weight, mut sum) = (1.0, 0.0);
    let ratio = exp(tilt / steps);
    for card in cards.iter() {
        at_least[usize::from(card.value())] += weight;
        sum += weight;
        weight *= ratio;
    }
    for value in (0..16).rev() {
        at_least[value] += at_least[value + 1];
    }
    at_least.map(|chance| if sum > 0.0 { chance / sum } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tilt_increases_the_probability_of_high_cards() {
        let cards = Cards::full(4, 1);
        let uniform = at_least(cards, 0.0);
        // By value, from 0: every card has at least the value 1.
        for (chance, expected) in uniform.iter().zip([1.0, 1.0, 0.75, 0.5, 0.25, 0.0]) {
            assert!((chance - expected).abs() < 1e-6);
        }
        let tilted = at_least(cards, 2.0);
        assert!((tilted[1] - 1.0).abs() < 1e-6 && tilted[4] > 0.4 && tilted[5] == 0.0);
        assert!(at_least(Cards::NONE, 1.0).iter().all(|&chance| chance == 0.0));
    }
}
