//! The occupant of a seat (a person or a bot) as shown at the table. The rules of the game do not depend on it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Seat;

/// The colour of a player's cards and screen (RULES 1.2, 2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = Colour))]
pub enum PlayerColour {
    /// Violet.
    Violet,
    /// Gold.
    Gold,
    /// Green.
    Green,
    /// Red.
    Red,
    /// Blue.
    Blue,
}

impl PlayerColour {
    /// All colours. At a new table, seat 0 gets the first colour, and so on.
    pub const ALL: [Self; 5] = [Self::Violet, Self::Gold, Self::Green, Self::Red, Self::Blue];

    /// The colour's English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["violet", "gold", "green", "red", "blue"][self as usize]
    }
}

/// The kind of a seat's occupant. In text and JSON `human`, `bot:NAME`, `stand-in:NAME` or `open`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A person.
    #[default]
    Human,
    /// The bot with this name.
    Bot(String),
    /// The bot with this name, which acts for an absent person.
    StandIn(String),
    /// No occupant: the seat is free.
    Open,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Human => f.write_str("human"),
            Self::Bot(name) => write!(f, "bot:{name}"),
            Self::StandIn(name) => write!(f, "stand-in:{name}"),
            Self::Open => f.write_str("open"),
        }
    }
}

/// The error for a text that is not a [`Kind`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a player is “human”, “bot:NAME”, “stand-in:NAME” or “open”")]
pub struct NoSuchKind;

impl FromStr for Kind {
    type Err = NoSuchKind;

    fn from_str(text: &str) -> Result<Self, NoSuchKind> {
        match text.split_once(':') {
            None if text == "human" => Ok(Self::Human),
            None if text == "open" => Ok(Self::Open),
            Some(("bot", name)) if !name.is_empty() => Ok(Self::Bot(name.to_owned())),
            Some(("stand-in", name)) if !name.is_empty() => Ok(Self::StandIn(name.to_owned())),
            _ => Err(NoSuchKind),
        }
    }
}

/// The occupant of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Person {
    /// The name shown.
    pub name: String,
    /// The colour of the player's cards and screen.
    pub colour: PlayerColour,
    /// The kind of occupant.
    pub kind: Kind,
}

impl Person {
    /// A player without a name, in the seat's default colour.
    #[must_use]
    pub fn nameless(seat: Seat) -> Self {
        Self { name: String::new(), colour: PlayerColour::ALL[seat.index()], kind: Kind::Human }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_1_2_five_different_colours() {
        for (colour, name) in PlayerColour::ALL.into_iter().zip(["violet", "gold", "green", "red", "blue"]) {
            assert_eq!(colour.name(), name);
            assert_eq!(serde_json::to_string(&colour).unwrap(), format!("\"{name}\""));
        }
    }

    #[test]
    fn kind_round_trips_as_text_and_json() {
        for text in ["human", "open", "bot:sultan", "stand-in:page"] {
            let kind: Kind = text.parse().unwrap();
            assert_eq!(kind.to_string(), text);
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Kind>(&json).unwrap(), kind);
        }
    }

    #[test]
    fn text_that_is_not_a_kind_is_rejected() {
        for text in ["", "bot", "bot:", "stand-in:", "Human", "open:x"] {
            assert!(text.parse::<Kind>().is_err(), "{text}");
            assert!(serde_json::from_str::<Kind>(&format!("\"{text}\"")).is_err(), "{text}");
        }
    }

    #[test]
    fn nameless_person_gets_the_colour_of_the_seat() {
        let third = Person::nameless(Seat::new(2).unwrap());
        assert_eq!(third, Person { name: String::new(), colour: PlayerColour::Green, kind: Kind::Human });
    }
}
