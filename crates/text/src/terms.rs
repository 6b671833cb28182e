//! The words of the game.

use sultan_domain::{Jewel, PlayerColour};

use crate::Text;

impl Text {
    /// The colour of a jewel, as in “white”.
    #[must_use]
    pub fn jewel(self, jewel: Jewel) -> String {
        self.say(match jewel {
            Jewel::White => "jewel-white",
            Jewel::Red => "jewel-red",
            Jewel::Yellow => "jewel-yellow",
            Jewel::Green => "jewel-green",
            Jewel::Blue => "jewel-blue",
        })
    }

    /// A jewel with its article where the language has one, within a sentence: “the white jewel”.
    #[must_use]
    pub fn the_jewel(self, jewel: Jewel) -> String {
        self.say(match jewel {
            Jewel::White => "the-jewel-white",
            Jewel::Red => "the-jewel-red",
            Jewel::Yellow => "the-jewel-yellow",
            Jewel::Green => "the-jewel-green",
            Jewel::Blue => "the-jewel-blue",
        })
    }

    /// A player's colour, as in “gold”.
    #[must_use]
    pub fn colour(self, colour: PlayerColour) -> String {
        self.say(match colour {
            PlayerColour::Violet => "colour-violet",
            PlayerColour::Gold => "colour-gold",
            PlayerColour::Green => "colour-green",
            PlayerColour::Red => "colour-red",
            PlayerColour::Blue => "colour-blue",
        })
    }

    /// The name that a bot goes by; other programs know it by `name`.
    #[must_use]
    pub fn bot(self, name: &str) -> String {
        self.say(match name {
            "random" => "bot-random",
            "page" => "bot-page",
            "merchant" => "bot-merchant",
            "jeweller" => "bot-jeweller",
            "vizier" => "bot-vizier",
            "sultan" => "bot-sultan",
            "mcts" => "bot-mcts",
            _ => return name.to_owned(),
        })
    }

    /// A bot's character in a line.
    #[must_use]
    pub fn bot_character(self, name: &str) -> String {
        self.say(match name {
            "random" => "bot-random-character",
            "page" => "bot-page-character",
            "merchant" => "bot-merchant-character",
            "jeweller" => "bot-jeweller-character",
            "vizier" => "bot-vizier-character",
            "sultan" => "bot-sultan-character",
            "mcts" => "bot-mcts-character",
            _ => return String::new(),
        })
    }
}
