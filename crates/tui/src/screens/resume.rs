//! The list of unfinished games to resume, or a new game.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::{Canvas, between, row};
use crate::input::Input;
use crate::narration::{clock, narrator};
use crate::place::Unfinished;
use crate::width::cut;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, games: &[Unfinished], at: usize, sure: bool) {
    let text = canvas.text;
    canvas.head(area, "Sultan");
    let title = text.with("tui-unfinished", &[("count", games.len().into())]);
    let inner = canvas.block(between(area, 2, 3), &title, true);
    let room = usize::from(inner.height).saturating_sub(3) / 2;
    // Scroll so that the line at the cursor is visible.
    let from = (at + 1).saturating_sub(room.max(1)).min(games.len().saturating_sub(room.max(1)));
    let shown = games.iter().enumerate().skip(from).take(room);
    let mut items: Vec<(usize, String)> =
        shown.map(|(place, game)| (place, format!("{}  {}", place + 1, told(canvas, game)))).collect();
    items.push((games.len(), format!("n  {}", text.say("tui-new-game"))));
    for ((place, item), line) in items.into_iter().zip((1..).step_by(2)) {
        let (mark, style) = if place == at { ("▸", canvas.paint.cursor()) } else { (" ", Style::new()) };
        let area = Rect { x: inner.x + 1, width: inner.width - 2, ..row(inner, line) };
        canvas.line(area, Line::styled(cut(&format!("{mark} {item}"), area.width.into()), style));
        canvas.hits.add(area, Input::Line(place));
    }
    if sure {
        canvas.prompt(area, &text.say("tui-give-up-sure"), canvas.paint.trouble());
    }
    let keys = [
        ("Enter", text.say("tui-key-choose"), Some(Input::Enter)),
        ("↑↓", text.say("tui-key-move"), None),
        ("⌫", text.say("tui-key-give-up"), Some(Input::Undo)),
    ];
    canvas.foot(area, &keys);
}

fn told(canvas: &Canvas, game: &Unfinished) -> String {
    let Some(playing) = game.told.playing() else { return String::new() };
    let names = narrator(canvas.text, playing).names().join(", ");
    format!("{names} · {}", clock(canvas.text, &playing.view))
}
