//! The languages, and the choice of a language from a header or tag.

use std::str::FromStr;

/// The catalogue files of a language.
macro_rules! catalogue {
    ($code:literal) => {
        catalogue!($code: "terms" "common" "home" "lobby" "table" "end" "rules" "guide" "refused" "analysis" "study" "tui")
    };
    ($code:literal: $($area:literal)*) => {
        &[$(include_str!(concat!("../catalogues/", $code, "/", $area, ".ftl"))),*]
    };
}

/// Defines [`Lang`] from a list with a line per language. The code is also the name of the catalogue's folder.
macro_rules! languages {
    ($($(#[$note:meta])* $lang:ident: $code:literal, $name:literal;)*) => {
        /// A language.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum Lang {
            $(#[doc = $name] $(#[$note])* $lang,)*
        }

        impl Lang {
            /// All languages.
            pub const ALL: [Self; [$($code),*].len()] = [$(Self::$lang),*];

            /// The two-letter code.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$lang => $code,)*
                }
            }

            /// The contents of the catalogue files.
            pub(crate) const fn catalogue(self) -> &'static [&'static str] {
                match self {
                    $(Self::$lang => catalogue!($code),)*
                }
            }

            /// The name of the language in that language.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$lang => $name,)*
                }
            }
        }
    };
}

languages! {
    #[default] En: "en", "English";
    De: "de", "Deutsch";
    Fr: "fr", "Français";
    Nl: "nl", "Nederlands";
    Hu: "hu", "Magyar";
}

/// The error for an unsupported language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchLang;

impl std::fmt::Display for NoSuchLang {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let codes = Lang::ALL.map(Lang::code);
        let (last, others) = codes.split_last().expect("at least one language");
        write!(f, "a language is {} or {last}", others.join(", "))
    }
}

impl std::error::Error for NoSuchLang {}

impl Lang {
    /// The best supported language for an `Accept-Language` header; English if the header has none of them.
    #[must_use]
    pub fn accepted(header: &str) -> Self {
        let mut best = (0.0, Self::En);
        for range in header.split(',') {
            let mut parts = range.split(';');
            let tag = parts.next().unwrap_or_default().trim();
            let weight = parts.find_map(|part| part.trim().strip_prefix("q=")?.trim().parse::<f32>().ok());
            let Ok(lang) = tag.parse() else { continue };
            let weight = weight.unwrap_or(1.0);
            // If weights are equal, the first one wins.
            if weight > best.0 {
                best = (weight, lang);
            }
        }
        best.1
    }
}

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
    fn tags_are_read() {
        for (tag, lang) in [("de", Lang::De), ("hu-HU", Lang::Hu), ("FR_be.UTF-8", Lang::Fr), ("nl@euro", Lang::Nl)] {
            assert_eq!(tag.parse(), Ok(lang), "{tag}");
        }
        for tag in ["", "C", "dex", "*", "xx-BR"] {
            assert_eq!(tag.parse::<Lang>(), Err(NoSuchLang), "{tag}");
        }
        let said = NoSuchLang.to_string();
        assert!(said.starts_with("a language is en, de, ") && Lang::ALL.iter().all(|lang| said.contains(lang.code())));
    }

    #[test]
    fn the_browsers_first_wish_that_can_be_met_counts() {
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
