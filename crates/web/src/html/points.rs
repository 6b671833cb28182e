//! What a collection is worth so far.

use sultan_domain::{Collection, Jewel, Numbers};

/// The points of so many jewels of a colour, and the bonus for them.
pub(crate) fn of_colour(numbers: &Numbers, jewel: Jewel, count: u8) -> (u16, u16) {
    (u16::from(count) * jewel.points(), numbers.bonus(count))
}

/// All points of a collection.
pub(crate) fn total(numbers: &Numbers, collection: Collection) -> u16 {
    let each = |jewel| of_colour(numbers, jewel, collection.count(jewel));
    Jewel::ALL.into_iter().map(each).map(|(points, bonus)| points + bonus).sum()
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
}
