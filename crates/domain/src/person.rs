//! The occupant of a seat as shown at the table. The rules do not use it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Seat;

/// A player's colour (RULES 1.2, 2.1).
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
    /// All colours, in the order in which they are handed out.
    pub const ALL: [Self; 5] = [Self::Violet, Self::Gold, Self::Green, Self::Red, Self::Blue];

    /// The colour's English name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["violet", "gold", "green", "red", "blue"][self as usize]
    }
}

/// The kind of occupant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A person.
    #[default]
    Human,
    /// A bot, by its name.
    Bot(String),
    /// A bot, by its name, that acts for an absent person.
    StandIn(String),
    /// An empty seat.
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

/// Not the name of a kind of player.
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
    /// The colour of the cards and the screen.
    pub colour: PlayerColour,
    /// Person or bot.
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
        let names: Vec<String> = PlayerColour::ALL.iter().map(|c| serde_json::to_string(c).unwrap()).collect();
        assert_eq!(names, ["\"violet\"", "\"gold\"", "\"green\"", "\"red\"", "\"blue\""]);
    }

    #[test]
    fn kinds_round_trip_as_text() {
        for text in ["human", "open", "bot:sultan", "stand-in:page"] {
            assert_eq!(text.parse::<Kind>().unwrap().to_string(), text);
        }
        for text in ["", "bot", "bot:", "stand-in:", "Human", "open:x"] {
            assert!(text.parse::<Kind>().is_err(), "{text}");
        }
    }

    #[test]
    fn nameless_player_gets_the_colour_of_the_seat() {
        let third = Person::nameless(Seat::new(2).unwrap());
        assert_eq!(third, Person { name: String::new(), colour: PlayerColour::Green, kind: Kind::Human });
        let json = serde_json::to_string(&Kind::StandIn("page".to_owned())).unwrap();
        assert_eq!(json, "\"stand-in:page\"");
        assert_eq!(serde_json::from_str::<Kind>(&json).unwrap(), Kind::StandIn("page".to_owned()));
        assert!(serde_json::from_str::<Kind>("\"bot:\"").is_err());
    }
}
