//! Ratings of simulated games between players of known strength.

use sultan_domain::Chance;
use sultan_rules::Quick;

use super::*;

/// A random ranking by the Plackett–Luce model, as a race with exponential times: the stronger, the faster.
fn placing(strengths: &[f64], field: &[usize], rng: &mut Quick) -> Vec<usize> {
    let mut run: Vec<(f64, usize)> = field
        .iter()
        .map(|&bot| {
            let share = (f64::from(rng.below(u32::MAX)) + 0.5) / f64::from(u32::MAX);
            (-share.ln() / strengths[bot].exp(), bot)
        })
        .collect();
    run.sort_by(|a, b| a.0.total_cmp(&b.0));
    run.into_iter().map(|(_, bot)| bot).collect()
}

/// The wins in rankings, best bot first.
fn wins(bots: usize, placings: &[Vec<usize>]) -> Wins {
    let mut wins = vec![0.0; bots * bots];
    for placing in placings {
        placing[1..].iter().for_each(|&other| wins[placing[0] * bots + other] += 1.0);
    }
    wins
}

/// Deals of two games each with three of the bots.
fn simulated(strengths: &[f64], deals: u64, seed: u64) -> Vec<Wins> {
    let mut rng = Quick::new(seed);
    let bots = strengths.len();
    let deal = |deal: u64| {
        let from = usize::try_from(deal).unwrap();
        let field: Vec<usize> = (0..bots).cycle().skip(from % bots).take(3).collect();
        let games: Vec<Vec<usize>> = (0..2).map(|_| placing(strengths, &field, &mut rng)).collect();
        wins(bots, &games)
    };
    (0..deals).map(deal).collect()
}

fn rated(bots: usize, deals: impl IntoIterator<Item = Wins>) -> Vec<Rating> {
    let mut evidence = Evidence::new(bots);
    deals.into_iter().for_each(|deal| evidence.add(deal));
    evidence.ratings()
}

const STRENGTHS: [f64; 5] = [1.2, 0.4, 0.0, -0.3, -1.3];

#[test]
fn ratings_recover_given_strengths_with_correct_intervals() {
    let mut inside = 0_u32;
    for seed in 0..100 {
        for (rating, strength) in rated(5, simulated(&STRENGTHS, 300, seed)).iter().zip(STRENGTHS) {
            let (low, high) = rating.interval.unwrap();
            assert!(low < rating.rating && rating.rating < high && high - low < 200.0, "{rating:?}");
            inside += u32::from((low..high).contains(&(POINTS * strength)));
        }
    }
    // 95 % of 500, within a few standard deviations.
    assert!((455..=492).contains(&inside), "{inside}");
    let many = rated(5, simulated(&STRENGTHS, 20_000, 1));
    assert!(many.iter().map(|one| one.rating).sum::<f64>().abs() < 1e-6, "the mean is 0: {many:?}");
    for (rating, strength) in many.iter().zip(STRENGTHS) {
        let (low, high) = rating.interval.unwrap();
        assert!((rating.rating - POINTS * strength).abs() < 15.0 && high - low < 20.0, "{rating:?}, {strength}");
    }
}

#[test]
fn correlated_games_of_a_deal_widen_the_interval() {
    let alone = simulated(&STRENGTHS, 400, 3);
    let twice: Vec<Wins> = alone.iter().map(|deal| deal.iter().map(|wins| 2.0 * wins).collect()).collect();
    let width = |ratings: &[Rating]| ratings[0].interval.map(|(low, high)| high - low).unwrap();
    let (alone, twice) = (width(&rated(5, alone)), width(&rated(5, twice)));
    assert!((alone / twice - 1.0).abs() < 0.05, "{alone} {twice}");
}

