//! Plays games of the nets against themselves, and adds up their gradients.
//!
//! Every bid of the nets is compared with all alternatives. The nets move towards bids that were better than the
//! average of their *mix* (the probability with which they make each bid), but stay close to the *anchor*, an earlier
//! copy of themselves: otherwise they would cycle and become predictable.
//!
//! Cards are face down, so other seats react only to the cushion of a bid. Therefore the round is played out only once
//! per cushion, and the result scores every card on that cushion.

use sultan_bots::pick;
use sultan_bots::search::math::{ln, random_unit, split_rng};
use sultan_bots::search::net::{Activations, Appraisal, FeatureSet, NetSet, OUT, SeatValue};
use sultan_bots::search::{BidMix, ByBid, Character, Policy, PublicState, RoundContext, World};
use sultan_domain::{
    Action, BySeat, Cards, CardsInOrder, Chance, Cushion, Legal, MoneyCard, Parameters, Players, Seat,
};
use sultan_rules::{FastRng, shuffle};
use tinyvec::ArrayVec;

use super::SelfPlaySettings;
use super::gradient::{backpropagate, learn_bias, learn_bids, learn_features, learn_offers};

/// The sums over a batch of games.
pub(crate) struct GameBatch {
    /// The gradients of the nets, each as a net of the same shape.
    pub(crate) gradients: NetSet,
    /// The number of samples in each net's gradient: judged positions (value net), bids (bid net) and offers (offer
    /// net).
    pub(crate) counts: [f32; 3],
    /// The squared error of the value net's winning chances, summed over the judged positions.
    pub(crate) squared_error: f64,
    /// The entropy of the nets' choice, summed over the bids.
    pub(crate) entropy: f64,
}

/// A position judged by the value net for one seat.
pub(crate) struct Judged {
    /// The features of the position and the net's first-layer sums, from which the gradient is computed.
    pub(crate) appraisal: Appraisal,
    pub(crate) value: SeatValue,
}

impl Judged {
    pub(crate) fn new(net_set: &NetSet, public: &PublicState, seat: Seat, hand: Cards) -> Self {
        let mut appraisal = net_set.appraisal();
        let value = net_set.seat_value(public, seat, hand, &mut appraisal);
        Self { appraisal, value }
    }
}

impl GameBatch {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        Self { gradients: NetSet::zero(parameters), counts: [0.0; 3], squared_error: 0.0, entropy: 0.0 }
    }

    pub(crate) fn clear(&mut self) {
        self.gradients.nets_mut().into_iter().for_each(|net| net.numbers.fill(0.0));
        (self.counts, self.squared_error, self.entropy) = ([0.0; 3], 0.0, 0.0);
    }

    /// Adds the gradient of the value net for all judged positions of a seat, given its result of the game.
    pub(crate) fn learn_value<'a>(
        &mut self,
        net_set: &NetSet,
        horizon: f32,
        result: SeatValue,
        positions: impl DoubleEndedIterator<Item = &'a Judged>,
    ) {
        let mut target = result;
        for position in positions.rev() {
            let mut activations = Activations::default();
            let value = net_set.value_from_sums(&position.appraisal.sums, &mut activations);
            let mut output_gradient = [0.0; OUT];
            // The gradients of the likelihood for the winning chance, and of the squared error for the margin.
            output_gradient[0] = target.win - value.win;
            output_gradient[1] = target.margin - value.margin;
            self.squared_error += f64::from(output_gradient[0]) * f64::from(output_gradient[0]);
            let sums = backpropagate(&net_set.value, &activations, &output_gradient, &mut self.gradients.value);
            learn_bias(&mut self.gradients.value, &sums);
            let features = position.appraisal.features.difference(&FeatureSet::NONE);
            learn_features(&mut self.gradients.value, &sums, features.as_slice());
            self.counts[0] += 1.0;
            // The target of the position before this one.
            target.win = horizon * target.win + (1.0 - horizon) * position.value.win;
            target.margin = horizon * target.margin + (1.0 - horizon) * position.value.margin;
        }
    }
}

/// Intermediate results shared by the bids of a round.
struct Prepared {
    /// Computed with the current nets.
    context: RoundContext,
    /// Computed with the anchor.
    anchor_context: RoundContext,
    /// Every seat's appraisal of the start of the round.
    appraisals: Vec<Appraisal>,
}

/// Plays games of the nets. The gradients are those of `net_set`.
#[derive(Clone, Copy)]
pub(crate) struct SelfPlay<'a> {
    pub(crate) net_set: &'a NetSet,
    /// The earlier copy of the nets.
    pub(crate) anchor: &'a NetSet,
    pub(crate) settings: &'a SelfPlaySettings,
    /// The player of each seat: the nets, or a guest.
    pub(crate) players: [Character; 5],
}

