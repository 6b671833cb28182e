//! The three nets for one number of players.
//!
//! The value net estimates the value of a table for a seat at the start of a round, the bid net gives the probabilities
//! of bids, the offer net those of offers. Their inputs are in `features`, their arithmetic in `layers`.

use sultan_domain::{Cards, Cushion, Jewel, Jewels, MoneyCard, Offer, Outcome, Parameters, Seat};
use sultan_rules::Quick;
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
    /// The value of a table.
    pub value: Net,
    /// The probabilities of bids.
    pub bid: Net,
    /// The probabilities of offers.
    pub offer: Net,
}

/// The expected result of a seat.
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

    /// The objective: the winning chance, plus half the margin.
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
        let winners = outcome.places.iter().filter(|place| place.rank == 1).count();
        #[expect(clippy::cast_precision_loss, reason = "at most five winners")]
        let win = if own.rank == 1 { 1.0 / winners as f32 } else { 0.0 };
        let margin = (f32::from(own.points) - f32::from(best_other.unwrap_or(0))) / Self::POINTS;
        Self { win, margin: margin.clamp(-1.0, 1.0) }
    }
}

/// The index of the first weight of a hint among the outputs; the outputs before it belong to one card each.
pub const FIRST_HINT: usize = 16;

/// Features of a single bid: the jeweller's evaluation, and the rank of the card in the hand.
#[inline]
pub(crate) fn hints(
    knowledge: &Knowledge,
    model: &RoundModel,
    card: MoneyCard,
    cushion: Cushion,
) -> [f32; OUT - FIRST_HINT] {
    let below = knowledge.hand.below(card).len();
    #[expect(clippy::cast_precision_loss, reason = "a hand has few cards")]
    let among = below as f32 / (knowledge.hand.len() as f32 - 1.0).max(1.0);
    let lowest = below == 0;
    let highest = below + u32::from(knowledge.hand.count(card)) == knowledge.hand.len();
    let BidEvaluation { win, jewel_value, taken, price, score } = model.bid(card, cushion);
    let flag = |holds: bool| f32::from(u8::from(holds));
    [win, win * jewel_value / 10.0, win * taken / 10.0, price / 10.0, score, among, flag(lowest), flag(highest)]
}

/// The output index of the weight of the jeweller's score.
pub const JEWELLER_SCORE: usize = FIRST_HINT + 4;

/// Turns logits into probabilities.
pub(crate) fn softmax(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for logit in &mut *logits {
        *logit = exp(*logit - most);
        sum += *logit;
    }
    logits.iter_mut().for_each(|share| *share /= sum);
}

/// The sums of the value net's first layer for one table. A similar table needs only the difference.
#[derive(Clone, Copy)]
pub struct Appraisal {
    /// The features in the sums.
    pub features: FeatureSet,
    /// The sums of their rows.
    pub sums: Sums,
}

/// All inputs and intermediate results of a bid, for training.
pub struct BidTrace {
    /// The features of the turn, the same for all cushions.
    pub turn: Features,
    /// The features of each cushion.
    pub cushions: [Features; 3],
    /// The net's results for each cushion.
    pub activations: [Activations; 3],
    /// The hints about each card on each cushion.
    pub hints: [[[f32; OUT - FIRST_HINT]; 16]; 3],
    /// The result.
    pub mix: BidMix,
}

/// The possible offers with their probabilities.
#[derive(Clone, Copy, Default)]
pub struct OfferMix {
    /// The offers; each puts a jewel of another colour back.
    pub offers: ArrayVec<[Offer; 4]>,
    /// The probability of each offer.
    pub shares: [f32; 4],
}

impl OfferMix {
    /// Picks the index of an offer with its probability.
    pub fn pick(&self, rng: &mut Quick) -> usize {
        let shares = self.shares.into_iter().enumerate().take(self.offers.len());
        item_at(shares, random_unit(rng)).unwrap_or_default()
    }
}

