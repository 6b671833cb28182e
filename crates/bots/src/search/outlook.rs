//! Estimates by simple formulas: the value of each jewel to each seat, and each seat's winning chance, from the public
//! information at the start of a round.
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
    mean_jewel_values: [f32; 5],
    /// Each seat's winning chance.
    win_chances: [f32; 5],
    /// See [`points_per_e`].
    points_per_e: f32,
}

/// The increase of a seat's interest in a colour for each jewel of this colour that it has won. The interest without
/// such jewels is 1.
const INTEREST_PER_JEWEL: f32 = 0.5;

impl Outlook {
    /// Computes the outlook from collections, pouch and remaining rounds.
    pub fn new(public: &PublicState) -> Self {
        let mut outlook = Self {
            jewel_values: [ByJewel([0.0; 5]); 5],
            mean_jewel_values: [0.0; 5],
            win_chances: [0.0; 5],
            points_per_e: points_per_e(public),
        };
        let players = public.players();
        let jewels_in_pouch = f32::from(u8::try_from(public.pouch.len()).unwrap_or(u8::MAX)).max(1.0);
        let expected_bonus = ExpectedBonus::of(&public.parameters);
        for jewel in Jewel::ALL {
            let in_pouch = public.pouch.count(jewel);
            for (seat, chance) in chances_to_win_jewel(public, jewel) {
                let owned = public.collections[seat].count(jewel);
                let added_bonus =
                    expected_bonus.bonus(owned + 1, in_pouch, chance) - expected_bonus.bonus(owned, in_pouch, chance);
                let jewel_value = f32::from(jewel.points()) + added_bonus;
                outlook.jewel_values[seat.index()].0[jewel as usize] = jewel_value;
                outlook.mean_jewel_values[seat.index()] += jewel_value * f32::from(in_pouch) / jewels_in_pouch;
            }
        }
        let points = expected_points(public);
        let most_points = points[..players].iter().copied().fold(0.0, f32::max);
        for (chance, points) in outlook.win_chances.iter_mut().zip(points).take(players) {
            *chance = exp((points - most_points) / outlook.points_per_e);
        }
        let sum: f32 = outlook.win_chances.iter().sum();
        outlook.win_chances = outlook.win_chances.map(|chance| chance / sum);
        outlook
    }

    /// The value of a jewel to a seat.
    pub(crate) fn jewel_value(&self, seat: Seat, jewel: Jewel) -> f32 {
        self.jewel_values[seat.index()].0[jewel as usize]
    }

    /// The average value of a jewel from the pouch to a seat; at least one point.
    pub(crate) fn mean_jewel_value(&self, seat: Seat) -> f32 {
        self.mean_jewel_values[seat.index()].max(1.0)
    }

    /// A seat's winning chance with these additional points, which multiply its odds to win; see [`points_per_e`].
    pub(crate) fn win_chance_with(&self, seat: Seat, points: f32) -> f32 {
        let chance = self.win_chances[seat.index()];
        let raised = chance * exp(points / self.points_per_e);
        raised / (raised + 1.0 - chance)
    }

    /// The increase of a seat's winning chance per additional point.
    pub(crate) fn slope(&self, seat: Seat) -> f32 {
        let chance = self.win_chances[seat.index()];
        chance * (1.0 - chance) / self.points_per_e
    }

    /// The decrease of `seat`'s winning chance when `opponent` gains a point, as a fraction of the increase when `seat`
    /// itself gains a point. The fractions of all opponents add up to 1.
    pub(crate) fn harm(&self, seat: Seat, opponent: Seat) -> f32 {
        let chance_of_opponents = 1.0 - self.win_chances[seat.index()];
        let is_zero = opponent == seat || chance_of_opponents <= 0.0;
        if is_zero { 0.0 } else { self.win_chances[opponent.index()] / chance_of_opponents }
    }
}

/// The number of additional points that multiplies a seat's odds to win by e. The more rounds remain, the less a lead
/// matters, so the higher is this number.
fn points_per_e(public: &PublicState) -> f32 {
    let remaining_rounds = f32::from(public.parameters.rounds().saturating_sub(public.round_index));
    1.0 + 2.0 * remaining_rounds.sqrt()
}

/// The points of each seat so far, with the bonus that it can expect at the end instead of its present bonus.
pub(crate) fn expected_points(public: &PublicState) -> [f32; 5] {
    let mut points = [0.0; 5];
    for seat in public.parameters.players.seats() {
        let score = public.parameters.score(public.collections[seat]);
        points[seat.index()] = f32::from(score.iter().map(|colour| colour.points).sum::<u16>());
    }
    let expected_bonus = ExpectedBonus::of(&public.parameters);
    for jewel in Jewel::ALL {
        let in_pouch = public.pouch.count(jewel);
        for (seat, chance) in chances_to_win_jewel(public, jewel) {
            points[seat.index()] += expected_bonus.bonus(public.collections[seat].count(jewel), in_pouch, chance);
        }
    }
    points
}

