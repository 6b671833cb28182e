//! The list of players with their public numbers.

use std::time::SystemTime;

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use sultan_domain::{Jewel, Kind, PlayingTable, SeatView};
use sultan_text::sanitized;

use super::{Canvas, row};
use crate::app::Game;
use crate::glyph;
use crate::narration::narrator;
use crate::width::{cut, fit, fit_right};

/// Width of the column of a jewel colour.
const EACH: usize = 4;
/// Width of a column of numbers.
const NUMBER: usize = 8;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &Game, playing: &PlayingTable) {
    let text = canvas.text;
    let inner = canvas.block(area, &text.say("tui-players"), false);
    let columns = usize::from(inner.width);
    let name_wide = columns.saturating_sub(6 + 3 * NUMBER + 5 * EACH);
    heading(canvas, area, 6 + name_wide);
    for (seat, place) in playing.view.seats.iter().zip(0..) {
        let line = seat_line(canvas, game, playing, seat, name_wide);
        canvas.line(row(inner, place), line);
    }
}

/// Draws the column headings into the top of the frame.
fn heading(canvas: &mut Canvas, area: Rect, start: usize) {
    let text = canvas.text;
    let mut words = fit_right(&text.say("tui-hand"), NUMBER) + &fit_right(&text.say("tui-deck"), NUMBER);
    words.extend(Jewel::ALL.map(|jewel| fit_right(&glyph::jewel(jewel), EACH)));
    words += &fit_right(&text.say("tui-points"), NUMBER);
    let x = area.x + 1 + u16::try_from(start).unwrap_or(0);
    // Draw only the words, so that the spaces between them do not interrupt the frame.
    let mut at = x;
    for part in words.split_inclusive(' ') {
        let wide = u16::try_from(crate::width::width(part)).unwrap_or(0);
        if !part.trim().is_empty() && at + wide <= area.right() {
            let place = Rect { x: at, width: wide, height: 1, ..area };
            canvas.line(place, Line::styled(part.trim_end().to_owned(), canvas.paint.title()));
        }
        at += wide;
    }
}

fn seat_line(canvas: &Canvas, game: &Game, playing: &PlayingTable, seat: &SeatView, name_wide: usize) -> Line<'static> {
    let (view, person) = (&playing.view, playing.person(seat.seat));
    let text = canvas.text;
    let paint = canvas.paint;
    let acts = view.to_act == Some(seat.seat);
    let mut name = narrator(text, playing).name(seat.seat).to_owned();
    match &person.kind {
        Kind::StandIn(bot) => {
            let stands = text.with("tui-stands-in", &[("bot", (&sanitized(&text.bot(bot))).into())]);
            name = format!("{name} · {stands}");
        }
        Kind::Human if view.observer.seat() == Some(seat.seat) && !game.is_shared() => {
            name = format!("{name} ({})", text.say("tui-you"));
        }
        Kind::Human | Kind::Bot(_) | Kind::Open => {}
    }
    if let Some(left) = playing.deadline_of(seat.seat).and_then(seconds_left) {
        name = format!("{name} · {left} s");
    }
    let style = if acts { paint.call() } else { ratatui::style::Style::new() };
    let mut spans = vec![
        Span::styled(if acts { "▸ " } else { "  " }, style),
        paint.emblem(person.colour),
        Span::styled(format!(" {}", fit(&name, name_wide)), style),
        Span::raw(fit_right(&seat.hand.to_string(), NUMBER)),
        Span::raw(fit_right(&seat.deck.to_string(), NUMBER)),
    ];
    if let Some(jewels) = seat.collection {
        spans.extend(Jewel::ALL.map(|jewel| match jewels.count(jewel) {
            0 => Span::styled(fit_right("·", EACH), paint.faint()),
            count => Span::raw(fit_right(&count.to_string(), EACH)),
        }));
        spans.push(Span::styled(fit_right(&view.parameters.points(jewels).to_string(), NUMBER), paint.call()));
    } else {
        let hidden = cut(&text.say("tui-behind"), 5 * EACH + NUMBER - 1);
        spans.push(Span::styled(fit_right(&hidden, 5 * EACH + NUMBER), paint.faint()));
    }
    Line::from(spans)
}

/// The number of seconds until a deadline.
fn seconds_left(deadline: &str) -> Option<u64> {
    let until = humantime::parse_rfc3339(deadline).ok()?;
    Some(until.duration_since(SystemTime::now()).map_or(0, |left| left.as_secs()))
}
