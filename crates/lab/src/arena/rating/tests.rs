//! Ratings of simulated games between players of known strength.

use sultan_domain::Chance;
use sultan_rules::FastRng;

use super::*;

/// Plays one game between these bots at random, by the Plackett–Luce model, and returns the bots by rank, best first.
///
/// The model is a race: each bot needs a random, exponentially distributed time, shorter on average for stronger bots.
fn random_ranking(strengths: &[f64], bots: &[usize], rng: &mut FastRng) -> Vec<usize> {
    let mut time_and_bot: Vec<(f64, usize)> = bots
        .iter()
        .map(|&bot| {
            // The negative logarithm of a uniform number from 0 to 1 is exponentially distributed.
            let uniform = (f64::from(rng.below(u32::MAX)) + 0.5) / f64::from(u32::MAX);
            (-uniform.ln() / strengths[bot].exp(), bot)
        })
        .collect();
    time_and_bot.sort_by(|a, b| a.0.total_cmp(&b.0));
    time_and_bot.into_iter().map(|(_, bot)| bot).collect()
}

/// The wins in games with these rankings, best bot first: the winner of a game beats every other bot in it.
fn wins(bot_count: usize, rankings: &[Vec<usize>]) -> Wins {
    let mut wins = vec![0.0; bot_count * bot_count];
    for ranking in rankings {
        ranking[1..].iter().for_each(|&loser| wins[ranking[0] * bot_count + loser] += 1.0);
    }
    wins
}

/// Plays random deals, each with two games of the same three bots, and returns the wins of each deal.
fn simulated_deals(strengths: &[f64], deals: usize, seed: u64) -> Vec<Wins> {
    let mut rng = FastRng::new(seed);
    let bot_count = strengths.len();
    let simulate = |deal: usize| {
        // Three neighbours in the list of bots, so that in turn all bots play.
        let bots: Vec<usize> = (0..bot_count).cycle().skip(deal % bot_count).take(3).collect();
        let games: Vec<Vec<usize>> = (0..2).map(|_| random_ranking(strengths, &bots, &mut rng)).collect();
        wins(bot_count, &games)
    };
    (0..deals).map(simulate).collect()
}

/// The ratings of bots with these wins in each deal.
fn ratings(bot_count: usize, deals: impl IntoIterator<Item = Wins>) -> Vec<Rating> {
    let mut evidence = Evidence::new(bot_count);
    deals.into_iter().for_each(|wins| evidence.add(wins));
    evidence.ratings()
}

fn interval_width(rating: &Rating) -> f64 {
    rating.interval.map(|(low, high)| high - low).unwrap()
}

/// The true strengths of five bots. Their mean is 0, like that of fitted strengths.
const STRENGTHS: [f64; 5] = [1.2, 0.4, 0.0, -0.3, -1.3];

#[test]
fn ratings_recover_given_strengths_with_correct_intervals() {
    let mut intervals_with_true_rating = 0_u32;
    for seed in 0..100 {
        for (rating, strength) in ratings(5, simulated_deals(&STRENGTHS, 300, seed)).iter().zip(STRENGTHS) {
            let (low, high) = rating.interval.unwrap();
            assert!(low < rating.rating && rating.rating < high && high - low < 200.0, "{rating:?}");
            intervals_with_true_rating += u32::from((low..high).contains(&(ELO_PER_STRENGTH * strength)));
        }
    }
    // 95 % of 500 intervals are 475; this range allows a few standard deviations.
    assert!((455..=492).contains(&intervals_with_true_rating), "{intervals_with_true_rating}");
    let after_many_deals = ratings(5, simulated_deals(&STRENGTHS, 20_000, 1));
    let sum: f64 = after_many_deals.iter().map(|rating| rating.rating).sum();
    assert!(sum.abs() < 1e-6, "the mean rating is not 0: {after_many_deals:?}");
    for (rating, strength) in after_many_deals.iter().zip(STRENGTHS) {
        let difference = rating.rating - ELO_PER_STRENGTH * strength;
        assert!(difference.abs() < 15.0 && interval_width(rating) < 20.0, "{rating:?}, {strength}");
    }
}

#[test]
fn repeating_the_games_of_a_deal_does_not_narrow_the_interval() {
    let deals = simulated_deals(&STRENGTHS, 400, 3);
    let doubled: Vec<Wins> = deals.iter().map(|wins| wins.iter().map(|wins| 2.0 * wins).collect()).collect();
    let (once, twice) = (interval_width(&ratings(5, deals)[0]), interval_width(&ratings(5, doubled)[0]));
    assert!((once / twice - 1.0).abs() < 0.05, "{once} {twice}");
}

