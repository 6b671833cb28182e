//! The three nets for one number of players.
//!
//! The value net estimates the value of a table for a seat at the start of a round. The bid net computes the
//! probabilities of bids, the offer net the probabilities of offers. The inputs of the nets are in `features`, the
//! arithmetic in `layers`.

use sultan_domain::{Cards, Cushion, Jewel, Jewels, MoneyCard, Offer, Outcome, Parameters, Seat};
use sultan_rules::FastRng;
use tinyvec::ArrayVec;

use super::features::{self, FeatureSet, Features};
use super::layers::{Activations, Net, OUT, Shape, Sums};
use crate::levels::{BidEvaluation, RoundModel};
use crate::search::knowledge::{Knowledge, PublicState};
use crate::search::math::{exp, item_at, random_unit, sigmoid};
use crate::search::mix::BidMix;
use crate::search::outlook::Outlook;
use crate::search::policy::Policy;

/// The nets for one number of players.
#[derive(Clone, Debug)]
pub struct NetSet {
    /// Estimates the value of a table.
    pub value: Net,
    /// Computes the probabilities of bids.
    pub bid: Net,
    /// Computes the probabilities of offers.
    pub offer: Net,
}

/// The expected or final result of a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SeatValue {
    /// The winning chance; a shared first place counts as its share.
    pub win: f32,
    /// The margin at the end: own points minus those of the best opponent, divided by 30 and clamped to ±1.
    pub margin: f32,
}

impl SeatValue {
    /// The number of points that equal a margin of 1.
    pub(crate) const POINTS: f32 = 30.0;

    /// The number that bots maximize: the winning chance, plus half the margin.
    #[must_use]
    pub fn utility(self) -> f32 {
        self.win + 0.5 * self.margin
    }

    /// The result of a seat at the end of a game.
    #[must_use]
    pub fn at_the_end(public: &PublicState, seat: Seat) -> Self {
        Self::of_outcome(&sultan_rules::outcome(&public.parameters, |seat| public.collections[seat]), seat)
    }

    /// The result of a seat in this outcome.
    #[must_use]
    pub fn of_outcome(outcome: &Outcome, seat: Seat) -> Self {
        let own = outcome.places[seat.index()];
        let best_other = outcome.places.iter().filter(|place| place.seat != seat).map(|place| place.points).max();
        let margin = (f32::from(own.points) - f32::from(best_other.unwrap_or(0))) / Self::POINTS;
        #[expect(clippy::cast_possible_truncation, reason = "a share of a win needs no more digits than `f32` has")]
        let win = outcome.share(seat) as f32;
        Self { win, margin: margin.clamp(-1.0, 1.0) }
    }
}

/// The index of the first hint weight among the outputs of the bid net. The outputs before it are the scores of the
/// cards, by value; the outputs from here on are the weights of the `hints`.
pub const FIRST_HINT: usize = 16;

/// The hints about one bid: the jeweller's evaluation of the bid, and the place of the card in the hand. The score of a
/// bid is the score of its card plus the sum of its hints, each times its weight.
#[inline]
fn hints(knowledge: &Knowledge, model: &RoundModel, card: MoneyCard, cushion: Cushion) -> [f32; OUT - FIRST_HINT] {
    let lower_cards = knowledge.hand.below(card).len();
    #[expect(clippy::cast_precision_loss, reason = "a hand has few cards")]
    let rank_in_hand = lower_cards as f32 / (knowledge.hand.len() as f32 - 1.0).max(1.0);
    let is_lowest = lower_cards == 0;
    let is_highest = lower_cards + u32::from(knowledge.hand.count(card)) == knowledge.hand.len();
    let BidEvaluation { win_chance, jewel_value, harm, price, score } = model.bid(card, cushion);
    // The divisors bring all hints to a similar size.
    let (expected_value, expected_harm) = (win_chance * jewel_value / 10.0, win_chance * harm / 10.0);
    let flag = |is_set: bool| f32::from(u8::from(is_set));
    let (is_lowest, is_highest) = (flag(is_lowest), flag(is_highest));
    [win_chance, expected_value, expected_harm, price / 10.0, score, rank_in_hand, is_lowest, is_highest]
}

