//! Variants: the parameters that differ from the published game, and their JSON form.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{BadParameters, BonusTable, Jewels, Parameters, Players};

/// The parameters that differ from the published game, as in records, views and requests.
///
/// The default is the published game. The derived impls are only helpers (`remote = "Self"`) for the impls below, which
/// accept no array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Variant {
    /// The highest card. Each player's cards start at 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cards: Option<u8>,
    /// The number of cards of each value per player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies: Option<u8>,
    /// Stages in a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stages: Option<u8>,
    /// Rounds in a stage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u8>,
    /// Cushions on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cushions: Option<u8>,
    /// The jewels in the pouch at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pouch: Option<Jewels>,
    /// The bonus for jewels of one colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bonus: Option<BonusTable>,
}

impl Variant {
    /// The published game.
    pub const PUBLISHED: Self =
        Self { cards: None, copies: None, stages: None, rounds: None, cushions: None, pouch: None, bonus: None };
    /// The espresso game: one stage.
    pub const ESPRESSO: Self = Self { stages: Some(1), ..Self::PUBLISHED };
    /// The name of the published game in forms and commands.
    pub const PUBLISHED_NAME: &'static str = "full";
    /// The variants that forms and commands offer by name.
    pub const OFFERED: [(&'static str, Self); 2] =
        [(Self::PUBLISHED_NAME, Self::PUBLISHED), ("espresso", Self::ESPRESSO)];

    /// The offered variant with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::OFFERED.iter().find(|(offered, _)| *offered == name).map(|(_, variant)| *variant)
    }

    /// The name of this variant; `None` if it is not offered by name.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        Self::OFFERED.iter().find(|(_, variant)| variant == self).map(|(name, _)| *name)
    }

    /// Whether this is the published game.
    #[must_use]
    pub fn is_published(&self) -> bool {
        *self == Self::PUBLISHED
    }

    /// The parameters of a table that plays this variant.
    ///
    /// # Errors
    /// [`BadParameters`] for the first invalid parameter.
    pub fn parameters(&self, players: Players) -> Result<Parameters, BadParameters> {
        let parameters = Parameters::of(players).with(self);
        parameters.check_variant()?;
        Ok(parameters)
    }
}

impl Parameters {
    /// These parameters with the changes of a variant. The result is not checked.
    #[must_use]
    pub fn with(self, variant: &Variant) -> Self {
        let Variant { cards, copies, stages, rounds, cushions, pouch, bonus } = *variant;
        Self {
            highest_card: cards.unwrap_or(self.highest_card),
            copies: copies.unwrap_or(self.copies),
            stages: stages.unwrap_or(self.stages),
            rounds_per_stage: rounds.unwrap_or(self.rounds_per_stage),
            cushions: cushions.unwrap_or(self.cushions),
            pouch: pouch.unwrap_or(self.pouch),
            bonus: bonus.unwrap_or(self.bonus),
            ..self
        }
    }

    /// The differences from the published game.
    #[must_use]
    pub fn variant(&self) -> Variant {
        fn if_different<T: PartialEq>(value: T, published: &T) -> Option<T> {
            (value != *published).then_some(value)
        }
        let published = Self::of(self.players);
        Variant {
            cards: if_different(self.highest_card, &published.highest_card),
            copies: if_different(self.copies, &published.copies),
            stages: if_different(self.stages, &published.stages),
            rounds: if_different(self.rounds_per_stage, &published.rounds_per_stage),
            cushions: if_different(self.cushions, &published.cushions),
            pouch: if_different(self.pouch, &published.pouch),
            bonus: if_different(self.bonus, &published.bonus),
        }
    }
}

impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Variant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectOnly)
    }
}

/// Reads a variant from a JSON object. The derived impl alone would also accept an array of the fields' values.
struct ObjectOnly;

impl<'de> de::Visitor<'de> for ObjectOnly {
    type Value = Variant;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of parameters")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Variant, A::Error> {
        Variant::deserialize(de::value::MapAccessDeserializer::new(map))
    }
}

/// Writes a list of pairs, each a number of jewels and its bonus: `[[3,2],[4,5],[5,10],[6,20]]`.
impl Serialize for BonusTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.steps().iter().map(|step| [step.count, step.points]))
    }
}

