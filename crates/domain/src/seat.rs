//! Seats, and the number of players.

use std::ops::{Index, IndexMut};

/// One value for each seat a table can have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BySeat<T>(pub [T; Players::MOST as usize]);

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

/// A position at the table, counted from 0 to the left; not its occupant.
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

const ALL: [Seat; Players::MOST as usize] =
    [Seat(Number::Zero), Seat(Number::One), Seat(Number::Two), Seat(Number::Three), Seat(Number::Four)];

impl Seat {
    /// The seat with this number, counted from 0, if any table has it.
    #[must_use]
    #[inline]
    pub const fn new(number: u8) -> Option<Self> {
        if number < Players::MOST { Some(ALL[number as usize]) } else { None }
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

    /// The left neighbour: the next higher number, after the last seat the first.
    #[must_use]
    #[inline]
    pub const fn left(self, players: Players) -> Self {
        /// For each number of players and each seat its left neighbour.
        const LEFT: [[Seat; Players::MOST as usize]; Players::MOST as usize + 1] = {
            let mut table = [[ALL[0]; Players::MOST as usize]; Players::MOST as usize + 1];
            let mut players = 1;
            while players < table.len() {
                let mut seat = 0;
                while seat + 1 < players {
                    table[players][seat] = ALL[seat + 1];
                    seat += 1;
                }
                players += 1;
            }
            table
        };
        LEFT[players.0 as usize][self.index()]
    }

    /// The distance to another seat, counted to the left.
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
    /// The fewest players.
    pub const FEWEST: u8 = 2;
    /// The most players.
    pub const MOST: u8 = 5;
    /// Every number of players there can be.
    pub const ALL: [Self; 4] = [Self(2), Self(3), Self(4), Self(5)];

    /// This number of players, if valid.
    #[must_use]
    pub const fn new(count: u8) -> Option<Self> {
        if count >= Self::FEWEST && count <= Self::MOST { Some(Self(count)) } else { None }
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
    fn rule_2_1_two_to_five_play() {
        let playable: Vec<u8> = (0..=255).filter(|&n| Players::new(n).is_some()).collect();
        assert_eq!(playable, [2, 3, 4, 5]);
        assert!(serde_json::from_str::<Players>("6").is_err());
        assert!(serde_json::from_str::<Players>("-1").is_err());
    }

    #[test]
    fn the_left_neighbour_wraps_round() {
        for players in Players::ALL {
            let round: Vec<Seat> =
                std::iter::successors(Some(Seat::default()), |seat| Some(seat.left(players))).take(7).collect();
            let wanted: Vec<Seat> =
                players.seats().chain(players.seats()).chain(players.seats()).chain(players.seats()).take(7).collect();
            assert_eq!(round, wanted);
            for seat in players.seats() {
                let steps: Vec<u8> = players.seats().map(|other| seat.steps_to(other, players)).collect();
                let walked = |steps: u8| (0..steps).fold(seat, |seat, _| seat.left(players));
                assert!(players.seats().eq(steps.into_iter().map(walked)));
            }
        }
    }

    #[test]
    fn a_table_has_the_seats_of_its_players() {
        assert_eq!((Seat::new(4).map(Seat::number), Seat::new(5)), (Some(4), None));
        for players in Players::ALL {
            let seats: Vec<Seat> = players.seats().collect();
            assert_eq!(seats.len(), usize::from(players.count()));
            assert!((0..5).filter_map(Seat::new).all(|seat| players.has(seat) == seats.contains(&seat)));
            assert!(seats.iter().enumerate().all(|(index, seat)| seat.index() == index));
            assert_eq!(serde_json::to_string(&players).unwrap(), players.to_string());
            assert_eq!(serde_json::from_str::<Players>(&players.to_string()).unwrap(), players);
        }
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
