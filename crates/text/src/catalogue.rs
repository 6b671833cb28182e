//! The messages of all languages, parsed once.
//!
//! A catalogue is the set of messages in one language, written in the Fluent format and parsed by `fluent-syntax`.
//! Messages are formatted here and not by `fluent-bundle`, which takes ten times as long: the sentences of a table are
//! formatted again after every action, for every open page. Only the parts of Fluent that the catalogues use are
//! implemented. A catalogue that uses another part is rejected when it is read.

use std::sync::OnceLock;

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement, Variant, VariantKey};
use fluent_syntax::unicode::unescape_unicode_to_string;
use foldhash::HashMap;
use intl_pluralrules::{PluralCategory, PluralRuleType, PluralRules};
use unic_langid::LanguageIdentifier;

use crate::{Lang, Value};

const UNSUPPORTED: &str = "unsupported part of Fluent";

/// The messages of a language.
pub(crate) struct Catalogue {
    messages: HashMap<String, Pattern<String>>,
    plurals: PluralRules,
}

impl Catalogue {
    /// The catalogue of a language, which is parsed at its first use.
    pub(crate) fn of(lang: Lang) -> &'static Self {
        static CATALOGUES: [OnceLock<Catalogue>; Lang::ALL.len()] = [const { OnceLock::new() }; Lang::ALL.len()];
        CATALOGUES[lang as usize].get_or_init(|| Self::parse(lang.code(), lang.catalogue()))
    }

    /// Parses the catalogue files of the language with this code. Panics if a file is faulty: the files are compiled
    /// into the program, and the tests parse all of them.
    fn parse(code: &str, files: &[&str]) -> Self {
        let language: LanguageIdentifier = code.parse().expect("two letters are a language");
        let plurals = PluralRules::create(language, PluralRuleType::CARDINAL).expect("the language has plural rules");
        let mut messages = HashMap::default();
        for file in files {
            let resource = fluent_syntax::parser::parse(with_no_break_spaces(file))
                .unwrap_or_else(|(_, errors)| panic!("a catalogue of {code} is faulty: {errors:?}"));
            for entry in resource.body {
                if let Entry::Message(message) = entry {
                    let pattern = message.value.expect("a message has a text");
                    assert!(is_supported(&pattern), "{} in {code} uses an {UNSUPPORTED}", message.id.name);
                    messages.insert(message.id.name, pattern);
                }
            }
        }
        Self { messages, plurals }
    }

    /// The parsed message with this key.
    pub(crate) fn get(&self, key: &str) -> Option<&Pattern<String>> {
        self.messages.get(key)
    }

    /// Appends a message to `text`, with `values` (name and value) inserted for its variables. The error is the reason
    /// why the message cannot be formatted with these values.
    pub(crate) fn format(
        &self,
        pattern: &Pattern<String>,
        values: &[(&str, Value<'_>)],
        text: &mut String,
    ) -> Result<(), String> {
        for element in &pattern.elements {
            match element {
                PatternElement::TextElement { value } => text.push_str(value),
                PatternElement::Placeable { expression: Expression::Inline(inline) } => match inline {
                    InlineExpression::StringLiteral { value } => text.push_str(&unescape_unicode_to_string(value)),
                    InlineExpression::VariableReference { id } => find_value(values, &id.name)?.push_to(text),
                    _ => return Err(UNSUPPORTED.to_owned()),
                },
                PatternElement::Placeable { expression: Expression::Select { selector, variants } } => {
                    let InlineExpression::VariableReference { id } = selector else {
                        return Err(UNSUPPORTED.to_owned());
                    };
                    let Value::Number(number) = find_value(values, &id.name)? else {
                        return Err(format!("the variable {} is not a number", id.name));
                    };
                    self.format(&self.select(variants, *number).value, values, text)?;
                }
            }
        }
        Ok(())
    }

    /// The first variant whose key is this number or its plural category (such as `one`), else the default.
    fn select<'a>(&self, variants: &'a [Variant<String>], number: i64) -> &'a Variant<String> {
        let category = match self.plurals.select(number) {
            Ok(PluralCategory::ZERO) => "zero",
            Ok(PluralCategory::ONE) => "one",
            Ok(PluralCategory::TWO) => "two",
            Ok(PluralCategory::FEW) => "few",
            Ok(PluralCategory::MANY) => "many",
            Ok(PluralCategory::OTHER) | Err(_) => "other",
        };
        let matches_number = |variant: &&Variant<String>| match &variant.key {
            VariantKey::Identifier { name } => name == category,
            VariantKey::NumberLiteral { value } => value.parse() == Ok(number),
        };
        let default = || variants.iter().find(|variant| variant.default);
        variants.iter().find(matches_number).or_else(default).expect("the parser rejects a selection without a default")
    }
}

