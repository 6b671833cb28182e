//! A remote table that waits for players.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use sultan_domain::{Kind, TableView, WaitingSeat};

use super::{Canvas, without_rows};
use crate::app::GameScreen;
use crate::narration::player_name;
use crate::styles::{EMPHASIS, emblem_badge};
use crate::width::fit;

/// Draws the taken seats, the free seats, and the number of missing players.
pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &GameScreen) {
    let TableView::Waiting(waiting) = &game.table else { return };
    let text = canvas.text;
    canvas.draw_header(area, &format!("Sultan · {}", text.say("tui-waiting-title")));
    let height = u16::try_from(waiting.seats.len()).unwrap_or(5) + 2;
    let inner = canvas.draw_block(Rect { height, ..without_rows(area, 2, 2) }, &text.say("tui-players"), false);
    let seat_line = |seat: &WaitingSeat| {
        let ready_mark = match seat.person.kind {
            Kind::Open => "",
            _ if seat.ready => "✓",
            _ => "…",
        };
        let you = if waiting.seat == Some(seat.seat) { format!(" ({})", text.say("tui-you")) } else { String::new() };
        Line::from(vec![
            Span::raw(format!(" {} ", fit(ready_mark, 2))),
            emblem_badge(seat.person.colour),
            Span::raw(format!(" {}{you}", player_name(text, &seat.person, seat.seat))),
        ])
    };
    canvas.draw_lines(inner, waiting.seats.iter().map(seat_line).collect());
    let missing_players = waiting.seats.iter().filter(|seat| !seat.ready).count();
    let message = match &game.connection_error {
        _ if waiting.ended => text.say("table-ended"),
        Some(error) => error.clone(),
        None => text.with("tui-waiting", &[("count", missing_players.into())]),
    };
    canvas.draw_prompt(area, &message, EMPHASIS);
}
