//! The list of unfinished games to resume, or a new game.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::{Canvas, between, row};
use crate::app::ResumeList;
use crate::connection::Unfinished;
use crate::input::Input;
use crate::narration::{narrator, stage_and_round};
use crate::styles::CURSOR;
use crate::width::cut;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, list: &ResumeList) {
    let (text, games) = (canvas.text, &list.games);
    canvas.header(area, "Sultan");
    let title = text.with("tui-unfinished", &[("count", games.len().into())]);
    let inner = canvas.block(between(area, 2, 3), &title, true);
    let room = usize::from(inner.height).saturating_sub(3) / 2;
    // Scroll so that the line at the cursor is visible.
    let first = (list.cursor + 1).saturating_sub(room.max(1)).min(games.len().saturating_sub(room.max(1)));
    let shown = games.iter().enumerate().skip(first).take(room);
    let mut items: Vec<(usize, String)> =
        shown.map(|(index, game)| (index, format!("{}  {}", index + 1, description(canvas, game)))).collect();
    items.push((games.len(), format!("n  {}", text.say("tui-new-game"))));
    for ((index, item), line) in items.into_iter().zip((1..).step_by(2)) {
        let (mark, style) = if index == list.cursor { ("▸", CURSOR) } else { (" ", Style::new()) };
        let area = Rect { x: inner.x + 1, width: inner.width - 2, ..row(inner, line) };
        canvas.line(area, Line::styled(cut(&format!("{mark} {item}"), area.width.into()), style));
        canvas.areas.add(area, Input::Line(index));
    }
    if list.confirms_give_up {
        canvas.prompt(area, &text.say("tui-give-up-sure"), canvas.styles.error());
    }
    let keys = [
        ("Enter", "tui-key-choose", Some(Input::Enter)),
        ("↑↓", "tui-key-move", None),
        ("⌫", "tui-key-give-up", Some(Input::Undo)),
    ];
    canvas.footer(area, &keys);
}

/// The names of the players, the stage and the round.
fn description(canvas: &Canvas, game: &Unfinished) -> String {
    let Some(playing) = game.view.playing() else { return String::new() };
    let names = narrator(canvas.text, playing).names().join(", ");
    format!("{names} · {}", stage_and_round(canvas.text, &playing.view))
}