/// The index of the weight of the jeweller's score, the fifth hint, among the outputs of the bid net.
pub const JEWELLER_SCORE: usize = FIRST_HINT + 4;

/// Turns scores into probabilities: an option with a score lower by 1 is e times rarer.
pub(crate) fn softmax(scores: &mut [f32]) {
    let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in &mut *scores {
        *score = exp(*score - highest);
        sum += *score;
    }
    scores.iter_mut().for_each(|share| *share /= sum);
}

/// The sums of the value net's first layer for the table that was evaluated last. For the next table, only the rows of
/// the features that differ are added and subtracted.
#[derive(Clone, Copy)]
pub struct Appraisal {
    /// The features with their rows in the sums.
    pub features: FeatureSet,
    /// The sums of the first layer.
    pub sums: Sums,
}

/// All inputs and intermediate results of a bid, for training.
pub struct BidTrace {
    /// The features of the turn, the same for all cushions.
    pub turn: Features,
    /// The features of each cushion.
    pub cushions: [Features; 3],
    /// The values of the bid net's layers for each cushion.
    pub activations: [Activations; 3],
    /// The hints about each bid, by cushion and value of the card.
    pub hints: [[[f32; OUT - FIRST_HINT]; 16]; 3],
    /// The probabilities of the bids.
    pub mix: BidMix,
}

/// The possible offers with their probabilities.
#[derive(Clone, Copy, Default)]
pub struct OfferMix {
    /// The offers: one for each drawn colour, of which it puts one jewel back.
    pub offers: ArrayVec<[Offer; 4]>,
    /// The probability of each offer.
    pub shares: [f32; 4],
}

impl OfferMix {
    /// Picks the index of a random offer according to the probabilities.
    pub fn pick(&self, rng: &mut FastRng) -> usize {
        let shares = self.shares.into_iter().enumerate().take(self.offers.len());
        item_at(shares, random_unit(rng)).unwrap_or_default()
    }
}

/// All inputs and intermediate results of an offer, for training.
pub struct OfferTrace {
    /// The features of the table, the same for all offers.
    pub state: Features,
    /// The features of each offer.
    pub options: [Features; 4],
    /// The values of the offer net's layers for each offer.
    pub activations: [Activations; 4],
    /// The probabilities of the offers.
    pub mix: OfferMix,
}

/// All legal offers, each with the drawn jewel that it puts back.
pub(crate) fn offers(public: &PublicState) -> impl Iterator<Item = (Jewel, Offer)> {
    let drawn = public.drawn.jewels();
    Jewel::ALL.into_iter().filter_map(move |jewel| Some((jewel, Offer::in_order(drawn.without(Jewels::one(jewel))?)?)))
}

impl Policy for NetSet {
    fn trunk(&self, public: &PublicState, seat: Seat, hand: Cards) -> Sums {
        let mut sums = self.bid.start();
        self.bid.add_features(&mut sums, Features::of_table(public, seat, hand).as_slice());
        sums
    }

    fn bids(&self, knowledge: &Knowledge, trunk: &Sums, outlook: &Outlook) -> BidMix {
        self.trace_bids(knowledge, trunk, outlook).mix
    }

    fn offers(&self, knowledge: &Knowledge) -> OfferMix {
        self.trace_offers(knowledge).mix
    }

    fn seat_value(&self, public: &PublicState, seat: Seat, hand: Cards, appraisal: &mut Appraisal) -> SeatValue {
        if public.is_over() {
            return SeatValue::at_the_end(public, seat);
        }
        let features = FeatureSet::of_table(public, seat, hand);
        self.value.remove_features(&mut appraisal.sums, appraisal.features.difference(&features).as_slice());
        self.value.add_features(&mut appraisal.sums, features.difference(&appraisal.features).as_slice());
        appraisal.features = features;
        self.value_from_sums(&appraisal.sums, &mut Activations::default())
    }

    fn appraisal(&self) -> Appraisal {
        Appraisal { features: FeatureSet::NONE, sums: self.value.start() }
    }
}

