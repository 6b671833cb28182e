//! The texts of Sultan in several languages.
//!
//! [`Lang`] is a language, and [`Text`] formats messages in it. `terms` has the words of the game, `people` the names
//! of players, `short_names` their short forms, and a [`Narrator`] describes the events of a game. The messages are in
//! `catalogues/LANGUAGE/AREA.ftl`, one file for each part of the program. `tests/catalogues.rs` fails if a language lacks a message or has it with
//! other variables, or if a message is unused.

mod analysis;
mod catalogue;
mod errors;
mod lang;
mod narrator;
mod people;
mod sanitize;
mod short_names;
pub mod svg;
mod terms;
mod text;
mod value;

pub use analysis::{ChanceChart, ChartSize, chart_colour};
pub use lang::{Lang, NoSuchLang};
pub use narrator::Narrator;
pub use sanitize::sanitized;
pub use short_names::{short_names, split_names};
pub use text::Text;
pub use value::Value;
