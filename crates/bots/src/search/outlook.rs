//! Heuristics for the start of a round: the value of each jewel to each seat, and winning chances.
//!
//! Used by the levels written by hand, and as inputs of the nets.

use std::sync::OnceLock;

use sultan_domain::{BonusTable, ByJewel, Jewel, Parameters, Seat};

use crate::search::knowledge::PublicState;
use crate::search::math::exp;

/// The value of each jewel to each seat, and each seat's winning chance.
#[derive(Clone, Copy, Debug)]
pub struct Outlook {
    /// The value of each jewel to each seat: its points, plus the increase of the expected bonus.
    jewel_values: [ByJewel<f32>; 5],
    /// The average value of a jewel from the pouch to each seat.
    means: [f32; 5],
    /// Each seat's winning chance.
    chances: [f32; 5],
    /// The number of additional points that multiplies a seat's odds to win by e.
    spread: f32,
}

/// The increase of a seat's interest in a colour for each jewel of it already won.
const INTEREST_PER_JEWEL: f32 = 0.5;

impl Outlook {
    /// Computes the outlook from collections, pouch and remaining rounds.
    pub fn new(public: &PublicState) -> Self {
        let mut outlook =
            Self { jewel_values: [ByJewel([0.0; 5]); 5], means: [0.0; 5], chances: [0.0; 5], spread: spread(public) };
        let players = public.players();
        let all = f32::from(u8::try_from(public.pouch.len()).unwrap_or(u8::MAX)).max(1.0);
        let expected_bonus = ExpectedBonus::of(&public.parameters);
        for jewel in Jewel::ALL {
            let coming = public.pouch.count(jewel);
            for (seat, chance) in win_chances(public, jewel) {
                let owned = public.collections[seat].count(jewel);
                let more =
                    expected_bonus.bonus(owned + 1, coming, chance) - expected_bonus.bonus(owned, coming, chance);
                let jewel_value = f32::from(jewel.points()) + more;
                outlook.jewel_values[seat.index()].0[jewel as usize] = jewel_value;
                outlook.means[seat.index()] += jewel_value * f32::from(coming) / all;
            }
        }
        let points = expected_points(public);
        let most = points[..players].iter().copied().fold(0.0, f32::max);
        for (chance, points) in outlook.chances.iter_mut().zip(points).take(players) {
            *chance = exp((points - most) / outlook.spread);
        }
        let sum: f32 = outlook.chances.iter().sum();
        outlook.chances = outlook.chances.map(|chance| chance / sum);
        outlook
    }

    /// The value of a jewel to a seat.
    pub(crate) fn jewel_value(&self, seat: Seat, jewel: Jewel) -> f32 {
        self.jewel_values[seat.index()].0[jewel as usize]
    }

    /// The average value of a jewel from the pouch to a seat; at least one point.
    pub(crate) fn mean(&self, seat: Seat) -> f32 {
        self.means[seat.index()].max(1.0)
    }

    /// A seat's winning chance with these additional points.
    pub(crate) fn chance_with(&self, seat: Seat, points: f32) -> f32 {
        let own = self.chances[seat.index()];
        let raised = own * exp(points / self.spread);
        raised / (raised + 1.0 - own)
    }

    /// The increase of a seat's winning chance per point.
    pub(crate) fn slope(&self, seat: Seat) -> f32 {
        let own = self.chances[seat.index()];
        own * (1.0 - own) / self.spread
    }

    /// The harm of another seat's point, as a fraction of the gain of an own point. The fractions of all opponents add
    /// up to 1: they share the loss caused by an own point.
    pub(crate) fn harm(&self, own: Seat, other: Seat) -> f32 {
        let others = 1.0 - self.chances[own.index()];
        if other == own || others <= 0.0 { 0.0 } else { self.chances[other.index()] / others }
    }
}

/// The scale of leads in points: the more rounds remain, the less a lead matters.
fn spread(public: &PublicState) -> f32 {
    let rounds = f32::from(public.parameters.rounds().saturating_sub(public.round_index));
    1.0 + 2.0 * rounds.sqrt()
}

