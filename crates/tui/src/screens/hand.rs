//! The hand of the observer.

use ratatui::layout::Rect;
use ratatui::text::Line;
use sultan_domain::{Jewel, PlayingTable, View};

use super::{Canvas, columns, row};
use crate::app::GameScreen;
use crate::choice::Step;
use crate::glyph;
use crate::input::Input;
use crate::narration::narrator;
use crate::styles::{CURSOR, EMPHASIS};

/// Width of a card in columns.
const CARD_COLUMN: u16 = 7;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &GameScreen, playing: &PlayingTable) {
    let view = &playing.view;
    let text = canvas.text;
    let bid = game.bid_choice();
    let title = match view.observer.seat() {
        Some(seat) if game.is_shared() => {
            text.with("tui-hand-of", &[("name", narrator(text, playing).name(seat).into())])
        }
        _ => text.say("tui-your-hand"),
    };
    let choosing = bid.is_some_and(|bid| bid.step == Step::Card);
    let inner = canvas.block(area, &title, choosing);
    draw_values(canvas, inner, view);
    for ((index, card), column) in view.hand.iter().enumerate().zip((1..).step_by(CARD_COLUMN.into())) {
        let area = Rect { x: inner.x + column, width: CARD_COLUMN - 1, ..inner };
        if area.right() > inner.right() {
            break;
        }
        draw_card(canvas, area, &card.to_string(), bid.is_some_and(|bid| bid.card == index));
        if bid.is_some() {
            canvas.areas.add(area, Input::Item(index));
        }
    }
}

/// Draws the points and bonuses as on the back of a player's screen (RULES 1.4), if they fit beside the cards.
fn draw_values(canvas: &mut Canvas, inner: Rect, view: &View) {
    let text = canvas.text;
    let parameters = view.parameters;
    let points = Jewel::ALL.map(|jewel| format!("{} {}", glyph::jewel(jewel), jewel.points())).join("  ");
    let table = parameters.bonus.steps();
    let steps = table.iter().map(|step| {
        let plus = if Some(step) == table.last() { "+" } else { "" };
        format!("{}{plus}: {}", step.count, step.points)
    });
    let bonus = format!("{}  {}", text.say("tui-bonus"), steps.collect::<Vec<_>>().join("  "));
    let width = columns(&points).max(columns(&bonus));
    let cards = u16::from(parameters.hand()) * CARD_COLUMN + 2;
    if cards + width < inner.width {
        let area = Rect { x: inner.right() - width - 1, width, ..inner };
        canvas.line(row(area, inner.height / 2 - 1), Line::styled(points, canvas.styles.faint()));
        canvas.line(row(area, inner.height / 2), Line::styled(bonus, canvas.styles.faint()));
    }
}

fn draw_card(canvas: &mut Canvas, area: Rect, value: &str, at_cursor: bool) {
    let style = if at_cursor { CURSOR } else { EMPHASIS };
    let middle = if at_cursor { format!("▸{value:^4}◂") } else { format!("│{value:^4}│") };
    let lines =
        if area.height >= 3 { vec!["╭────╮", &middle, "╰────╯"] } else { vec![&middle[..]] };
    canvas.lines(area, lines.into_iter().map(|line| Line::styled(line, style)).collect());
}