/// The chance of each seat to win any single jewel of this colour that is now in the pouch.
///
/// Such a jewel is offered with the same probability as every other jewel in the pouch. If it is offered, a seat wins
/// it in proportion to its interest in the colour.
#[inline]
fn chances_to_win_jewel(public: &PublicState, jewel: Jewel) -> impl Iterator<Item = (Seat, f32)> + '_ {
    let parameters = &public.parameters;
    // The jewels of the current round count as drawn already.
    let later_rounds = parameters.rounds().saturating_sub(public.round_index + 1);
    let jewels_in_pouch = f32::from(u8::try_from(public.pouch.len()).unwrap_or(u8::MAX));
    let offer_chance = (f32::from(later_rounds * parameters.cushions) / jewels_in_pouch.max(1.0)).min(1.0);
    let interest = move |seat: Seat| 1.0 + INTEREST_PER_JEWEL * f32::from(public.collections[seat].count(jewel));
    let interest_sum: f32 = parameters.players.seats().map(interest).sum();
    let chance_per_interest = offer_chance / interest_sum;
    parameters.players.seats().map(move |seat| (seat, chance_per_interest * interest(seat)))
}

/// Computes the expected bonus for a colour. It is needed very often, so the results for the two bonus tables of the
/// published game (RULES 5.3 and 5.4) are computed once and kept.
struct ExpectedBonus<'a> {
    bonus: &'a BonusTable,
    results: Option<&'static ExpectedBonusTable>,
}

/// The expected bonus, indexed by the number of jewels of the colour that a seat has won, the number in the pouch, and
/// the chance to win each of them in steps of 1/32.
type ExpectedBonusTable = Vec<[[f32; ExpectedBonus::STEPS + 1]; ExpectedBonus::POUCH_COUNTS]>;

impl<'a> ExpectedBonus<'a> {
    /// The highest tabulated number of won jewels of a colour. More jewels bring no higher bonus.
    const MAX_OWNED: u8 = 8;
    /// The tabulated numbers of jewels of a colour in the pouch: 0 to 13.
    const POUCH_COUNTS: usize = 14;
    /// The number of steps of the chance. Between two steps, the result is interpolated.
    const STEPS: usize = 32;

    fn of(parameters: &'a Parameters) -> Self {
        static TABLES: [OnceLock<ExpectedBonusTable>; 2] = [const { OnceLock::new() }; 2];
        const PUBLISHED: [BonusTable; 2] = [BonusTable::USUAL, BonusTable::TWO_PLAYERS];
        let bonus = &parameters.bonus;
        let index = PUBLISHED.iter().position(|published| published == bonus);
        Self { bonus, results: index.map(|index| TABLES[index].get_or_init(|| Self::compute_table(bonus))) }
    }

    fn compute_table(bonus: &BonusTable) -> ExpectedBonusTable {
        let by_pouch_count_and_chance = |owned: u8| {
            std::array::from_fn(|in_pouch| {
                std::array::from_fn(|step| {
                    #[expect(clippy::cast_precision_loss, reason = "few steps")]
                    let chance = step as f32 / Self::STEPS as f32;
                    compute_expected_bonus(bonus, owned, u8::try_from(in_pouch).unwrap_or(0), chance)
                })
            })
        };
        (0..=Self::MAX_OWNED).map(by_pouch_count_and_chance).collect()
    }

    /// The expected bonus of a seat with `owned` jewels of a colour that wins each of the `in_pouch` other ones with
    /// this chance.
    #[inline]
    fn bonus(&self, owned: u8, in_pouch: u8, chance: f32) -> f32 {
        let chance = chance.clamp(0.0, 1.0);
        let by_pouch_count = self.results.map(|table| &table[usize::from(owned.min(Self::MAX_OWNED))]);
        // A variant may have another bonus table, or more jewels of a colour than the tables have columns for.
        let Some(by_chance) = by_pouch_count.and_then(|by_count| by_count.get(usize::from(in_pouch))) else {
            return compute_expected_bonus(self.bonus, owned, in_pouch, chance);
        };
        #[expect(clippy::cast_precision_loss, reason = "few steps")]
        let position = chance * Self::STEPS as f32;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the last step")]
        let step = (position as usize).min(Self::STEPS - 1);
        #[expect(clippy::cast_precision_loss, reason = "few steps")]
        let fraction = position - step as f32;
        by_chance[step] + fraction * (by_chance[step + 1] - by_chance[step])
    }
}

