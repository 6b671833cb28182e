//! The messages of all languages, parsed once.
//!
//! Catalogues are Fluent files, parsed by `fluent-syntax`. Messages are formatted here and not by `fluent-bundle`, which
//! takes ten times as long: the sentences of a table are made again after every move, for every page. This implements
//! the parts of Fluent that the catalogues use; others are rejected when a catalogue is read.

use std::sync::OnceLock;

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement, Variant, VariantKey};
use fluent_syntax::unicode::unescape_unicode_to_string;
use foldhash::HashMap;
use intl_pluralrules::{PluralCategory, PluralRuleType, PluralRules};
use unic_langid::LanguageIdentifier;

use crate::{Lang, Value};

/// The messages of a language.
pub(crate) struct Catalogue {
    messages: HashMap<String, Pattern<String>>,
    plurals: PluralRules,
}

/// The reason why a message cannot be formatted.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FormatError {
    MissingVariable(String),
    /// A variable selects a variant, but is not a number.
    NotANumber(String),
    /// A part of Fluent that is not implemented here.
    Unsupported,
}

impl Catalogue {
    pub(crate) fn of(lang: Lang) -> &'static Self {
        static ALL: [OnceLock<Catalogue>; Lang::ALL.len()] = [const { OnceLock::new() }; Lang::ALL.len()];
        ALL[lang as usize].get_or_init(|| Self::read(lang.code(), lang.catalogue()))
    }

    fn read(code: &str, files: &[&str]) -> Self {
        let language: LanguageIdentifier = code.parse().expect("two letters are a language");
        let plurals = PluralRules::create(language, PluralRuleType::CARDINAL).expect("the language has plural rules");
        let mut messages = HashMap::default();
        for file in files {
            let resource = fluent_syntax::parser::parse(with_no_break_spaces(file))
                .unwrap_or_else(|(_, errors)| panic!("a catalogue of {code} is faulty: {errors:?}"));
            for entry in resource.body {
                if let Entry::Message(message) = entry {
                    let pattern = message.value.expect("a message has a text");
                    assert!(is_supported(&pattern), "{} in {code} uses an unsupported part of Fluent", message.id.name);
                    messages.insert(message.id.name, pattern);
                }
            }
        }
        Self { messages, plurals }
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Pattern<String>> {
        self.messages.get(key)
    }

    /// Appends a message to `text`.
    pub(crate) fn format(
        &self,
        pattern: &Pattern<String>,
        values: &[(&str, Value<'_>)],
        text: &mut String,
    ) -> Result<(), FormatError> {
        for element in &pattern.elements {
            match element {
                PatternElement::TextElement { value } => text.push_str(value),
                PatternElement::Placeable { expression: Expression::Inline(inline) } => match inline {
                    InlineExpression::StringLiteral { value } => text.push_str(&unescape_unicode_to_string(value)),
                    InlineExpression::VariableReference { id } => find_value(values, &id.name)?.push_to(text),
                    _ => return Err(FormatError::Unsupported),
                },
                PatternElement::Placeable { expression: Expression::Select { selector, variants } } => {
                    let InlineExpression::VariableReference { id } = selector else {
                        return Err(FormatError::Unsupported);
                    };
                    let Value::Number(number) = find_value(values, &id.name)? else {
                        return Err(FormatError::NotANumber(id.name.clone()));
                    };
                    self.format(&self.select(variants, *number).value, values, text)?;
                }
            }
        }
        Ok(())
    }

    /// The first variant for this number or its plural category, else the default.
    fn select<'a>(&self, variants: &'a [Variant<String>], number: i64) -> &'a Variant<String> {
        let category = match self.plurals.select(number) {
            Ok(PluralCategory::ZERO) => "zero",
            Ok(PluralCategory::ONE) => "one",
            Ok(PluralCategory::TWO) => "two",
            Ok(PluralCategory::FEW) => "few",
            Ok(PluralCategory::MANY) => "many",
            Ok(PluralCategory::OTHER) | Err(_) => "other",
        };
        let fits = |variant: &&Variant<String>| match &variant.key {
            VariantKey::Identifier { name } => name == category,
            VariantKey::NumberLiteral { value } => value.parse() == Ok(number),
        };
        let default = || variants.iter().find(|variant| variant.default);
        variants.iter().find(fits).or_else(default).expect("the parser rejects a selection without a default")
    }
}

