//! A finished game: the table at one position, with the cards of all players if everything is open.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Clear;
use sultan_domain::{MoneyCard, PlayingTable, ViewPhase};

use super::{Canvas, end, hand, row, table};
use crate::input::Input;
use crate::narration::{narrator, stage_and_round};
use crate::replay::Replayer;
use crate::styles::{EMPHASIS, ERROR, FAINT, TITLE, emblem_badge};
use crate::width::{cut, fit, width};

/// Draws the current position and collects its clickable areas.
pub(crate) fn draw_replay(replayer: &mut Replayer, frame: &mut Frame) {
    let (text, uses_colours) = (replayer.text, replayer.uses_colours);
    replayer.areas = Canvas::draw(text, uses_colours, frame, |canvas, area| draw(canvas, area, replayer));
}

/// Draws the final result, or else the table with the observer's hand or with the cards of all players.
fn draw(canvas: &mut Canvas, area: Rect, replayer: &Replayer) {
    let game = replayer.game();
    let Some(playing) = game.table.playing() else { return };
    let view = &playing.view;
    if view.phase == ViewPhase::Over {
        end::draw(canvas, area, &game);
    } else if replayer.observer.is_some() {
        let hand_area = table::draw_table(canvas, area, &game, playing, table::hand_rows(area));
        hand::draw(canvas, hand_area, &game, playing);
    } else {
        let card_rows = u16::from(view.parameters.players.count()) + 2;
        let card_area = table::draw_table(canvas, area, &game, playing, card_rows);
        draw_all_cards(canvas, card_area, replayer, playing);
    }
    draw_header_and_footer(canvas, area, replayer, playing);
}

/// Draws the hand and the deck of each player.
fn draw_all_cards(canvas: &mut Canvas, area: Rect, replayer: &Replayer, playing: &PlayingTable) {
    let text = canvas.text;
    let inner = canvas.draw_block(area, &text.say("replay-cards"), false);
    let narrator = narrator(text, playing);
    let open_position = replayer.replay.open(replayer.position);
    let card_values =
        |cards: &mut dyn Iterator<Item = MoneyCard>| cards.map(|card| card.to_string()).collect::<Vec<_>>().join(" ");
    let hands: Vec<String> = open_position.hands.iter().map(|hand| card_values(&mut hand.iter())).collect();
    let name_column = usize::from(inner.width / 4);
    let hand_column = hands.iter().map(|hand| width(hand)).max().unwrap_or(0).max(8);
    let deck_column = usize::from(inner.width).saturating_sub(name_column + hand_column + 8);
    let player_line = |((seat, deck), hand): ((_, &Vec<MoneyCard>), &String)| {
        let deck = format!(" │ {}", card_values(&mut deck.iter().copied()));
        Line::from(vec![
            Span::raw(" "),
            emblem_badge(playing.person(seat).colour),
            Span::raw(format!(" {} ", fit(&narrator.short_name(seat, name_column), name_column))),
            Span::styled(fit(hand, hand_column), EMPHASIS),
            Span::styled(cut(&deck, deck_column), FAINT),
        ])
    };
    let lines =
        playing.view.parameters.players.seats().zip(&open_position.decks).zip(&hands).map(player_line).collect();
    canvas.draw_lines(inner, lines);
}

/// Draws the position, the observer and the keys.
fn draw_header_and_footer(canvas: &mut Canvas, area: Rect, replayer: &Replayer, playing: &PlayingTable) {
    let text = canvas.text;
    // The final result has drawn a header, a prompt and keys of its own.
    for line in [row(area, 0), row(area, area.height - 2), row(area, area.height - 1)] {
        canvas.frame.render_widget(Clear, line);
    }
    let numbers = [("at", replayer.position.into()), ("last", replayer.replay.last().into())];
    let title = format!(" {} · {}", text.with("replay-at", &numbers), stage_and_round(text, &playing.view));
    canvas.draw_line(row(area, 0), Line::styled(cut(&title, area.width.into()), TITLE));
    let perspective = match replayer.observer {
        Some(seat) => {
            let observer = text.labelled(&text.say("replay-eyes"), narrator(text, playing).name(seat));
            format!("{observer}. {}", text.say("replay-seat-note"))
        }
        None => format!("{}. {}", text.say("replay-all"), text.say("replay-all-note")),
    };
    match replayer.warnings.first() {
        Some(warning) => canvas.draw_prompt(area, warning, ERROR),
        None => canvas.draw_prompt(area, &perspective, FAINT),
    }
    let keys = [
        ("←→", "tui-key-step", None),
        ("␣", if replayer.is_playing { "tui-key-pause" } else { "tui-key-play" }, Some(Input::Char(' '))),
        ("Home End", "tui-key-ends", None),
        ("Tab 0–5", "tui-key-eyes", None),
        ("q", "tui-key-quit", Some(Input::Quit)),
    ];
    canvas.draw_footer(area, &keys);
}

#[cfg(test)]
mod tests;
