//! The end of a round: the cards are revealed cushion by cushion.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use sultan_domain::{Bid, Cushion, PlayingTable};

use super::{Canvas, MAX_CUSHION_HEIGHT, columns_from, cushion_areas, row, without_rows};
use crate::app::{GameScreen, Reveal};
use crate::input::Input;
use crate::narration::narrator;
use crate::styles::{CURSOR, EMPHASIS, emblem_badge, jewel_badge};
use crate::width::{cut, fit, wrap};

/// Draws the cushions of the finished round, and once all are revealed also sentences about the result.
pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &GameScreen) {
    let (Some(playing), Some(reveal)) = (game.table.playing(), game.reveal) else { return };
    let text = canvas.text;
    let round = &reveal.round;
    let stage_and_round = [("stage", round.stage.0.into()), ("round", round.round.0.into())];
    canvas.draw_header(area, &text.with("tui-reveal", &stage_and_round));
    let area_of_cushions = without_rows(area, 2, 3);
    for (cushion, area) in cushion_areas(area_of_cushions, playing.view.parameters.cushions) {
        draw_cushion(canvas, area, playing, &reveal, cushion);
    }
    if reveal.is_complete() {
        let area_below = without_rows(area, 2 + area_of_cushions.height.min(MAX_CUSHION_HEIGHT), 2);
        let sentences = narrator(text, playing).settled(round, playing.view.parameters.ties);
        let lines = sentences.iter().flat_map(|sentence| wrap(sentence, usize::from(area.width) - 4));
        canvas.draw_lines(columns_from(area_below, 2), lines.map(Line::raw).collect());
    }
    canvas.areas.add(area_of_cushions, Input::Enter);
    let enter_label = if reveal.is_complete() { "tui-key-on" } else { "tui-key-turn-up" };
    canvas.draw_footer(area, &[("Enter", enter_label, Some(Input::Enter))]);
}

/// Draws a cushion with its cards. Once it is revealed, the cards are face up, and the last line names the winner.
fn draw_cushion(canvas: &mut Canvas, area: Rect, playing: &PlayingTable, reveal: &Reveal, cushion: Cushion) {
    let text = canvas.text;
    let narrator = narrator(text, playing);
    let round = &reveal.round;
    let is_revealed = cushion.index() < reveal.revealed;
    let title = text.with("tui-cushion", &[("cushion", cushion.number().into())]);
    let inner = canvas.draw_block(area, &title, is_revealed);
    if let Some(jewel) = round.offer.and_then(|offer| offer.jewel_on(cushion)) {
        canvas.draw_centred_line(row(inner, 0), jewel_badge(jewel));
    }
    let winning_bid = round.winning_bid(cushion).filter(|_| is_revealed);
    // Before the name: the mark (2 columns), the card (4), the emblem (3) and a space. One column stays free.
    let name_width = usize::from(inner.width).saturating_sub(11);
    let card_line = |bid: &Bid| {
        let (mark, style) = if winning_bid == Some(*bid) { ("▸ ", CURSOR) } else { ("  ", Style::new()) };
        let value = if is_revealed { format!("{:>3} ", bid.card) } else { " ▒▒ ".to_owned() };
        Line::from(vec![
            Span::raw(mark),
            Span::styled(value, style),
            emblem_badge(playing.person(bid.seat).colour),
            Span::raw(format!(" {}", fit(&narrator.short_name(bid.seat, name_width), name_width))),
        ])
    };
    let cards = round.bids.iter().filter(|bid| bid.cushion == cushion).map(card_line).collect();
    canvas.draw_lines(without_rows(inner, 2, 2), cards);
    if is_revealed {
        let result = match winning_bid {
            Some(bid) => text.with("tui-reveal-takes", &[("name", narrator.name(bid.seat).into())]),
            None => text.say("tui-reveal-back"),
        };
        let result = cut(&result, inner.width.into());
        canvas.draw_centred_line(row(inner, inner.height - 1), Line::styled(result, EMPHASIS));
    }
}
