//! The final result: the winners, the ranking and the points.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use sultan_domain::{ColourScore, Jewel, Place, PlayingTable};

use super::{Canvas, JEWEL_COLUMN, NUMBER_COLUMN, jewel_headings, row, without_rows};
use crate::app::GameScreen;
use crate::input::Input;
use crate::narration::{narrator, result_sentence};
use crate::styles::{EMPHASIS, FAINT, emblem_badge, jewel_badge};
use crate::width::{fit, fit_right};

/// Draws the winners, the ranking and the points of the player at the cursor.
pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &GameScreen) {
    let Some(playing) = game.table.playing() else { return };
    let text = canvas.text;
    canvas.draw_header(area, &format!("Sultan · {}", text.say("tui-end")));
    canvas.draw_centred_line(row(area, 2), Line::styled(result_sentence(text, playing), EMPHASIS));
    if let Some(outcome) = playing.view.outcome {
        let ranking = outcome.by_rank();
        // Two rows for the border, one for the headings.
        let height = u16::try_from(ranking.len()).unwrap_or(5) + 3;
        draw_ranking(canvas, Rect { height, ..without_rows(area, 4, 0) }, playing, &ranking, game.cursor);
        if let Some(place) = ranking.iter().find(|place| place.seat.index() == game.cursor) {
            draw_points(canvas, without_rows(area, 4 + height, 2), playing, place);
        }
    }
    if playing.info.rematch.is_some() {
        canvas.draw_prompt(area, &text.say("tui-rematch"), EMPHASIS);
    }
    let mut keys = vec![("↑↓", "tui-key-player", None)];
    if game.can_rematch() {
        keys.push(("r", "tui-key-once-more", Some(Input::Char('r'))));
    }
    if !game.is_remote {
        keys.push(("n", "tui-key-new", Some(Input::Char('n'))));
    }
    canvas.draw_footer(area, &keys);
}

/// Draws the players by rank, with their jewels and points. `cursor` is the index of the seat that is marked.
fn draw_ranking(canvas: &mut Canvas, area: Rect, playing: &PlayingTable, ranking: &[Place], cursor: usize) {
    let text = canvas.text;
    let inner = canvas.draw_block(area, &text.say("tui-places"), false);
    // Beside the name: the mark (1 column), the rank (4), the emblem (3), two spaces, and a free column at the end.
    let name_column = usize::from(inner.width).saturating_sub(11 + 5 * JEWEL_COLUMN + 3 * NUMBER_COLUMN);
    let number_headings = ["tui-jewels", "tui-bonus", "tui-points"].map(|key| fit_right(&text.say(key), NUMBER_COLUMN));
    let headings = " ".repeat(10 + name_column) + &jewel_headings() + &number_headings.concat();
    canvas.draw_line(row(inner, 0), Line::styled(headings, FAINT));
    let narrator = narrator(text, playing);
    for (place, row_number) in ranking.iter().zip(1..) {
        let (mark, style) = if place.seat.index() == cursor { ("▸", EMPHASIS) } else { (" ", Style::new()) };
        let jewel_counts = Jewel::ALL.map(|jewel| fit_right(&place.jewels.count(jewel).to_string(), JEWEL_COLUMN));
        let points = [place.jewel_points, place.bonus].map(|points| fit_right(&points.to_string(), NUMBER_COLUMN));
        let line = vec![
            Span::styled(mark, EMPHASIS),
            Span::styled(fit_right(&format!("{}.", place.rank), 4), style),
            Span::raw(" "),
            emblem_badge(playing.person(place.seat).colour),
            Span::styled(format!(" {}", fit(&narrator.short_name(place.seat, name_column), name_column)), style),
            Span::raw(jewel_counts.concat() + &points.concat()),
            Span::styled(fit_right(&place.points.to_string(), NUMBER_COLUMN), EMPHASIS),
        ];
        canvas.draw_line(row(inner, row_number), Line::from(line));
        canvas.areas.add(row(inner, row_number), Input::Line(place.seat.index()));
    }
}

/// Draws the points of one player by colour.
fn draw_points(canvas: &mut Canvas, area: Rect, playing: &PlayingTable, place: &Place) {
    let text = canvas.text;
    let title = text.with("tui-points-of", &[("name", narrator(text, playing).name(place.seat).into())]);
    let inner = canvas.draw_block(area, &title, true);
    let score_line = |ColourScore { jewel, count, points, bonus }| {
        let colour = fit(&text.jewel(jewel), 8);
        let bonus = match bonus {
            0 => String::new(),
            bonus => format!("   {}", text.with("tui-points-bonus", &[("bonus", bonus.into())])),
        };
        let sum = format!(" {colour}{count:>3} × {} = {points:>3}{bonus}", jewel.points());
        Line::from(vec![Span::raw(" "), jewel_badge(jewel), Span::raw(sum)])
    };
    let mut lines: Vec<Line> = playing.view.parameters.score(place.jewels).into_iter().map(score_line).collect();
    lines.push(Line::styled(format!(" {}", text.score(place)), EMPHASIS));
    canvas.draw_lines(inner, lines);
}
