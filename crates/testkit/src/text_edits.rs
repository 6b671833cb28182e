//! Random edits of a text, for testing parsers with malformed input.

use sultan_rules::Chance;

/// One edit of a text. Positions are taken modulo the length of the text; lengths are clipped to it.
#[derive(Clone, Copy, Debug)]
pub enum Edit {
    /// Overwrites the byte at a position.
    Set(usize, u8),
    /// Inserts a byte at a position.
    Insert(usize, u8),
    /// Removes the byte at a position.
    Remove(usize),
    /// Truncates the text at a position.
    Cut(usize),
    /// Overwrites a digit (its number among the digits of the text, the new digit). The result most likely still
    /// parses.
    Digit(usize, u8),
    /// Copies a piece of the text (start, destination, length).
    Copy(usize, usize, usize),
}

impl Edit {
    /// A random edit at a random position.
    #[must_use]
    pub fn random(rng: &mut impl Chance) -> Self {
        let position = |rng: &mut _| Chance::below(rng, u32::MAX) as usize;
        let byte = |rng: &mut _| u8::try_from(Chance::below(rng, 256)).unwrap_or(u8::MAX);
        match rng.below(6) {
            0 => Self::Set(position(rng), byte(rng)),
            1 => Self::Insert(position(rng), byte(rng)),
            2 => Self::Remove(position(rng)),
            3 => Self::Cut(position(rng)),
            4 => Self::Digit(position(rng), b'0' + byte(rng) % 10),
            _ => Self::Copy(position(rng), position(rng), 1 + usize::from(byte(rng) % 30)),
        }
    }
}

/// Applies the edits one after the other.
#[must_use]
pub fn apply_edits(text: &str, edits: &[Edit]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for edit in edits {
        let len = bytes.len().max(1);
        match *edit {
            Edit::Set(position, byte) if !bytes.is_empty() => bytes[position % len] = byte,
            Edit::Insert(position, byte) => bytes.insert(position % len, byte),
            Edit::Remove(position) if !bytes.is_empty() => drop(bytes.remove(position % len)),
            Edit::Cut(position) => bytes.truncate(position % len),
            Edit::Digit(number, digit) => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|&index| bytes[index].is_ascii_digit()).collect();
                if !digits.is_empty() {
                    bytes[digits[number % digits.len()]] = digit;
                }
            }
            Edit::Copy(start, destination, piece_len) if !bytes.is_empty() => {
                let start = start % len;
                let piece = bytes[start..(start + piece_len).min(len)].to_vec();
                let destination = destination % len;
                bytes.splice(destination..destination, piece);
            }
            // These edits do not apply to an empty text.
            Edit::Set(..) | Edit::Remove(_) | Edit::Copy(..) => {}
        }
    }
    bytes
}
