//! The hand of the observer.

use ratatui::layout::Rect;
use ratatui::text::Line;
use sultan_domain::{Jewel, PlayingTable, View};

use super::{Canvas, row};
use crate::app::Game;
use crate::choice::{BidChoice, Step};
use crate::glyph;
use crate::input::Input;
use crate::narration::narrator;
use crate::width::width;

/// Width of a card in columns.
const CARD: u16 = 7;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &Game, playing: &PlayingTable) {
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
    worth(canvas, inner, view);
    for (card, number) in view.hand.iter().zip(1_u16..) {
        let place = Rect { x: inner.x + 1 + (number - 1) * CARD, width: CARD - 1, ..inner };
        if place.right() > inner.right() {
            break;
        }
        let index = usize::from(number - 1);
        one(canvas, place, &card.to_string(), bid.filter(|bid| bid.card == index));
        if bid.is_some() {
            canvas.hits.add(place, Input::Thing(index + 1));
        }
    }
}

/// Draws the points and bonuses as on the back of a player's screen (RULES 1.4), if they fit beside the cards.
fn worth(canvas: &mut Canvas, inner: Rect, view: &View) {
    let text = canvas.text;
    let parameters = view.parameters;
    let points = Jewel::ALL.map(|jewel| format!("{} {}", glyph::jewel(jewel), jewel.points())).join("  ");
    let table = parameters.bonus.steps();
    let steps = table.iter().map(|step| {
        let plus = if Some(step) == table.last() { "+" } else { "" };
        format!("{}{plus}: {}", step.count, step.points)
    });
    let bonus = format!("{}  {}", text.say("tui-bonus"), steps.collect::<Vec<_>>().join("  "));
    let wide = u16::try_from(width(&points).max(width(&bonus))).unwrap_or(u16::MAX);
    let cards = u16::from(parameters.hand()) * CARD + 2;
    if cards + wide < inner.width {
        let area = Rect { x: inner.right() - wide - 1, width: wide, ..inner };
        canvas.line(row(area, inner.height / 2 - 1), Line::styled(points, canvas.paint.faint()));
        canvas.line(row(area, inner.height / 2), Line::styled(bonus, canvas.paint.faint()));
    }
}

/// Draws a card; `chosen` is `Some` for the card at the cursor.
fn one(canvas: &mut Canvas, area: Rect, value: &str, chosen: Option<&BidChoice>) {
    let paint = canvas.paint;
    let style = if chosen.is_some() { paint.cursor() } else { paint.call() };
    let middle = if chosen.is_some() { format!("▸{value:^4}◂") } else { format!("│{value:^4}│") };
    if area.height >= 3 {
        canvas.line(row(area, 0), Line::styled("╭────╮", style));
        canvas.line(row(area, 1), Line::styled(middle, style));
        canvas.line(row(area, 2), Line::styled("╰────╯", style));
    } else {
        canvas.line(row(area, 0), Line::styled(middle, style));
    }
}
