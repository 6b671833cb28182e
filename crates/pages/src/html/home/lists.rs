//! Lists of tables: those of this browser, those that wait for players, those open to spectators.

use maud::{Markup, html};
use sultan_domain::{Kind, Person, Seat, TableId, TableView, WaitingSeat};
use sultan_table::OpenTable;
use sultan_text::Text;

use crate::html::art::emblem;
use crate::html::fields::{seconds, table_code};

/// A table with seats of this browser, as one of these seats sees it.
pub(crate) struct OwnGame {
    pub(crate) table: TableId,
    pub(crate) own: Vec<Seat>,
    pub(crate) your_turn: bool,
    pub(crate) view: TableView,
}

/// The name of a seat in a list: the player's name, or that the seat is free.
pub(crate) fn seat_name(text: Text, seat: Seat, person: &Person) -> String {
    if person.kind == Kind::Open { text.say("lobby-seat-free") } else { text.player(seat, person) }
}

/// The names of the other players. A name that occurs several times is listed once, with its count.
fn names(text: Text, seats: &[(Seat, Person)], own: &[Seat]) -> String {
    let mut all: Vec<(String, u8)> = Vec::new();
    for (seat, person) in seats.iter().filter(|(seat, person)| !own.contains(seat) && person.kind != Kind::Open) {
        let name = seat_name(text, *seat, person);
        match all.iter_mut().find(|(other, _)| *other == name) {
            Some((_, count)) => *count += 1,
            None => all.push((name, 1)),
        }
    }
    let listed = all.into_iter().map(|(name, count)| if count == 1 { name } else { format!("{name} ×{count}") });
    listed.collect::<Vec<_>>().join(", ")
}

fn badges(seats: &[(Seat, Person)]) -> Markup {
    html! {
        span.badges aria-hidden="true" {
            @for (_, person) in seats {
                @if person.kind == Kind::Open { span.badge.free {} }
                @else { span.badge data-colour=(person.colour.name()) { (emblem(person.colour)) } }
            }
        }
    }
}

/// One row of a list. The whole row is a link.
fn row(table: TableId, seats: &[(Seat, Person)], title: &str, note: &str, action: &Markup) -> Markup {
    html! {
        li { a href=(format!("/t/{table}")) { (badges(seats)) span { b { (title) } small { (note) } } (action) } }
    }
}

/// The games of this browser.
pub(super) fn own_games(text: Text, games: &[OwnGame]) -> Markup {
    html! {
        @if !games.is_empty() {
            section.panel #games {
                h2 { (text.say("home-my-games")) }
                ul.tables { @for game in games { (own_game(text, game)) } }
            }
        }
    }
}

fn own_game(text: Text, game: &OwnGame) -> Markup {
    let seats = match &game.view {
        TableView::Waiting(waiting) => people(&waiting.seats),
        TableView::Playing(playing) => {
            playing.view.parameters.players.seats().zip(playing.people.iter().cloned()).collect()
        }
    };
    let names = names(text, &seats, &game.own);
    let title =
        if names.is_empty() { table_code(game.table) } else { text.with("home-game-with", &[("names", names.into())]) };
    let note = match &game.view {
        TableView::Waiting(waiting) => free_seats(text, &waiting.seats),
        TableView::Playing(playing) if playing.is_over() => text.say("home-game-over"),
        TableView::Playing(playing) => {
            let (stage, round) = (playing.view.stage.0, playing.view.round.0);
            text.with("table-round", &[("stage", stage.into()), ("round", round.into())])
        }
    };
    let action = html! { @if game.your_turn { span.turn { (text.say("home-your-turn")) } } };
    row(game.table, &seats, &title, &note, &action)
}

fn people(seats: &[WaitingSeat]) -> Vec<(Seat, Person)> {
    seats.iter().map(|seat| (seat.seat, seat.person.clone())).collect()
}

/// The number of seats that the game still waits for.
fn free_seats(text: Text, seats: &[WaitingSeat]) -> String {
    let free = seats.iter().filter(|seat| !seat.ready).count();
    text.with("home-seats-awaited", &[("free", free.into())])
}

/// The public tables that wait for players.
pub(super) fn waiting(text: Text, tables: &[&OpenTable]) -> Markup {
    html! {
        section.panel #open-tables {
            h2 { (text.say("home-open-tables")) }
            @if tables.is_empty() { p.soft { (text.say("home-no-open-tables")) } }
            @else { ul.tables { @for table in tables { (public_table(text, table, &text.say("home-table-join"))) } } }
        }
    }
}

/// The public tables in play.
pub(super) fn in_play(text: Text, tables: &[&OpenTable]) -> Markup {
    html! {
        @if !tables.is_empty() {
            section.panel #playing-tables {
                h2 { (text.say("home-playing-tables")) }
                ul.tables { @for table in tables { (public_table(text, table, &text.say("home-table-watch"))) } }
            }
        }
    }
}

fn public_table(text: Text, table: &OpenTable, action: &str) -> Markup {
    let seats = people(&table.seats);
    let mut note = vec![text.with("home-table-players", &[("players", table.players.count().into())])];
    if !table.playing {
        note.push(free_seats(text, &table.seats));
    }
    note.extend(text.variant_title(&table.variant));
    note.extend(table.options.seconds_per_action.map(|time| seconds(text, time)));
    row(table.table, &seats, &names(text, &seats, &[]), &note.join(" · "), &html! { span.go { (action) } })
}
