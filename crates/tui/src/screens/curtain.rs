//! The curtain between two players at one screen: nothing of any hand is shown.

use ratatui::layout::Rect;
use ratatui::text::Line;
use sultan_domain::Seat;

use super::{Canvas, between};
use crate::app::Game;
use crate::input::Target;
use crate::saying::People;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &Game, seat: Seat) {
    let Some(playing) = game.told.playing() else { return };
    let text = canvas.text;
    let people = People::of(text, playing);
    let name = people.name(seat);
    canvas.head(area, &format!("Sultan · {}", people.clock()));
    let middle = between(area, area.height / 3, 2);
    let name = [("name", (&name).into())];
    let lines = vec![
        Line::from(canvas.paint.emblem(people.person(seat).colour)),
        Line::raw(""),
        Line::styled(text.with("tui-curtain", &name), canvas.paint.call()),
        Line::raw(""),
        Line::raw(text.with("tui-curtain-lift", &name)),
    ];
    canvas.centred(middle, lines);
    canvas.hits.add(middle, Target::Enter);
    canvas.foot(area, &[("Enter", text.say("tui-key-lift"), Some(Target::Enter))]);
}
