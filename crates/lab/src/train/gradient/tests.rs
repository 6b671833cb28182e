//! Gradients compared with finite differences.

use super::*;
use sultan_bots::search::math::random_unit;
use sultan_bots::search::net::Shape;
use sultan_bots::search::{Outlook, Policy};
use sultan_bots::{Nets, by_name};
use sultan_domain::{Action, Cushion, Legal, MoneyCard, Players, Screens};
use sultan_rules::Quick;
use sultan_testkit::TestGame;

/// The knowledge of a seat in a game of jewellers that can make this number of offers, or bid on this number of
/// cushions.
pub(in crate::train) fn knowledge(players: Players, offers: bool, choices: u32) -> Knowledge {
    let fits = |knowledge: &Knowledge, legal: Legal| {
        let offer = matches!(legal.iter().next(), Some(Action::Offer(_)));
        let count = if offer { legal.len() } else { knowledge.public.open_cushions(knowledge.seat).len() };
        offer == offers && count == choices && knowledge.public.round_index > 1
    };
    let jeweller = by_name("jeweller").unwrap();
    let moments = |seed| {
        let mut rng = Quick::new(seed);
        let choose = |view: &_, recall: &_| jeweller.choose(view, recall, &mut rng, &|| false).unwrap();
        TestGame::new(players, Screens::Closed, seed).moments(choose)
    };
    let all = (0..20).flat_map(moments);
    let mut all = all.map(|(view, recall)| (Knowledge::new(&view, &recall, &mut Quick::new(1)).unwrap(), view.legal()));
    all.find(|(knowledge, legal)| fits(knowledge, *legal)).unwrap().0
}

/// Checks that `change` is the gradient of `goal` in one of the three nets.
pub(in crate::train) fn assert_gradient(net_set: &NetSet, place: usize, change: &Net, goal: impl Fn(&NetSet) -> f64) {
    const STEP: f32 = 2e-3;
    let mut copy = net_set.clone();
    let mut moved = |at: usize, by: f32| {
        copy.nets_mut()[place].numbers[at] = net_set.nets()[place].numbers[at] + by;
        let reached = goal(&copy);
        copy.nets_mut()[place].numbers[at] = net_set.nets()[place].numbers[at];
        reached
    };
    let most = |numbers: &[f32]| numbers.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
    let most_of_all = most(&change.numbers);
    for part in change.shape.parts() {
        // Gradients of biases shared by all options may cancel out.
        let most = most(&change.numbers[part.clone()]).max(0.01 * most_of_all);
        // Some numbers with a large gradient, and some of all, to find missing gradients.
        let changing: Vec<usize> = part.clone().filter(|&at| change.numbers[at].abs() > 0.05 * most).collect();
        let some = changing.iter().copied().step_by(changing.len().div_ceil(10).max(1));
        for at in some.chain(part.clone().step_by(part.len().div_ceil(300))) {
            let here = moved(at, 0.0);
            let slopes = [-STEP, STEP].map(|step| (moved(at, step) - here) / f64::from(step));
            let learnt = f64::from(change.numbers[at]);
            // `f32` makes the slope imprecise. If a unit is inactive on one side, the slope of the other side counts.
            let near = 0.03 * learnt.abs().max(f64::from(most)) + 1e-3;
            let low = slopes[0].min(slopes[1]) - near;
            let high = slopes[0].max(slopes[1]) + near;
            assert!((low..high).contains(&learnt), "{at} in {part:?}: slopes {slopes:?}, learnt {learnt}");
        }
    }
}

