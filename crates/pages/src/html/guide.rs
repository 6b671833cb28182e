//! The guide of a guided first game explains the learner's next step. It uses only the learner's own view. `advice`
//! selects messages independent of language; this module turns them into text.

mod advice;
mod events;

use maud::html;
use sultan_domain::{Jewel, Seat};
use sultan_text::Value;

use super::bots::portrait;
use super::section::Section;
use super::table::PageContext;

/// The key of a message with the values of its variables.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Message {
    key: &'static str,
    values: Vec<(&'static str, MessageValue)>,
}

/// The value of a variable in a message, independent of language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MessageValue {
    Number(u16),
    Jewel(Jewel),
    Player(Seat),
}

fn number(value: impl Into<u16>) -> MessageValue {
    MessageValue::Number(value.into())
}

impl Message {
    /// A message without variables.
    fn plain(key: &'static str) -> Self {
        Self { key, values: Vec::new() }
    }

    /// A message with variables.
    fn with<const N: usize>(key: &'static str, values: [(&'static str, MessageValue); N]) -> Self {
        Self { key, values: values.into() }
    }

    /// Returns whether the message is about a past event, not about the next step.
    fn is_past(&self) -> bool {
        self.key.starts_with("guide-won") || self.key.starts_with("guide-lost")
    }

    /// The message in the reader's language, with the names of jewels and players.
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

/// The guide's section of the page. `None` for spectators, at tables that are not guided, and after all players have
/// left.
pub(crate) fn guide(context: PageContext<'_>) -> Option<Section> {
    let (text, own_seat) = (context.text, context.own_seat()?);
    if !context.playing.info.guided || context.playing.info.ended {
        return None;
    }
    let messages = advice::advice(context.view(), own_seat);
    // If the guide explains the next step, the style sheet may hide the status line, which does the same. While a
    // stand-in bot plays the learner's seat, only the status line mentions the bot.
    let gives_next_step = !context.is_away() && messages.contains(&advice::next_step(context.view(), own_seat));
    let markup = html! {
        section #guide data-tells[gives_next_step] aria-labelledby="guide-title" {
            details open {
                summary { (portrait("vizier")) span #guide-title { (text.say("guide-title")) } }
                div.said {
                    @for message in &messages { p.past[message.is_past()] { (message.to_text(context)) } }
                    a href="/rules" target="_blank" { (text.say("guide-rules")) }
                }
            }
        }
    };
    Some(Section::new("guide", markup))
}

#[cfg(test)]
mod tests;