impl SelfPlay<'_> {
    /// Plays one game and adds its gradients to the batch.
    pub(crate) fn play(mut self, parameters: &Parameters, rng: &mut FastRng, batch: &mut GameBatch) {
        let decks = shuffled_decks(parameters, rng);
        let public = PublicState::start(*parameters, random_seat(parameters.players, rng));
        let mut world = World { public, hands: BySeat::default(), bids: ArrayVec::new() };
        if random_unit(rng) < self.settings.guest_rate {
            let seats = &mut self.players[..usize::from(parameters.players.count())];
            seats.iter_mut().for_each(|player| *player = random_player(rng));
        }
        // In half of the games all seats know which bot plays in each seat.
        if random_unit(rng) < 0.5 {
            world.public.characters = self.players.map(Some);
        }
        // The positions of all seats at the start of each round.
        let mut judged: Vec<Vec<Judged>> = Vec::new();
        let judge = |world: &World| -> Vec<Judged> {
            let one = |seat| Judged::new(self.net_set, &world.public, seat, world.hands[seat]);
            parameters.players.seats().map(one).collect()
        };
        while !world.public.is_over() {
            let round = usize::from(world.public.round_index);
            if round.is_multiple_of(usize::from(parameters.rounds_per_stage)) {
                // The end of a stage is also judged before the next hands are dealt, so the value net must learn this
                // too.
                judged.push(judge(&world));
                let hand_size = usize::from(parameters.hand_size());
                let first_card = round / usize::from(parameters.rounds_per_stage) * hand_size;
                for seat in parameters.players.seats() {
                    world.hands[seat] = Cards::of(&decks[seat][first_card..first_card + hand_size]);
                }
            }
            let positions = judge(&world);
            let appraisals = positions.iter().map(|position| position.appraisal).collect();
            judged.push(positions);
            self.play_round(&mut world, appraisals, rng, batch);
        }
        for seat in parameters.players.seats().filter(|seat| self.players[seat.index()] == Character::Nets) {
            let result = SeatValue::at_the_end(&world.public, seat);
            let positions = judged.iter().map(|positions| &positions[seat.index()]);
            batch.learn_value(self.net_set, self.settings.horizon, result, positions);
        }
    }

    /// Plays one round and adds the gradients of its offer and bids. `appraisals` has each seat's appraisal of the
    /// table when the round starts.
    fn play_round(self, world: &mut World, appraisals: Vec<Appraisal>, rng: &mut FastRng, batch: &mut GameBatch) {
        world.public.draw(rng);
        self.make_offer(world, &appraisals, rng, batch);
        let (context, anchor_context) = (world.context(self.net_set), world.context(self.anchor));
        let prepared = Prepared { context, anchor_context, appraisals };
        while !world.public.is_full() {
            self.make_bid(world, &prepared, rng, batch);
        }
        world.settle();
    }

    /// Makes the offer of the round's first seat. If the nets play this seat, adds the gradient.
    fn make_offer(self, world: &mut World, appraisals: &[Appraisal], rng: &mut FastRng, batch: &mut GameBatch) {
        let seat = world.public.first;
        let knowledge = world.knowledge(seat);
        let player = self.players[seat.index()];
        if player != Character::Nets {
            let legal = Legal::Offers { drawn: world.public.drawn.jewels() };
            if let Some(Action::Offer(offer)) = pick(&player.weigh(&knowledge, legal), rng) {
                world.public.make_offer(offer);
            }
            return;
        }
        let trace = self.net_set.trace_offers(&knowledge);
        let mix = trace.mix;
        if mix.offers.len() > 1 {
            let mut appraisal = appraisals[seat.index()];
            let mut utility = |offer| {
                let mut imagined = *world;
                imagined.public.make_offer(offer);
                let context = imagined.context(self.net_set);
                imagined.finish_with(self.net_set, &context, self.players, rng);
                imagined.settle();
                self.net_set.seat_value(&imagined.public, seat, imagined.hands[seat], &mut appraisal).utility()
            };
            let anchor = self.anchor.trace_offers(&knowledge).mix;
            let offers = mix.offers.iter().zip(mix.shares).zip(anchor.shares);
            let alternatives: Vec<Alternative> = offers
                .map(|((&offer, share), anchor_share)| Alternative { share, anchor_share, utility: utility(offer) })
                .collect();
            let (logit_gradient, _) = policy_gradient(&alternatives, self.settings);
            learn_offers(self.net_set, &trace, &logit_gradient, &mut batch.gradients.offer);
            batch.counts[2] += 1.0;
        }
        let explores = random_unit(rng) < self.settings.exploration_rate;
        let offer_count = u32::try_from(mix.offers.len()).unwrap_or(1);
        let index = if explores { rng.below(offer_count) as usize } else { mix.pick(rng) };
        world.public.make_offer(mix.offers[index]);
    }

    /// Makes the bid of the next bidder. If the nets play this seat, adds the gradient.
    fn make_bid(self, world: &mut World, prepared: &Prepared, rng: &mut FastRng, batch: &mut GameBatch) {
        let seat = world.public.bidder();
        let knowledge = world.knowledge(seat);
        let context = &prepared.context;
        let player = self.players[seat.index()];
        if player != Character::Nets {
            let (card, cushion) = player.bids(&knowledge, &context.outlook).pick(rng);
            world.bid(card, cushion);
            return;
        }
        let trace = self.net_set.trace_bids(&knowledge, &context.trunks[seat], &context.outlook);
        let mix = &trace.mix;
        if mix.hand.value_count() * mix.open.len() > 1 {
            let utilities = self.bid_utilities(world, mix, prepared, rng);
            let anchor = self.anchor.bids(&knowledge, &prepared.anchor_context.trunks[seat], &context.outlook);
            let alternative = |(card, cushion, share): (MoneyCard, Cushion, f32)| {
                let utility = utilities[cushion.index()][usize::from(card.value())];
                Alternative { share, anchor_share: anchor.share(card, cushion), utility }
            };
            let alternatives: Vec<Alternative> = mix.iter().map(alternative).collect();
            let (slopes, entropy) = policy_gradient(&alternatives, self.settings);
            batch.entropy += entropy;
            let mut logit_gradient: ByBid = [[0.0; 16]; 3];
            for ((card, cushion, _), slope) in mix.iter().zip(slopes) {
                logit_gradient[cushion.index()][usize::from(card.value())] = slope;
            }
            learn_bids(self.net_set, &knowledge, &trace, &logit_gradient, &mut batch.gradients.bid);
            batch.counts[1] += 1.0;
        }
        let (card, cushion) = if random_unit(rng) < self.settings.exploration_rate {
            let (card, cushion) = rng.below_both(mix.hand.value_count(), mix.open.len());
            (mix.hand.nth_value(card).unwrap_or_default(), mix.open.nth(cushion).unwrap_or_default())
        } else {
            mix.pick(rng)
        };
        world.bid(card, cushion);
    }

    /// The utility of each possible bid of the next bidder, from one continuation of the round per cushion.
    fn bid_utilities(self, world: &World, mix: &BidMix, prepared: &Prepared, rng: &mut FastRng) -> ByBid {
        let seat = world.public.bidder();
        let mut utilities = [[0.0; 16]; 3];
        let mut appraisal = prepared.appraisals[seat.index()];
        // All continuations use the same random numbers, so that they differ only in the bid.
        let same_rng = split_rng(rng, 16);
        let finish = |world: &mut World| {
            world.finish_with(self.net_set, &prepared.context, self.players, &mut same_rng.clone());
        };
        for cushion in mix.open.iter() {
            world.after_each_card(cushion, finish, |card, after| {
                after.settle();
                let value = self.net_set.seat_value(&after.public, seat, after.hands[seat], &mut appraisal);
                utilities[cushion.index()][usize::from(card.value())] = value.utility();
            });
        }
        utilities
    }
}

