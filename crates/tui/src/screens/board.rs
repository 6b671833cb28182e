//! The cushions with their jewels and cards, and the drawn jewels during the offer.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use sultan_domain::{Cushion, PlacedBid, PlayingTable, View, ViewPhase};

use super::{Canvas, columns_from, cushion_areas, row, text_width, without_rows};
use crate::app::GameScreen;
use crate::choice::Step;
use crate::input::Input;
use crate::narration::narrator;
use crate::styles::{CURSOR, EMPHASIS, FAINT, emblem_badge, jewel_badge};
use crate::width::{cut, fit};

/// Width of a drawn jewel in columns.
const JEWEL_WIDTH: u16 = 8;

/// Draws the cushions, and above them the drawn jewels while the first player chooses an offer.
pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &GameScreen, playing: &PlayingTable) {
    let view = &playing.view;
    let mut area_of_cushions = area;
    if view.phase == ViewPhase::Offer {
        draw_drawn_jewels(canvas, area, game, view);
        area_of_cushions = without_rows(area, 2, 0);
    }
    for (cushion, area) in cushion_areas(area_of_cushions, view.parameters.cushions) {
        draw_cushion(canvas, area, game, playing, cushion);
    }
}

/// Draws the drawn jewels. Below each is the number to choose it by, or an arrow to its cushion once it is placed.
fn draw_drawn_jewels(canvas: &mut Canvas, area: Rect, game: &GameScreen, view: &View) {
    let label = format!(" {}  ", canvas.text.say("tui-drawn"));
    let mut free_area = columns_from(Rect { height: area.height.min(2), ..area }, text_width(&label));
    canvas.draw_line(row(area, 0), Line::raw(label));
    let offer = game.offer_choice();
    let jewels: Vec<_> = match offer {
        Some(offer) => offer.drawn().collect(),
        None => view.drawn.iter().map(|jewel| (jewel, None)).collect(),
    };
    for (index, (jewel, cushion_index)) in jewels.into_iter().enumerate() {
        let is_at_cursor = offer.is_some_and(|offer| offer.put_back().is_none() && offer.cursor == index);
        let jewel_area = Rect { width: JEWEL_WIDTH.min(free_area.width), ..free_area };
        let (left_mark, right_mark) = if is_at_cursor { ("[", "]") } else { (" ", " ") };
        // A placed jewel leaves two dots.
        let symbol = match cushion_index {
            None => jewel_badge(jewel),
            Some(_) => Span::styled(" ·· ", FAINT),
        };
        let line = vec![Span::styled(left_mark, EMPHASIS), symbol, Span::styled(right_mark, EMPHASIS)];
        canvas.draw_line(row(jewel_area, 0), Line::from(line));
        if offer.is_some() {
            let label = cushion_index.map_or_else(|| (index + 1).to_string(), |cushion| format!("→{}", cushion + 1));
            canvas.draw_line(row(jewel_area, 1), Line::styled(format!("  {label}"), FAINT));
            canvas.areas.add(jewel_area, Input::Item(index));
        }
        free_area = columns_from(free_area, JEWEL_WIDTH);
    }
}

/// Draws a cushion with its jewel, its cards, and the observer's bid while it is being chosen.
fn draw_cushion(canvas: &mut Canvas, area: Rect, game: &GameScreen, playing: &PlayingTable, cushion: Cushion) {
    let (bid, offer) = (game.bid_choice(), game.offer_choice());
    let bid_here = bid.filter(|bid| bid.step != Step::Card && bid.cushion == cushion);
    let gets_next_jewel = offer.is_some_and(|offer| offer.placed_indices.len() == cushion.index());
    let title = canvas.text.with("tui-cushion", &[("cushion", cushion.number().into())]);
    // Two columns for the corners, two for the spaces around the title, two for the arrows.
    let title = cut(&title, usize::from(area.width).saturating_sub(6));
    let title = if bid_here.is_some() { format!("▸{title}◂") } else { title };
    let inner = canvas.draw_block(area, &title, bid_here.is_some() || gets_next_jewel);
    if bid.is_some_and(|bid| bid.legal_cushions.has(cushion)) || gets_next_jewel {
        canvas.areas.add(area, Input::Cushion(cushion));
    }
    let chosen_jewel = || offer.and_then(|offer| offer.jewel_on(cushion.index()));
    let jewel = playing.view.offer.jewel_on(cushion).or_else(chosen_jewel);
    let symbol = jewel.map_or_else(|| Span::styled("·", FAINT), jewel_badge);
    canvas.draw_centred_line(row(inner, 0), symbol);
    let mut lines = card_lines(canvas, playing, cushion, inner.width);
    if let Some((bid, card)) = bid_here.and_then(|bid| Some((bid, bid.chosen_card()?))) {
        let mark = if bid.step == Step::Confirm { "✓" } else { "?" };
        lines.push(Line::styled(format!("▸ {card} {mark}"), CURSOR));
    }
    canvas.draw_lines(without_rows(inner, 1, 0), lines);
}

/// The cards on a cushion in the order of the bids. Only the observer's cards are face up.
fn card_lines(canvas: &Canvas, playing: &PlayingTable, cushion: Cushion, width: u16) -> Vec<Line<'static>> {
    let narrator = narrator(canvas.text, playing);
    // Before the name: the order of the bid (2 columns), the card (3) and the emblem (3).
    let name_width = usize::from(width).saturating_sub(8);
    let card_line = |(bid, order): (&PlacedBid, u32)| {
        let card = match bid {
            PlacedBid::Own(own) => own.card.to_string(),
            PlacedBid::FaceDown(_) => "▒▒".to_owned(),
        };
        Line::from(vec![
            Span::styled(format!("{order} "), FAINT),
            Span::raw(fit(&card, 3)),
            emblem_badge(playing.person(bid.seat()).colour),
            Span::raw(cut(&narrator.short_name(bid.seat(), name_width), name_width)),
        ])
    };
    playing.view.bids.iter().zip(1..).filter(|(bid, _)| bid.cushion() == cushion).map(card_line).collect()
}