/// All inputs and intermediate results of an offer, for training.
pub struct OfferTrace {
    /// The features of the table, the same for all offers.
    pub state: Features,
    /// The features of each jewel that can be put back.
    pub options: [Features; 4],
    /// The net's results for each of them.
    pub activations: [Activations; 4],
    /// The result.
    pub mix: OfferMix,
}

/// The jewels that can be put back, each with the offer of the others.
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
    /// Nets of zeros.
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

    /// The value for these sums of the first layer.
    pub fn value_from_sums(&self, sums: &Sums, activations: &mut Activations) -> SeatValue {
        self.value.finish::<4>(sums, activations);
        SeatValue { win: sigmoid(activations.out[0]), margin: activations.out[1] }
    }

    /// Like [`Policy::bids`], with all intermediate results.
    #[must_use]
    pub fn trace_bids(&self, knowledge: &Knowledge, trunk: &Sums, outlook: &Outlook) -> BidTrace {
        let open = knowledge.public.open_cushions(knowledge.seat);
        let mut trace = BidTrace {
            turn: Features::new(),
            cushions: [const { Features::new() }; 3],
            activations: [Activations::default(); 3],
            mix: BidMix { hand: knowledge.hand, open, shares: [[0.0; 16]; 3] },
            hints: [[[0.0; OUT - FIRST_HINT]; 16]; 3],
        };
        features::turn_features(knowledge, &mut trace.turn);
        let jeweller = RoundModel::new(knowledge, outlook);
        let mut trunk = *trunk;
        self.bid.add_features(&mut trunk, trace.turn.as_slice());
        let (mut logits, mut len) = ([0.0; 45], 0);
        for cushion in open.iter() {
            let index = cushion.index();
            features::cushion_features(knowledge, cushion, &mut trace.cushions[index]);
            let mut sums = trunk;
            self.bid.add_features(&mut sums, trace.cushions[index].as_slice());
            self.bid.finish::<OUT>(&sums, &mut trace.activations[index]);
            let out = &trace.activations[index].out;
            for card in knowledge.hand.values() {
                let hints = hints(knowledge, &jeweller, card, cushion);
                trace.hints[index][usize::from(card.value())] = hints;
                let hinted: f32 = hints.iter().zip(&out[FIRST_HINT..]).map(|(hint, weight)| hint * weight).sum();
                logits[len] = out[usize::from(card.value())] + hinted;
                len += 1;
            }
        }
        softmax(&mut logits[..len]);
        let mut next = logits.iter();
        for cushion in open.iter() {
            for card in knowledge.hand.values() {
                trace.mix.shares[cushion.index()][usize::from(card.value())] = *next.next().unwrap_or(&0.0);
            }
        }
        trace
    }

    /// Like [`Policy::offers`], with all intermediate results.
    #[must_use]
    pub fn trace_offers(&self, knowledge: &Knowledge) -> OfferTrace {
        let mut trace = OfferTrace {
            state: Features::of_table(&knowledge.public, knowledge.seat, knowledge.hand),
            options: [Features::new(), Features::new(), Features::new(), Features::new()],
            activations: [Activations::default(); 4],
            mix: OfferMix::default(),
        };
        let mut trunk = self.offer.start();
        self.offer.add_features(&mut trunk, trace.state.as_slice());
        for (index, (jewel, offer)) in offers(&knowledge.public).enumerate() {
            features::put_back_features(knowledge, jewel, &mut trace.options[index]);
            let mut sums = trunk;
            self.offer.add_features(&mut sums, trace.options[index].as_slice());
            self.offer.finish::<4>(&sums, &mut trace.activations[index]);
            trace.mix.offers.push(offer);
            trace.mix.shares[index] = trace.activations[index].out[0];
        }
        softmax(&mut trace.mix.shares[..trace.mix.offers.len()]);
        trace
    }
}
