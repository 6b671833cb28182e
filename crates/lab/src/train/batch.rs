//! Plays games of the nets against themselves, and adds up their gradients.
//!
//! Every bid is compared with all alternatives. Cards are face down, so other seats react only to the cushion, and one
//! continuation per cushion scores every card on it. The nets move towards bids that were better than their mix, but
//! stay close to an earlier copy of themselves: otherwise they would cycle and become predictable.

use sultan_bots::pick;
use sultan_bots::search::math::{ln, random_unit, split_rng};
use sultan_bots::search::net::{Activations, Appraisal, FeatureSet, NetSet, OUT, SeatValue};
use sultan_bots::search::{BidMix, ByBid, Character, Policy, PublicState, RoundContext, World};
use sultan_domain::{
    Action, BySeat, Cards, CardsInOrder, Chance, Cushion, Legal, MoneyCard, Parameters, Players, Seat,
};
use sultan_rules::{Quick, shuffle};
use tinyvec::ArrayVec;

use super::Settings;
use super::gradient::{backpropagate, learn_bias, learn_bids, learn_features, learn_offers};

/// The sums over a batch of games.
pub(crate) struct GameBatch {
    /// The gradients of the nets.
    pub(crate) change: NetSet,
    /// The number of judged positions, bids and offers in the gradients.
    pub(crate) counts: [f32; 3],
    /// Statistics: the squared error of the winning chance, and the entropy of the bids.
    pub(crate) statistics: [f64; 2],
}

/// A position judged by the value net for one seat.
pub(crate) struct Judged {
    pub(crate) appraisal: Appraisal,
    pub(crate) worth: SeatValue,
}

impl Judged {
    pub(crate) fn new(net_set: &NetSet, public: &PublicState, seat: Seat, hand: Cards) -> Self {
        let mut appraisal = net_set.appraisal();
        let worth = net_set.seat_value(public, seat, hand, &mut appraisal);
        Self { appraisal, worth }
    }
}

/// Intermediate results shared by the bids of a round.
struct Prepared {
    context: RoundContext,
    anchor: RoundContext,
    /// Every seat's appraisal of the start of the round.
    appraisals: Vec<Appraisal>,
}

/// The nets, their earlier copy, and the settings.
#[derive(Clone, Copy)]
pub(crate) struct Trainer<'a> {
    pub(crate) net_set: &'a NetSet,
    pub(crate) anchor: &'a NetSet,
    pub(crate) settings: &'a Settings,
    /// The player of each seat: the nets, or a level written by hand.
    pub(crate) players: [Character; 5],
}

