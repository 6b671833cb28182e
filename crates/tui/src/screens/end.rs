//! The final result: the winners, the ranking and the points.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use sultan_domain::{ColourScore, Jewel, Place, PlayingTable};

use super::{Canvas, between, row};
use crate::app::Game;
use crate::glyph;
use crate::input::Input;
use crate::narration::{narrator, verdict};
use crate::width::{fit, fit_right};

const NUMBER: usize = 8;
const EACH: usize = 4;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &Game) {
    let Some(playing) = game.told.playing() else { return };
    let view = &playing.view;
    let text = canvas.text;
    canvas.head(area, &format!("Sultan · {}", text.say("tui-end")));
    canvas.centred(row(area, 2), vec![Line::styled(verdict(text, playing), canvas.paint.call())]);
    let places = view.outcome.map_or_else(Vec::new, |outcome| outcome.by_rank());
    if !places.is_empty() {
        let height = u16::try_from(places.len()).unwrap_or(5) + 3;
        let top = Rect { y: area.y + 4, height, ..area };
        ranking(canvas, top, playing, &places, game.line);
        if let Some(place) = places.iter().find(|place| place.seat.index() == game.line) {
            one(canvas, between(area, 4 + height, 2), playing, place);
        }
    }
    if playing.info.rematch.is_some() {
        canvas.prompt(area, &text.say("tui-rematch"), canvas.paint.call());
    }
    let mut keys = vec![("↑↓", text.say("tui-key-player"), None)];
    if game.can_play_once_more() {
        keys.push(("r", text.say("tui-key-once-more"), Some(Input::Sign('r'))));
    }
    if !game.there {
        keys.push(("n", text.say("tui-key-new"), Some(Input::Sign('n'))));
    }
    canvas.foot(area, &keys);
}

/// Draws the ranking.
fn ranking(canvas: &mut Canvas, area: Rect, playing: &PlayingTable, places: &[Place], at: usize) {
    let text = canvas.text;
    let paint = canvas.paint;
    let inner = canvas.block(area, &text.say("tui-places"), false);
    let name_wide = usize::from(inner.width).saturating_sub(11 + 5 * EACH + 3 * NUMBER);
    let mut head = " ".repeat(10 + name_wide);
    head.extend(Jewel::ALL.map(|jewel| fit_right(&glyph::jewel(jewel), EACH)));
    for word in [text.say("tui-jewels"), text.say("tui-bonus"), text.say("tui-points")] {
        head += &fit_right(&word, NUMBER);
    }
    canvas.line(row(inner, 0), Line::styled(head, paint.faint()));
    let narrator = narrator(text, playing);
    for (place, number) in places.iter().zip(1..) {
        let chosen = place.seat.index() == at;
        let style = if chosen { paint.call() } else { ratatui::style::Style::new() };
        let mut spans = vec![
            Span::styled(if chosen { "▸" } else { " " }, paint.call()),
            Span::styled(fit_right(&format!("{}.", place.rank), 4), style),
            Span::raw(" "),
            paint.emblem(playing.person(place.seat).colour),
            Span::styled(format!(" {}", fit(narrator.name(place.seat), name_wide)), style),
        ];
        spans.extend(Jewel::ALL.map(|jewel| Span::raw(fit_right(&place.jewels.count(jewel).to_string(), EACH))));
        spans.extend([place.jewel_points, place.bonus].map(|points| Span::raw(fit_right(&points.to_string(), NUMBER))));
        spans.push(Span::styled(fit_right(&place.points.to_string(), NUMBER), paint.call()));
        let line = row(inner, number);
        canvas.line(line, Line::from(spans));
        canvas.hits.add(line, Input::Line(place.seat.index()));
    }
}

/// Draws the points of one player by colour.
fn one(canvas: &mut Canvas, area: Rect, playing: &PlayingTable, place: &Place) {
    let text = canvas.text;
    let narrator = narrator(text, playing);
    let title = text.with("tui-points-of", &[("name", narrator.name(place.seat).into())]);
    let inner = canvas.block(area, &title, true);
    let mut shown = Vec::new();
    for worth in playing.view.parameters.score(place.jewels) {
        shown.push(Line::from(vec![
            Span::raw(" "),
            canvas.paint.jewel(worth.jewel),
            Span::raw(format!(" {}", sum(canvas, worth))),
        ]));
    }
    shown.push(Line::styled(format!(" {}", text.score(place)), canvas.paint.call()));
    canvas.lines(inner, shown);
}

fn sum(canvas: &Canvas, worth: ColourScore) -> String {
    let text = canvas.text;
    let ColourScore { jewel, count, points, bonus } = worth;
    let colour = fit(&text.jewel(jewel), 8);
    let sum = format!("{colour}{count:>3} × {} = {points:>3}", jewel.points());
    if bonus == 0 { sum } else { format!("{sum}   {}", text.with("tui-points-bonus", &[("bonus", bonus.into())])) }
}
