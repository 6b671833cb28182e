//! The curtain between two players on one screen. It shows no hand.

use ratatui::layout::Rect;
use ratatui::text::Line;
use sultan_domain::Seat;

use super::{Canvas, between};
use crate::app::GameScreen;
use crate::input::Input;
use crate::narration::{narrator, stage_and_round};
use crate::styles::EMPHASIS;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &GameScreen, seat: Seat) {
    let Some(playing) = game.table.playing() else { return };
    let text = canvas.text;
    canvas.header(area, &format!("Sultan · {}", stage_and_round(text, &playing.view)));
    let middle = between(area, area.height / 3, 2);
    let narrator = narrator(text, playing);
    let name = [("name", narrator.name(seat).into())];
    let lines = vec![
        Line::from(canvas.styles.emblem(playing.person(seat).colour)),
        Line::raw(""),
        Line::styled(text.with("tui-curtain", &name), EMPHASIS),
        Line::raw(""),
        Line::raw(text.with("tui-curtain-lift", &name)),
    ];
    canvas.lines(middle, lines.into_iter().map(Line::centered).collect());
    canvas.areas.add(middle, Input::Enter);
    canvas.footer(area, &[("Enter", "tui-key-lift", Some(Input::Enter))]);
}
