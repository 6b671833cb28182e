//! Seats, and the number of players.

use std::ops::{Index, IndexMut};

/// One value for each seat a table can have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BySeat<T>(pub [T; Players::MAX as usize]);

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;
    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

/// A position at the table. Seats are numbered from 0, each next one to the left. A seat is not its occupant, see
/// [`crate::Person`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(Number);

/// A seat's number. An enum, so that the compiler can omit bounds checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
enum Number {
    #[default]
    Zero,
    One,
    Two,
    Three,
    Four,
}

const ALL: [Seat; Players::MAX as usize] =
    [Seat(Number::Zero), Seat(Number::One), Seat(Number::Two), Seat(Number::Three), Seat(Number::Four)];

impl Seat {
    /// The seat with this number, counted from 0; `None` if no table has it.
    #[must_use]
    #[inline]
    pub const fn new(number: u8) -> Option<Self> {
        if number < Players::MAX { Some(ALL[number as usize]) } else { None }
    }

    /// The number, counted from 0.
    #[must_use]
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 as u8
    }

    /// The index in a list of seats.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The left neighbour: the seat with the next number; after the last seat, seat 0.
    #[must_use]
    #[inline]
    pub const fn left_neighbour(self, players: Players) -> Self {
        let next = self.number() + 1;
        if next < players.0 { ALL[next as usize] } else { ALL[0] }
    }

    /// The number of seats from this seat to another, counted to the left.
    #[must_use]
    pub const fn steps_to(self, other: Self, players: Players) -> u8 {
        let (from, to) = (self.number(), other.number());
        if to >= from { to - from } else { to + players.0 - from }
    }
}

/// The number of players: 2 to 5 (RULES 2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Players(u8);

impl Players {
    /// The smallest number of players.
    pub const MIN: u8 = 2;
    /// The greatest number of players.
    pub const MAX: u8 = 5;
    /// Two players. Some rules differ for this number.
    pub const TWO: Self = Self(2);
    /// Three players.
    pub const THREE: Self = Self(3);
    /// Four players.
    pub const FOUR: Self = Self(4);
    /// Five players.
    pub const FIVE: Self = Self(5);
    /// Every possible number of players.
    pub const ALL: [Self; 4] = [Self::TWO, Self::THREE, Self::FOUR, Self::FIVE];

    /// This number of players; `None` unless it is 2 to 5.
    #[must_use]
    pub const fn new(count: u8) -> Option<Self> {
        if count >= Self::MIN && count <= Self::MAX { Some(Self(count)) } else { None }
    }

    /// The number.
    #[must_use]
    #[inline]
    pub const fn count(self) -> u8 {
        self.0
    }

    /// Whether a table of this size has this seat.
    #[must_use]
    #[inline]
    pub const fn has(self, seat: Seat) -> bool {
        seat.number() < self.0
    }

    /// All seats in rising order.
    #[must_use]
    pub fn seats(self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        ALL.into_iter().take(usize::from(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_2_1_number_of_players_is_two_to_five() {
        let accepted: Vec<u8> = (0..=255).filter(|&count| Players::new(count).is_some()).collect();
        assert_eq!(accepted, [2, 3, 4, 5]);
        assert!(serde_json::from_str::<Players>("6").is_err());
        assert!(serde_json::from_str::<Players>("-1").is_err());
    }

    #[test]
    fn left_neighbour_of_the_last_seat_is_seat_0() {
        for players in Players::ALL {
            let neighbours: Vec<u8> = players.seats().map(|seat| seat.left_neighbour(players).number()).collect();
            assert_eq!(neighbours, (1..players.count()).chain([0]).collect::<Vec<u8>>());
        }
    }

    #[test]
    fn steps_to_counts_left_neighbours() {
        // Between every two seats, and from each seat to itself.
        for players in Players::ALL {
            for (from, to) in players.seats().flat_map(|from| players.seats().map(move |to| (from, to))) {
                let steps = from.steps_to(to, players);
                let reached = (0..steps).fold(from, |seat, _| seat.left_neighbour(players));
                assert_eq!(reached, to);
                assert!(steps < players.count());
            }
        }
    }

    #[test]
    fn table_has_one_seat_per_player() {
        for players in Players::ALL {
            let seats: Vec<Seat> = players.seats().collect();
            assert_eq!(seats.len(), usize::from(players.count()));
            assert!((0..5).filter_map(Seat::new).all(|seat| players.has(seat) == seats.contains(&seat)));
            assert!(seats.iter().enumerate().all(|(index, seat)| seat.index() == index));
        }
    }

    #[test]
    fn seats_and_players_are_numbers_in_json() {
        for players in Players::ALL {
            assert_eq!(serde_json::to_string(&players).unwrap(), players.to_string());
            assert_eq!(serde_json::from_str::<Players>(&players.to_string()).unwrap(), players);
        }
        assert_eq!((Seat::new(4).map(Seat::number), Seat::new(5)), (Some(4), None));
        assert_eq!(Seat::new(3).unwrap().to_string(), "3");
        assert_eq!(serde_json::from_str::<Seat>("3").unwrap(), Seat::new(3).unwrap());
        assert_eq!(serde_json::to_string(&Seat::new(3)).unwrap(), "3");
        assert!(serde_json::from_str::<Seat>("5").unwrap_err().to_string().contains("there is no seat 5"));
    }

    #[test]
    fn by_seat_keeps_one_value_per_seat() {
        let mut values = BySeat::<u8>::default();
        for seat in Players(5).seats() {
            values[seat] = 10 + seat.number();
        }
        assert_eq!(values.0, [10, 11, 12, 13, 14]);
        assert_eq!(values[Seat::new(2).unwrap()], 12);
    }
}
