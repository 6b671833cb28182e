//! Unfinished games, to go on with; or a new one.

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::{Canvas, between, row};
use crate::input::Target;
use crate::narration::{clock, narrator};
use crate::place::Unfinished;
use crate::width::cut;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, games: &[Unfinished], at: usize, sure: bool) {
    let text = canvas.text;
    canvas.head(area, "Sultan");
    let title = text.with("tui-unfinished", &[("count", games.len().into())]);
    let inner = canvas.block(between(area, 2, 3), &title, true);
    let room = usize::from(inner.height).saturating_sub(3) / 2;
    // What the cursor is at stays in sight.
    let from = (at + 1).saturating_sub(room.max(1)).min(games.len().saturating_sub(room.max(1)));
    let shown = games.iter().enumerate().skip(from).take(room);
    let mut line = 1;
    for (place, game) in shown {
        let style = if place == at { canvas.paint.cursor() } else { ratatui::style::Style::new() };
        let mark = if place == at { "▸" } else { " " };
        let said = cut(&format!("{mark} {}  {}", place + 1, told(canvas, game)), usize::from(inner.width) - 2);
        let area = Rect { x: inner.x + 1, width: inner.width - 2, ..row(inner, line) };
        canvas.line(area, Line::styled(said, style));
        canvas.hits.add(area, Target::Line(place));
        line += 2;
    }
    let style = if at == games.len() { canvas.paint.cursor() } else { ratatui::style::Style::new() };
    let mark = if at == games.len() { "▸" } else { " " };
    let area_new = Rect { x: inner.x + 1, width: inner.width - 2, ..row(inner, line) };
    canvas.line(area_new, Line::styled(format!("{mark} n  {}", text.say("tui-new-game")), style));
    canvas.hits.add(area_new, Target::Line(games.len()));
    if sure {
        canvas.prompt(area, &text.say("tui-give-up-sure"), canvas.paint.trouble());
    }
    let keys = [
        ("Enter", text.say("tui-key-choose"), Some(Target::Enter)),
        ("↑↓", text.say("tui-key-move"), None),
        ("⌫", text.say("tui-key-give-up"), Some(Target::Undo)),
    ];
    canvas.foot(area, &keys);
}

fn told(canvas: &Canvas, game: &Unfinished) -> String {
    let Some(playing) = game.told.playing() else { return String::new() };
    let names = narrator(canvas.text, playing).names().join(", ");
    format!("{names} · {}", clock(canvas.text, &playing.view))
}
