//! `jeweller`: counts revealed cards, scores every card on every cushion, and bids to keep jewels from the leader.
//!
//! `search/character.rs` turns the scores into probabilities. The nets also use the score of each bid as an input.

use sultan_domain::{Cushion, MoneyCard, Offer};

use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::outlook::Outlook;
use crate::search::rivals::Rivals;

/// The weight of the harm done by opponents' jewels, compared with the seat's own gains.
pub(crate) const HARM_WEIGHT: f32 = 0.7;
/// The fraction by which the price of a card increases for each later round of the stage.
const PRICE_PER_ROUND: f32 = 0.1;
/// The temperature of the softmax over scores: an action this many points worse is e times rarer.
pub(crate) const TEMPERATURE: f32 = 0.2;

/// The score of an offer: the score of the seat's best bid for it, minus the harm if opponents win the jewels.
pub(crate) fn offer_score(knowledge: &Knowledge, offer: Offer) -> f32 {
    let mut knowledge = *knowledge;
    knowledge.public.make_offer(offer);
    let outlook = Outlook::new(&knowledge.public);
    let model = RoundModel::new(&knowledge, &outlook);
    let best_bid_score = Cushion::first(knowledge.public.parameters.cushions)
        .flat_map(|cushion| knowledge.hand.values().map(move |card| (card, cushion)))
        .map(|(card, cushion)| model.bid(card, cushion).score)
        .fold(f32::NEG_INFINITY, f32::max);
    best_bid_score - model.harms.iter().sum::<f32>()
}

/// The jeweller's model of one round: the chance to win each jewel, and the harm if opponents win it.
pub(crate) struct RoundModel<'a> {
    knowledge: &'a Knowledge,
    rivals: Rivals<'a>,
    /// The average value of a jewel from the pouch to the seat, in points.
    mean_jewel_value: f32,
    /// The chance to win the jewel on each cushion with each card, by cushion and value of the card.
    win_chances: [[f32; 16]; 3],
    /// The harm if opponents win the jewel on each cushion, weighted with [`HARM_WEIGHT`]. 0 if the seat cannot bid on
    /// it.
    harms: [f32; 3],
}

/// The jeweller's evaluation of a bid. All fields but the chance are in points.
pub(crate) struct BidEvaluation {
    /// The chance that the card wins the jewel.
    pub(crate) win_chance: f32,
    /// The value of the jewel to the seat.
    pub(crate) jewel_value: f32,
    /// The harm if opponents win the jewel.
    pub(crate) harm: f32,
    /// The value of the card in later rounds.
    pub(crate) price: f32,
    /// The expected gain of the bid.
    pub(crate) score: f32,
}

impl<'a> RoundModel<'a> {
    pub(crate) fn new(knowledge: &'a Knowledge, outlook: &'a Outlook) -> Self {
        let rivals = Rivals::new(knowledge, outlook);
        let (mut win_chances, mut harms) = ([[0.0; 16]; 3], [0.0; 3]);
        if !knowledge.public.offer.is_empty() {
            for cushion in knowledge.public.open_cushions(knowledge.seat).iter() {
                win_chances[cushion.index()] = rivals.win_chance_by_card(cushion);
                harms[cushion.index()] = HARM_WEIGHT * rivals.harm(cushion);
            }
        }
        Self { knowledge, rivals, mean_jewel_value: outlook.mean_jewel_value(knowledge.seat), win_chances, harms }
    }

    /// Evaluates one bid. A won jewel is worth its value, and the harm that opponents then cannot do with it.
    pub(crate) fn bid(&self, card: MoneyCard, cushion: Cushion) -> BidEvaluation {
        let win_chance = self.win_chances[cushion.index()][usize::from(card.value())];
        let jewel_value = self.rivals.jewel_value(self.knowledge.seat, cushion);
        let harm = self.harms[cushion.index()];
        let price = self.price(card);
        BidEvaluation { win_chance, jewel_value, harm, price, score: win_chance * (jewel_value + harm) - price }
    }

