//! The gradients of self-play match finite differences of the objective.

use super::*;
use crate::train::gradient::tests::{assert_gradient, knowledge};
use sultan_bots::Nets;
use sultan_domain::Players;

#[test]
fn policy_moves_towards_gains_near_the_anchor_and_stays_mixed() {
    let settings = Settings { anchor_weight: 0.3, entropy_weight: 0.2, ..Settings::of(Players::ALL[0]) };
    let (logits, gains, anchors) = ([0.3_f64, -0.8, 1.1, 0.0], [0.5, -0.2, 0.1, 0.9], [0.4, 0.1, 0.3, 0.2]);
    let shares = |logits: [f64; 4]| {
        let sum: f64 = logits.iter().map(|logit| logit.exp()).sum();
        logits.map(|logit| logit.exp() / sum)
    };
    // The gain, minus the weighted divergence from the anchor, plus the weighted entropy.
    let goal = |logits: [f64; 4]| -> f64 {
        let one = |((share, gain), anchor): ((f64, f64), f64)| {
            share * (gain - 0.3 * (share / anchor).ln() - 0.2 * share.ln())
        };
        shares(logits).into_iter().zip(gains).zip(anchors).map(one).sum()
    };
    #[expect(clippy::cast_possible_truncation, reason = "as the nets count")]
    let single = |parameters: [f64; 4]| parameters.map(|number| number as f32);
    let mut wanted = [0.0; 4];
    let entropy = policy_gradient(&single(shares(logits)), &single(anchors), &single(gains), &settings, &mut wanted);
    let expected: f64 = shares(logits).iter().map(|share| -share * share.ln()).sum();
    assert!((entropy - expected).abs() < 1e-5, "{entropy} {expected}");
    for (at, wanted) in wanted.into_iter().enumerate() {
        let moved = |by: f64| {
            let mut logits = logits;
            logits[at] += by;
            goal(logits)
        };
        let slope = (moved(1e-4) - moved(-1e-4)) / 2e-4;
        assert!((slope - f64::from(wanted)).abs() < 1e-5, "{at}: {slope} {wanted}");
    }
}

#[test]
fn value_net_moves_towards_the_result() {
    let players = Players::ALL[1];
    let net_set = &Nets::shipped(players).net_set;
    let knowledge = knowledge(players, false, 2);
    let judged = |net_set: &NetSet| Judged::new(net_set, &knowledge.public, knowledge.seat, knowledge.hand);
    let end = SeatValue { win: 0.5, margin: 0.8 };
    let mut batch = GameBatch::new(&knowledge.public.parameters);
    batch.learn_value(net_set, 0.7, end, [judged(net_set)].iter());
    assert_eq!(batch.counts.map(|count| count > 0.5), [true, false, false]);
    assert_gradient(net_set, 0, &batch.change.value, |net_set| {
        let SeatValue { win, margin } = judged(net_set).worth;
        let (win, miss) = (f64::from(win), f64::from(end.margin - margin));
        0.5 * win.ln() + 0.5 * (1.0 - win).ln() - 0.5 * miss * miss
    });
}

#[test]
fn horizon_of_the_value_net_is_configurable() {
    let players = Players::ALL[2];
    let net_set = &Nets::shipped(players).net_set;
    let knowledge = knowledge(players, false, 3);
    let judged = || Judged::new(net_set, &knowledge.public, knowledge.seat, knowledge.hand);
    let (early, late) = (judged(), judged());
    let end = SeatValue { win: 1.0, margin: 0.5 };
    let error = |horizon: f32, moments: &[Judged]| {
        let mut batch = GameBatch::new(&knowledge.public.parameters);
        batch.learn_value(net_set, horizon, end, moments.iter());
        batch.statistics[0]
    };
    let miss = f64::from(end.win - early.worth.win);
    let two = [early, late];
    // The target of the later position is the result; that of the earlier one is the result, the later value, or a
    // mixture.
    for (horizon, of_early) in [(1.0, 1.0), (0.0, 0.0), (0.5, 0.25)] {
        let expected = miss * miss * (1.0 + of_early);
        assert!((error(horizon, &two) - expected).abs() < 1e-4, "{horizon}: {} {expected}", error(horizon, &two));
    }
}
