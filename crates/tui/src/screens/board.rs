//! The cushions with their jewels and cards, and the drawn jewels during the offer.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use sultan_domain::{Cushion, PlacedBid, PlayingTable, View, ViewPhase};

use super::{Canvas, between, columns, columns_from, cushion_areas, row};
use crate::app::GameScreen;
use crate::choice::Step;
use crate::input::Input;
use crate::narration::narrator;
use crate::styles::{CURSOR, EMPHASIS};
use crate::width::{cut, fit};

/// Width of a drawn jewel in columns.
const DRAWN_COLUMN: u16 = 8;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &GameScreen, playing: &PlayingTable) {
    let view = &playing.view;
    let mut cushions = area;
    if view.phase == ViewPhase::Offer {
        draw_drawn_jewels(canvas, area, game, view);
        cushions = between(area, 2, 0);
    }
    for (cushion, area) in cushion_areas(cushions, view.parameters.cushions) {
        draw_cushion(canvas, area, game, playing, cushion);
    }
}

/// Draws the drawn jewels with the numbers to choose them by.
fn draw_drawn_jewels(canvas: &mut Canvas, area: Rect, game: &GameScreen, view: &View) {
    let styles = canvas.styles;
    let label = format!(" {}  ", canvas.text.say("tui-drawn"));
    let mut rest = columns_from(between(area, 0, area.height.saturating_sub(2)), columns(&label));
    canvas.line(row(area, 0), Line::raw(label));
    let offer = game.offer_choice();
    let jewels: Vec<_> = match offer {
        Some(offer) => offer.drawn().collect(),
        None => view.drawn.iter().map(|jewel| (jewel, None)).collect(),
    };
    for (index, (jewel, cushion)) in jewels.into_iter().enumerate() {
        let at_cursor = offer.is_some_and(|offer| offer.left_over().is_none() && offer.cursor == index);
        let area = Rect { width: DRAWN_COLUMN.min(rest.width), ..rest };
        let (left, right) = if at_cursor { ("[", "]") } else { (" ", " ") };
        let symbol = match cushion {
            None => styles.jewel(jewel),
            Some(_) => Span::styled(" ·· ", styles.faint()),
        };
        let line = vec![Span::styled(left, EMPHASIS), symbol, Span::styled(right, EMPHASIS)];
        canvas.line(row(area, 0), Line::from(line));
        if offer.is_some() {
            let below = cushion.map_or_else(|| (index + 1).to_string(), |cushion| format!("→{}", cushion + 1));
            canvas.line(row(area, 1), Line::styled(format!("  {below}"), styles.faint()));
            canvas.areas.add(area, Input::Item(index));
        }
        rest = columns_from(rest, DRAWN_COLUMN);
    }
}

fn draw_cushion(canvas: &mut Canvas, area: Rect, game: &GameScreen, playing: &PlayingTable, cushion: Cushion) {
    let styles = canvas.styles;
    let (bid, offer) = (game.bid_choice(), game.offer_choice());
    let chosen = bid.filter(|bid| bid.step != Step::Card && bid.cushion == cushion);
    let is_next = offer.is_some_and(|offer| offer.placed.len() == cushion.index());
    let title = canvas.text.with("tui-cushion", &[("cushion", cushion.number().into())]);
    let title = cut(&title, usize::from(area.width).saturating_sub(6));
    let title = if chosen.is_some() { format!("▸{title}◂") } else { title };
    let inner = canvas.block(area, &title, chosen.is_some() || is_next);
    if bid.is_some_and(|bid| bid.cushions.has(cushion)) || is_next {
        canvas.areas.add(area, Input::Cushion(cushion));
    }
    let jewel =
        playing.view.offer.jewel_on(cushion).or_else(|| offer.and_then(|offer| offer.jewel_on(cushion.index())));
    let symbol = jewel.map_or_else(|| Span::styled("·", styles.faint()), |jewel| styles.jewel(jewel));
    canvas.lines(row(inner, 0), vec![Line::from(symbol).centered()]);
    let mut lines = cards(canvas, playing, cushion, inner.width);
    if let Some((bid, card)) = chosen.and_then(|bid| Some((bid, bid.chosen_card()?))) {
        let mark = if bid.step == Step::Confirm { "✓" } else { "?" };
        lines.push(Line::styled(format!("▸ {card} {mark}"), CURSOR));
    }
    canvas.lines(between(inner, 1, 0), lines);
}

/// The cards on a cushion in the order of the bids. Only the observer's cards are face up.
fn cards(canvas: &Canvas, playing: &PlayingTable, cushion: Cushion, width: u16) -> Vec<Line<'static>> {
    let narrator = narrator(canvas.text, playing);
    let room = usize::from(width).saturating_sub(8);
    let line = |(bid, order): (&PlacedBid, u32)| {
        let card = match bid {
            PlacedBid::Own(own) => own.card.to_string(),
            PlacedBid::FaceDown(_) => "▒▒".to_owned(),
        };
        Line::from(vec![
            Span::styled(format!("{order} "), canvas.styles.faint()),
            Span::raw(fit(&card, 3)),
            canvas.styles.emblem(playing.person(bid.seat()).colour),
            Span::raw(cut(narrator.name(bid.seat()), room)),
        ])
    };
    playing.view.bids.iter().zip(1..).filter(|(bid, _)| bid.cushion() == cushion).map(line).collect()
}