/// Computes the result of [`ExpectedBonus::bonus`] without a table and without interpolation.
fn compute_expected_bonus(bonus: &BonusTable, owned: u8, in_pouch: u8, chance: f32) -> f32 {
    let bonus = |count: u8| f32::from(bonus.for_count(count));
    if chance >= 1.0 {
        return bonus(owned + in_pouch);
    }
    let miss_chance = 1.0 - chance;
    // The binomial probability to win exactly `won` jewels, starting with 0.
    let mut probability = (0..in_pouch).fold(1.0, |product, _| product * miss_chance);
    let mut sum = 0.0;
    for won in 0..=in_pouch {
        sum += probability * bonus(owned + won);
        probability *= chance / miss_chance * f32::from(in_pouch - won) / f32::from(won + 1);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::Players;

    fn is_near(actual: f32, expected: f32) -> bool {
        (actual - expected).abs() < 1e-3
    }

    #[test]
    fn expected_bonus_follows_the_bonus_table_of_the_game() {
        let published = Parameters::of(Players::new(4).unwrap());
        // A bonus of nine points for two jewels.
        let variant = Parameters { bonus: BonusTable::new(&[[2, 9]]).unwrap(), ..published };
        // Twice, because the first round fills the tables: the table of one game must not be used for the other.
        for _ in 0..2 {
            assert!(is_near(ExpectedBonus::of(&variant).bonus(1, 1, 0.5), 4.5));
            assert!(is_near(ExpectedBonus::of(&published).bonus(1, 1, 0.5), 0.0));
        }
        // 20 jewels of a colour are more than the table has columns for.
        let [few, many] = [13, 20].map(|in_pouch| ExpectedBonus::of(&published).bonus(3, in_pouch, 0.1));
        assert!(many > few + 1.0, "expected bonus {few} with 13 jewels, {many} with 20");
        let mut public = PublicState::start(variant, Seat::default());
        public.round_index = variant.rounds() - 1;
        public.collections[Seat::default()] = "W1".parse().unwrap();
        assert!(is_near(Outlook::new(&public).jewel_value(Seat::default(), Jewel::White), 1.0 + 9.0));
    }

    #[test]
    fn expected_bonus_of_the_published_game_matches_hand_computed_values() {
        let parameters = Parameters::of(Players::new(4).unwrap());
        let expected_bonus = ExpectedBonus::of(&parameters);
        // 3, 4, 5, 6 jewels bring a bonus of 2, 5, 10, 20 (RULES 5.3). The arguments: jewels owned, jewels in the
        // pouch, the chance to win each of the latter.
        assert!(is_near(expected_bonus.bonus(2, 5, 0.0), 0.0));
        assert!(is_near(expected_bonus.bonus(2, 0, 0.5), 0.0));
        assert!(is_near(expected_bonus.bonus(5, 1, 0.5), 15.0));
        assert!(is_near(expected_bonus.bonus(2, 2, 0.5), 0.25 * 5.0 + 0.5 * 2.0));
        assert!(is_near(expected_bonus.bonus(6, 4, 0.5), 20.0));
        assert!(is_near(expected_bonus.bonus(0, 6, 1.0), 20.0));
    }

    #[test]
    fn jewel_value_in_the_last_round_is_its_points_and_the_bonus_it_adds() {
        let parameters = Parameters::of(Players::new(3).unwrap());
        let mut public = PublicState::start(parameters, Seat::default());
        public.round_index = parameters.rounds() - 1;
        public.collections[Seat::default()] = "W2R5B6".parse().unwrap();
        let outlook = Outlook::new(&public);
        // A third white jewel brings 2 points, a sixth red jewel 20 instead of 10; blue has the highest bonus already.
        for (jewel, expected) in Jewel::ALL.into_iter().zip([1.0 + 2.0, 2.0 + 10.0, 3.0, 4.0, 5.0]) {
            assert!(is_near(outlook.jewel_value(Seat::default(), jewel), expected), "{jewel:?}");
        }
    }

    #[test]
    fn winning_chance_grows_with_points() {
        let parameters = Parameters::of(Players::new(3).unwrap());
        let mut public = PublicState::start(parameters, Seat::default());
        let [ahead, behind, _] = [0, 1, 2].map(|number| Seat::new(number).unwrap());
        public.collections[ahead] = "B4".parse().unwrap();
        let outlook = Outlook::new(&public);
        assert!(outlook.win_chance_with(ahead, 0.0) > outlook.win_chance_with(behind, 0.0));
        assert!(outlook.win_chance_with(behind, 5.0) > outlook.win_chance_with(behind, 0.0));
        assert!(outlook.harm(behind, ahead) > 0.5 && outlook.harm(ahead, ahead) == 0.0);
    }
}
