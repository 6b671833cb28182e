//! A server's table that waits for players.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use sultan_domain::{Kind, Person};

use super::{Canvas, between};
use crate::app::Game;
use crate::saying::name;
use crate::told::Told;
use crate::width::fit;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &Game) {
    let Told::Waiting(waiting) = &game.told else { return };
    let text = canvas.text;
    canvas.head(area, &format!("Sultan · {}", text.say("tui-waiting-title")));
    let height = u16::try_from(waiting.seats.len()).unwrap_or(5) + 2;
    let inner = canvas.block(Rect { height, ..between(area, 2, 2) }, &text.say("tui-players"), false);
    let mut lines = Vec::new();
    for seat in &waiting.seats {
        let person = Person { name: seat.name.clone(), colour: seat.colour, kind: seat.kind.clone() };
        let here = match seat.kind {
            Kind::Open => String::new(),
            _ if seat.ready => "✓".to_owned(),
            _ => "…".to_owned(),
        };
        let you = if waiting.seat == Some(seat.seat) { format!(" ({})", text.say("tui-you")) } else { String::new() };
        lines.push(Line::from(vec![
            Span::raw(format!(" {} ", fit(&here, 2))),
            canvas.paint.emblem(seat.colour),
            Span::raw(format!(" {}{you}", name(text, &person, seat.seat))),
        ]));
    }
    canvas.lines(inner, lines);
    let missing = waiting.seats.iter().filter(|seat| !seat.ready).count();
    let said = if waiting.ended {
        text.say("tui-ended")
    } else if let Some(said) = &game.lost {
        said.clone()
    } else {
        text.with("tui-waiting", &[("count", missing.into())])
    };
    canvas.prompt(area, &said, canvas.paint.call());
}
