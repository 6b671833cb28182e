//! A finished game: the table at one position, with the cards of all players if everything is open.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;
use sultan_domain::{MoneyCard, PlayingTable, ViewPhase};

use super::{Canvas, SMALLEST, end, hand, row, table};
use crate::input::{Hits, Input};
use crate::narration::{clock, narrator};
use crate::replaying::Show;
use crate::width::{cut, fit, width};

/// Draws the current position and collects its clickable areas.
pub(crate) fn replay(show: &mut Show, frame: &mut Frame) {
    let area = frame.area();
    let mut canvas = Canvas { text: show.text, paint: show.paint, frame, hits: Hits::default() };
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        canvas.too_small(area);
    } else {
        draw(&mut canvas, area, show);
    }
    show.hits = canvas.hits;
}

fn draw(canvas: &mut Canvas, area: Rect, show: &Show) {
    let game = show.game();
    let Some(playing) = game.told.playing() else { return };
    let view = &playing.view;
    if view.phase == ViewPhase::Over {
        end::draw(canvas, area, &game);
    } else {
        let everybody = u16::from(view.parameters.players.count()) + 2;
        let cards = if show.eyes.is_some() { table::hand_rows(area) } else { everybody };
        let bottom = table::above(canvas, area, &game, playing, cards);
        match show.eyes {
            Some(_) => hand::draw(canvas, bottom, &game, playing),
            None => all_cards(canvas, bottom, show, playing),
        }
    }
    around(canvas, area, show, playing);
}

/// Draws the hand and the deck of each player.
fn all_cards(canvas: &mut Canvas, area: Rect, show: &Show, playing: &PlayingTable) {
    let text = canvas.text;
    let inner = canvas.block(area, &text.say("replay-cards"), false);
    let narrator = narrator(text, playing);
    let open = show.replay.open(show.at);
    let values =
        |cards: &mut dyn Iterator<Item = MoneyCard>| cards.map(|card| card.to_string()).collect::<Vec<_>>().join(" ");
    let names = usize::from(inner.width / 4);
    let hands: Vec<String> = open.hands.iter().map(|hand| values(&mut hand.iter())).collect();
    let wide = hands.iter().map(|hand| width(hand)).max().unwrap_or(0).max(8);
    for ((seat, deck), number) in playing.view.parameters.players.seats().zip(&open.decks).zip(0..) {
        let name = fit(narrator.name(seat), names);
        let hand = fit(&hands[seat.index()], wide);
        let room = usize::from(inner.width).saturating_sub(names + wide + 8);
        canvas.line(
            row(inner, number),
            Line::from(vec![
                Span::raw(" "),
                canvas.paint.emblem(playing.person(seat).colour),
                Span::raw(format!(" {name} ")),
                Span::styled(hand, canvas.paint.call()),
                Span::styled(cut(&format!(" │ {}", values(&mut deck.iter().copied())), room), canvas.paint.faint()),
            ]),
        );
    }
}

/// Draws the position, the observer and the keys.
fn around(canvas: &mut Canvas, area: Rect, show: &Show, playing: &PlayingTable) {
    let text = canvas.text;
    for line in [row(area, 0), row(area, area.height - 2), row(area, area.height - 1)] {
        canvas.frame.render_widget(Clear, line);
    }
    let at = text.with("replay-at", &[("at", show.at.into()), ("last", show.replay.last().into())]);
    let title = format!(" {at} · {}", clock(text, &playing.view));
    canvas.line(row(area, 0), Line::styled(cut(&title, area.width.into()), canvas.paint.title()));
    let seen = match show.eyes {
        Some(seat) => {
            let seen = text.labelled(&text.say("replay-eyes"), narrator(text, playing).name(seat));
            format!("{seen}. {}", text.say("replay-seat-note"))
        }
        None => format!("{}. {}", text.say("replay-all"), text.say("replay-all-note")),
    };
    match show.notes.first() {
        Some(note) => canvas.prompt(area, note, canvas.paint.trouble()),
        None => canvas.prompt(area, &seen, canvas.paint.faint()),
    }
    let plays = if show.plays { text.say("tui-key-pause") } else { text.say("tui-key-play") };
    let keys = [
        ("←→", text.say("tui-key-step"), None),
        ("␣", plays, Some(Input::Sign(' '))),
        ("Home End", text.say("tui-key-ends"), None),
        ("Tab 0–5", text.say("tui-key-eyes"), None),
        ("q", text.say("tui-key-quit"), Some(Input::Quit)),
    ];
    canvas.foot(area, &keys);
}

#[cfg(test)]
mod tests;
