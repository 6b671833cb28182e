//! Which players have no open connection.

use crate::{BySeat, Seat};

/// The seats whose players are absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AbsentSeats(pub BySeat<bool>);

impl AbsentSeats {
    /// Whether this seat's player is absent.
    #[must_use]
    pub fn has(self, seat: Seat) -> bool {
        self.0[seat]
    }

    /// The numbers of the seats, one digit each.
    #[must_use]
    pub fn digits(self) -> String {
        (0..).zip(self.0.0).filter(|(_, absent)| *absent).map(|(seat, _): (u8, _)| char::from(b'0' + seat)).collect()
    }

    /// Reads [`AbsentSeats::digits`]; other characters are ignored.
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
        let absent = AbsentSeats::of_digits("3,1x9 1\u{661}");
        assert_eq!(absent.digits(), "13");
        assert!(absent.has(seats[1]) && !absent.has(seats[0]));
    }
}