/// The usual length of a message in bytes, at least the exact length of a message without variables.
pub(crate) fn typical_len(pattern: &Pattern<String>) -> usize {
    let len = |element: &PatternElement<String>| match element {
        PatternElement::TextElement { value } => value.len(),
        PatternElement::Placeable { .. } => 24,
    };
    pattern.elements.iter().map(len).sum()
}

/// The value of the variable `name`.
fn find_value<'a, 'b>(values: &'a [(&str, Value<'b>)], name: &str) -> Result<&'a Value<'b>, String> {
    let found = values.iter().find(|(variable, _)| *variable == name);
    found.map(|(_, value)| value).ok_or_else(|| format!("the variable {name} has no value"))
}

/// Whether [`Catalogue::format`] implements all parts of Fluent that a message uses.
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

/// Replaces the spaces next to French punctuation and after `±` by no-break spaces, and the hyphen of `SHA-256` by a
/// no-break hyphen, so that no line break separates what belongs together. The catalogue files themselves have plain
/// spaces and hyphens.
fn with_no_break_spaces(file: &str) -> String {
    let marks_after_a_space = [" :", " ;", " !", " ?", " …", " »"];
    let file =
        marks_after_a_space.iter().fold(file.to_owned(), |file, mark| file.replace(mark, &mark.replace(' ', "\u{a0}")));
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
category = { $number ->
    [one] one
   *[other] other
  }
";

    fn format(code: &str, key: &str, values: &[(&str, Value<'_>)]) -> Result<String, String> {
        let catalogue = Catalogue::parse(code, &[MESSAGES]);
        let mut text = String::new();
        catalogue.format(catalogue.get(key).unwrap(), values, &mut text).map(|()| text)
    }

    #[test]
    fn variant_is_selected_by_number_then_by_plural_category() {
        let cards = |code, hand: u8| format(code, "cards", &[("hand", hand.into()), ("deck", 10_u8.into())]).unwrap();
        assert_eq!(cards("en", 0), "No card, 10 in the deck");
        assert_eq!(cards("en", 1), "One card, 10 in the deck");
        assert_eq!(cards("en", 2), "2 cards, 10 in the deck");
        let plural_category = |code, number: u8| format(code, "category", &[("number", number.into())]).unwrap();
        assert_eq!([0, 1, 2].map(|number| plural_category("fr", number)), ["one", "one", "other"]);
        assert_eq!([0, 1, 2].map(|number| plural_category("hu", number)), ["other", "one", "other"]);
    }

    #[test]
    fn variables_and_literals_are_inserted() {
        // A value is inserted as it is, even if it looks like a variable.
        assert_eq!(format("en", "spaced", &[("name", "{ $x }".into())]), Ok("\u{a0}{ $x }!".to_owned()));
        assert_eq!(format("en", "spaced", &[]).unwrap_err(), "the variable name has no value");
        let values_with_text_for_hand = [("hand", "x".into()), ("deck", 1_u8.into())];
        let error = format("en", "cards", &values_with_text_for_hand).unwrap_err();
        assert_eq!(error, "the variable hand is not a number");
    }

    #[test]
    #[should_panic(expected = "unsupported part of Fluent")]
    fn unsupported_parts_of_fluent_are_rejected() {
        Catalogue::parse("en", &["greeting = { NUMBER($n) }\n"]);
    }
}
