//! The seats of absent players: players without an open connection.

use crate::{BySeat, Seat};

/// The seats of absent players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AbsentSeats(pub BySeat<bool>);

impl AbsentSeats {
    /// Whether this seat's player is absent.
    #[must_use]
    pub fn has(self, seat: Seat) -> bool {
        self.0[seat]
    }

    /// The numbers of the absent seats in rising order, one digit per seat: `13` for seats 1 and 3.
    #[must_use]
    pub fn digits(self) -> String {
        let numbers = (b'0'..).zip(self.0.0).filter(|(_, is_absent)| *is_absent);
        numbers.map(|(digit, _)| char::from(digit)).collect()
    }

    /// Parses the text of [`AbsentSeats::digits`]. Other characters are ignored.
    #[must_use]
    pub fn of_digits(digits: &str) -> Self {
        let mut absent = Self::default();
        for seat in digits.bytes().filter_map(|digit| Seat::new(digit.wrapping_sub(b'0'))) {
            absent.0[seat] = true;
        }
        absent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_round_trip_and_other_characters_are_ignored() {
        let seats: Vec<Seat> = (0..5).filter_map(Seat::new).collect();
        for bits in 0..32_u8 {
            let mut absent = AbsentSeats::default();
            seats.iter().for_each(|&seat| absent.0[seat] = bits >> seat.number() & 1 == 1);
            assert_eq!(AbsentSeats::of_digits(&absent.digits()), absent);
        }
        // `\u{661}` is a digit, but not an ASCII digit.
        let absent = AbsentSeats::of_digits("3,1x9 1\u{661}");
        assert_eq!(absent.digits(), "13");
        assert!(absent.has(seats[1]) && !absent.has(seats[0]));
    }
}
