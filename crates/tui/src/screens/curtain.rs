//! The curtain between two players at one screen. It shows no hand.

use ratatui::layout::Rect;
use ratatui::text::Line;
use sultan_domain::Seat;

use super::{Canvas, between};
use crate::app::Game;
use crate::input::Input;
use crate::narration::{clock, narrator};

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &Game, seat: Seat) {
    let Some(playing) = game.told.playing() else { return };
    let text = canvas.text;
    canvas.head(area, &format!("Sultan · {}", clock(text, &playing.view)));
    let middle = between(area, area.height / 3, 2);
    let narrator = narrator(text, playing);
    let name = [("name", narrator.name(seat).into())];
    let lines = vec![
        Line::from(canvas.paint.emblem(playing.person(seat).colour)),
        Line::raw(""),
        Line::styled(text.with("tui-curtain", &name), canvas.paint.call()),
        Line::raw(""),
        Line::raw(text.with("tui-curtain-lift", &name)),
    ];
    canvas.centred(middle, lines);
    canvas.hits.add(middle, Input::Enter);
    canvas.foot(area, &[("Enter", text.say("tui-key-lift"), Some(Input::Enter))]);
}
