//! `jeweller`: counts revealed cards, scores every card on every cushion, and denies the leader jewels.
//!
//! `search/character.rs` mixes its bids; the nets get its score of a bid as an input.

use sultan_domain::{Cushion, MoneyCard, Offer};

use crate::search::knowledge::Knowledge;
use crate::search::outlook::Outlook;
use crate::search::rivals::Rivals;

/// The weight of opponents' losses, compared with own gains.
pub(crate) const HARM_WEIGHT: f32 = 0.7;
/// The increase of a card's price for each later round of the stage, as a fraction.
const PRICE_PER_ROUND: f32 = 0.1;
/// The temperature of the softmax over scores: an action this many points worse is e times rarer.
pub(crate) const TEMPERATURE: f32 = 0.2;

/// The score of an offer: the best own bid, minus the harm of opponents' wins.
pub(crate) fn offer(knowledge: &Knowledge, offer: Offer) -> f32 {
    let mut knowledge = *knowledge;
    knowledge.public.make_offer(offer);
    let outlook = Outlook::new(&knowledge.public);
    let model = RoundModel::new(&knowledge, &outlook);
    let cushions = || Cushion::first(knowledge.public.parameters.cushions);
    let best = cushions()
        .flat_map(|cushion| knowledge.hand.values().map(move |card| (card, cushion)))
        .map(|(card, cushion)| model.bid(card, cushion).score)
        .fold(f32::NEG_INFINITY, f32::max);
    best - cushions().map(|cushion| model.taken[cushion.index()]).sum::<f32>()
}

/// The jeweller's model of one round.
pub(crate) struct RoundModel<'a> {
    knowledge: &'a Knowledge,
    rivals: Rivals<'a>,
    mean: f32,
    /// The chance to win each cushion with each card.
    wins: [[f32; 16]; 3],
    /// The harm if opponents win each cushion, weighted with [`HARM_WEIGHT`].
    taken: [f32; 3],
}

/// The jeweller's evaluation of a bid.
pub(crate) struct BidEvaluation {
    /// The chance that the card wins the jewel.
    pub(crate) win: f32,
    /// The value of the jewel, in points, and the harm if opponents win it.
    pub(crate) jewel_value: f32,
    pub(crate) taken: f32,
    /// The value of the card in later rounds.
    pub(crate) price: f32,
    /// The expected gain of the bid.
    pub(crate) score: f32,
}

impl<'a> RoundModel<'a> {
    pub(crate) fn new(knowledge: &'a Knowledge, outlook: &'a Outlook) -> Self {
        let rivals = Rivals::new(knowledge, outlook);
        let (mut wins, mut taken) = ([[0.0; 16]; 3], [0.0; 3]);
        if !knowledge.public.offer.is_empty() {
            for cushion in knowledge.public.open_cushions(knowledge.seat).iter() {
                wins[cushion.index()] = rivals.wins(cushion);
                taken[cushion.index()] = HARM_WEIGHT * rivals.harm(cushion);
            }
        }
        Self { knowledge, rivals, mean: outlook.mean(knowledge.seat), wins, taken }
    }

    pub(crate) fn bid(&self, card: MoneyCard, cushion: Cushion) -> BidEvaluation {
        let win = self.wins[cushion.index()][usize::from(card.value())];
        let jewel_value = self.rivals.jewel_value(self.knowledge.seat, cushion);
        let taken = self.taken[cushion.index()];
        let price = self.price(card);
        BidEvaluation { win, jewel_value, taken, price, score: win * (jewel_value + taken) - price }
    }

