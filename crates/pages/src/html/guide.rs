//! The guide of a guided first game: the next step, and its reason. It uses only the player's own view. `advice`
//! selects messages independent of language; this module turns them into text.

mod advice;
mod events;

use maud::html;
use sultan_domain::{Jewel, Seat};
use sultan_text::Value;

use super::bots::portrait;
use super::section::Section;
use super::table::PageContext;

/// A message key with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Message {
    key: &'static str,
    values: Vec<(&'static str, MessageValue)>,
}

/// A value of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MessageValue {
    Number(u16),
    Jewel(Jewel),
    Player(Seat),
}

/// A number in a message.
fn number(number: impl Into<u16>) -> MessageValue {
    MessageValue::Number(number.into())
}

impl Message {
    fn plain(key: &'static str) -> Self {
        Self { key, values: Vec::new() }
    }

    fn with<const N: usize>(key: &'static str, values: [(&'static str, MessageValue); N]) -> Self {
        Self { key, values: values.into() }
    }

    /// Returns whether the message is about a past event, not about the next step.
    fn is_past(&self) -> bool {
        self.key.starts_with("guide-won") || self.key.starts_with("guide-lost")
    }

    fn to_text(&self, context: PageContext<'_>) -> String {
        let text = context.text;
        let named_value = |&(name, value): &(&'static str, MessageValue)| match value {
            MessageValue::Number(number) => (name, Value::from(number)),
            MessageValue::Jewel(jewel) => (name, Value::from(text.the_jewel(jewel))),
            MessageValue::Player(seat) => (name, Value::from(context.name(seat))),
        };
        text.with(self.key, &self.values.iter().map(named_value).collect::<Vec<_>>())
    }
}

/// The guide's section of the table, with its id. `None` at tables that are not guided, and for spectators.
pub(crate) fn guide(context: PageContext<'_>) -> Option<Section> {
    let (text, own) = (context.text, context.own_seat()?);
    if !context.playing.info.guided || context.playing.info.ended {
        return None;
    }
    let lines = advice::advice(context.view(), own);
    // The guide already gives the next step, so the style sheet may hide the status line.
    let gives_next_step = !context.is_away() && lines.contains(&advice::next_step(context.view(), own));
    let part = html! {
        section #guide data-tells[gives_next_step] aria-labelledby="guide-title" {
            details open {
                summary { (portrait("vizier")) span #guide-title { (text.say("guide-title")) } }
                div.said {
                    @for line in &lines { p.past[line.is_past()] { (line.to_text(context)) } }
                    a href="/rules" target="_blank" { (text.say("guide-rules")) }
                }
            }
        }
    };
    Some(Section::new("guide", part))
}

#[cfg(test)]
mod tests;
