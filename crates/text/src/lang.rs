//! The languages, and the choice of a language from a header or tag.

use std::str::FromStr;

/// The contents of the catalogue files of a language. The first form adds the names of the files, without `.ftl`.
macro_rules! catalogue {
    ($code:literal) => {
        catalogue!($code: "terms" "common" "home" "lobby" "table" "end" "rules" "guide" "refused" "analysis" "study" "tui")
    };
    ($code:literal: $($area:literal)*) => {
        &[$(include_str!(concat!("../catalogues/", $code, "/", $area, ".ftl"))),*]
    };
}

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "`Lang::name` has the names")]
pub enum Lang {
    #[default]
    En,
    De,
    Fr,
    Nl,
    Hu,
}

impl Lang {
    /// All languages.
    pub const ALL: [Self; 5] = [Self::En, Self::De, Self::Fr, Self::Nl, Self::Hu];

    /// The code, the name and the catalogue files of each language, in the order of the enum.
    const TABLE: [(&str, &str, &[&str]); Self::ALL.len()] = [
        ("en", "English", catalogue!("en")),
        ("de", "Deutsch", catalogue!("de")),
        ("fr", "Français", catalogue!("fr")),
        ("nl", "Nederlands", catalogue!("nl")),
        ("hu", "Magyar", catalogue!("hu")),
    ];

    /// The two-letter code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        Self::TABLE[self as usize].0
    }

    /// The name of the language in that language.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::TABLE[self as usize].1
    }

    /// The contents of the catalogue files.
    pub(crate) const fn catalogue(self) -> &'static [&'static str] {
        Self::TABLE[self as usize].2
    }

    /// The best supported language for an `Accept-Language` header such as `de-AT, de;q=0.9, en;q=0.5`, where `q` is
    /// the weight of a language (1 by default or if it is not a number; 0 excludes the language). English if the header
    /// accepts no supported language.
    #[must_use]
    pub fn accepted(header: &str) -> Self {
        let mut best_weight = 0.0;
        let mut best_lang = Self::En;
        for entry in header.split(',') {
            let mut parts = entry.split(';');
            let tag = parts.next().unwrap_or_default().trim();
            let weight = parts.find_map(|part| part.trim().strip_prefix("q=")?.trim().parse::<f32>().ok());
            let weight = weight.unwrap_or(1.0);
            // Of several languages with the same weight, the first in the header wins.
            if let Ok(lang) = tag.parse()
                && weight > best_weight
            {
                (best_weight, best_lang) = (weight, lang);
            }
        }
        best_lang
    }
}

/// The error for an unsupported language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a language is en, de, fr, nl or hu")]
pub struct NoSuchLang;

/// Parses a tag such as `de`, `de-AT` or `de_DE.UTF-8`.
impl FromStr for Lang {
    type Err = NoSuchLang;

    fn from_str(tag: &str) -> Result<Self, NoSuchLang> {
        let code = tag.split(['-', '_', '.', '@']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|lang| lang.code().eq_ignore_ascii_case(code)).ok_or(NoSuchLang)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_tags_are_parsed() {
        for (tag, lang) in [("de", Lang::De), ("hu-HU", Lang::Hu), ("FR_be.UTF-8", Lang::Fr), ("nl@euro", Lang::Nl)] {
            assert_eq!(tag.parse(), Ok(lang), "{tag}");
        }
        for tag in ["", "C", "dex", "*", "xx-BR"] {
            assert_eq!(tag.parse::<Lang>(), Err(NoSuchLang), "{tag}");
        }
    }

    #[test]
    fn error_message_lists_all_languages() {
        let codes = Lang::ALL.map(Lang::code).join(", ");
        let last_comma = codes.rfind(',').unwrap();
        assert_eq!(
            NoSuchLang.to_string(),
            format!("a language is {} or{}", &codes[..last_comma], &codes[last_comma + 1..])
        );
    }

    #[test]
    fn accepted_language_with_the_highest_weight_is_chosen() {
        for (header, lang) in [
            ("", Lang::En),
            ("xx, yy;q=0.8", Lang::En),
            ("xx, hu;q=0.3", Lang::Hu),
            ("en;q=0.5, de;q=0.9, fr;q=0.9", Lang::De),
            ("nl-BE,nl;q=0.9,en;q=0.8", Lang::Nl),
            ("de;q=0, fr;q=x", Lang::Fr),
            ("de;q=0", Lang::En),
            ("*", Lang::En),
        ] {
            assert_eq!(Lang::accepted(header), lang, "{header}");
        }
    }
}
