//! Gradients compared with finite differences.

use super::*;
use sultan_bots::search::math::random_unit;
use sultan_bots::search::net::Shape;
use sultan_bots::search::{Outlook, Policy};
use sultan_bots::{Nets, by_name};
use sultan_domain::{Action, Cushion, Legal, MoneyCard, Players, Screens};
use sultan_rules::FastRng;
use sultan_testkit::TestGame;

/// The knowledge of a seat in the middle of a game of jewellers. The seat can make `choices` different offers, or, if
/// `offers` is false, bid on `choices` different cushions.
pub(in crate::train) fn knowledge(players: Players, offers: bool, choices: u32) -> Knowledge {
    let is_wanted = |knowledge: &Knowledge, legal: Legal| {
        let is_offer = matches!(legal.iter().next(), Some(Action::Offer(_)));
        let count = if is_offer { legal.len() } else { knowledge.public.open_cushions(knowledge.seat).len() };
        is_offer == offers && count == choices && knowledge.public.round_index > 1
    };
    let jeweller = by_name("jeweller").unwrap();
    let moments_of_game = |seed| {
        let mut rng = FastRng::new(seed);
        let choose = |view: &_, recall: &_| jeweller.choose(view, recall, &mut rng, &|| false).unwrap();
        TestGame::new(players, Screens::Closed, seed).moments(choose)
    };
    let moments = (0..20).flat_map(moments_of_game);
    let mut situations =
        moments.map(|(view, recall)| (Knowledge::new(&view, &recall, &mut FastRng::new(1)).unwrap(), view.legal()));
    situations.find(|(knowledge, legal)| is_wanted(knowledge, *legal)).unwrap().0
}

/// Checks that `gradient` is the gradient of `objective` with respect to the numbers of one net: the value net (0), the
/// bid net (1) or the offer net (2).
///
/// Compares some of its numbers with finite differences: the change of the objective after a small change of the net.
pub(in crate::train) fn assert_gradient(
    net_set: &NetSet,
    net_index: usize,
    gradient: &Net,
    objective: impl Fn(&NetSet) -> f64,
) {
    const STEP: f32 = 2e-3;
    let mut copy = net_set.clone();
    let mut objective_after_change = |index: usize, change: f32| {
        copy.nets_mut()[net_index].numbers[index] = net_set.nets()[net_index].numbers[index] + change;
        let value = objective(&copy);
        copy.nets_mut()[net_index].numbers[index] = net_set.nets()[net_index].numbers[index];
        value
    };
    let steepest = |numbers: &[f32]| numbers.iter().fold(0.0_f32, |max, number| max.max(number.abs()));
    for part in gradient.shape.parts() {
        // Gradients of biases shared by all options may cancel out.
        let steepest_of_part = steepest(&gradient.numbers[part.clone()]).max(0.01 * steepest(&gradient.numbers));
        // About ten numbers with a large gradient, and up to 300 of all numbers, to find missing gradients.
        let is_steep = |&index: &usize| gradient.numbers[index].abs() > 0.05 * steepest_of_part;
        let steep: Vec<usize> = part.clone().filter(is_steep).collect();
        let some_steep = steep.iter().copied().step_by(steep.len().div_ceil(10).max(1));
        for index in some_steep.chain(part.clone().step_by(part.len().div_ceil(300))) {
            let unchanged = objective_after_change(index, 0.0);
            let slope = |step: f32| (objective_after_change(index, step) - unchanged) / f64::from(step);
            let slopes = [-STEP, STEP].map(slope);
            let actual = f64::from(gradient.numbers[index]);
            // `f32` makes the slopes imprecise. If a unit is active only for one of the two changes, the slopes differ,
            // and the gradient is in between.
            let tolerance = 0.03 * actual.abs().max(f64::from(steepest_of_part)) + 1e-3;
            let low = slopes[0].min(slopes[1]) - tolerance;
            let high = slopes[0].max(slopes[1]) + tolerance;
            assert!((low..high).contains(&actual), "number {index} in {part:?}: {actual}, but slopes {slopes:?}");
        }
    }
}