    /// The value of a card in later rounds of the stage, in points. It grows with the square of the card's rank (the
    /// fraction of the opponents' unrevealed cards that it beats). All cards of a hand are played within the stage, so
    /// only the differences between the prices of cards matter.
    pub(crate) fn price(&self, card: MoneyCard) -> f32 {
        let PublicState { parameters, round_index, .. } = &self.knowledge.public;
        let later_rounds = parameters.rounds_per_stage - 1 - round_index % parameters.rounds_per_stage;
        let rank = self.rivals.rank(card);
        (1.0 + PRICE_PER_ROUND * f32::from(later_rounds)) * self.mean_jewel_value * rank * rank
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::Bot;
    use crate::levels::handwritten::JEWELLER;
    use crate::search::character::Character;
    use sultan_domain::{Action, Bids, Cards, Legal, Parameters, Players, Recall, Screens, Seat, View};
    use sultan_rules::FastRng;
    use sultan_testkit::TestGame;

    /// Plays a game of jewellers. Returns the view and recall of the seat to act before each action.
    pub(crate) fn moments(players: Players, seed: u64) -> Vec<(View, Recall)> {
        let mut rng = FastRng::new(seed);
        let choose = |view: &View, recall: &Recall| JEWELLER.choose(view, recall, &mut rng, &|| false).unwrap();
        TestGame::new(players, Screens::Closed, seed).moments(choose)
    }

    fn cards(values: &[u8]) -> Cards {
        values.iter().map(|&value| MoneyCard::new(value).unwrap()).collect()
    }

    /// The knowledge of seat 3, the last bidder of a round with four players. The other three have placed two cards on
    /// the first cushion and one on the second. Every opponent's unrevealed cards, face-down cards included, are
    /// `opponent_cards`. `offer` names the jewels by cushion; the rounds are numbered from 0 to 14.
    fn knowledge_of_last_bidder(round_index: u8, offer: &str, hand: &[u8], opponent_cards: &[u8]) -> Knowledge {
        let seat = Seat::new(3).unwrap();
        let mut public = PublicState::start(Parameters::of(Players::new(4).unwrap()), Seat::default());
        public.round_index = round_index;
        let Ok(Action::Offer(offer)) = offer.parse() else { panic!("an offer") };
        public.pouch = public.pouch.without(offer.jewels()).unwrap();
        public.offer = offer;
        for cushion in [1, 1, 2] {
            public.bid(Cushion::new(cushion).unwrap());
        }
        public.left.0 = [cards(opponent_cards); 5];
        public.left[seat] = cards(hand);
        Knowledge { public, seat, hand: cards(hand), own: Bids::new() }
    }

    /// The most probable bid of a jeweller with this knowledge, in notation: the card, `@`, the cushion.
    fn likeliest_bid(knowledge: &Knowledge) -> String {
        let legal = Legal::bids(knowledge.hand, knowledge.public.open_cushions(knowledge.seat));
        let weighed = Character::Jeweller.weigh(knowledge, legal);
        weighed.iter().max_by(|a, b| a.share.total_cmp(&b.share)).unwrap().action.to_string()
    }

    #[test]
    fn highest_card_is_bid_on_a_jewel_that_completes_a_set() {
        // The blue jewel on the first cushion is the seat's fifth, for which the bonus rises from 5 to 10 points.
        let mut knowledge = knowledge_of_last_bidder(12, "BYW", &[1, 2, 15], &[3, 4, 14]);
        knowledge.public.collections[knowledge.seat] = "B4".parse().unwrap();
        knowledge.public.pouch = knowledge.public.pouch.without("B4".parse().unwrap()).unwrap();
        assert_eq!(likeliest_bid(&knowledge), "15@1");
    }

    #[test]
    fn last_card_is_played_on_the_cushion_with_the_highest_gain() {
        // The third cushion is empty; on the other cushions there are sixes.
        assert_eq!(likeliest_bid(&knowledge_of_last_bidder(14, "BGY", &[5], &[6])), "5@3");
        // The card beats the six on the second cushion, which has the blue jewel.
        assert_eq!(likeliest_bid(&knowledge_of_last_bidder(14, "WBR", &[7], &[6])), "7@2");
    }

    #[test]
    fn lowest_card_is_bid_on_an_uncontested_jewel() {
        // The third cushion is empty, and no seat bids after this one.
        assert_eq!(likeliest_bid(&knowledge_of_last_bidder(10, "BBB", &[1, 8, 9, 11, 13], &[2, 3, 10, 14, 15])), "1@3");
    }

    #[test]
    fn jeweller_bids_its_highest_card_to_keep_the_winning_jewel_from_an_opponent() {
        let mut knowledge = knowledge_of_last_bidder(14, "RWY", &[15], &[9]);
        // In the last round, the bidder (seat 3) has 35 points and seat 0 has 30. Seat 0 is alone on the first cushion:
        // its sixth red jewel would bring it to 42 points. The yellow jewel on the empty third cushion has one point
        // more than the red one, but would bring the bidder only to 38.
        knowledge.public.collections.0 = ["R5B2", "W2", "W2", "B5", ""].map(|text| text.parse().unwrap());
        knowledge.public.pouch = "W4R4Y4G4".parse().unwrap();
        knowledge.public.placed.clear();
        for cushion in [1, 2, 2] {
            knowledge.public.bid(Cushion::new(cushion).unwrap());
        }
        assert_eq!(likeliest_bid(&knowledge), "15@1");
    }

    #[test]
    fn second_card_of_a_seat_is_not_bid_on_the_cushion_of_the_first() {
        // With two players, both have placed their first card on the third cushion, which has the blue jewel.
        let parameters = Parameters::of(Players::new(2).unwrap());
        let mut public = PublicState::start(parameters, Seat::default());
        let Ok(Action::Offer(offer)) = "RYB".parse() else { panic!("an offer") };
        public.offer = offer;
        for cushion in [3, 3] {
            public.bid(Cushion::new(cushion).unwrap());
        }
        let knowledge = Knowledge { public, seat: Seat::default(), hand: cards(&[3, 12]), own: Bids::new() };
        assert!(!likeliest_bid(&knowledge).ends_with("@3"));
    }
}
