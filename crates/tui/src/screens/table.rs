//! The table: who plays, the cushions, the log, the hand, and what is to be done.

use ratatui::layout::Rect;
use ratatui::text::Line;
use sultan_domain::{View, ViewPhase};

use super::{Canvas, between, board, hand, seats};
use crate::app::Game;
use crate::choice::{Choice, Step};
use crate::input::Target;
use crate::saying::People;
use crate::width::wrap;

pub(super) fn draw(canvas: &mut Canvas, area: Rect, game: &Game) {
    let Some(playing) = game.told.playing() else { return };
    let view = &playing.view;
    let people = People::of(canvas.text, view);
    let text = canvas.text;
    let first = text.with("tui-first", &[("name", (&people.name(view.first_seat)).into())]);
    canvas.head(area, &format!("{} · {first}", people.clock()));

    let players = u16::from(view.numbers.players.count());
    let below = between(area, 1, 2);
    let hand_rows = if view.observer.seat().is_none() {
        0
    } else if area.height >= 24 {
        6
    } else {
        4
    };
    let seats_area = Rect { height: players + 2, ..below };
    let middle = between(below, players + 2, hand_rows);
    seats::draw(canvas, seats_area, game, view);

    let board_wide = (area.width * 68 / 100).clamp(51, 84);
    board::draw(canvas, Rect { width: board_wide, ..middle }, game, view);
    log(canvas, Rect { x: middle.x + board_wide, width: middle.width - board_wide, ..middle }, view);
    if hand_rows > 0 {
        hand::draw(canvas, Rect { y: middle.bottom(), height: hand_rows, ..below }, game, view);
    }
    say(canvas, area, game, view);
    keys(canvas, area, game);
}

/// What happened last, the newest at the bottom.
pub(super) fn log(canvas: &mut Canvas, area: Rect, view: &View) {
    let text = canvas.text;
    let inner = canvas.block(area, &text.say("tui-log"), false);
    let people = People::of(text, view);
    let columns = usize::from(inner.width);
    let hanging = |line: &String| {
        let wrapped = wrap(line, columns.saturating_sub(2)).into_iter().enumerate();
        wrapped
            .map(|(number, part)| if number == 0 { format!("· {part}") } else { format!("  {part}") })
            .collect::<Vec<_>>()
    };
    let mut lines: Vec<Line> = Vec::new();
    if let Some(last) = view.last_round {
        let old = people.told(&last);
        lines.extend(old.iter().flat_map(hanging).map(|line| Line::styled(line, canvas.paint.faint())));
        lines.push(Line::styled("─".repeat(columns), canvas.paint.faint()));
    }
    lines.extend(people.round().iter().flat_map(hanging).map(Line::raw));
    let room = usize::from(inner.height);
    let newest = lines.split_off(lines.len().saturating_sub(room));
    canvas.lines(inner, newest);
}

/// What is to be done, and by whom.
fn say(canvas: &mut Canvas, area: Rect, game: &Game, view: &View) {
    let text = canvas.text;
    if let Some(why) = &game.lost {
        let said = text.with("tui-lost", &[("why", why.into())]);
        return canvas.prompt(area, &said, canvas.paint.trouble());
    }
    let said = match (&game.choice, view.to_act) {
        (Some(choice), _) => chosen(canvas, choice),
        (None, Some(seat)) => {
            let name = People::of(text, view).name(seat);
            let name = [("name", (&name).into())];
            match view.phase {
                ViewPhase::Offer => text.with("tui-waits-offer", &name),
                ViewPhase::Bid | ViewPhase::Over => text.with("tui-waits-bid", &name),
            }
        }
        (None, None) => String::new(),
    };
    let style = if game.choice.is_some() { canvas.paint.call() } else { canvas.paint.faint() };
    canvas.prompt(area, &said, style);
}

fn chosen(canvas: &Canvas, choice: &Choice) -> String {
    let text = canvas.text;
    match choice {
        Choice::Offer(offer) => match offer.left_over() {
            Some(jewel) => {
                let back = format!("{} {}", crate::glyph::jewel(jewel), text.jewel(jewel));
                text.with("tui-do-confirm-offer", &[("jewel", (&back).into())])
            }
            None => text.with("tui-do-offer", &[("cushion", (offer.placed() + 1).into())]),
        },
        Choice::Bid(bid) => match (bid.step, bid.chosen_card()) {
            (Step::Confirm, Some(card)) => {
                let cushion = ("cushion", bid.cushion.number().into());
                text.with("tui-do-confirm-bid", &[("card", card.value().into()), cushion])
            }
            (Step::Cushion, Some(card)) => text.with("tui-do-cushion", &[("card", card.value().into())]),
            _ => text.say("tui-do-card"),
        },
    }
}

fn keys(canvas: &mut Canvas, area: Rect, game: &Game) {
    let text = canvas.text;
    if game.is_stood_in() {
        return canvas.foot(area, &[("b", text.say("tui-key-back"), Target::Sign('b'))]);
    }
    let Some(choice) = &game.choice else { return };
    let ready = choice.action().is_some();
    let enter = if ready { text.say("tui-key-confirm") } else { text.say("tui-key-choose") };
    let keys = [
        ("Enter", enter, Target::Enter),
        ("←→ 1–9", text.say("tui-key-move"), Target::Sign('\0')),
        ("⌫", text.say("tui-key-undo"), Target::Undo),
    ];
    canvas.foot(area, &keys);
}