#[test]
fn bid_gradient_matches_finite_differences() {
    // Games of two (`ALL[0]`) and five. With two players, a seat has three open cushions for its first card and two for
    // its second.
    for (players, cushions) in [(Players::TWO, 3), (Players::TWO, 2), (Players::FIVE, 3)] {
        let net_set = &Nets::shipped(players).net_set;
        let is_offer = false;
        let knowledge = knowledge(players, is_offer, cushions);
        let outlook = Outlook::new(&knowledge.public);
        let trace_bids = |net_set: &NetSet| {
            let trunk = net_set.trunk(&knowledge.public, knowledge.seat, knowledge.round_hand());
            net_set.trace_bids(&knowledge, &trunk, &outlook)
        };
        // A random gradient with a sum of 0. With another sum, the normalisation of the shares would change the
        // gradient.
        let trace = trace_bids(net_set);
        let mut rng = FastRng::new(1);
        let mut logit_gradient: ByBid = [[0.0; 16]; 3];
        let mut sum = 0.0;
        for (card, cushion, _) in trace.mix.iter() {
            let slope = random_unit(&mut rng) - 0.5;
            logit_gradient[cushion.index()][usize::from(card.value())] = slope;
            sum += slope;
        }
        let (card, cushion, _) = trace.mix.iter().next().unwrap();
        logit_gradient[cushion.index()][usize::from(card.value())] -= sum;
        let mut gradient = Net::zero(net_set.bid.shape);
        learn_bids(net_set, &knowledge, &trace, &logit_gradient, &mut gradient);
        assert_gradient(net_set, 1, &gradient, |net_set| {
            let mix = trace_bids(net_set).mix;
            let slope = |card: MoneyCard, cushion: Cushion| logit_gradient[cushion.index()][usize::from(card.value())];
            mix.iter().map(|(card, cushion, share)| f64::from(slope(card, cushion)) * f64::from(share).ln()).sum()
        });
    }
}

#[test]
fn offer_gradient_matches_finite_differences() {
    // Two and four players.
    for players in [Players::TWO, Players::FOUR] {
        let net_set = &Nets::shipped(players).net_set;
        // A choice between three offers.
        let knowledge = knowledge(players, true, 3);
        let trace = net_set.trace_offers(&knowledge);
        let logit_gradient = [0.7, -0.5, -0.2];
        let mut gradient = Net::zero(net_set.offer.shape);
        learn_offers(net_set, &trace, &logit_gradient, &mut gradient);
        assert_gradient(net_set, 2, &gradient, |net_set| {
            let mix = net_set.trace_offers(&knowledge).mix;
            let shares_and_slopes = mix.shares[..mix.offers.len()].iter().zip(logit_gradient);
            shares_and_slopes.map(|(&share, slope)| f64::from(slope) * f64::from(share).ln()).sum()
        });
    }
}

fn random_net(features: usize, rng: &mut FastRng) -> Net {
    let mut net = Net::zero(Shape { features });
    net.numbers.iter_mut().for_each(|number| *number = random_unit(rng) - 0.5);
    net
}

/// Computes a net for these features.
fn activations(net: &Net, features: &[u16]) -> Activations {
    let mut sums = net.start();
    net.add_features(&mut sums, features);
    let mut activations = Activations::default();
    net.finish::<OUT>(&sums, &mut activations);
    activations
}

#[test]
fn backpropagation_matches_finite_differences_in_every_part_of_a_net() {
    let mut rng = FastRng::new(5);
    let net = random_net(7, &mut rng);
    let features = [1, 4, 6];
    let mut output_gradient = [0.0; OUT];
    output_gradient.iter_mut().for_each(|slope| *slope = random_unit(&mut rng) - 0.5);
    let objective = |net: &Net| -> f64 {
        let outputs = activations(net, &features).out;
        outputs.iter().zip(output_gradient).map(|(output, slope)| f64::from(*output) * f64::from(slope)).sum()
    };
    let mut gradient = Net::zero(net.shape);
    let sums = backpropagate(&net, &activations(&net, &features), &output_gradient, &mut gradient);
    learn_bias(&mut gradient, &sums);
    learn_features(&mut gradient, &sums, &features);
    // Every 13th number, so that each part of the net is tested.
    for index in (0..net.numbers.len()).step_by(13) {
        let step = 1e-3;
        let objective_after_change = |change: f32| {
            let mut net = net.clone();
            net.numbers[index] += change;
            objective(&net)
        };
        let expected = (objective_after_change(step) - objective_after_change(-step)) / f64::from(2.0 * step);
        let actual = f64::from(gradient.numbers[index]);
        let tolerance = 0.02 * expected.abs().max(1.0);
        assert!((expected - actual).abs() < tolerance, "number {index}: {actual}, not {expected}");
    }
}
