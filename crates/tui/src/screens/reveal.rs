//! The end of a round: the cards are revealed cushion by cushion.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use sultan_domain::{Bid, Cushion, PlayingTable};

use super::{Canvas, MAX_CUSHION_HEIGHT, between, columns_from, cushion_areas, row};
use crate::app::{GameScreen, Reveal};
use crate::input::Input;
use crate::narration::narrator;
use crate::styles::{CURSOR, EMPHASIS};
use crate::width::{cut, fit, wrap};

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &GameScreen) {
    let (Some(playing), Some(reveal)) = (game.table.playing(), game.reveal) else { return };
    let text = canvas.text;
    let round = &reveal.round;
    let stage_and_round = [("stage", round.stage.0.into()), ("round", round.round.0.into())];
    canvas.header(area, &text.with("tui-reveal", &stage_and_round));
    let middle = between(area, 2, 3);
    for (cushion, area) in cushion_areas(middle, playing.view.parameters.cushions) {
        draw_cushion(canvas, area, playing, &reveal, cushion);
    }
    if reveal.is_complete() {
        let below = between(area, 2 + middle.height.min(MAX_CUSHION_HEIGHT), 2);
        let lines = narrator(text, playing).settled(round, playing.view.parameters.ties);
        let lines = lines.iter().flat_map(|line| wrap(line, usize::from(area.width) - 4));
        canvas.lines(columns_from(below, 2), lines.map(Line::raw).collect());
    }
    canvas.areas.add(middle, Input::Enter);
    let enter = if reveal.is_complete() { "tui-key-on" } else { "tui-key-turn-up" };
    canvas.footer(area, &[("Enter", enter, Some(Input::Enter))]);
}

fn draw_cushion(canvas: &mut Canvas, area: Rect, playing: &PlayingTable, reveal: &Reveal, cushion: Cushion) {
    let (text, styles) = (canvas.text, canvas.styles);
    let narrator = narrator(text, playing);
    let round = &reveal.round;
    let is_revealed = cushion.index() < reveal.revealed;
    let title = text.with("tui-cushion", &[("cushion", cushion.number().into())]);
    let inner = canvas.block(area, &title, is_revealed);
    if let Some(jewel) = round.offer.and_then(|offer| offer.jewel_on(cushion)) {
        canvas.lines(row(inner, 0), vec![Line::from(styles.jewel(jewel)).centered()]);
    }
    let winning = round.winning_bid(cushion);
    let room = usize::from(inner.width).saturating_sub(11);
    let card = |bid: &Bid| {
        let won = is_revealed && winning == Some(*bid);
        let value = if is_revealed { format!("{:>3} ", bid.card) } else { " ▒▒ ".to_owned() };
        Line::from(vec![
            Span::raw(if won { "▸ " } else { "  " }),
            Span::styled(value, if won { CURSOR } else { Style::new() }),
            styles.emblem(playing.person(bid.seat).colour),
            Span::raw(format!(" {}", fit(narrator.name(bid.seat), room))),
        ])
    };
    canvas.lines(between(inner, 2, 2), round.bids.iter().filter(|bid| bid.cushion == cushion).map(card).collect());
    if is_revealed {
        let taker = match winning {
            Some(bid) => text.with("tui-reveal-takes", &[("name", narrator.name(bid.seat).into())]),
            None => text.say("tui-reveal-back"),
        };
        let taker = cut(&taker, inner.width.into());
        canvas.lines(row(inner, inner.height - 1), vec![Line::styled(taker, EMPHASIS).centered()]);
    }
}
