//! The helper at a guided first game: what to do now, and why. It knows no more than the player does: all is made of the
//! player's own view. `advice` decides what is said, in no language; here it is said.

mod advice;
mod events;

use maud::html;
use sultan_domain::{Jewel, Kind, Seat, View};
use sultan_table::PlayingView;
use sultan_text::{Text, Value};

use super::bots::portrait;

/// Something to be told: a message, and what it speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Say {
    key: &'static str,
    facts: Vec<(&'static str, Fact)>,
}

/// What a message speaks of.
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

    fn said(&self, view: &View, text: Text) -> String {
        let words: Vec<(&str, Result<u16, String>)> = self
            .facts
            .iter()
            .map(|&(name, fact)| match fact {
                Fact::Number(number) => (name, Ok(number)),
                Fact::Jewel(jewel) => (name, Err(text.the_jewel(jewel))),
                Fact::Player(seat) => (name, Err(name_of(view, seat, text))),
            })
            .collect();
        let values: Vec<(&str, Value<'_>)> = words
            .iter()
            .map(|(name, word)| match word {
                Ok(number) => (*name, Value::from(*number)),
                Err(word) => (*name, Value::from(word)),
            })
            .collect();
        text.with(self.key, &values)
    }
}

fn name_of(view: &View, seat: Seat, text: Text) -> String {
    let Some(seat) = view.seats.get(seat.index()) else { return String::new() };
    match &seat.person.kind {
        Kind::Bot(bot) | Kind::StandIn(bot) => text.bot(bot),
        Kind::Human | Kind::Open => seat.person.name.clone(),
    }
}

/// The helper's part of the table, with its id; nothing at other tables, and nothing for those who only watch.
pub(crate) fn guide(playing: &PlayingView, text: Text) -> Option<(&'static str, String)> {
    let own = playing.view.observer.seat()?;
    if !playing.around.guided || playing.around.ended {
        return None;
    }
    let lines = advice::advice(&playing.view, own);
    let part = html! {
        section #guide aria-labelledby="guide-title" {
            details open {
                summary { (portrait("vizier")) span #guide-title { (text.say("guide-title")) } }
                div.said {
                    @for line in &lines { p { (line.said(&playing.view, text)) } }
                    a href="/rules" target="_blank" { (text.say("guide-rules")) }
                }
            }
        }
    };
    Some(("guide", part.into_string()))
}

#[cfg(test)]
mod tests;
