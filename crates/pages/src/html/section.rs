//! Sections of pages.

use maud::Markup;
use serde::Serialize;

/// A part of a page that a live page can replace alone. Its outermost element has this id.
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
