//! Parses the text forms of actions (`RYB`, `12@2`) and collections (`W3R5B1`).
//!
//! Spaces, signs, lower-case letters and leading zeros are rejected. An action is accepted only in the form in which it
//! is written. The colours of a collection may have any order and may repeat.

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

/// Parses a number without sign or leading zero. A number above 255 becomes 255: more than any card, cushion or count
/// of jewels, so the caller reports it as out of range.
fn parse_number(text: &str) -> Option<u8> {
    let has_leading_zero = text != "0" && text.starts_with('0');
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_digits && !has_leading_zero).then(|| text.parse().unwrap_or(u8::MAX))
}

/// The first `max_chars` characters of a text on one line, for error messages: the text may be a whole file. Control
/// characters, such as line breaks, are replaced by `�`.
pub(crate) fn one_line_prefix(text: &str, max_chars: usize) -> String {
    let prefix: String = text.chars().take(max_chars).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(max_chars).is_some() { prefix + "…" } else { prefix }
}

/// The start of a rejected text, as quoted in a [`NotationError`].
fn quoted_prefix(text: &str) -> String {
    one_line_prefix(text, 24)
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let error = |variant: fn(String) -> NotationError| variant(quoted_prefix(text));
        let not_an_action = || error(NotationError::NotAnAction);
        if let Some((card, cushion)) = text.split_once('@') {
            let (card, cushion) = parse_number(card).zip(parse_number(cushion)).ok_or_else(not_an_action)?;
            let card = MoneyCard::new(card).ok_or_else(|| error(NotationError::NoSuchCard))?;
            let cushion = Cushion::new(cushion).ok_or_else(|| error(NotationError::NoSuchCushion))?;
            return Ok(Self::Bid { card, cushion });
        }
        let jewels: Option<Vec<Jewel>> = text.chars().map(Jewel::from_letter).collect();
        let jewels = jewels.filter(|jewels| !jewels.is_empty()).ok_or_else(not_an_action)?;
        Offer::new(&jewels).map(Self::Offer).ok_or_else(|| error(NotationError::TooManyJewels))
    }
}

/// Parses `W3R5B1`: letters with counts in any order. A letter without a count is one jewel; an empty text is no
/// jewels.
impl FromStr for Jewels {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let error = || NotationError::NotACollection(quoted_prefix(text));
        let mut counts = [0_u8; 5];
        let mut unparsed = text;
        while let Some(letter) = unparsed.chars().next() {
            let jewel = Jewel::from_letter(letter).ok_or_else(error)?;
            unparsed = &unparsed[1..];
            let digit_count = unparsed.bytes().take_while(u8::is_ascii_digit).count();
            let count = if digit_count == 0 { Some(1) } else { parse_number(&unparsed[..digit_count]) };
            let sum = count.and_then(|count| counts[jewel as usize].checked_add(count));
            counts[jewel as usize] = sum.ok_or_else(error)?;
            unparsed = &unparsed[digit_count..];
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
        for first in Jewel::ALL {
            texts.push(format!("{first}"));
            for second in Jewel::ALL {
                texts.push(format!("{first}{second}"));
                texts.extend(Jewel::ALL.map(|third| format!("{first}{second}{third}")));
            }
        }
        for card in 1..=15 {
            texts.extend((1..=3).map(|cushion| format!("{card}@{cushion}")));
        }
        assert_eq!(texts.len(), 5 + 25 + 125 + 45, "offers of one, two and three jewels, and bids");
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
        // The `１` is a full-width digit, not an ASCII digit.
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
        let error = "x\n".repeat(1_000_000).parse::<Action>().unwrap_err().to_string();
        assert!(error.len() < 200 && !error.contains('\n'), "{error}");
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
        let parsed_counts = |text: &str| text.parse::<Jewels>().map(|jewels| jewels.counts().0);
        assert_eq!(parsed_counts("W3R5B1"), Ok([3, 5, 0, 0, 1]));
        assert_eq!(parsed_counts("B1W3R5"), Ok([3, 5, 0, 0, 1]));
        assert_eq!(parsed_counts("WWR"), Ok([2, 1, 0, 0, 0]));
        assert_eq!(parsed_counts(""), Ok([0; 5]));
        assert_eq!(parsed_counts("W0"), Ok([0; 5]));
        // A count may be too high by itself or as a sum, or have a leading zero.
        for text in
            ["X3", "3W", "W-1", "W3 R5", "w3", "W300", "W99R99", "W200W200", "é", "W9999999999999999999999", "W03"]
        {
            assert!(parsed_counts(text).is_err(), "{text}");
        }
    }
}
