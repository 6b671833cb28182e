//! What jewels are worth, from the numbers of the game.

use sultan_domain::{Collection, Jewel, Numbers};

/// What one jewel is worth (RULES 5.2).
pub(crate) const fn points(jewel: Jewel) -> u16 {
    jewel as u16 + 1
}

/// The bonus for so many jewels of one colour (RULES 5.3, 5.4).
pub(crate) fn bonus(numbers: &Numbers, count: u8) -> u16 {
    let steps = usize::from((count + 1).saturating_sub(numbers.first_bonus));
    Numbers::BONUSES[steps.min(Numbers::BONUSES.len() - 1)]
}

/// All points of a collection.
pub(crate) fn total(numbers: &Numbers, collection: Collection) -> u16 {
    let each = |jewel: Jewel| {
        let count = collection.count(jewel);
        u16::from(count) * points(jewel) + bonus(numbers, count)
    };
    Jewel::ALL.into_iter().map(each).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sultan_domain::Players;

    #[test]
    fn rule_5_6_the_example_of_the_rules() {
        let collection = Collection::new([3, 5, 0, 0, 1]).unwrap();
        let with = |players| total(&Numbers::of(Players::new(players).unwrap()), collection);
        assert_eq!([2, 3, 4, 5].map(with), [23, 30, 30, 30]);
    }

    #[test]
    fn rule_5_3_and_5_4_bonuses() {
        let of = |players| {
            let numbers = Numbers::of(Players::new(players).unwrap());
            [0, 2, 3, 4, 5, 6, 7, 12].map(|count| bonus(&numbers, count))
        };
        assert_eq!(of(4), [0, 0, 2, 5, 10, 20, 20, 20]);
        assert_eq!(of(2), [0, 0, 0, 2, 5, 10, 20, 20]);
    }
}
