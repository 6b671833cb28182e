//! The end of a round: the cards are revealed cushion by cushion.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use sultan_domain::{Bid, Cushion, PlayingTable};

use super::{Canvas, between, row};
use crate::app::{Game, Reveal};
use crate::input::Input;
use crate::narration::narrator;
use crate::width::{cut, fit, wrap};

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &Game) {
    let (Some(playing), Some(reveal)) = (game.told.playing(), game.reveal) else { return };
    let text = canvas.text;
    let round = &reveal.round;
    let clock = [("stage", round.stage.0.into()), ("round", round.round.0.into())];
    canvas.head(area, &text.with("tui-reveal", &clock));
    let middle = between(area, 2, 3);
    let count = round.offer.map_or(0, sultan_domain::Offer::len);
    let wide = middle.width / u16::try_from(count.max(1)).unwrap_or(1);
    let height = middle.height.min(12);
    for (place, cushion) in (0_u16..).zip(Cushion::first(u8::try_from(count).unwrap_or(0))) {
        let area = Rect { x: middle.x + place * wide, width: wide, height, ..middle };
        one(canvas, area, playing, &reveal, cushion);
    }
    if reveal.is_whole() {
        let mut y = middle.y + height;
        let lines = narrator(text, playing).settled(round, playing.view.parameters.ties);
        for line in lines.iter().flat_map(|line| wrap(line, usize::from(area.width) - 4)) {
            if y < area.bottom() - 2 {
                canvas.line(Rect { y, x: area.x + 2, width: area.width - 2, height: 1 }, Line::raw(line));
                y += 1;
            }
        }
    }
    canvas.hits.add(middle, Input::Enter);
    let enter = if reveal.is_whole() { text.say("tui-key-on") } else { text.say("tui-key-turn-up") };
    canvas.foot(area, &[("Enter", enter, Some(Input::Enter))]);
}

fn one(canvas: &mut Canvas, area: Rect, playing: &PlayingTable, reveal: &Reveal, cushion: Cushion) {
    let (text, paint) = (canvas.text, canvas.paint);
    let narrator = narrator(text, playing);
    let round = &reveal.round;
    let turned = cushion.index() < reveal.turned;
    let title = text.with("tui-cushion", &[("cushion", cushion.number().into())]);
    let inner = canvas.block(area, &title, turned);
    if let Some(jewel) = round.offer.and_then(|offer| offer.on(cushion)) {
        canvas.centred(row(inner, 0), vec![Line::from(paint.jewel(jewel))]);
    }
    let winning = round.winning_bid(cushion);
    let room = usize::from(inner.width).saturating_sub(11);
    let card = |bid: &Bid| {
        let won = turned && winning == Some(*bid);
        let value = if turned { format!("{:>3} ", bid.card) } else { " ▒▒ ".to_owned() };
        Line::from(vec![
            Span::raw(if won { "▸ " } else { "  " }),
            Span::styled(value, if won { paint.cursor() } else { Style::new() }),
            paint.emblem(playing.person(bid.seat).colour),
            Span::raw(format!(" {}", fit(narrator.name(bid.seat), room))),
        ])
    };
    canvas.lines(between(inner, 2, 2), round.bids.iter().filter(|bid| bid.cushion == cushion).map(card).collect());
    if turned {
        let said = winning.map_or_else(
            || text.say("tui-reveal-back"),
            |bid| text.with("tui-reveal-takes", &[("name", narrator.name(bid.seat).into())]),
        );
        let said = cut(&said, inner.width.into());
        canvas.centred(row(inner, inner.height - 1), vec![Line::styled(said, paint.call())]);
    }
}
