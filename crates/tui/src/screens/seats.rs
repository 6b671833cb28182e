//! The list of players with their public numbers.

use std::time::SystemTime;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use sultan_domain::{Jewel, Kind, PlayingTable, SeatView};
use sultan_text::sanitized;

use super::{Canvas, JEWEL_COLUMN, NUMBER_COLUMN, columns, columns_from, jewel_headings, row};
use crate::app::GameScreen;
use crate::narration::narrator;
use crate::styles::EMPHASIS;
use crate::width::{cut, fit, fit_right};

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &GameScreen, playing: &PlayingTable) {
    let inner = canvas.block(area, &canvas.text.say("tui-players"), false);
    let name_column = usize::from(inner.width).saturating_sub(6 + 3 * NUMBER_COLUMN + 5 * JEWEL_COLUMN);
    draw_headings(canvas, row(area, 0), 6 + name_column);
    for (seat, number) in playing.view.seats.iter().zip(0..) {
        let line = seat_line(canvas, game, playing, seat, name_column);
        canvas.line(row(inner, number), line);
    }
}

/// Draws the column headings into the top of the frame.
fn draw_headings(canvas: &mut Canvas, top: Rect, start: usize) {
    let heading = |key| fit_right(&canvas.text.say(key), NUMBER_COLUMN);
    let headings = heading("tui-hand") + &heading("tui-deck") + &jewel_headings() + &heading("tui-points");
    let mut rest = columns_from(top, 1 + u16::try_from(start).unwrap_or(0));
    // Draw only the words, so that the spaces between them do not interrupt the frame.
    for word in headings.split_inclusive(' ') {
        let width = columns(word);
        if !word.trim().is_empty() && width <= rest.width {
            canvas.line(Rect { width, ..rest }, Line::styled(word.trim_end(), canvas.styles.title()));
        }
        rest = columns_from(rest, width);
    }
}

fn seat_line(
    canvas: &Canvas,
    game: &GameScreen,
    playing: &PlayingTable,
    seat: &SeatView,
    width: usize,
) -> Line<'static> {
    let (text, styles) = (canvas.text, canvas.styles);
    let (view, person) = (&playing.view, playing.person(seat.seat));
    let is_to_act = view.to_act == Some(seat.seat);
    let mut name = narrator(text, playing).name(seat.seat).to_owned();
    match &person.kind {
        Kind::StandIn(bot) => {
            let stand_in = text.with("tui-stands-in", &[("bot", (&sanitized(&text.bot(bot))).into())]);
            name = format!("{name} · {stand_in}");
        }
        Kind::Human if view.observer.seat() == Some(seat.seat) && !game.is_shared() => {
            name = format!("{name} ({})", text.say("tui-you"));
        }
        Kind::Human | Kind::Bot(_) | Kind::Open => {}
    }
    if let Some(seconds) = playing.deadline_of(seat.seat).and_then(seconds_left) {
        name = format!("{name} · {seconds} s");
    }
    let style = if is_to_act { EMPHASIS } else { Style::new() };
    let mut spans = vec![
        Span::styled(if is_to_act { "▸ " } else { "  " }, style),
        styles.emblem(person.colour),
        Span::styled(format!(" {}", fit(&name, width)), style),
        Span::raw([seat.hand, seat.deck].map(|count| fit_right(&count.to_string(), NUMBER_COLUMN)).concat()),
    ];
    if let Some(jewels) = seat.collection {
        spans.extend(Jewel::ALL.map(|jewel| match jewels.count(jewel) {
            0 => Span::styled(fit_right("·", JEWEL_COLUMN), styles.faint()),
            count => Span::raw(fit_right(&count.to_string(), JEWEL_COLUMN)),
        }));
        spans.push(Span::styled(fit_right(&view.parameters.points(jewels).to_string(), NUMBER_COLUMN), EMPHASIS));
    } else {
        let width = 5 * JEWEL_COLUMN + NUMBER_COLUMN;
        let hidden = cut(&text.say("tui-behind"), width - 1);
        spans.push(Span::styled(fit_right(&hidden, width), styles.faint()));
    }
    Line::from(spans)
}

/// The number of seconds until a deadline.
fn seconds_left(deadline: &str) -> Option<u64> {
    let until = humantime::parse_rfc3339(deadline).ok()?;
    Some(until.duration_since(SystemTime::now()).map_or(0, |left| left.as_secs()))
}
