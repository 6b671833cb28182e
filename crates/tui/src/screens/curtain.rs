//! The curtain: a screen without a hand. It is shown while one player at a shared terminal makes room for the next.

use ratatui::layout::Rect;
use ratatui::text::Line;
use sultan_domain::Seat;

use super::{Canvas, without_rows};
use crate::app::GameScreen;
use crate::input::Input;
use crate::narration::{narrator, stage_and_round};
use crate::styles::{EMPHASIS, emblem_badge};

/// Draws a request to the player of this seat: take the screen, and press Enter to see your hand.
pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &GameScreen, seat: Seat) {
    let Some(playing) = game.table.playing() else { return };
    let text = canvas.text;
    canvas.draw_header(area, &format!("Sultan · {}", stage_and_round(text, &playing.view)));
    let middle = without_rows(area, area.height / 3, 2);
    let narrator = narrator(text, playing);
    let name = [("name", narrator.name(seat).into())];
    let lines = vec![
        Line::from(emblem_badge(playing.person(seat).colour)),
        Line::raw(""),
        Line::styled(text.with("tui-curtain", &name), EMPHASIS),
        Line::raw(""),
        Line::raw(text.with("tui-curtain-lift", &name)),
    ];
    canvas.draw_lines(middle, lines.into_iter().map(Line::centered).collect());
    canvas.areas.add(middle, Input::Enter);
    canvas.draw_footer(area, &[("Enter", "tui-key-lift", Some(Input::Enter))]);
}