impl GameBatch {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        Self { change: NetSet::zero(parameters), counts: [0.0; 3], statistics: [0.0; 2] }
    }

    pub(crate) fn clear(&mut self) {
        self.change.nets_mut().into_iter().for_each(|net| net.numbers.fill(0.0));
        (self.counts, self.statistics) = ([0.0; 3], [0.0; 2]);
    }

    /// Plays one game and adds its gradients.
    pub(crate) fn play(&mut self, mut trainer: Trainer, parameters: &Parameters, rng: &mut Quick) {
        let decks = shuffled_decks(parameters, rng);
        let public = PublicState::start(*parameters, random_seat(parameters.players, rng));
        let mut world = World { public, hands: BySeat::default(), bids: ArrayVec::new() };
        if random_unit(rng) < trainer.settings.guest_rate {
            let seats = &mut trainer.players[..usize::from(parameters.players.count())];
            seats.iter_mut().for_each(|guest| *guest = random_guest(rng));
        }
        // In half of the games the characters are known to all seats, in the others unknown.
        if random_unit(rng) < 0.5 {
            world.public.characters = trainer.players.map(Some);
        }
        let mut judged: Vec<Vec<Judged>> = Vec::new();
        let judge = |world: &World| -> Vec<Judged> {
            let one = |seat| Judged::new(trainer.net_set, &world.public, seat, world.hands[seat]);
            parameters.players.seats().map(one).collect()
        };
        while !world.public.is_over() {
            let round = usize::from(world.public.round_index);
            if round.is_multiple_of(usize::from(parameters.rounds_per_stage)) {
                // The end of a stage is also judged before the next hands are dealt, so the value net must learn this
                // too.
                judged.push(judge(&world));
                let from = round / usize::from(parameters.rounds_per_stage) * usize::from(parameters.hand());
                for seat in parameters.players.seats() {
                    world.hands[seat] = Cards::of(&decks[seat][from..from + usize::from(parameters.hand())]);
                }
            }
            let moments = judge(&world);
            let appraisals = moments.iter().map(|moment| moment.appraisal).collect();
            judged.push(moments);
            self.round(trainer, &mut world, appraisals, rng);
        }
        for seat in parameters.players.seats().filter(|seat| trainer.players[seat.index()] == Character::Nets) {
            let end = SeatValue::at_the_end(&world.public, seat);
            let moments = judged.iter().map(|moments| &moments[seat.index()]);
            self.learn_value(trainer.net_set, trainer.settings.horizon, end, moments);
        }
    }

    fn round(&mut self, trainer: Trainer, world: &mut World, appraisals: Vec<Appraisal>, rng: &mut Quick) {
        world.public.draw(rng);
        self.offer(trainer, world, &appraisals, rng);
        let prepared =
            Prepared { context: world.context(trainer.net_set), anchor: world.context(trainer.anchor), appraisals };
        while !world.public.is_full() {
            self.bid(trainer, world, &prepared, rng);
        }
        world.settle();
    }

    fn offer(&mut self, trainer: Trainer, world: &mut World, appraisals: &[Appraisal], rng: &mut Quick) {
        let seat = world.public.first;
        let knowledge = world.knowledge(seat);
        let guest = trainer.players[seat.index()];
        if guest != Character::Nets {
            let legal = Legal::Offers { drawn: world.public.drawn.jewels() };
            if let Some(Action::Offer(offer)) = pick(&guest.weigh(&knowledge, legal), rng) {
                world.public.make_offer(offer);
            }
            return;
        }
        let trace = trainer.net_set.trace_offers(&knowledge);
        let mix = trace.mix;
        if mix.offers.len() > 1 {
            let mut gains = [0.0; 4];
            let mut appraisal = appraisals[seat.index()];
            for (gain, &offer) in gains.iter_mut().zip(&mix.offers) {
                let mut imagined = *world;
                imagined.public.make_offer(offer);
                let context = imagined.context(trainer.net_set);
                imagined.finish_with(trainer.net_set, &context, trainer.players, rng);
                imagined.settle();
                *gain =
                    trainer.net_set.seat_value(&imagined.public, seat, imagined.hands[seat], &mut appraisal).utility();
            }
            let anchor = trainer.anchor.trace_offers(&knowledge).mix;
            let mut wanted = [0.0; 4];
            policy_gradient(&mix.shares[..mix.offers.len()], &anchor.shares, &gains, trainer.settings, &mut wanted);
            learn_offers(trainer.net_set, &trace, wanted, &mut self.change.offer);
            self.counts[2] += 1.0;
        }
        let explores = random_unit(rng) < trainer.settings.exploration_rate;
        let all = u32::try_from(mix.offers.len()).unwrap_or(1);
        let place = if explores { rng.below(all) as usize } else { mix.pick(rng) };
        world.public.make_offer(mix.offers[place]);
    }

    fn bid(&mut self, trainer: Trainer, world: &mut World, prepared: &Prepared, rng: &mut Quick) {
        let seat = world.public.bidder();
        let knowledge = world.knowledge(seat);
        let context = &prepared.context;
        let guest = trainer.players[seat.index()];
        if guest != Character::Nets {
            let (card, cushion) = guest.bids(&knowledge, &context.outlook).pick(rng);
            world.bid(card, cushion);
            return;
        }
        let trace = trainer.net_set.trace_bids(&knowledge, &context.trunks[seat], &context.outlook);
        let mix = &trace.mix;
        if mix.hand.values_len() * mix.open.len() > 1 {
            let gains = utilities(trainer, world, mix, prepared, rng);
            let anchor = trainer.anchor.bids(&knowledge, &prepared.anchor.trunks[seat], &context.outlook);
            let shares: Vec<f32> = mix.iter().map(|(_, _, share)| share).collect();
            let anchors: Vec<f32> = mix.iter().map(|(card, cushion, _)| anchor.share(card, cushion)).collect();
            let gain_of = |card: MoneyCard, cushion: Cushion| gains[cushion.index()][usize::from(card.value())];
            let gains: Vec<f32> = mix.iter().map(|(card, cushion, _)| gain_of(card, cushion)).collect();
            let mut wanted = vec![0.0; shares.len()];
            self.statistics[1] += policy_gradient(&shares, &anchors, &gains, trainer.settings, &mut wanted);
            let mut by_bid: ByBid = [[0.0; 16]; 3];
            for ((card, cushion, _), wanted) in mix.iter().zip(wanted) {
                by_bid[cushion.index()][usize::from(card.value())] = wanted;
            }
            learn_bids(trainer.net_set, &knowledge, &trace, &by_bid, &mut self.change.bid);
            self.counts[1] += 1.0;
        }
        let (card, cushion) = if random_unit(rng) < trainer.settings.exploration_rate {
            let (card, cushion) = rng.below_both(mix.hand.values_len(), mix.open.len());
            (mix.hand.nth_value(card).unwrap_or_default(), mix.open.nth(cushion).unwrap_or_default())
        } else {
            mix.pick(rng)
        };
        world.bid(card, cushion);
    }

    /// Adds the gradient of the value net for all judged positions of a seat, given the result.
    pub(crate) fn learn_value<'a>(
        &mut self,
        net_set: &NetSet,
        horizon: f32,
        end: SeatValue,
        moments: impl DoubleEndedIterator<Item = &'a Judged>,
    ) {
        let mut target = end;
        for moment in moments.rev() {
            let mut activations = Activations::default();
            let worth = net_set.value_from_sums(&moment.appraisal.sums, &mut activations);
            let mut wanted = [0.0; OUT];
            // The gradients of the likelihood for the winning chance, and of the squared error for the margin.
            wanted[0] = target.win - worth.win;
            wanted[1] = target.margin - worth.margin;
            self.statistics[0] += f64::from(wanted[0]) * f64::from(wanted[0]);
            let sums = backpropagate(&net_set.value, &activations, &wanted, &mut self.change.value);
            learn_bias(&mut self.change.value, &sums);
            let features = moment.appraisal.features.difference(&FeatureSet::NONE);
            learn_features(&mut self.change.value, &sums, features.as_slice());
            self.counts[0] += 1.0;
            target.win = horizon * target.win + (1.0 - horizon) * moment.worth.win;
            target.margin = horizon * target.margin + (1.0 - horizon) * moment.worth.margin;
        }
    }
}

