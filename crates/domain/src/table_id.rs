//! Table IDs, as used in links.

use std::fmt;
use std::str::FromStr;

/// The ID of a table: 60 random bits, written as twelve letters and digits.
///
/// A private table can be opened only by people who have its ID.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(u64);

/// The 32 characters of an ID, five bits each. Without `i`, `l`, `o` and `u`, which are easily confused with other
/// characters when an ID is read aloud or typed.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// The number of characters of an ID.
const LENGTH: usize = 12;

impl TableId {
    /// The number of bits of an ID.
    pub const BITS: u32 = 60;

    /// The ID with the lowest sixty of these bits.
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
        for (character, index) in text.iter_mut().rev().zip(0..) {
            *character = ALPHABET[usize::try_from(self.0 >> (5 * index) & 31).unwrap_or(0)];
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

    /// Also accepts IDs as people type them: with capitals, hyphens or spaces, O for 0, and I or L for 1.
    fn from_str(text: &str) -> Result<Self, NoSuchTableId> {
        let (mut bits, mut length) = (0_u64, 0);
        for typed in text.bytes().filter(|byte| !matches!(byte, b'-' | b' ')) {
            let character = match typed.to_ascii_lowercase() {
                b'o' => b'0',
                b'i' | b'l' => b'1',
                lowercase => lowercase,
            };
            let five_bits = ALPHABET.iter().position(|&known| known == character).ok_or(NoSuchTableId)?;
            length += 1;
            if length > LENGTH {
                return Err(NoSuchTableId);
            }
            bits = bits << 5 | five_bits as u64;
        }
        if length == LENGTH { Ok(Self(bits)) } else { Err(NoSuchTableId) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_id_is_parsed_as_written_and_as_typed() {
        for bits in [0, 1, 31, 32, u64::MAX, 0x0123_4567_89ab_cdef] {
            let id = TableId::new(bits);
            let written = id.to_string();
            assert_eq!(written.len(), LENGTH);
            assert_eq!(written.parse(), Ok(id));
            let typed = format!("{}-{} {}", &written[..4], &written[4..8], &written[8..]).to_uppercase();
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
        // Computed by hand: the lowest five bits are the last character.
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