#[test]
fn bid_gradient_matches_finite_differences() {
    for (players, cushions) in [(Players::ALL[0], 3), (Players::ALL[0], 2), (Players::ALL[3], 3)] {
        let net_set = &Nets::shipped(players).net_set;
        let knowledge = knowledge(players, false, cushions);
        let outlook = Outlook::new(&knowledge.public);
        let think = |net_set: &NetSet| {
            net_set.trace_bids(
                &knowledge,
                &net_set.trunk(&knowledge.public, knowledge.seat, knowledge.round_hand()),
                &outlook,
            )
        };
        // With a sum of 0, so that the normalisation of shares has no effect.
        let trace = think(net_set);
        let mut rng = Quick::new(1);
        let mut wanted: ByBid = [[0.0; 16]; 3];
        let mut sum = 0.0;
        for (card, cushion, _) in trace.mix.iter() {
            let by = random_unit(&mut rng) - 0.5;
            wanted[cushion.index()][usize::from(card.value())] = by;
            sum += by;
        }
        let (card, cushion, _) = trace.mix.iter().next().unwrap();
        wanted[cushion.index()][usize::from(card.value())] -= sum;
        let mut change = Net::zero(net_set.bid.shape);
        learn_bids(net_set, &knowledge, &trace, &wanted, &mut change);
        assert_gradient(net_set, 1, &change, |net_set| {
            let mix = think(net_set).mix;
            let by = |card: MoneyCard, cushion: Cushion| wanted[cushion.index()][usize::from(card.value())];
            mix.iter().map(|(card, cushion, share)| f64::from(by(card, cushion)) * f64::from(share).ln()).sum()
        });
    }
}

#[test]
fn offer_gradient_matches_finite_differences() {
    for players in [Players::ALL[0], Players::ALL[2]] {
        let net_set = &Nets::shipped(players).net_set;
        let knowledge = knowledge(players, true, 3);
        let trace = net_set.trace_offers(&knowledge);
        let wanted = [0.7, -0.5, -0.2, 0.0];
        let mut change = Net::zero(net_set.offer.shape);
        learn_offers(net_set, &trace, wanted, &mut change);
        assert_gradient(net_set, 2, &change, |net_set| {
            let mix = net_set.trace_offers(&knowledge).mix;
            mix.shares[..mix.offers.len()]
                .iter()
                .zip(wanted)
                .map(|(&share, by)| f64::from(by) * f64::from(share).ln())
                .sum()
        });
    }
}

fn random_net(features: usize, rng: &mut Quick) -> Net {
    let mut net = Net::zero(Shape { features });
    net.numbers.iter_mut().for_each(|number| *number = random_unit(rng) - 0.5);
    net
}

fn computed(net: &Net, features: &[u16]) -> Activations {
    let mut sums = net.start();
    net.add_features(&mut sums, features);
    let mut activations = Activations::default();
    net.finish::<OUT>(&sums, &mut activations);
    activations
}

#[test]
fn backpropagation_gives_the_slope_of_every_part_of_a_net() {
    let mut rng = Quick::new(5);
    let net = random_net(7, &mut rng);
    let features = [1, 4, 6];
    let mut wanted = [0.0; OUT];
    wanted.iter_mut().for_each(|wanted| *wanted = random_unit(&mut rng) - 0.5);
    let goal = |net: &Net| -> f64 {
        let out = computed(net, &features).out;
        out.iter().zip(wanted).map(|(out, wanted)| f64::from(*out) * f64::from(wanted)).sum()
    };
    let mut change = Net::zero(net.shape);
    let sums = backpropagate(&net, &computed(&net, &features), &wanted, &mut change);
    learn_bias(&mut change, &sums);
    learn_features(&mut change, &sums, &features);
    // Every 13th number, so that each part of the net is tested.
    for place in (0..net.numbers.len()).step_by(13) {
        let step = 1e-3;
        let moved = |by: f32| {
            let mut net = net.clone();
            net.numbers[place] += by;
            goal(&net)
        };
        let slope = (moved(step) - moved(-step)) / f64::from(2.0 * step);
        let learnt = f64::from(change.numbers[place]);
        assert!((slope - learnt).abs() < 0.02 * slope.abs().max(1.0), "{place}: {slope} {learnt}");
    }
}
