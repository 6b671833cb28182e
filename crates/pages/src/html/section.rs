//! Sections of pages.

use maud::Markup;
use serde::Serialize;

/// A section of a page, which a live page can get again alone. Its outermost element has this id.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Section {
    pub(crate) id: &'static str,
    pub(crate) html: String,
}

impl Section {
    pub(crate) fn new(id: &'static str, markup: Markup) -> Self {
        Self { id, html: markup.into_string() }
    }
}
