//! What a jewel is worth to a seat: its points, and what it adds to the bonus that may be hoped for.

use sultan_domain::{ByJewel, BySeat, Jewel, Numbers, Seat};
use sultan_rules::{bonus, jewel_points};

use crate::known::Public;

/// What each jewel would be worth to each seat, and what bonus each may hope for beyond what it has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Worths {
    pub(super) of: BySeat<ByJewel<f64>>,
    pub(super) hoped: BySeat<f64>,
}

impl Worths {
    /// Looks at what is left in the pouch and at the rounds to come. `keen` says how much more of a colour a seat wins
    /// for each jewel of it that it has already.
    pub(super) fn new(public: &Public, keen: f64) -> Self {
        let numbers = &public.numbers;
        let to_come = numbers.rounds().saturating_sub(public.round_index + 1);
        let shown = f64::from(to_come * numbers.cushions) / f64::from(public.pouch.len().max(1));
        let mut worths = Self::default();
        for jewel in Jewel::ALL {
            let wish = |seat: Seat| 1.0 + keen * f64::from(public.collections[seat].count(jewel));
            let wishes: f64 = numbers.players.seats().map(wish).sum();
            let coming = public.pouch.count(jewel);
            for seat in numbers.players.seats() {
                let have = public.collections[seat].count(jewel);
                let chance = shown.min(1.0) * wish(seat) / wishes;
                let (now, with_one) = (hoped(numbers, have, coming, chance), hoped(numbers, have + 1, coming, chance));
                worths.of[seat].0[jewel as usize] = f64::from(jewel_points(jewel)) + with_one - now;
                worths.hoped[seat] += now - f64::from(bonus(numbers, have));
            }
        }
        worths
    }

    /// What a jewel out of the pouch is worth to a seat on average.
    pub(super) fn mean(&self, public: &Public, seat: Seat) -> f64 {
        let all = f64::from(public.pouch.len().max(1));
        Jewel::ALL.iter().map(|&jewel| f64::from(public.pouch.count(jewel)) * self.of[seat][jewel]).sum::<f64>() / all
    }
}

/// The bonus to expect for a colour of which there are so many, and of `coming` more each comes with this chance.
fn hoped(numbers: &Numbers, have: u8, coming: u8, chance: f64) -> f64 {
    let miss = (1.0 - chance).max(1e-9);
    // The chance that exactly `more` of them come, from none on.
    let mut exactly = miss.powi(i32::from(coming));
    let mut sum = 0.0;
    for more in 0..=coming {
        sum += exactly * f64::from(bonus(numbers, have + more));
        exactly *= chance / miss * f64::from(coming - more) / f64::from(more + 1);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::Players;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6
    }

    #[test]
    fn hope_lies_between_what_is_there_and_what_could_be() {
        let numbers = Numbers::of(Players::new(4).unwrap());
        assert!(close(hoped(&numbers, 2, 5, 0.0), 0.0));
        assert!(close(hoped(&numbers, 2, 0, 0.5), 0.0));
        assert!(close(hoped(&numbers, 5, 1, 0.5), 15.0));
        assert!(close(hoped(&numbers, 2, 2, 0.5), 0.25 * 5.0 + 0.5 * 2.0));
        assert!(close(hoped(&numbers, 6, 4, 0.5), 20.0));
        assert!(close(hoped(&numbers, 0, 6, 1.0), 20.0));
    }

    #[test]
    fn at_the_end_a_jewel_is_worth_what_it_scores() {
        let numbers = Numbers::of(Players::new(3).unwrap());
        let mut public = Public::start(numbers, Seat::default());
        public.round_index = numbers.rounds() - 1;
        public.collections[Seat::default()] = "W2R5B6".parse().unwrap();
        let worths = Worths::new(&public, 0.5).of[Seat::default()];
        assert!(
            Jewel::ALL.iter().zip([1.0 + 2.0, 2.0 + 10.0, 3.0, 4.0, 5.0]).all(|(&jewel, w)| close(worths[jewel], w))
        );
    }
}