#[test]
fn undefeated_bot_gets_a_finite_rating_that_grows_with_games() {
    let mut last = 0.0;
    for deals in [1, 10, 1000, 100_000] {
        let ratings = rated(3, std::iter::repeat_n(wins(3, &[vec![0, 1, 2]]), deals));
        assert!(ratings[0].rating > last + 40.0 && ratings[0].rating < 4000.0, "{ratings:?}");
        // The other bots never won, and their order does not matter.
        assert!((ratings[1].rating - ratings[2].rating).abs() < 1e-6 && ratings[1].rating < 0.0);
        assert_eq!(ratings[0].interval.is_some(), deals > 1);
        assert!(ratings.iter().all(|one| one.interval.is_none_or(|(low, high)| high - low > 50.0)), "{ratings:?}");
        last = ratings[0].rating;
    }
    // With 100 wins of 100, the lowest plausible win share is about 97 %: odds of 32, or 604 points.
    let two = rated(2, std::iter::repeat_n(wins(2, &[vec![0, 1]]), 100));
    let difference = 2.0 * two[0].interval.unwrap().0;
    assert!((540.0..660.0).contains(&difference), "{two:?}");
}

#[test]
fn ties_give_equal_ratings_and_deal_order_is_irrelevant() {
    let tie = vec![0.0, 0.5, 0.5, 0.0];
    assert!(rated(2, vec![tie; 20]).iter().all(|one| one.rating.abs() < 1e-9));
    let deals = simulated(&STRENGTHS, 1000, 5);
    let in_order = rated(5, deals.clone());
    let reversed = rated(5, deals.into_iter().rev());
    for (a, b) in in_order.iter().zip(&reversed) {
        let ((low, high), (other_low, other_high)) = (a.interval.unwrap(), b.interval.unwrap());
        assert!((a.rating - b.rating).abs() < 1e-6);
        assert!((low - other_low).abs() < 1e-6 && (high - other_high).abs() < 1e-6);
    }
}

#[test]
fn many_deals_are_stored_compactly_without_loss() {
    let mut evidence = Evidence::new(2);
    (0..10_000).for_each(|_| evidence.add(vec![0.0, 0.75, 0.25, 0.0]));
    assert!(evidence.groups.len() <= MAX_GROUPS && evidence.groups.len() >= MAX_GROUPS / 2);
    assert_eq!(sum(&evidence.groups), [0.0, 7500.0, 2500.0, 0.0]);
    let difference = evidence.ratings()[0].rating - evidence.ratings()[1].rating;
    assert!((difference - 400.0 * 3.0_f64.log10()).abs() < 0.1, "{difference}");
}

#[test]
fn bots_without_games_get_the_average_rating() {
    assert_eq!(rated(1, vec![vec![0.0]; 3]), [Rating { rating: 0.0, interval: Some((0.0, 0.0)) }]);
    assert!(rated(0, Vec::new()).is_empty());
    let ratings = rated(3, vec![wins(3, &[vec![0, 1], vec![1, 0]]); 30]);
    assert!(ratings.iter().all(|one| one.rating.abs() < 1e-9));
    let width = |bot: usize| ratings[bot].interval.map(|(low, high)| high - low).unwrap();
    assert!(width(2) > 1.5 * width(0) && (width(0) - width(1)).abs() < 1e-6, "{ratings:?}");
}

#[test]
fn matrix_times_its_inverse_is_the_identity() {
    let matrix = vec![4.0, -1.0, -2.0, -1.0, 3.0, 0.5, -2.0, 0.5, 5.0];
    let inverse = inverted(matrix.clone(), 3);
    let back = times(&matrix, &times(&inverse, &[1.0, 20.0, 300.0]));
    assert!(back.iter().zip([1.0, 20.0, 300.0]).all(|(a, b)| (a - b).abs() < 1e-9), "{back:?}");
}

#[test]
fn many_deals_are_kept_in_few_groups_of_equally_many() {
    let mut evidence = Evidence::new(1);
    for _ in 0..MAX_GROUPS + 100 {
        evidence.add(vec![1.0]);
    }
    // Two deals in each group, also in later ones.
    assert_eq!(evidence.groups.len(), MAX_GROUPS / 2 + 50);
    assert!(evidence.groups.iter().all(|wins| (wins[0] - 2.0).abs() < 1e-12), "{:?}", evidence.groups.last());
}