#[test]
fn undefeated_bot_gets_a_finite_rating_that_grows_with_games() {
    let mut rating_with_fewer_deals = 0.0;
    // In every game, bot 0 wins, bot 1 is second, and bot 2 last.
    for deals in [1, 10, 1000, 100_000] {
        let ratings = ratings(3, std::iter::repeat_n(wins(3, &[vec![0, 1, 2]]), deals));
        assert!(ratings[0].rating > rating_with_fewer_deals + 40.0 && ratings[0].rating < 4000.0, "{ratings:?}");
        // Bots 1 and 2 never won, and which of them was second does not matter.
        assert!((ratings[1].rating - ratings[2].rating).abs() < 1e-6 && ratings[1].rating < 0.0);
        assert!(ratings.iter().all(|rating| rating.interval.is_some() == (deals > 1)));
        assert!(deals == 1 || ratings.iter().all(|rating| interval_width(rating) > 50.0), "{ratings:?}");
        rating_with_fewer_deals = ratings[0].rating;
    }
    // With 100 wins of 100, the lowest plausible win share is about 97 %: odds of 32, or 604 points.
    let two = ratings(2, std::iter::repeat_n(wins(2, &[vec![0, 1]]), 100));
    // Two ratings with the mean 0 differ by twice the first one.
    let lowest_difference = 2.0 * two[0].interval.unwrap().0;
    assert!((540.0..660.0).contains(&lowest_difference), "{two:?}");
}

#[test]
fn ties_give_equal_ratings_and_deal_order_is_irrelevant() {
    // Two bots that share the win.
    let tie = vec![0.0, 0.5, 0.5, 0.0];
    assert!(ratings(2, vec![tie; 20]).iter().all(|rating| rating.rating.abs() < 1e-9));
    let deals = simulated_deals(&STRENGTHS, 1000, 5);
    let in_order = ratings(5, deals.clone());
    let reversed = ratings(5, deals.into_iter().rev());
    for (a, b) in in_order.iter().zip(&reversed) {
        let ((a_low, a_high), (b_low, b_high)) = (a.interval.unwrap(), b.interval.unwrap());
        assert!((a.rating - b.rating).abs() < 1e-6);
        assert!((a_low - b_low).abs() < 1e-6 && (a_high - b_high).abs() < 1e-6);
    }
}

#[test]
fn merging_groups_keeps_all_wins() {
    let mut evidence = Evidence::new(2);
    (0..10_000).for_each(|_| evidence.add(vec![0.0, 0.75, 0.25, 0.0]));
    assert!(evidence.groups.len() <= MAX_GROUPS && evidence.groups.len() >= MAX_GROUPS / 2);
    assert_eq!(sum_of_groups(&evidence.groups, 2), [0.0, 7500.0, 2500.0, 0.0]);
    // Win shares of 0.75 and 0.25 are odds of three to one.
    let difference = evidence.ratings()[0].rating - evidence.ratings()[1].rating;
    assert!((difference - 400.0 * 3.0_f64.log10()).abs() < 0.1, "{difference}");
}

#[test]
fn bot_without_games_gets_the_average_rating() {
    assert_eq!(ratings(1, vec![vec![0.0]; 3]), [Rating { rating: 0.0, interval: Some((0.0, 0.0)) }]);
    assert!(ratings(0, Vec::new()).is_empty());
    // Bot 2 never plays; bots 0 and 1 win equally often.
    let three = ratings(3, vec![wins(3, &[vec![0, 1], vec![1, 0]]); 30]);
    assert!(three.iter().all(|rating| rating.rating.abs() < 1e-9));
    let widths: Vec<f64> = three.iter().map(interval_width).collect();
    assert!(widths[2] > 1.5 * widths[0] && (widths[0] - widths[1]).abs() < 1e-6, "{three:?}");
}

#[test]
fn matrix_times_its_inverse_is_the_identity() {
    let matrix = vec![4.0, -1.0, -2.0, -1.0, 3.0, 0.5, -2.0, 0.5, 5.0];
    let vector = [1.0, 20.0, 300.0];
    let product = matrix_times_vector(&matrix, &matrix_times_vector(&inverse(matrix.clone(), 3), &vector));
    assert!(product.iter().zip(vector).all(|(a, b)| (a - b).abs() < 1e-9), "{product:?}");
}

#[test]
fn many_deals_are_kept_in_few_groups_of_equal_size() {
    let mut evidence = Evidence::new(1);
    for _ in 0..MAX_GROUPS + 100 {
        evidence.add(vec![1.0]);
    }
    // Two deals in each group: those merged at the limit, and those added later.
    assert_eq!(evidence.groups.len(), MAX_GROUPS / 2 + 50);
    assert!(evidence.groups.iter().all(|wins| (wins[0] - 2.0).abs() < 1e-12), "{:?}", evidence.groups.last());
}
