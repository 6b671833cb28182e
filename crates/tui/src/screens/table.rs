//! The table: the players, the cushions, the log, the hand and the prompt.

use ratatui::layout::Rect;
use ratatui::text::Line;
use sultan_domain::{PlayingTable, ViewPhase};

use super::{Canvas, between, board, hand, seats};
use crate::app::GameScreen;
use crate::choice::{Choice, Step};
use crate::input::Input;
use crate::narration::{narrator, stage_and_round};
use crate::styles::EMPHASIS;
use crate::width::wrap;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &GameScreen) {
    let Some(playing) = game.table.playing() else { return };
    let view = &playing.view;
    let text = canvas.text;
    let first = text.with("tui-first", &[("name", narrator(text, playing).name(view.first_seat).into())]);
    canvas.header(area, &format!("{} · {first}", stage_and_round(text, view)));

    let seat = view.observer.seat();
    let bottom = draw_table(canvas, area, game, playing, if seat.is_some() { hand_rows(area) } else { 0 });
    if seat.is_some() {
        hand::draw(canvas, bottom, game, playing);
    }
    draw_prompt(canvas, area, game, playing);
    draw_keys(canvas, area, game);
}

/// The height of a hand in rows.
pub(super) const fn hand_rows(area: Rect) -> u16 {
    if area.height >= 24 { 5 } else { 4 }
}

/// Draws the players, the cushions and the log, and returns the area below for `cards` rows.
pub(super) fn draw_table(
    canvas: &mut Canvas,
    area: Rect,
    game: &GameScreen,
    playing: &PlayingTable,
    cards: u16,
) -> Rect {
    let seats = u16::from(playing.view.parameters.players.count()) + 2;
    let below = between(area, 1, 2);
    let middle = between(below, seats, cards);
    seats::draw(canvas, Rect { height: seats, ..below }, game, playing);
    let board = (area.width * 68 / 100).clamp(51, 84);
    board::draw(canvas, Rect { width: board, ..middle }, game, playing);
    draw_log(canvas, Rect { x: middle.x + board, width: middle.width - board, ..middle }, playing);
    Rect { y: middle.bottom(), height: cards, ..below }
}

/// Draws the log, newest line last.
fn draw_log(canvas: &mut Canvas, area: Rect, playing: &PlayingTable) {
    let text = canvas.text;
    let inner = canvas.block(area, &text.say("tui-log"), false);
    let narrator = narrator(text, playing);
    let columns = usize::from(inner.width);
    let hanging = |line: &String| {
        let wrapped = wrap(line, columns.saturating_sub(2)).into_iter().enumerate();
        wrapped
            .map(|(number, part)| if number == 0 { format!("· {part}") } else { format!("  {part}") })
            .collect::<Vec<_>>()
    };
    let mut lines: Vec<Line> = Vec::new();
    if let Some(last) = playing.view.last_round {
        let old = narrator.settled(&last, playing.view.parameters.ties);
        lines.extend(old.iter().flat_map(hanging).map(|line| Line::styled(line, canvas.styles.faint())));
        lines.push(Line::styled("─".repeat(columns), canvas.styles.faint()));
    }
    // The jewels on the cushions are left out: the board shows them.
    let view = &playing.view;
    let round = [Some(narrator.drew(view.first_seat, view.drawn)), view.put_back().map(|back| narrator.put_back(back))];
    let round = round.into_iter().flatten().chain(view.bids.iter().map(|&bid| narrator.bid(bid)));
    lines.extend(round.flat_map(|line| hanging(&line)).map(Line::raw));
    let room = usize::from(inner.height);
    canvas.lines(inner, lines.split_off(lines.len().saturating_sub(room)));
}

/// Draws the prompt: the seat to act and its task.
fn draw_prompt(canvas: &mut Canvas, area: Rect, game: &GameScreen, playing: &PlayingTable) {
    let view = &playing.view;
    let text = canvas.text;
    if let Some(error) = &game.connection_error {
        return canvas.prompt(area, error, canvas.styles.error());
    }
    let prompt = match (&game.choice, view.to_act) {
        (Some(choice), _) => choice_prompt(canvas, choice),
        (None, Some(seat)) => {
            let narrator = narrator(text, playing);
            let name = [("name", narrator.name(seat).into())];
            match view.phase {
                ViewPhase::Offer => text.with("tui-waits-offer", &name),
                ViewPhase::Bid | ViewPhase::Over => text.with("tui-waits-bid", &name),
            }
        }
        (None, None) => String::new(),
    };
    let style = if game.choice.is_some() { EMPHASIS } else { canvas.styles.faint() };
    canvas.prompt(area, &prompt, style);
}

fn choice_prompt(canvas: &Canvas, choice: &Choice) -> String {
    let text = canvas.text;
    match choice {
        Choice::Offer(offer) => match offer.left_over() {
            Some(jewel) => {
                let back = format!("{} {}", crate::glyph::jewel(jewel), text.jewel(jewel));
                text.with("tui-do-confirm-offer", &[("jewel", (&back).into())])
            }
            None => text.with("tui-do-offer", &[("cushion", (offer.placed.len() + 1).into())]),
        },
        Choice::Bid(bid) => match (bid.step, bid.chosen_card()) {
            (Step::Confirm, Some(card)) => {
                let cushion = ("cushion", bid.cushion.number().into());
                text.with("tui-do-confirm-bid", &[("card", card.value().into()), cushion])
            }
            (Step::Cushion, Some(card)) => text.with("tui-do-cushion", &[("card", card.value().into())]),
            _ if bid.typed_one => text.say("tui-do-card-begun"),
            _ => text.say("tui-do-card"),
        },
    }
}

fn draw_keys(canvas: &mut Canvas, area: Rect, game: &GameScreen) {
    if game.has_stand_in() {
        return canvas.footer(area, &[("b", "tui-key-back", Some(Input::Char('b')))]);
    }
    let (Some(choice), Some(playing)) = (&game.choice, game.table.playing()) else { return };
    // Cards are chosen by value, jewels and cushions by number.
    let highest = match choice {
        Choice::Bid(bid) if bid.step == Step::Card => playing.view.parameters.highest_card,
        Choice::Bid(_) => playing.view.parameters.cushions,
        Choice::Offer(_) => playing.view.parameters.draw(),
    };
    let range = format!("←→ 1–{highest}");
    let enter = if choice.action().is_some() { "tui-key-confirm" } else { "tui-key-choose" };
    let keys = [
        ("Enter", enter, Some(Input::Enter)),
        (&*range, "tui-key-move", None),
        ("⌫", "tui-key-undo", Some(Input::Undo)),
    ];
    canvas.footer(area, &keys);
}