impl<'de> Deserialize<'de> for BonusTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let steps = Vec::<[u8; 2]>::deserialize(deserializer)?;
        Self::new(&steps).ok_or_else(|| de::Error::custom("a bonus table has 1 to 8 rising steps"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn four_players() -> Players {
        Players::new(4).unwrap()
    }

    #[test]
    fn missing_keys_have_the_published_values() {
        for players in Players::ALL {
            let published = Parameters::of(players);
            assert_eq!(Variant::default().parameters(players), Ok(published));
            let espresso: Variant = serde_json::from_str(r#"{"stages":1}"#).unwrap();
            assert_eq!(espresso, Variant::ESPRESSO);
            assert_eq!(espresso.parameters(players), Ok(Parameters { stages: 1, ..published }));
        }
    }

    #[test]
    fn variant_of_parameters_leaves_out_published_values() {
        for players in Players::ALL {
            let published = Parameters::of(players);
            assert!(published.variant().is_published());
            let one_stage = Parameters { stages: 1, ..published };
            assert_eq!(serde_json::to_string(&one_stage.variant()).unwrap(), r#"{"stages":1}"#);
        }
        let published_values: Variant = serde_json::from_str(r#"{"stages":3,"cards":15}"#).unwrap();
        assert!(published_values.parameters(four_players()).unwrap().variant().is_published());
    }

    #[test]
    fn every_offered_variant_has_its_own_name_and_can_be_played() {
        for (name, variant) in Variant::OFFERED {
            assert_eq!((Variant::named(name), variant.name()), (Some(variant), Some(name)));
            assert!(Players::ALL.into_iter().all(|players| variant.parameters(players).is_ok()), "{name}");
        }
        assert_eq!((Variant::named("long"), Variant { cards: Some(14), ..Variant::PUBLISHED }.name()), (None, None));
    }

    #[test]
    fn every_variant_key_is_read_and_written() {
        let json = r#"{"cards":14,"copies":2,"stages":2,"rounds":6,"cushions":2,"pouch":{"W":20,"R":10,"Y":10,"G":10,"B":10},"bonus":[[2,1],[5,9]]}"#;
        let variant: Variant = serde_json::from_str(json).unwrap();
        let parameters = variant.parameters(four_players()).unwrap();
        assert_eq!((parameters.highest_card, parameters.rounds(), parameters.draw_size()), (14, 12, 3));
        assert_eq!([1, 2, 4, 5, 60].map(|count| parameters.bonus(count)), [0, 1, 1, 9, 9]);
        assert_eq!(parameters.variant(), variant);
        assert_eq!(serde_json::to_string(&variant).unwrap(), json);
    }

    #[test]
    fn json_that_is_not_a_variant_is_rejected() {
        let not_a_variant = [
            // An unknown key; tables without a step or with steps that do not rise; arrays; a duplicate key.
            r#"{"stage":1}"#,
            r#"{"bonus":[]}"#,
            r#"{"bonus":[[3,2],[3,4]]}"#,
            r#"{"bonus":[[3,2],[4,2]]}"#,
            r#"{"bonus":[[0,2]]}"#,
            "[]",
            "[15,1]",
            r#"{"stages":1,"stages":2}"#,
        ];
        for json in not_a_variant {
            assert!(serde_json::from_str::<Variant>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn variants_beyond_the_limits_are_rejected() {
        let beyond_limits = [
            r#"{"cards":4,"stages":1,"rounds":1}"#,
            r#"{"cards":16}"#,
            r#"{"copies":3}"#,
            r#"{"copies":0}"#,
            r#"{"stages":0}"#,
            r#"{"stages":4,"rounds":1}"#,
            r#"{"rounds":9,"stages":1}"#,
            r#"{"cushions":0}"#,
            r#"{"cushions":4}"#,
            // Six rounds in each of three stages need 18 cards, but each player has 15.
            r#"{"rounds":6}"#,
            // Too few jewels, and too many.
            r#"{"pouch":{"W":5,"R":0,"Y":0,"G":0,"B":0}}"#,
            r#"{"pouch":{"W":61,"R":0,"Y":0,"G":0,"B":0}}"#,
        ];
        for json in beyond_limits {
            let variant: Variant = serde_json::from_str(json).unwrap();
            assert!(variant.parameters(four_players()).is_err(), "{json}");
        }
        let one_cushion = Variant { cushions: Some(1), ..Variant::default() };
        let with_two_players = one_cushion.parameters(Players::new(2).unwrap());
        assert_eq!(with_two_players, Err(BadParameters::Cushions), "two cards per player need two cushions");
    }

    #[test]
    fn variants_at_the_limits_are_accepted() {
        let one_cushion = Variant { cushions: Some(1), ..Variant::default() };
        assert_eq!(one_cushion.parameters(four_players()).map(|parameters| parameters.draw_size()), Ok(2));
        // 24 rounds need two sets of cards, and fewer jewels per round than with three cushions.
        let longest = Variant { rounds: Some(8), copies: Some(2), cushions: Some(1), ..Variant::default() };
        assert_eq!(longest.parameters(four_players()).map(|parameters| parameters.rounds()), Ok(24));
    }
}