fn find_value<'a, 'b>(values: &'a [(&str, Value<'b>)], name: &str) -> Result<&'a Value<'b>, FormatError> {
    let found = values.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| value).ok_or_else(|| FormatError::MissingVariable(name.to_owned()))
}

fn is_supported(pattern: &Pattern<String>) -> bool {
    let is_variable = |inline: &InlineExpression<_>| matches!(inline, InlineExpression::VariableReference { .. });
    pattern.elements.iter().all(|element| match element {
        PatternElement::TextElement { .. } => true,
        PatternElement::Placeable { expression: Expression::Inline(inline) } => {
            is_variable(inline) || matches!(inline, InlineExpression::StringLiteral { .. })
        }
        PatternElement::Placeable { expression: Expression::Select { selector, variants } } => {
            is_variable(selector) && variants.iter().all(|variant| is_supported(&variant.value))
        }
    })
}

/// Inserts no-break spaces and hyphens, so that no line breaks before spaced punctuation (as in French) or within a
/// name. Catalogues are written with plain spaces and hyphens.
fn with_no_break_spaces(file: &str) -> String {
    let after = [" :", " ;", " !", " ?", " …", " »"];
    let file = after.iter().fold(file.to_owned(), |file, sign| file.replace(sign, &sign.replace(' ', "\u{a0}")));
    file.replace("« ", "«\u{a0}").replace("± ", "±\u{a0}").replace("SHA-256", "SHA\u{2011}256")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGES: &str = "
cards = { $hand ->
    [0] No card
    [one] One card
   *[other] { $hand } cards
  }, { $deck } in the deck
spaced = { \"\\u00A0\" }{ $name }!
";

    fn format(code: &str, key: &str, values: &[(&str, Value<'_>)]) -> Result<String, FormatError> {
        let catalogue = Catalogue::read(code, &[MESSAGES]);
        let mut text = String::new();
        catalogue.format(catalogue.get(key).unwrap(), values, &mut text).map(|()| text)
    }

    #[test]
    fn variant_is_selected_by_number_then_by_plural_category() {
        let cards = |code, hand: u8| format(code, "cards", &[("hand", hand.into()), ("deck", 10_u8.into())]).unwrap();
        assert_eq!(cards("en", 0), "No card, 10 in the deck");
        assert_eq!(cards("en", 1), "One card, 10 in the deck");
        assert_eq!(cards("en", 2), "2 cards, 10 in the deck");
        let free = |code, number: u8| {
            let catalogue = Catalogue::read(code, &["free = { $n ->\n    [one] one\n   *[other] other\n  }\n"]);
            let mut text = String::new();
            catalogue.format(catalogue.get("free").unwrap(), &[("n", number.into())], &mut text).unwrap();
            text
        };
        assert_eq!([free("fr", 0), free("fr", 1), free("fr", 2)], ["one", "one", "other"]);
        assert_eq!([free("hu", 0), free("hu", 1), free("hu", 2)], ["other", "one", "other"]);
    }

    #[test]
    fn variables_and_literals_are_inserted() {
        assert_eq!(format("en", "spaced", &[("name", "{ $x }".into())]), Ok("\u{a0}{ $x }!".to_owned()));
        let missing = FormatError::MissingVariable("name".to_owned());
        assert_eq!(format("en", "spaced", &[]), Err(missing));
        let text = [("hand", "x".into()), ("deck", 1_u8.into())];
        assert_eq!(format("en", "cards", &text), Err(FormatError::NotANumber("hand".to_owned())));
    }

    #[test]
    #[should_panic(expected = "unsupported part of Fluent")]
    fn unsupported_parts_of_fluent_are_rejected() {
        Catalogue::read("en", &["greeting = { NUMBER($n) }\n"]);
    }
}
