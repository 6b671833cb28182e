//! Sums, means and standard errors of options.

use super::*;
use sultan_bots::search::PublicState;
use sultan_domain::{Bids, Cards, Players};

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

/// The last seat wins the middle cushion with this probability.
fn taken(often: f64) -> Takers {
    let mut takers = Takers::default();
    takers[1][4] = often;
    takers
}

#[test]
fn observed_bids_are_weighted_by_their_probability() {
    let (won, lost) = (SeatValue { win: 1.0, margin: 1.0 }, SeatValue { win: 0.0, margin: -1.0 });
    let mut sum = Sum::default();
    sum.add(won, &taken(1.0), 0.25);
    sum.add(lost, &taken(0.0), 0.125);
    sum.add(won, &taken(1.0), 0.125);
    assert!(is_near(sum.win, 0.375) && is_near(sum.utility, 0.5) && is_near(sum.chance, 0.5));
    assert!(is_near(sum.takers[1][4], 0.375) && is_near(sum.takers[0][0], 0.0));
    let mean = scaled(&sum, 1.0 / sum.chance);
    assert!(is_near(mean.win, 0.75) && is_near(mean.utility, 1.0) && is_near(mean.chance, 1.0));
    assert!(is_near(mean.takers[1][4], 0.75) && is_near(mean.takers[0][0], 0.0));
    let of_batches = mean_takers([taken(0.75), taken(0.25), taken(0.5)].iter());
    assert!(is_near(of_batches[1][4], 0.5) && is_near(of_batches[0][0], 0.0));
}

/// Batches in which the winning chances of two options alternate between these values.
fn batches(one: [f64; 2], other: [f64; 2]) -> Vec<Vec<Sum>> {
    let sum = |win| Sum { win, ..Sum::default() };
    (0..32).map(|batch| vec![sum(one[batch % 2]), sum(other[batch % 2])]).collect()
}

#[test]
fn sampling_stops_when_all_options_and_their_differences_are_precise() {
    assert!(is_precise_enough(&batches([0.53, 0.47], [0.33, 0.27])));
    assert!(is_precise_enough(&batches([0.53, 0.47], [0.02, 0.01])), "one of them hardly ever wins");
    assert!(!is_precise_enough(&batches([0.56, 0.44], [0.3, 0.3])), "one of them is not known well");
    assert!(!is_precise_enough(&batches([0.53, 0.47], [0.27, 0.33])), "one wins where the other does not");
}

#[test]
fn first_of_equal_options_is_the_best() {
    let public = PublicState::start(Parameters::of(Players::new(4).unwrap()), Seat::default());
    let knowledge = Knowledge { public, seat: Seat::default(), hand: Cards::full(15, 1), own: Bids::new() };
    let options = ["7@1", "7@2", "8@1"].map(|action| (action.parse().unwrap(), None, Takers::default()));
    let mut considered = Considered::with_options(knowledge, options.into());
    assert_eq!((considered.best(), considered.likeliest()), (0, 0));
    considered.options[1].win.value = 0.5;
    considered.options[2].share = 0.75;
    assert_eq!((considered.best(), considered.likeliest()), (1, 2));
}