    /// The value of a card in later rounds of the stage. All cards of a hand are played within the stage, so only the
    /// differences between cards matter.
    pub(crate) fn price(&self, card: MoneyCard) -> f32 {
        let parameters = &self.knowledge.public.parameters;
        let rounds = parameters.rounds_per_stage - 1 - self.knowledge.public.round_index % parameters.rounds_per_stage;
        let rank = self.rivals.rank(card);
        (1.0 + PRICE_PER_ROUND * f32::from(rounds)) * self.mean * rank * rank
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::Bot;
    use crate::levels::handwritten::JEWELLER;
    use crate::search::character::Character;
    use crate::search::knowledge::PublicState;
    use sultan_domain::{Action, Bids, Cards, Legal, Parameters, Players, Recall, Screens, Seat, View};
    use sultan_rules::Quick;
    use sultan_testkit::TestGame;

    /// The views and recalls of the seats to act in a game of jewellers.
    pub(crate) fn moments(players: Players, seed: u64) -> Vec<(View, Recall)> {
        let mut rng = Quick::new(seed);
        let choose = |view: &View, recall: &Recall| JEWELLER.choose(view, recall, &mut rng, &|| false).unwrap();
        TestGame::new(players, Screens::Closed, seed).moments(choose)
    }

    fn cards(values: &[u8]) -> Cards {
        values.iter().map(|&value| MoneyCard::new(value).unwrap()).collect()
    }

    /// The last bidder of a round with four players, with this hand; all opponents have these cards left.
    fn last_to_bid(round_index: u8, offer: &str, hand: &[u8], others: &[u8]) -> Knowledge {
        let seat = Seat::new(3).unwrap();
        let mut public = PublicState::start(Parameters::of(Players::new(4).unwrap()), Seat::default());
        public.round_index = round_index;
        let Ok(Action::Offer(offer)) = offer.parse() else { panic!("an offer") };
        public.pouch = public.pouch.without(offer.jewels()).unwrap();
        public.offer = offer;
        for cushion in [1, 1, 2] {
            public.bid(Cushion::new(cushion).unwrap());
        }
        public.left.0 = [cards(others); 5];
        public.left[seat] = cards(hand);
        Knowledge { public, seat, hand: cards(hand), own: Bids::new() }
    }

    fn favourite(knowledge: &Knowledge) -> String {
        let legal = Legal::bids(knowledge.hand, knowledge.public.open_cushions(knowledge.seat));
        let weighed = Character::Jeweller.weigh(knowledge, legal);
        weighed.iter().max_by(|a, b| a.share.total_cmp(&b.share)).unwrap().action.to_string()
    }

    #[test]
    fn a_jewel_that_completes_a_set_is_taken_with_a_card_that_must_win() {
        let mut knowledge = last_to_bid(12, "BYW", &[1, 2, 15], &[3, 4, 14]);
        knowledge.public.collections[knowledge.seat] = "B4".parse().unwrap();
        knowledge.public.pouch = knowledge.public.pouch.without("B4".parse().unwrap()).unwrap();
        assert_eq!(favourite(&knowledge), "15@1");
    }

    #[test]
    fn last_card_is_played_on_the_cushion_with_the_highest_gain() {
        // The third cushion is empty; the others have higher cards.
        assert_eq!(favourite(&last_to_bid(14, "BGY", &[5], &[6])), "5@3");
        // The card beats the one on the second cushion.
        assert_eq!(favourite(&last_to_bid(14, "WBR", &[7], &[6])), "7@2");
    }

    #[test]
    fn lowest_card_is_bid_on_an_uncontested_jewel() {
        assert_eq!(favourite(&last_to_bid(10, "BBB", &[1, 8, 9, 11, 13], &[2, 3, 10, 14, 15])), "1@3");
    }

    #[test]
    fn bot_denies_the_leader_the_winning_jewel() {
        let mut knowledge = last_to_bid(14, "RWY", &[15], &[9]);
        // Seat 0 would win twenty points on the first cushion; the third is empty, and worth one point more.
        knowledge.public.collections.0 = ["R5B2", "W2", "W2", "B5", ""].map(|text| text.parse().unwrap());
        knowledge.public.pouch = "W4R4Y4G4".parse().unwrap();
        knowledge.public.placed.clear();
        for cushion in [1, 2, 2] {
            knowledge.public.bid(Cushion::new(cushion).unwrap());
        }
        assert_eq!(favourite(&knowledge), "15@1");
    }

    #[test]
    fn two_players_place_their_cards_apart() {
        let parameters = Parameters::of(Players::new(2).unwrap());
        let mut public = PublicState::start(parameters, Seat::default());
        let Ok(Action::Offer(offer)) = "RYB".parse() else { panic!("an offer") };
        public.offer = offer;
        for cushion in [3, 3] {
            public.bid(Cushion::new(cushion).unwrap());
        }
        let knowledge = Knowledge { public, seat: Seat::default(), hand: cards(&[3, 12]), own: Bids::new() };
        assert!(!favourite(&knowledge).ends_with("@3"));
    }
}
