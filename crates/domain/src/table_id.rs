//! Table IDs, as used in links.

use std::fmt;
use std::str::FromStr;

/// The ID of a table: 60 random bits, written as twelve letters and digits.
///
/// A private table can be opened only by people who have its ID.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(u64);

/// Thirty-two signs that are not taken for each other when they are read out or copied by hand.
const SIGNS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 12;

impl TableId {
    /// Bits of an ID.
    pub const BITS: u32 = 60;

    /// The ID made of the lowest sixty of these bits.
    #[must_use]
    pub const fn new(bits: u64) -> Self {
        Self(bits & ((1 << Self::BITS) - 1))
    }

    /// The ID as a number below 2⁶⁰.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; LENGTH];
        for (sign, index) in text.iter_mut().rev().zip(0..) {
            *sign = SIGNS[usize::try_from(self.0 >> (5 * index) & 31).unwrap_or(0)];
        }
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a text that is not a table ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a table's name is twelve letters and digits")]
pub struct NoSuchTableId;

impl FromStr for TableId {
    type Err = NoSuchTableId;

    /// Parses typed IDs too: with capitals, hyphens or spaces, and an O for a zero.
    fn from_str(text: &str) -> Result<Self, NoSuchTableId> {
        let (mut bits, mut length) = (0_u64, 0);
        for sign in text.bytes().filter(|sign| !matches!(sign, b'-' | b' ')) {
            let sign = match sign.to_ascii_lowercase() {
                b'o' => b'0',
                b'i' | b'l' => b'1',
                sign => sign,
            };
            let value = SIGNS.iter().position(|&known| known == sign).ok_or(NoSuchTableId)?;
            length += 1;
            if length > LENGTH {
                return Err(NoSuchTableId);
            }
            bits = bits << 5 | value as u64;
        }
        if length == LENGTH { Ok(Self(bits)) } else { Err(NoSuchTableId) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_ids_round_trip_as_text() {
        for bits in [0, 1, 31, 32, u64::MAX, 0x0123_4567_89ab_cdef] {
            let id = TableId::new(bits);
            let text = id.to_string();
            assert_eq!(text.len(), LENGTH);
            assert_eq!(text.parse(), Ok(id));
            let typed = format!("{}-{} {}", &text[..4], &text[4..8], &text[8..]).to_uppercase();
            assert_eq!(typed.parse(), Ok(id), "{typed}");
        }
        assert_eq!("OoiL00000000".parse(), "001100000000".parse::<TableId>());
    }

    #[test]
    fn invalid_table_id_is_rejected() {
        for text in ["", "0", "00000000000", "0000000000000", "00000000000u", "../../etc/pw", "äöü000000000"] {
            assert_eq!(text.parse::<TableId>(), Err(NoSuchTableId), "{text}");
        }
    }

    #[test]
    fn table_ids_match_known_values() {
        // By hand: the lowest five bits are the last sign.
        for (bits, text) in
            [(0, "000000000000"), (33, "000000000011"), (31 << 55, "z00000000000"), (u64::MAX, "zzzzzzzzzzzz")]
        {
            let id = TableId::new(bits);
            assert_eq!((id.to_string(), format!("{id:?}")), (text.to_owned(), text.to_owned()));
            assert_eq!(id.number(), bits & ((1 << 60) - 1));
            assert_eq!(serde_json::from_str::<TableId>(&serde_json::to_string(&id).unwrap()).unwrap(), id);
        }
        assert!(serde_json::from_str::<TableId>("\"0\"").is_err());
    }
}
