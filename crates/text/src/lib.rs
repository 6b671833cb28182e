//! Sultan in several languages.
//!
//! [`Lang`] is a language and how one is chosen; [`Text`] says something in it; `terms` has the words of the game, `people` what players are called. What is said
//! stands in `catalogues/LANGUAGE/AREA.ftl`, one file for each part of the program; `tests/catalogues.rs` fails where a language
//! lacks a message, says it with other variables, or where nobody says it.

mod analysis;
mod catalogue;
mod harmless;
mod lang;
mod people;
mod refused;
pub mod svg;
mod terms;
mod text;

pub use analysis::{chance_chart, chart_colour, narrow_chance_chart};
pub use harmless::harmless;
pub use lang::{Lang, NoSuchLang};
pub use text::{Text, Value};
