//! The list of unfinished games to resume, or a new game.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::{Canvas, row, without_rows};
use crate::app::ResumeList;
use crate::connection::Unfinished;
use crate::input::Input;
use crate::narration::{narrator, stage_and_round};
use crate::styles::{CURSOR, ERROR};
use crate::width::cut;

/// Draws the part of the list around the cursor, and the question before a game is given up.
pub(super) fn draw(canvas: &mut Canvas, area: Rect, list: &ResumeList) {
    let (text, games) = (canvas.text, &list.games);
    canvas.draw_header(area, "Sultan");
    let title = text.with("tui-unfinished", &[("count", games.len().into())]);
    let inner = canvas.draw_block(without_rows(area, 2, 3), &title, true);
    // Each game has a row and an empty row below it. The last item, for a new game, is always visible.
    let visible_games = (usize::from(inner.height).saturating_sub(3) / 2).max(1);
    // Scroll so that the item at the cursor is visible.
    let first = (list.cursor + 1).saturating_sub(visible_games).min(games.len().saturating_sub(visible_games));
    let shown = games.iter().enumerate().skip(first).take(visible_games);
    let mut items: Vec<(usize, String)> =
        shown.map(|(index, game)| (index, format!("{}  {}", index + 1, description(canvas, game)))).collect();
    items.push((games.len(), format!("n  {}", text.say("tui-new-game"))));
    for ((index, item), row_number) in items.into_iter().zip((1..).step_by(2)) {
        let (mark, style) = if index == list.cursor { ("▸", CURSOR) } else { (" ", Style::new()) };
        let area = Rect { x: inner.x + 1, width: inner.width - 2, ..row(inner, row_number) };
        canvas.draw_line(area, Line::styled(cut(&format!("{mark} {item}"), area.width.into()), style));
        canvas.areas.add(area, Input::Line(index));
    }
    if list.asks_to_give_up {
        canvas.draw_prompt(area, &text.say("tui-give-up-sure"), ERROR);
    }
    let keys = [
        ("Enter", "tui-key-choose", Some(Input::Enter)),
        ("↑↓", "tui-key-move", None),
        ("⌫", "tui-key-give-up", Some(Input::Undo)),
    ];
    canvas.draw_footer(area, &keys);
}

/// The names of the players, the stage and the round.
fn description(canvas: &Canvas, game: &Unfinished) -> String {
    let Some(playing) = game.view.playing() else { return String::new() };
    let names = narrator(canvas.text, playing).names().join(", ");
    format!("{names} · {}", stage_and_round(canvas.text, &playing.view))
}
