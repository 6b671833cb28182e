//! Formatting messages in a language.

use crate::catalogue::{self, Catalogue};
use crate::{Lang, Value};

/// Formats messages in one language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Text(Lang);

impl Text {
    /// The texts of a language.
    #[must_use]
    pub const fn of(lang: Lang) -> Self {
        Self(lang)
    }

    /// The language.
    #[must_use]
    pub const fn lang(self) -> Lang {
        self.0
    }

    /// A message without variables.
    #[must_use]
    pub fn say(self, key: &str) -> String {
        self.with(key, &[])
    }

    /// A message without variables, if the catalogues have it.
    pub(crate) fn find(self, key: &str) -> Option<String> {
        Catalogue::of(self.0).get(key).map(|_| self.say(key))
    }

    /// A label with details, as in “The previous round: stage 1, round 2”. Either part may be empty if it is shown
    /// elsewhere.
    #[must_use]
    pub fn labelled(self, label: &str, detail: &str) -> String {
        self.with("label", &[("label", label.into()), ("detail", detail.into())])
    }

    /// A message with variables, as in `&[("name", name.into())]`. An unknown key or a missing variable panics in debug
    /// builds; in release builds, an unknown key is returned as the text.
    #[must_use]
    pub fn with(self, key: &str, values: &[(&str, Value<'_>)]) -> String {
        let catalogue = Catalogue::of(self.0);
        let Some(pattern) = catalogue.get(key) else {
            debug_assert!(false, "no catalogue has “{key}”");
            return key.to_owned();
        };
        let mut text = String::with_capacity(catalogue::typical_len(pattern));
        let formatted = catalogue.format(pattern, values, &mut text);
        debug_assert!(formatted.is_ok(), "“{key}” cannot be formatted with {values:?}: {formatted:?}");
        text
    }
}
