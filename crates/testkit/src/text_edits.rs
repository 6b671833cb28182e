//! Random edits of a text, for testing parsers with malformed input.

use sultan_rules::Chance;

/// One edit of a text. Positions and lengths are taken modulo the length of the text or clipped to it.
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
    /// Overwrites a digit with another digit. The result most likely still parses.
    Digit(usize, u8),
    /// Copies a piece of the text (start, destination, length).
    Copy(usize, usize, usize),
}

impl Edit {
    /// A random edit at a random position.
    #[must_use]
    pub fn random(chance: &mut impl Chance) -> Self {
        let position = |chance: &mut _| Chance::below(chance, u32::MAX) as usize;
        let byte = |chance: &mut _| u8::try_from(Chance::below(chance, 256)).unwrap_or(u8::MAX);
        match chance.below(6) {
            0 => Self::Set(position(chance), byte(chance)),
            1 => Self::Insert(position(chance), byte(chance)),
            2 => Self::Remove(position(chance)),
            3 => Self::Cut(position(chance)),
            4 => Self::Digit(position(chance), b'0' + byte(chance) % 10),
            _ => Self::Copy(position(chance), position(chance), 1 + usize::from(byte(chance) % 30)),
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
            Edit::Set(at, byte) if !bytes.is_empty() => bytes[at % len] = byte,
            Edit::Insert(at, byte) => bytes.insert(at % len, byte),
            Edit::Remove(at) if !bytes.is_empty() => drop(bytes.remove(at % len)),
            Edit::Cut(at) => bytes.truncate(at % len),
            Edit::Digit(at, digit) => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
                if !digits.is_empty() {
                    bytes[digits[at % digits.len()]] = digit;
                }
            }
            Edit::Copy(from, to, piece) if !bytes.is_empty() => {
                let from = from % len;
                let piece = bytes[from..(from + piece).min(len)].to_vec();
                let to = to % len;
                bytes.splice(to..to, piece);
            }
            Edit::Set(..) | Edit::Remove(_) | Edit::Copy(..) => {}
        }
    }
    bytes
}