impl NetSet {
    /// Nets with all weights and biases 0.
    #[must_use]
    pub fn zero(parameters: &Parameters) -> Self {
        let players = usize::from(parameters.players.count());
        let net = |features| Net::zero(Shape { features });
        Self {
            value: net(features::table_feature_count(players)),
            bid: net(features::bid_feature_count(players)),
            offer: net(features::offer_feature_count(players)),
        }
    }

    /// The three nets: value, bid, offer.
    #[must_use]
    pub fn nets(&self) -> [&Net; 3] {
        [&self.value, &self.bid, &self.offer]
    }

    /// The three nets, mutable.
    pub fn nets_mut(&mut self) -> [&mut Net; 3] {
        [&mut self.value, &mut self.bid, &mut self.offer]
    }

    /// The value of a table, given the sums of the value net's first layer. The first output is the logit of the
    /// winning chance, the second the margin.
    pub fn value_from_sums(&self, sums: &Sums, activations: &mut Activations) -> SeatValue {
        self.value.finish::<4>(sums, activations);
        SeatValue { win: sigmoid(activations.out[0]), margin: activations.out[1] }
    }

    /// Like [`Policy::bids`], with all intermediate results.
    #[must_use]
    pub fn trace_bids(&self, knowledge: &Knowledge, trunk: &Sums, outlook: &Outlook) -> BidTrace {
        let open = knowledge.public.open_cushions(knowledge.seat);
        let mut turn = Features::default();
        features::turn_features(knowledge, &mut turn);
        let mut sums_of_turn = *trunk;
        self.bid.add_features(&mut sums_of_turn, turn.as_slice());
        let mut cushions = [Features::default(); 3];
        let mut activations = [Activations::default(); 3];
        let mut all_hints = [[[0.0; OUT - FIRST_HINT]; 16]; 3];
        let mut scores = [[0.0; 16]; 3];
        let jeweller = RoundModel::new(knowledge, outlook);
        for cushion in open.iter() {
            let index = cushion.index();
            features::cushion_features(knowledge, cushion, &mut cushions[index]);
            let mut sums = sums_of_turn;
            self.bid.add_features(&mut sums, cushions[index].as_slice());
            self.bid.finish::<OUT>(&sums, &mut activations[index]);
            let out = &activations[index].out;
            for card in knowledge.hand.values() {
                let value = usize::from(card.value());
                let hints = hints(knowledge, &jeweller, card, cushion);
                all_hints[index][value] = hints;
                let hint_score: f32 = hints.iter().zip(&out[FIRST_HINT..]).map(|(hint, weight)| hint * weight).sum();
                scores[index][value] = out[value] + hint_score;
            }
        }
        let mix = BidMix::from_scores(knowledge.hand, open, scores, 1.0);
        BidTrace { turn, cushions, activations, hints: all_hints, mix }
    }

    /// Like [`Policy::offers`], with all intermediate results.
    #[must_use]
    pub fn trace_offers(&self, knowledge: &Knowledge) -> OfferTrace {
        let mut trace = OfferTrace {
            state: Features::of_table(&knowledge.public, knowledge.seat, knowledge.hand),
            options: [Features::default(); 4],
            activations: [Activations::default(); 4],
            mix: OfferMix::default(),
        };
        let mut sums_of_table = self.offer.start();
        self.offer.add_features(&mut sums_of_table, trace.state.as_slice());
        for (index, (put_back, offer)) in offers(&knowledge.public).enumerate() {
            features::put_back_features(knowledge, put_back, &mut trace.options[index]);
            let mut sums = sums_of_table;
            self.offer.add_features(&mut sums, trace.options[index].as_slice());
            self.offer.finish::<4>(&sums, &mut trace.activations[index]);
            trace.mix.offers.push(offer);
            // The first output is the score of the offer; `softmax` below turns the scores into probabilities.
            trace.mix.shares[index] = trace.activations[index].out[0];
        }
        softmax(&mut trace.mix.shares[..trace.mix.offers.len()]);
        trace
    }
}
