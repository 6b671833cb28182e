//! Tests for the means and standard errors of options.

use super::*;
use sultan_bots::search::PublicState;
use sultan_domain::{Bids, Cards, Players, Seat};

impl Considered {
    /// A decision between these actions, each with the chance to win the jewel it bids for (`None` for an offer), and
    /// all jewel chances. Shares and winning chances are the same for all actions.
    pub(crate) fn with_options(knowledge: Knowledge, options: Vec<(Action, Option<f64>, JewelChances)>) -> Self {
        let jewel_chances = options.iter().map(|&(_, _, jewel_chances)| jewel_chances).collect();
        let option = |(action, take, _)| OptionValue { action, share: 0.5, win: Estimate::default(), take };
        let options = options.into_iter().map(option).collect();
        Self { knowledge, options, jewel_chances, tables: 0, wins_by_batch: Vec::new() }
    }
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

/// The jewel chances if seat 4 wins the jewel on cushion 2 with this chance, and no seat wins another jewel.
fn last_seat_wins_middle_cushion(chance: f64) -> JewelChances {
    let mut jewel_chances = JewelChances::default();
    jewel_chances[1][4] = chance;
    jewel_chances
}

#[test]
fn results_are_weighted_by_the_probability_of_their_table() {
    // The utilities are 1.5 and -0.5: the winning chance plus half the margin.
    let (won, lost) = (SeatValue { win: 1.0, margin: 1.0 }, SeatValue { win: 0.0, margin: -1.0 });
    let mut sum = OptionResult::default();
    sum.add(won, &last_seat_wins_middle_cushion(1.0), 0.25);
    sum.add(lost, &last_seat_wins_middle_cushion(0.0), 0.125);
    sum.add(won, &last_seat_wins_middle_cushion(1.0), 0.125);
    assert!(is_near(sum.win, 0.375) && is_near(sum.utility, 0.5) && is_near(sum.weight, 0.5));
    assert!(is_near(sum.jewel_chances[1][4], 0.375) && is_near(sum.jewel_chances[0][0], 0.0));
    let mean = sum.mean();
    assert!(is_near(mean.win, 0.75) && is_near(mean.utility, 1.0) && is_near(mean.weight, 1.0));
    assert!(is_near(mean.jewel_chances[1][4], 0.75) && is_near(mean.jewel_chances[0][0], 0.0));
}

#[test]
fn mean_jewel_chances_are_the_average_over_all_batches() {
    let batches = [0.75, 0.25, 0.5].map(|chance| {
        vec![OptionResult { jewel_chances: last_seat_wins_middle_cushion(chance), ..OptionResult::default() }]
    });
    let mean = mean_jewel_chances(&batches, 0);
    assert!(is_near(mean[1][4], 0.5) && is_near(mean[0][0], 0.0));
}

/// 32 batches with two options. The winning chances of each option alternate between two values.
fn batches(wins_of_first: [f64; 2], wins_of_second: [f64; 2]) -> Vec<Vec<OptionResult>> {
    let result = |win| OptionResult { win, ..OptionResult::default() };
    (0..32).map(|batch| vec![result(wins_of_first[batch % 2]), result(wins_of_second[batch % 2])]).collect()
}

#[test]
fn sampling_stops_when_all_options_and_their_differences_are_precise() {
    // A standard error is about the distance from the mean, divided by the root of 32; the limit is 0.009.
    assert!(is_precise_enough(&batches([0.53, 0.47], [0.33, 0.27])));
    assert!(is_precise_enough(&batches([0.53, 0.47], [0.02, 0.01])), "the second option hardly ever wins");
    assert!(!is_precise_enough(&batches([0.56, 0.44], [0.3, 0.3])), "the first option varies too much");
    assert!(!is_precise_enough(&batches([0.53, 0.47], [0.27, 0.33])), "the difference varies too much");
}

#[test]
fn first_of_equal_options_is_the_best_and_the_likeliest() {
    let public = PublicState::start(Parameters::of(Players::new(4).unwrap()), Seat::default());
    let knowledge = Knowledge { public, seat: Seat::default(), hand: Cards::full(15, 1), own: Bids::new() };
    let options = ["7@1", "7@2", "8@1"].map(|action| (action.parse().unwrap(), None, JewelChances::default()));
    let mut considered = Considered::with_options(knowledge, options.into());
    assert_eq!((considered.best(), considered.likeliest()), (0, 0));
    considered.options[1].win.value = 0.5;
    considered.options[2].share = 0.75;
    assert_eq!((considered.best(), considered.likeliest()), (1, 2));
}
