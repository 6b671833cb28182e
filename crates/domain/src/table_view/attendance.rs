//! Who is at a table besides its game: absent players, and spectators.

use crate::{BySeat, Seat};

/// The letter in [`Attendance::code`] for a watched table.
const WATCHED: char = 'w';

/// The connections of the people at a table. They change without a new version of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attendance {
    /// The seats of absent players: players without an open connection.
    pub absent: BySeat<bool>,
    /// Whether a spectator is connected: a page or program without a seat.
    pub watched: bool,
}

impl Attendance {
    /// Whether this seat's player is absent.
    #[must_use]
    pub fn is_absent(self, seat: Seat) -> bool {
        self.absent[seat]
    }

    /// A short text: one digit for each absent seat, in rising order, then `w` for a watched table. `13w` means that
    /// seats 1 and 3 are absent, and that somebody watches.
    #[must_use]
    pub fn code(self) -> String {
        let numbers = (b'0'..).zip(self.absent.0).filter(|(_, is_absent)| *is_absent);
        numbers.map(|(digit, _)| char::from(digit)).chain(self.watched.then_some(WATCHED)).collect()
    }

    /// Parses the text of [`Attendance::code`]. Other characters are ignored.
    #[must_use]
    pub fn of_code(code: &str) -> Self {
        let mut attendance = Self { watched: code.contains(WATCHED), ..Self::default() };
        for seat in code.bytes().filter_map(|digit| Seat::new(digit.wrapping_sub(b'0'))) {
            attendance.absent[seat] = true;
        }
        attendance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_round_trips_and_other_characters_are_ignored() {
        let seats: Vec<Seat> = (0..5).filter_map(Seat::new).collect();
        for bits in 0..64_u8 {
            let mut attendance = Attendance { watched: bits >> 5 == 1, ..Attendance::default() };
            seats.iter().for_each(|&seat| attendance.absent[seat] = bits >> seat.number() & 1 == 1);
            assert_eq!(Attendance::of_code(&attendance.code()), attendance);
        }
        // `\u{661}` is a digit, but not an ASCII digit.
        let attendance = Attendance::of_code("3,1x9 1\u{661}");
        assert_eq!(attendance.code(), "13");
        assert!(attendance.is_absent(seats[1]) && !attendance.is_absent(seats[0]) && !attendance.watched);
        assert_eq!(Attendance::of_code("w0").code(), "0w");
    }
}
