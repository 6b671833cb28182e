//! The table: the players, the cushions, the log, the hand and the prompt.

use ratatui::layout::Rect;
use ratatui::text::Line;
use sultan_domain::{PlayingTable, ViewPhase};
use sultan_text::Text;

use super::{Canvas, board, columns_from, hand, seats, without_rows};
use crate::app::GameScreen;
use crate::choice::{Choice, Step};
use crate::glyph;
use crate::input::Input;
use crate::narration::{narrator, stage_and_round};
use crate::styles::{EMPHASIS, ERROR, FAINT};
use crate::width::wrap;

/// Draws a game in progress. A spectator sees no hand.
pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &GameScreen) {
    let Some(playing) = game.table.playing() else { return };
    let view = &playing.view;
    let text = canvas.text;
    let first_player = text.with("tui-first", &[("name", narrator(text, playing).name(view.first_seat).into())]);
    canvas.draw_header(area, &format!("{} · {first_player}", stage_and_round(text, view)));

    let has_hand = view.observer.seat().is_some();
    let hand_area = draw_table(canvas, area, game, playing, if has_hand { hand_rows(area) } else { 0 });
    if has_hand {
        hand::draw(canvas, hand_area, game, playing);
    }
    draw_prompt(canvas, area, game, playing);
    draw_keys(canvas, area, game);
}

/// The height of a hand in rows.
pub(super) const fn hand_rows(area: Rect) -> u16 {
    // Two rows are the border. Three rows show whole cards, two rows only their middle lines.
    if area.height >= 24 { 5 } else { 4 }
}

/// Draws the players, the cushions and the log, and returns the area of this height below them, for cards.
pub(super) fn draw_table(
    canvas: &mut Canvas,
    area: Rect,
    game: &GameScreen,
    playing: &PlayingTable,
    card_rows: u16,
) -> Rect {
    let seat_rows = u16::from(playing.view.parameters.players.count()) + 2;
    // The first row has the title, the last two rows have the prompt and the keys.
    let body = without_rows(area, 1, 2);
    seats::draw(canvas, Rect { height: seat_rows, ..body }, game, playing);
    let middle = without_rows(body, seat_rows, card_rows);
    // About two thirds for the cushions, the rest for the log.
    let board_width = (area.width * 68 / 100).clamp(51, 84);
    board::draw(canvas, Rect { width: board_width, ..middle }, game, playing);
    draw_log(canvas, columns_from(middle, board_width), playing);
    Rect { y: middle.bottom(), height: card_rows, ..body }
}

/// Draws the log: sentences about the previous round, a line, and sentences about this round, the newest last. If the
/// area is too small, the oldest lines are left out.
fn draw_log(canvas: &mut Canvas, area: Rect, playing: &PlayingTable) {
    let (text, view) = (canvas.text, &playing.view);
    let inner = canvas.draw_block(area, &text.say("tui-log"), false);
    let narrator = narrator(text, playing);
    let columns = usize::from(inner.width);
    // Breaks a sentence into lines. The first line has a bullet, the next lines are indented.
    let with_bullet = |sentence: String| {
        let bullets = std::iter::once("·").chain(std::iter::repeat(" "));
        let lines = bullets.zip(wrap(&sentence, columns.saturating_sub(2)));
        lines.map(|(bullet, line)| format!("{bullet} {line}")).collect::<Vec<_>>()
    };
    let mut lines: Vec<Line> = Vec::new();
    if let Some(last_round) = view.last_round {
        let result = narrator.settled(&last_round, view.parameters.ties);
        lines.extend(result.into_iter().flat_map(with_bullet).map(|line| Line::styled(line, FAINT)));
        lines.push(Line::styled("─".repeat(columns), FAINT));
    }
    // The jewels on the cushions are left out: the board shows them.
    let drew = narrator.drew(view.first_seat, view.drawn);
    let put_back = view.put_back().map(|jewel| narrator.put_back(jewel));
    let bids = view.bids.iter().map(|&bid| narrator.bid(bid));
    let this_round = std::iter::once(drew).chain(put_back).chain(bids);
    lines.extend(this_round.flat_map(with_bullet).map(Line::raw));
    canvas.draw_lines(inner, lines.split_off(lines.len().saturating_sub(inner.height.into())));
}

/// Draws the prompt: the next step of the observer's choice, or the player to act. A connection error
/// replaces it.
fn draw_prompt(canvas: &mut Canvas, area: Rect, game: &GameScreen, playing: &PlayingTable) {
    let view = &playing.view;
    let text = canvas.text;
    if let Some(error) = &game.connection_error {
        return canvas.draw_prompt(area, error, ERROR);
    }
    let prompt = match (&game.choice, view.to_act) {
        (Some(choice), _) => choice_prompt(text, choice),
        (None, Some(seat)) => {
            let key = if view.phase == ViewPhase::Offer { "tui-waits-offer" } else { "tui-waits-bid" };
            text.with(key, &[("name", narrator(text, playing).name(seat).into())])
        }
        (None, None) => String::new(),
    };
    let style = if game.choice.is_some() { EMPHASIS } else { FAINT };
    canvas.draw_prompt(area, &prompt, style);
}

/// The next step of a choice.
fn choice_prompt(text: Text, choice: &Choice) -> String {
    match choice {
        Choice::Offer(offer) => match offer.put_back() {
            Some(jewel) => {
                let symbol_and_colour = format!("{} {}", glyph::jewel(jewel), text.jewel(jewel));
                text.with("tui-do-confirm-offer", &[("jewel", symbol_and_colour.into())])
            }
            None => text.with("tui-do-offer", &[("cushion", (offer.placed_indices.len() + 1).into())]),
        },
        Choice::Bid(bid) => match (bid.step, bid.chosen_card()) {
            (Step::Confirm, Some(card)) => {
                let cushion = ("cushion", bid.cushion.number().into());
                text.with("tui-do-confirm-bid", &[("card", card.value().into()), cushion])
            }
            (Step::Cushion, Some(card)) => text.with("tui-do-cushion", &[("card", card.value().into())]),
            _ if bid.awaits_second_digit => text.say("tui-do-card-begun"),
            _ => text.say("tui-do-card"),
        },
    }
}

/// Draws the keys for the next step of the choice, or the key that takes the seat back from a stand-in bot.
fn draw_keys(canvas: &mut Canvas, area: Rect, game: &GameScreen) {
    if game.has_stand_in() {
        return canvas.draw_footer(area, &[("b", "tui-key-back", Some(Input::Char('b')))]);
    }
    let (Some(choice), Some(playing)) = (&game.choice, game.table.playing()) else { return };
    // Cards are chosen by value, jewels and cushions by number.
    let highest_number = match choice {
        Choice::Bid(bid) if bid.step == Step::Card => playing.view.parameters.highest_card,
        Choice::Bid(_) => playing.view.parameters.cushions,
        Choice::Offer(_) => playing.view.parameters.draw_size(),
    };
    let arrows_and_numbers = format!("←→ 1–{highest_number}");
    let enter = if choice.action().is_some() { "tui-key-confirm" } else { "tui-key-choose" };
    let keys = [
        ("Enter", enter, Some(Input::Enter)),
        (&*arrows_and_numbers, "tui-key-move", None),
        ("⌫", "tui-key-undo", Some(Input::Undo)),
    ];
    canvas.draw_footer(area, &keys);
}
