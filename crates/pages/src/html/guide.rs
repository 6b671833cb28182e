//! The guide of a guided first game: the next step, and its reason. It uses only the player's own view. `advice`
//! selects messages independent of language; this module turns them into text.

mod advice;
mod events;

use maud::html;
use sultan_domain::{Jewel, Seat};
use sultan_text::Value;

use super::bots::portrait;
use super::table::PageContext;

/// A message key with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Say {
    key: &'static str,
    facts: Vec<(&'static str, Fact)>,
}

/// A value of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    Number(u16),
    Jewel(Jewel),
    Player(Seat),
}

impl Say {
    fn plain(key: &'static str) -> Self {
        Self { key, facts: Vec::new() }
    }

    fn with<const N: usize>(key: &'static str, facts: [(&'static str, Fact); N]) -> Self {
        Self { key, facts: facts.into() }
    }

    /// Returns whether the message is about a past event, not about the next step.
    fn is_past(&self) -> bool {
        self.key.starts_with("guide-won") || self.key.starts_with("guide-lost")
    }

    fn said(&self, context: PageContext<'_>) -> String {
        let text = context.text;
        let value = |&(name, fact): &(&'static str, Fact)| match fact {
            Fact::Number(number) => (name, Value::from(number)),
            Fact::Jewel(jewel) => (name, Value::from(text.the_jewel(jewel))),
            Fact::Player(seat) => (name, Value::from(context.name(seat))),
        };
        text.with(self.key, &self.facts.iter().map(value).collect::<Vec<_>>())
    }
}

/// The guide's section of the table, with its id. `None` at tables that are not guided, and for spectators.
pub(crate) fn guide(context: PageContext<'_>) -> Option<(&'static str, String)> {
    let (text, own) = (context.text, context.own()?);
    if !context.playing.info.guided || context.playing.info.ended {
        return None;
    }
    let lines = advice::advice(context.view(), own);
    // The guide already gives the next step, so the style sheet may hide the status line.
    let tells = !context.is_away() && lines.contains(&advice::now(context.view(), own));
    let part = html! {
        section #guide data-tells[tells] aria-labelledby="guide-title" {
            details open {
                summary { (portrait("vizier")) span #guide-title { (text.say("guide-title")) } }
                div.said {
                    @for line in &lines { p.past[line.is_past()] { (line.said(context)) } }
                    a href="/rules" target="_blank" { (text.say("guide-rules")) }
                }
            }
        }
    };
    Some(("guide", part.into_string()))
}

#[cfg(test)]
mod tests;
