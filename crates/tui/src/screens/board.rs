//! The cushions with their jewels and cards, and the drawn jewels during the offer.

use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use sultan_domain::{Cushion, Jewel, PlacedBid, PlayingTable, View, ViewPhase};

use super::{Canvas, between, row};
use crate::app::Game;
use crate::choice::{BidChoice, Step};
use crate::input::Input;
use crate::narration::narrator;
use crate::width::cut;

/// Maximum height of a cushion in rows.
const TALLEST: u16 = 12;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &Game, playing: &PlayingTable) {
    let view = &playing.view;
    let offering = view.phase == ViewPhase::Offer;
    if offering {
        drawn(canvas, area, game, view);
    }
    let cushions = if offering { between(area, 2, 0) } else { area };
    let count = u16::from(view.parameters.cushions);
    let wide = cushions.width / count;
    for cushion in Cushion::first(view.parameters.cushions) {
        let place = u16::from(cushion.number() - 1);
        let height = cushions.height.min(TALLEST);
        one(canvas, Rect { x: cushions.x + place * wide, width: wide, height, ..cushions }, game, playing, cushion);
    }
}

/// Draws the drawn jewels with the numbers to choose them by.
fn drawn(canvas: &mut Canvas, area: Rect, game: &Game, view: &View) {
    let text = canvas.text;
    let paint = canvas.paint;
    let label = format!(" {}  ", text.say("tui-drawn"));
    let mut x = area.x + u16::try_from(crate::width::width(&label)).unwrap_or(0);
    canvas.line(row(area, 0), Line::raw(label));
    let offer = game.offer_choice();
    let unplaced = || view.drawn.iter().map(|jewel| (jewel, None));
    let jewels: Vec<(Jewel, Option<usize>)> =
        offer.map_or_else(|| unplaced().collect(), |offer| offer.drawn().collect());
    for ((jewel, on), number) in jewels.into_iter().zip(1..) {
        let at_cursor = offer.is_some_and(|offer| offer.left_over().is_none() && offer.cursor + 1 == number);
        let place = Rect { x, width: 8.min(area.right().saturating_sub(x)), height: area.height.min(2), ..area };
        let (left, right) = if at_cursor { ("[", "]") } else { (" ", " ") };
        let stone = match on {
            None => paint.jewel(jewel),
            Some(_) => Span::styled(" ·· ", paint.faint()),
        };
        canvas.line(
            row(place, 0),
            Line::from(vec![Span::styled(left, paint.call()), stone, Span::styled(right, paint.call())]),
        );
        if offer.is_some() {
            let below = on.map_or_else(|| number.to_string(), |cushion| format!("→{}", cushion + 1));
            canvas.line(row(place, 1), Line::styled(format!("  {below}"), paint.faint()));
            canvas.hits.add(place, Input::Thing(number));
        }
        x += 8;
    }
}

fn one(canvas: &mut Canvas, area: Rect, game: &Game, playing: &PlayingTable, cushion: Cushion) {
    let view = &playing.view;
    let paint = canvas.paint;
    let (bid, offer) = (game.bid_choice(), game.offer_choice());
    let chosen = bid.is_some_and(|bid| bid.step != Step::Card && bid.cushion == cushion);
    let next = offer.is_some_and(|offer| offer.placed() == cushion.index());
    let text = canvas.text;
    let title = text.with("tui-cushion", &[("cushion", cushion.number().into())]);
    let title = cut(&title, usize::from(area.width).saturating_sub(6));
    let title = if chosen { format!("▸{title}◂") } else { title };
    let inner = canvas.block(area, &title, chosen || next);
    if bid.is_some_and(|bid| bid.allows(cushion)) || next {
        canvas.hits.add(area, Input::Cushion(cushion));
    }
    let jewel = view.offer.on(cushion).or_else(|| offer.and_then(|offer| offer.on(cushion.index())));
    let stone = jewel.map_or_else(|| Span::styled("·", paint.faint()), |jewel| paint.jewel(jewel));
    canvas.centred(row(inner, 0), vec![Line::from(stone)]);
    let mut lines = cards(canvas, playing, cushion, inner.width);
    if let (true, Some(card)) = (chosen, bid.and_then(BidChoice::chosen_card)) {
        let sure = bid.is_some_and(|bid| bid.step == Step::Confirm);
        let mark = if sure { "✓" } else { "?" };
        lines.push(Line::styled(format!("▸ {card} {mark}"), paint.cursor()));
    }
    canvas.lines(between(inner, 1, 0), lines);
}

/// The cards on a cushion in the order of the bids. Only the observer's cards are face up.
fn cards(canvas: &Canvas, playing: &PlayingTable, cushion: Cushion, columns: u16) -> Vec<Line<'static>> {
    let narrator = narrator(canvas.text, playing);
    let mut lines = Vec::new();
    for (bid, order) in playing.view.bids.iter().zip(1..).filter(|(bid, _)| bid.cushion() == cushion) {
        let card = match bid {
            PlacedBid::Own(own) => own.card.to_string(),
            PlacedBid::FaceDown(_) => "▒▒".to_owned(),
        };
        let room = usize::from(columns).saturating_sub(8);
        lines.push(Line::from(vec![
            Span::styled(format!("{order} "), canvas.paint.faint()),
            Span::raw(crate::width::fit(&card, 3)),
            canvas.paint.emblem(playing.person(bid.seat()).colour),
            Span::raw(cut(narrator.name(bid.seat()), room)),
        ]));
    }
    lines
}
