//! The hand of the observer.

use ratatui::layout::Rect;
use ratatui::text::Line;
use sultan_domain::{Jewel, PlayingTable, View};

use super::{Canvas, row, text_width};
use crate::app::GameScreen;
use crate::choice::Step;
use crate::glyph;
use crate::input::Input;
use crate::narration::narrator;
use crate::styles::{CURSOR, EMPHASIS, FAINT};

/// Width of a card and of the space beside it in columns.
const CARD_COLUMN: u16 = 7;

/// Draws the cards of the hand. They can be clicked while the player chooses a bid.
pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &GameScreen, playing: &PlayingTable) {
    let view = &playing.view;
    let text = canvas.text;
    let bid = game.bid_choice();
    let title = match view.observer.seat() {
        Some(seat) if game.is_screen_shared() => {
            text.with("tui-hand-of", &[("name", narrator(text, playing).name(seat).into())])
        }
        _ => text.say("tui-your-hand"),
    };
    let is_choosing_card = bid.is_some_and(|bid| bid.step == Step::Card);
    let inner = canvas.draw_block(area, &title, is_choosing_card);
    draw_points_and_bonuses(canvas, inner, view);
    for ((index, card), column) in view.hand.iter().enumerate().zip((1..).step_by(CARD_COLUMN.into())) {
        let card_area = Rect { x: inner.x + column, width: CARD_COLUMN - 1, ..inner };
        if card_area.right() > inner.right() {
            break;
        }
        draw_card(canvas, card_area, &card.to_string(), bid.is_some_and(|bid| bid.card_index == index));
        if bid.is_some() {
            canvas.areas.add(card_area, Input::Item(index));
        }
    }
}

/// Draws the points and bonuses as on the back of a player's screen (RULES 1.4), if they fit beside the cards.
fn draw_points_and_bonuses(canvas: &mut Canvas, inner: Rect, view: &View) {
    let text = canvas.text;
    let parameters = view.parameters;
    let points = Jewel::ALL.map(|jewel| format!("{} {}", glyph::jewel(jewel), jewel.points())).join("  ");
    let steps = parameters.bonus.steps();
    let step_texts = steps.iter().map(|step| {
        // The last bonus is also for more jewels than its count.
        let plus = if Some(step) == steps.last() { "+" } else { "" };
        format!("{}{plus}: {}", step.count, step.points)
    });
    let bonus = format!("{}  {}", text.say("tui-bonus"), step_texts.collect::<Vec<_>>().join("  "));
    let width = text_width(&points).max(text_width(&bonus));
    let width_of_cards = u16::from(parameters.hand_size()) * CARD_COLUMN + 2;
    if width_of_cards + width < inner.width {
        let area = Rect { x: inner.right() - width - 1, width, ..inner };
        canvas.draw_line(row(area, inner.height / 2 - 1), Line::styled(points, FAINT));
        canvas.draw_line(row(area, inner.height / 2), Line::styled(bonus, FAINT));
    }
}

fn draw_card(canvas: &mut Canvas, area: Rect, value: &str, is_at_cursor: bool) {
    let (style, middle) =
        if is_at_cursor { (CURSOR, format!("▸{value:^4}◂")) } else { (EMPHASIS, format!("│{value:^4}│")) };
    // A small screen has only room for the middle line.
    let lines =
        if area.height >= 3 { vec!["╭────╮", &middle, "╰────╯"] } else { vec![&middle[..]] };
    canvas.draw_lines(area, lines.into_iter().map(|line| Line::styled(line, style)).collect());
}
