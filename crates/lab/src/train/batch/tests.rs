//! The gradients of self-play match finite differences of the objective.

use super::*;
use crate::train::gradient::tests::{assert_gradient, knowledge};
use sultan_bots::Nets;
use sultan_domain::Players;

#[test]
fn policy_gradient_matches_finite_differences_of_utility_divergence_and_entropy() {
    let settings = SelfPlaySettings { anchor_weight: 0.3, entropy_weight: 0.2, ..SelfPlaySettings::of(Players::TWO) };
    let (logits, utilities, anchor_shares) = ([0.3_f64, -0.8, 1.1, 0.0], [0.5, -0.2, 0.1, 0.9], [0.4, 0.1, 0.3, 0.2]);
    let shares = |logits: [f64; 4]| {
        let sum: f64 = logits.iter().map(|logit| logit.exp()).sum();
        logits.map(|logit| logit.exp() / sum)
    };
    // The mean utility, minus the weighted divergence from the anchor, plus the weighted entropy.
    let objective = |logits: [f64; 4]| -> f64 {
        let term = |((share, utility), anchor_share): ((f64, f64), f64)| {
            share * (utility - 0.3 * (share / anchor_share).ln() - 0.2 * share.ln())
        };
        shares(logits).into_iter().zip(utilities).zip(anchor_shares).map(term).sum()
    };
    #[expect(clippy::cast_possible_truncation, reason = "the nets compute with `f32`")]
    let alternative = |index: usize| Alternative {
        share: shares(logits)[index] as f32,
        anchor_share: anchor_shares[index] as f32,
        utility: utilities[index] as f32,
    };
    let (gradient, entropy) = policy_gradient(&[0, 1, 2, 3].map(alternative), &settings);
    let expected_entropy: f64 = shares(logits).iter().map(|share| -share * share.ln()).sum();
    assert!((entropy - expected_entropy).abs() < 1e-5, "{entropy} {expected_entropy}");
    for (index, slope) in gradient.into_iter().enumerate() {
        let objective_after_change = |change: f64| {
            let mut logits = logits;
            logits[index] += change;
            objective(logits)
        };
        let expected_slope = (objective_after_change(1e-4) - objective_after_change(-1e-4)) / 2e-4;
        assert!((expected_slope - f64::from(slope)).abs() < 1e-5, "logit {index}: {slope}, not {expected_slope}");
    }
}

#[test]
fn value_gradient_matches_finite_differences() {
    let players = Players::THREE;
    let net_set = &Nets::shipped(players).net_set;
    // Three players; a bid with two open cushions.
    let knowledge = knowledge(players, false, 2);
    let judged = |net_set: &NetSet| Judged::new(net_set, &knowledge.public, knowledge.seat, knowledge.hand);
    let result = SeatValue { win: 0.5, margin: 0.8 };
    let mut batch = GameBatch::new(&knowledge.public.parameters);
    batch.learn_value(net_set, 0.7, result, [judged(net_set)].iter());
    assert_eq!(batch.counts.map(|count| count > 0.5), [true, false, false]);
    // The log-likelihood of winning half of the game, minus half the squared error of the margin.
    assert_gradient(net_set, 0, &batch.gradients.value, |net_set| {
        let SeatValue { win, margin } = judged(net_set).value;
        let (win, margin_error) = (f64::from(win), f64::from(result.margin - margin));
        0.5 * win.ln() + 0.5 * (1.0 - win).ln() - 0.5 * margin_error * margin_error
    });
}

#[test]
fn value_target_of_an_earlier_position_depends_on_the_horizon() {
    let players = Players::FOUR;
    let net_set = &Nets::shipped(players).net_set;
    // Four players; a bid with three open cushions.
    let knowledge = knowledge(players, false, 3);
    let judged = || Judged::new(net_set, &knowledge.public, knowledge.seat, knowledge.hand);
    // The same position twice: as an earlier and as a later one.
    let positions = [judged(), judged()];
    let result = SeatValue { win: 1.0, margin: 0.5 };
    let squared_error = |horizon: f32| {
        let mut batch = GameBatch::new(&knowledge.public.parameters);
        batch.learn_value(net_set, horizon, result, positions.iter());
        batch.squared_error
    };
    let error_of_later = f64::from(result.win - positions[1].value.win);
    // The target of the later position is the result. The target of the earlier position is the result (horizon 1), the
    // value of the later position (horizon 0), which is its own value, or the mean of both (horizon 0.5).
    for (horizon, squared_error_ratio) in [(1.0, 1.0), (0.0, 0.0), (0.5, 0.25)] {
        let expected = error_of_later * error_of_later * (1.0 + squared_error_ratio);
        let actual = squared_error(horizon);
        assert!((actual - expected).abs() < 1e-4, "horizon {horizon}: {actual}, not {expected}");
    }
}