/// A random seat, each with the same probability.
pub(super) fn random_seat(players: Players, rng: &mut FastRng) -> Seat {
    players.seats().nth(rng.below(players.count().into()) as usize).unwrap_or_default()
}

/// A shuffled full deck for each seat.
fn shuffled_decks(parameters: &Parameters, rng: &mut FastRng) -> BySeat<CardsInOrder> {
    let mut decks = BySeat::<CardsInOrder>::default();
    for seat in parameters.players.seats() {
        decks[seat] = Cards::full_in_order(parameters.highest_card, parameters.copies);
        shuffle(&mut decks[seat], rng);
    }
    decks
}

/// The player of a seat in a game with guests: the nets, or a bot without nets. Stronger bots are chosen more often.
fn random_player(rng: &mut FastRng) -> Character {
    use Character::{Jeweller, Merchant, Nets, Page, Random};
    let choices = [Nets, Nets, Nets, Nets, Nets, Jeweller, Jeweller, Jeweller, Merchant, Merchant, Page, Random];
    choices[rng.below(12) as usize]
}

/// One of the actions among which the nets choose.
struct Alternative {
    /// The probability with which the nets choose this action.
    share: f32,
    /// The probability with which the anchor chooses this action.
    anchor_share: f32,
    /// The utility after the round if this action is chosen.
    utility: f32,
}

/// The gradient of the logits of all alternatives: towards actions with a higher utility than the mean, but close to
/// the anchor, and with a high entropy. Also returns the entropy.
fn policy_gradient(alternatives: &[Alternative], settings: &SelfPlaySettings) -> (Vec<f32>, f64) {
    // The utility minus the penalties for divergence from the anchor and for low entropy.
    let objective = |&Alternative { share, anchor_share, utility }: &Alternative| {
        let ln_share = ln(share.max(1e-8));
        let divergence = ln_share - ln(anchor_share.max(1e-8));
        utility - settings.anchor_weight * divergence - settings.entropy_weight * ln_share
    };
    let (mut mean, mut entropy) = (0.0, 0.0);
    for alternative in alternatives {
        mean += alternative.share * objective(alternative);
        entropy -= alternative.share * ln(alternative.share.max(1e-8));
    }
    let slope = |alternative: &Alternative| alternative.share * (objective(alternative) - mean);
    (alternatives.iter().map(slope).collect(), f64::from(entropy))
}

#[cfg(test)]
mod tests;