/// The points of each seat, with the expected bonus.
pub(crate) fn expected_points(public: &PublicState) -> [f32; 5] {
    let mut points = [0.0; 5];
    for seat in public.parameters.players.seats() {
        let score = public.parameters.score(public.collections[seat]);
        points[seat.index()] = f32::from(score.iter().map(|colour| colour.points).sum::<u16>());
    }
    let expected_bonus = ExpectedBonus::of(&public.parameters);
    for jewel in Jewel::ALL {
        let coming = public.pouch.count(jewel);
        for (seat, chance) in win_chances(public, jewel) {
            points[seat.index()] += expected_bonus.bonus(public.collections[seat].count(jewel), coming, chance);
        }
    }
    points
}

/// The chance of each seat to win any single jewel of this colour in the pouch.
#[inline]
fn win_chances(public: &PublicState, jewel: Jewel) -> impl Iterator<Item = (Seat, f32)> + '_ {
    let parameters = &public.parameters;
    let remaining_rounds = parameters.rounds().saturating_sub(public.round_index + 1);
    let pouch = f32::from(u8::try_from(public.pouch.len()).unwrap_or(u8::MAX));
    let shown = (f32::from(remaining_rounds * parameters.cushions) / pouch.max(1.0)).min(1.0);
    let wish = move |seat: Seat| 1.0 + INTEREST_PER_JEWEL * f32::from(public.collections[seat].count(jewel));
    let wishes: f32 = parameters.players.seats().map(wish).sum();
    let share = shown / wishes;
    parameters.players.seats().map(move |seat| (seat, share * wish(seat)))
}

/// The expected bonus for a colour. Tabulated for the published bonuses, because it is needed very often.
struct ExpectedBonus<'a> {
    bonus: &'a BonusTable,
    published: Option<&'static ExpectedBonusTable>,
}

/// The expected bonus by the number of jewels won, the number in the pouch, and the chance of each, in steps.
type ExpectedBonusTable = Vec<[[f32; ExpectedBonus::CHANCES + 1]; ExpectedBonus::COMING]>;

impl<'a> ExpectedBonus<'a> {
    const HAVE: u8 = 8;
    const COMING: usize = 14;
    /// The number of steps of the chance; values between two steps are interpolated.
    const CHANCES: usize = 32;

    fn of(parameters: &'a Parameters) -> Self {
        static TABLES: [OnceLock<ExpectedBonusTable>; 2] = [const { OnceLock::new() }; 2];
        const PUBLISHED: [BonusTable; 2] = [BonusTable::USUAL, BonusTable::TWO_PLAYERS];
        let bonus = &parameters.bonus;
        let place = PUBLISHED.iter().position(|published| published == bonus);
        Self { bonus, published: place.map(|place| TABLES[place].get_or_init(|| Self::table(bonus))) }
    }

    fn table(bonus: &BonusTable) -> ExpectedBonusTable {
        let by_coming = |owned: u8| {
            std::array::from_fn(|coming| {
                std::array::from_fn(|step| {
                    #[expect(clippy::cast_precision_loss, reason = "few steps")]
                    let chance = step as f32 / Self::CHANCES as f32;
                    compute_expected_bonus(bonus, owned, u8::try_from(coming).unwrap_or(0), chance)
                })
            })
        };
        (0..=Self::HAVE).map(by_coming).collect()
    }

    /// The expected bonus with `owned` jewels of a colour, if each of `coming` more is won with this chance.
    #[inline]
    fn bonus(&self, owned: u8, coming: u8, chance: f32) -> f32 {
        let chance = chance.clamp(0.0, 1.0);
        let by_coming = self.published.map(|table| &table[usize::from(owned.min(Self::HAVE))]);
        let Some(by_chance) = by_coming.and_then(|by_coming| by_coming.get(usize::from(coming))) else {
            return compute_expected_bonus(self.bonus, owned, coming, chance);
        };
        #[expect(clippy::cast_precision_loss, reason = "few steps")]
        let at = chance * Self::CHANCES as f32;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the last step")]
        let step = (at as usize).min(Self::CHANCES - 1);
        #[expect(clippy::cast_precision_loss, reason = "few steps")]
        let part = at - step as f32;
        by_chance[step] + part * (by_chance[step + 1] - by_chance[step])
    }
}

