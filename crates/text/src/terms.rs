//! The words of the game.

use sultan_domain::{Jewel, Place, PlayerColour, Variant};

use crate::Text;

impl Text {
    /// The colour of a jewel, as in “white”.
    #[must_use]
    pub fn jewel(self, jewel: Jewel) -> String {
        self.say(&format!("jewel-{}", jewel.name()))
    }

    /// A jewel within a sentence, with its article if the language has one: “the white jewel”.
    #[must_use]
    pub fn the_jewel(self, jewel: Jewel) -> String {
        self.say(&format!("the-jewel-{}", jewel.name()))
    }

    /// A player's colour, as in “gold”.
    #[must_use]
    pub fn colour(self, colour: PlayerColour) -> String {
        self.say(&format!("colour-{}", colour.name()))
    }

    /// The points of a player at the end, as in “15 + bonus 3 = 18 points, 5 jewels”.
    #[must_use]
    pub fn score(self, place: &Place) -> String {
        let values = [
            ("points", place.jewel_points.into()),
            ("bonus", place.bonus.into()),
            ("total", place.points.into()),
            ("count", place.count.into()),
        ];
        self.with("end-score", &values)
    }

    /// The display name of a bot level. A level that no catalogue names keeps its name from the API.
    #[must_use]
    pub fn bot(self, level: &str) -> String {
        self.find(&format!("bot-{level}")).unwrap_or_else(|| level.to_owned())
    }

    /// A line that describes a bot level; empty if no catalogue has one.
    #[must_use]
    pub fn bot_character(self, level: &str) -> String {
        self.find(&format!("bot-{level}-character")).unwrap_or_default()
    }

    /// An offered game, which is a named variant of the rules, as a choice in forms: “Short”.
    #[must_use]
    pub fn game(self, name: &str) -> String {
        self.say(&format!("game-{name}"))
    }

    /// A sentence about an offered game: “Short game: one stage instead of three.”
    #[must_use]
    pub fn about_game(self, name: &str) -> String {
        self.say(&format!("game-{name}-about"))
    }

    /// The title of an offered game other than the published one: “Short game”. `None` for all other variants.
    #[must_use]
    pub fn variant_title(self, variant: &Variant) -> Option<String> {
        self.find(&format!("game-{}-title", variant.name()?))
    }

    /// The sentence about an offered game other than the published one. `None` for all other variants.
    #[must_use]
    pub fn about_variant(self, variant: &Variant) -> Option<String> {
        variant.name().filter(|_| !variant.is_published()).map(|name| self.about_game(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lang;

    #[test]
    fn only_offered_variants_have_a_sentence() {
        let text = Text::of(Lang::En);
        let about = |variant| text.about_variant(&variant);
        assert_eq!(about(Variant::ESPRESSO).as_deref(), Some("Short game: one stage instead of three."));
        assert_eq!(about(Variant::PUBLISHED), None);
        assert_eq!(about(Variant { rounds: Some(2), ..Variant::PUBLISHED }), None);
    }
}
