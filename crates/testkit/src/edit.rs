//! Texts with mistakes, for what must not stumble over them.

use sultan_rules::Chance;

/// How one place of a text is changed.
#[derive(Clone, Copy, Debug)]
pub enum Edit {
    /// Puts another byte there.
    Set(usize, u8),
    /// Puts a byte in between.
    Insert(usize, u8),
    /// Takes a byte out.
    Remove(usize),
    /// Leaves out the rest.
    Cut(usize),
    /// Puts a number where there was another: the edit most likely to be read.
    Digit(usize, u8),
    /// Puts a copy of a piece of the text somewhere else.
    Copy(usize, usize, usize),
}

impl Edit {
    /// Any of them, anywhere.
    #[must_use]
    pub fn random(chance: &mut impl Chance) -> Self {
        let place = |chance: &mut _| Chance::below(chance, u32::MAX) as usize;
        let byte = |chance: &mut _| u8::try_from(Chance::below(chance, 256)).unwrap_or(u8::MAX);
        match chance.below(6) {
            0 => Self::Set(place(chance), byte(chance)),
            1 => Self::Insert(place(chance), byte(chance)),
            2 => Self::Remove(place(chance)),
            3 => Self::Cut(place(chance)),
            4 => Self::Digit(place(chance), b'0' + byte(chance) % 10),
            _ => Self::Copy(place(chance), place(chance), 1 + usize::from(byte(chance) % 30)),
        }
    }
}

/// A text with mistakes, made one after the other.
#[must_use]
pub fn edited(text: &str, edits: &[Edit]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for edit in edits {
        let len = bytes.len().max(1);
        match *edit {
            Edit::Set(at, byte) if !bytes.is_empty() => bytes[at % len] = byte,
            Edit::Insert(at, byte) => bytes.insert(at % len, byte),
            Edit::Remove(at) if !bytes.is_empty() => drop(bytes.remove(at % len)),
            Edit::Cut(at) => bytes.truncate(at % len),
            Edit::Digit(at, digit) => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|&place| bytes[place].is_ascii_digit()).collect();
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