pub(super) fn random_seat(players: Players, rng: &mut Quick) -> Seat {
    players.seats().nth(rng.below(players.count().into()) as usize).unwrap_or_default()
}

fn shuffled_decks(parameters: &Parameters, rng: &mut Quick) -> BySeat<CardsInOrder> {
    let mut decks = BySeat::<CardsInOrder>::default();
    for seat in parameters.players.seats() {
        decks[seat] = Cards::full_in_order(parameters.highest_card, parameters.copies);
        shuffle(&mut decks[seat], rng);
    }
    decks
}

/// The player of a seat in a game with guests: the nets, or a level written by hand, mostly the strongest.
fn random_guest(rng: &mut Quick) -> Character {
    use Character::{Jeweller, Merchant, Nets, Page, Random};
    let choices = [Nets, Nets, Nets, Nets, Nets, Jeweller, Jeweller, Jeweller, Merchant, Merchant, Page, Random];
    choices[rng.below(12) as usize]
}

/// The utility of each bid, from one continuation of the round per cushion.
fn utilities(trainer: Trainer, world: &World, mix: &BidMix, prepared: &Prepared, rng: &mut Quick) -> ByBid {
    let (net_set, seat) = (trainer.net_set, world.public.bidder());
    let mut gains = [[0.0; 16]; 3];
    let mut appraisal = prepared.appraisals[seat.index()];
    // The same random numbers for every action, so that only the action differs.
    let same = split_rng(rng, 16);
    let finish = |world: &mut World| world.finish_with(net_set, &prepared.context, trainer.players, &mut same.clone());
    for cushion in mix.open.iter() {
        world.after_each_card(cushion, finish, |card, after| {
            after.settle();
            let worth = net_set.seat_value(&after.public, seat, after.hands[seat], &mut appraisal);
            gains[cushion.index()][usize::from(card.value())] = worth.utility();
        });
    }
    gains
}

/// The gradient of the logits: towards better results than the mix, but close to the anchor, and with a high entropy.
/// Returns the entropy of the mix.
fn policy_gradient(shares: &[f32], anchors: &[f32], gains: &[f32], settings: &Settings, wanted: &mut [f32]) -> f64 {
    let adjusted_gain = |share: f32, anchor: f32, gain: f32| {
        let own = ln(share.max(1e-8));
        gain - settings.anchor_weight * (own - ln(anchor.max(1e-8))) - settings.entropy_weight * own
    };
    let (mut mean, mut entropy) = (0.0, 0.0);
    for ((&share, &anchor), &gain) in shares.iter().zip(anchors).zip(gains) {
        mean += share * adjusted_gain(share, anchor, gain);
        entropy -= share * ln(share.max(1e-8));
    }
    for (((&share, &anchor), &gain), wanted) in shares.iter().zip(anchors).zip(gains).zip(wanted) {
        *wanted = share * (adjusted_gain(share, anchor, gain) - mean);
    }
    f64::from(entropy)
}

#[cfg(test)]
mod tests;
