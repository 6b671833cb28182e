//! Reading the text forms of actions and collections.
//!
//! No blanks, signs, lower-case letters or leading zeros. For an action only its written form is accepted. The colours
//! of a collection may have any order and may repeat.

use std::str::FromStr;

use thiserror::Error;

use crate::{Action, Cushion, Jewel, Jewels, MoneyCard, Offer};

/// Why a text is no action, or no collection.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotationError {
    /// Neither an offer nor a bid; passing is not possible (RULES 4.2).
    #[error("“{0}” is neither an offer such as RYB nor a bid such as 12@2")]
    NotAnAction(String),
    /// Too many jewels for any board.
    #[error("“{0}” offers more than three jewels")]
    TooManyJewels(String),
    /// No money card has this value.
    #[error("“{0}” is not a bid: money cards are 1 to 15")]
    NoSuchCard(String),
    /// No board has this cushion.
    #[error("“{0}” is not a bid: cushions are 1 to 3")]
    NoSuchCushion(String),
    /// Not a list of jewels.
    #[error("“{0}” is no collection such as W3R5B1 (W white, R red, Y yellow, G green, B blue)")]
    NotACollection(String),
}

/// A number without sign or leading zero. A number above 255 becomes 255, which is out of range everywhere.
fn number(text: &str) -> Option<u8> {
    let plain = text == "0" || !text.starts_with('0');
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (plain && digits).then(|| text.parse().unwrap_or(u8::MAX))
}

/// A short prefix of a text on one line: the input may be a whole file.
pub(crate) fn one_line_prefix(text: &str, max_chars: usize) -> String {
    let clean: String = text.chars().take(max_chars).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(max_chars).is_some() { clean + "…" } else { clean }
}

fn excerpt(text: &str) -> String {
    one_line_prefix(text, 24)
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let not_an_action = || NotationError::NotAnAction(excerpt(text));
        if let Some((card, cushion)) = text.split_once('@') {
            let (card, cushion) = number(card).zip(number(cushion)).ok_or_else(not_an_action)?;
            let card = MoneyCard::new(card).ok_or_else(|| NotationError::NoSuchCard(excerpt(text)))?;
            let cushion = Cushion::new(cushion).ok_or_else(|| NotationError::NoSuchCushion(excerpt(text)))?;
            return Ok(Self::Bid { card, cushion });
        }
        let jewels: Option<Vec<Jewel>> = text.chars().map(Jewel::from_letter).collect();
        let jewels = jewels.filter(|jewels| !jewels.is_empty()).ok_or_else(not_an_action)?;
        Offer::new(&jewels).map(Self::Offer).ok_or_else(|| NotationError::TooManyJewels(excerpt(text)))
    }
}

/// Parses `W3R5B1`: letters with counts in any order; a letter alone is one jewel, an empty text is no jewel.
impl FromStr for Jewels {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let error = || NotationError::NotACollection(excerpt(text));
        let mut counts = [0_u8; 5];
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let jewel = Jewel::from_letter(letter).ok_or_else(error)?;
            rest = &rest[1..];
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let count = if digits == 0 { Some(1) } else { number(&rest[..digits]) };
            let sum = count.and_then(|count| counts[jewel as usize].checked_add(count));
            counts[jewel as usize] = sum.ok_or_else(error)?;
            rest = &rest[digits..];
        }
        Self::new(counts).ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_possible_action_round_trips_as_text() {
        let mut texts = Vec::new();
        for a in Jewel::ALL {
            texts.push(format!("{a}"));
            for b in Jewel::ALL {
                texts.push(format!("{a}{b}"));
                texts.extend(Jewel::ALL.map(|c| format!("{a}{b}{c}")));
            }
        }
        for card in 1..=15 {
            texts.extend((1..=3).map(|cushion| format!("{card}@{cushion}")));
        }
        assert_eq!(texts.len(), 5 + 25 + 125 + 45);
        for text in texts {
            let action: Action = text.parse().unwrap();
            assert_eq!(action.to_string(), text);
            let json = serde_json::to_string(&action).unwrap();
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Action>(&json).unwrap(), action);
        }
    }

    #[test]
    fn action_is_parsed_only_from_its_written_form() {
        for text in [
            "", " ", "pass", "-", "rYB", "RYB ", "RYX", "12@", "@2", "+1@2", "01@2", "1@+2", "1@2@3", "１@2", "1 @2",
            "1@2\n",
        ] {
            assert!(matches!(text.parse::<Action>(), Err(NotationError::NotAnAction(_))), "{text:?}");
        }
        assert!(matches!("16@1".parse::<Action>(), Err(NotationError::NoSuchCard(_))));
        for text in ["99@1", "0@1", "256@1", "0@0", "99999999999999999999@1"] {
            assert!(matches!(text.parse::<Action>(), Err(NotationError::NoSuchCard(_))), "{text}");
        }
        for text in ["1@4", "1@0", "1@300"] {
            assert!(matches!(text.parse::<Action>(), Err(NotationError::NoSuchCushion(_))), "{text}");
        }
        assert!(matches!("WRYG".parse::<Action>(), Err(NotationError::TooManyJewels(_))));
    }

    #[test]
    fn rule_4_2_pass_has_no_notation() {
        for text in ["pass", "PASS", "0@0", "-"] {
            assert!(text.parse::<Action>().is_err());
        }
    }

    #[test]
    fn parse_error_is_short_and_on_one_line() {
        let long = "x\n".repeat(1_000_000).parse::<Action>().unwrap_err().to_string();
        assert!(long.len() < 200 && !long.contains('\n'), "{long}");
        assert_eq!(one_line_prefix("", 0), "");
        assert_eq!(
            one_line_prefix("é\t\u{7f}z", 4),
            "é\u{fffd}\u{fffd}z",
            "a text of the maximum length is not shortened"
        );
        assert_eq!(one_line_prefix("abcde", 4), "abcd…");
    }

    #[test]
    fn collection_is_parsed_from_letters_with_counts() {
        let read = |text: &str| text.parse::<Jewels>().map(|jewels| jewels.counts().0);
        assert_eq!(read("W3R5B1"), Ok([3, 5, 0, 0, 1]));
        assert_eq!(read("B1W3R5"), Ok([3, 5, 0, 0, 1]));
        assert_eq!(read("WWR"), Ok([2, 1, 0, 0, 0]));
        assert_eq!(read(""), Ok([0; 5]));
        assert_eq!(read("W0"), Ok([0; 5]));
        for text in
            ["X3", "3W", "W-1", "W3 R5", "w3", "W300", "W99R99", "W200W200", "é", "W9999999999999999999999", "W03"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