fn compute_expected_bonus(bonus: &BonusTable, owned: u8, coming: u8, chance: f32) -> f32 {
    let bonus = |count: u8| f32::from(bonus.for_count(count));
    if chance >= 1.0 {
        return bonus(owned + coming);
    }
    let miss = 1.0 - chance;
    // The probability of exactly `more` additional jewels, starting with 0.
    let mut exactly = (0..coming).fold(1.0, |product, _| product * miss);
    let mut sum = 0.0;
    for more in 0..=coming {
        sum += exactly * bonus(owned + more);
        exactly *= chance / miss * f32::from(coming - more) / f32::from(more + 1);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::Players;

    fn close(a: f32, b: f32) -> bool {
        (a - b).abs() < 1e-3
    }

    #[test]
    fn expected_bonus_follows_the_bonus_table_of_the_game() {
        let published = Parameters::of(Players::new(4).unwrap());
        let variant = Parameters { bonus: BonusTable::new(&[[2, 9]]).unwrap(), ..published };
        // Twice: the cached table of one game must not be used for the other.
        for _ in 0..2 {
            assert!(close(ExpectedBonus::of(&variant).bonus(1, 1, 0.5), 4.5));
            assert!(close(ExpectedBonus::of(&published).bonus(1, 1, 0.5), 0.0));
        }
        // More jewels of a colour than in the published pouch.
        let [few, many] = [13, 20].map(|coming| ExpectedBonus::of(&published).bonus(3, coming, 0.1));
        assert!(many > few + 1.0, "{few} {many}");
        let mut public = PublicState::start(variant, Seat::default());
        public.round_index = variant.rounds() - 1;
        public.collections[Seat::default()] = "W1".parse().unwrap();
        assert!(close(Outlook::new(&public).jewel_value(Seat::default(), Jewel::White), 1.0 + 9.0));
    }

    #[test]
    fn expected_bonus_is_between_current_and_best_possible_bonus() {
        let parameters = Parameters::of(Players::new(4).unwrap());
        let expected_bonus = ExpectedBonus::of(&parameters);
        assert!(close(expected_bonus.bonus(2, 5, 0.0), 0.0));
        assert!(close(expected_bonus.bonus(2, 0, 0.5), 0.0));
        assert!(close(expected_bonus.bonus(5, 1, 0.5), 15.0));
        assert!(close(expected_bonus.bonus(2, 2, 0.5), 0.25 * 5.0 + 0.5 * 2.0));
        assert!(close(expected_bonus.bonus(6, 4, 0.5), 20.0));
        assert!(close(expected_bonus.bonus(0, 6, 1.0), 20.0));
    }

    #[test]
    fn jewel_value_in_the_last_round_equals_its_points() {
        let parameters = Parameters::of(Players::new(3).unwrap());
        let mut public = PublicState::start(parameters, Seat::default());
        public.round_index = parameters.rounds() - 1;
        public.collections[Seat::default()] = "W2R5B6".parse().unwrap();
        let outlook = Outlook::new(&public);
        for (jewel, jewel_value) in Jewel::ALL.into_iter().zip([1.0 + 2.0, 2.0 + 10.0, 3.0, 4.0, 5.0]) {
            assert!(close(outlook.jewel_value(Seat::default(), jewel), jewel_value));
        }
    }

    #[test]
    fn winning_chance_grows_with_points() {
        let parameters = Parameters::of(Players::new(3).unwrap());
        let mut public = PublicState::start(parameters, Seat::default());
        let [ahead, behind, _] = [0, 1, 2].map(|number| Seat::new(number).unwrap());
        public.collections[ahead] = "B4".parse().unwrap();
        let outlook = Outlook::new(&public);
        assert!(outlook.chance_with(ahead, 0.0) > outlook.chance_with(behind, 0.0));
        assert!(outlook.chance_with(behind, 5.0) > outlook.chance_with(behind, 0.0));
        assert!(outlook.harm(behind, ahead) > 0.5 && outlook.harm(ahead, ahead) == 0.0);
    }
}
