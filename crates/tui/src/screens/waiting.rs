//! A remote table that waits for players.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use sultan_domain::{Kind, TableView};

use super::{Canvas, between};
use crate::app::Game;
use crate::narration::name;
use crate::width::fit;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &Game) {
    let TableView::Waiting(waiting) = &game.told else { return };
    let text = canvas.text;
    canvas.head(area, &format!("Sultan · {}", text.say("tui-waiting-title")));
    let height = u16::try_from(waiting.seats.len()).unwrap_or(5) + 2;
    let inner = canvas.block(Rect { height, ..between(area, 2, 2) }, &text.say("tui-players"), false);
    let mut lines = Vec::new();
    for seat in &waiting.seats {
        let here = match seat.person.kind {
            Kind::Open => String::new(),
            _ if seat.ready => "✓".to_owned(),
            _ => "…".to_owned(),
        };
        let you = if waiting.seat == Some(seat.seat) { format!(" ({})", text.say("tui-you")) } else { String::new() };
        lines.push(Line::from(vec![
            Span::raw(format!(" {} ", fit(&here, 2))),
            canvas.paint.emblem(seat.person.colour),
            Span::raw(format!(" {}{you}", name(text, &seat.person, seat.seat))),
        ]));
    }
    canvas.lines(inner, lines);
    let missing = waiting.seats.iter().filter(|seat| !seat.ready).count();
    let said = if waiting.ended {
        text.say("table-ended")
    } else if let Some(said) = &game.lost {
        said.clone()
    } else {
        text.with("tui-waiting", &[("count", missing.into())])
    };
    canvas.prompt(area, &said, canvas.paint.call());
}
