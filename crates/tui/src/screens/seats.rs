//! The list of players with the public numbers of each: cards, jewels and points.

use std::time::SystemTime;

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use sultan_domain::{Jewel, Kind, PlayingTable, SeatView};
use sultan_text::sanitized;

use super::{Canvas, JEWEL_COLUMN, NUMBER_COLUMN, columns_from, jewel_headings, row, text_width};
use crate::app::GameScreen;
use crate::narration::narrator;
use crate::styles::{EMPHASIS, FAINT, TITLE, emblem_badge};
use crate::width::{cut, fit, fit_right};

/// Draws the list in a block with the headings of the columns in its border.
pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &GameScreen, playing: &PlayingTable) {
    let inner = canvas.draw_block(area, &canvas.text.say("tui-players"), false);
    // Before the name: the mark (2 columns), the emblem (3) and a space.
    let name_column = usize::from(inner.width).saturating_sub(6 + 3 * NUMBER_COLUMN + 5 * JEWEL_COLUMN);
    draw_headings(canvas, row(area, 0), 6 + name_column);
    for (seat, row_number) in playing.view.seats.iter().zip(0..) {
        let line = seat_line(canvas, game, playing, seat, name_column);
        canvas.draw_line(row(inner, row_number), line);
    }
}

/// Draws the headings of the columns of numbers into the border above the list.
fn draw_headings(canvas: &mut Canvas, border: Rect, first_column: usize) {
    let heading = |key| fit_right(&canvas.text.say(key), NUMBER_COLUMN);
    let headings = heading("tui-hand") + &heading("tui-deck") + &jewel_headings() + &heading("tui-points");
    let mut free_area = columns_from(border, 1 + u16::try_from(first_column).unwrap_or(0));
    // Draw only the words, so that the spaces between them do not interrupt the border.
    for word in headings.split_inclusive(' ') {
        let width = text_width(word);
        if !word.trim().is_empty() && width <= free_area.width {
            canvas.draw_line(Rect { width, ..free_area }, Line::styled(word.trim_end(), TITLE));
        }
        free_area = columns_from(free_area, width);
    }
}

/// The line of a player. The number of jewels of each colour and the points are shown if the observer may see them.
fn seat_line(
    canvas: &Canvas,
    game: &GameScreen,
    playing: &PlayingTable,
    seat: &SeatView,
    name_width: usize,
) -> Line<'static> {
    let text = canvas.text;
    let (view, person) = (&playing.view, playing.person(seat.seat));
    let is_to_act = view.to_act == Some(seat.seat);
    let mut name = narrator(text, playing).short_name(seat.seat, name_width);
    match &person.kind {
        Kind::StandIn(bot) => {
            let stand_in = text.with("tui-stands-in", &[("bot", sanitized(&text.bot(bot)).into())]);
            name = format!("{name} · {stand_in}");
        }
        Kind::Human if view.observer.seat() == Some(seat.seat) && !game.is_screen_shared() => {
            name = format!("{name} ({})", text.say("tui-you"));
        }
        Kind::Human | Kind::Bot(_) | Kind::Open => {}
    }
    if let Some(seconds) = playing.deadline_of(seat.seat).and_then(seconds_until) {
        name = format!("{name} · {seconds} s");
    }
    let (mark, style) = if is_to_act { ("▸ ", EMPHASIS) } else { ("  ", Style::new()) };
    let mut spans = vec![
        Span::styled(mark, style),
        emblem_badge(person.colour),
        Span::styled(format!(" {}", fit(&name, name_width)), style),
        Span::raw([seat.hand, seat.deck].map(|count| fit_right(&count.to_string(), NUMBER_COLUMN)).concat()),
    ];
    if let Some(jewels) = seat.collection {
        spans.extend(Jewel::ALL.map(|jewel| match jewels.count(jewel) {
            0 => Span::styled(fit_right("·", JEWEL_COLUMN), FAINT),
            count => Span::raw(fit_right(&count.to_string(), JEWEL_COLUMN)),
        }));
        spans.push(Span::styled(fit_right(&view.parameters.points(jewels).to_string(), NUMBER_COLUMN), EMPHASIS));
    } else {
        let width = 5 * JEWEL_COLUMN + NUMBER_COLUMN;
        let behind_screen = cut(&text.say("tui-behind"), width - 1);
        spans.push(Span::styled(fit_right(&behind_screen, width), FAINT));
    }
    Line::from(spans)
}

/// The number of seconds until a deadline in the format of RFC 3339. 0 if the deadline has passed.
fn seconds_until(deadline: &str) -> Option<u64> {
    let deadline = humantime::parse_rfc3339(deadline).ok()?;
    Some(deadline.duration_since(SystemTime::now()).map_or(0, |duration| duration.as_secs()))
}
