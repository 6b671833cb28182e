//! The lists of the home page: games in which this browser has a seat, and public tables that wait for players or are
//! in play.

use maud::{Markup, html};
use sultan_domain::{Kind, Person, PlayingTable, Seat, TableId, TableView, WaitingSeat};
use sultan_table::OpenTable;
use sultan_text::Text;

use crate::html::art::emblem;
use crate::html::fields::table_code;
use crate::html::game_forms::{Origin, game_forms};
use crate::html::table::PageContext;
use crate::html::time_limit::time_limit;

/// A table at which this browser has seats.
pub(crate) struct OwnGame {
    pub(crate) table: TableId,
    pub(crate) own_seats: Vec<Seat>,
    /// Whether one of these seats is to act.
    pub(crate) your_turn: bool,
    /// The table as the first of these seats sees it.
    pub(crate) view: TableView,
}

/// The player's name, or "free seat" in the reader's language.
pub(crate) fn seat_name(text: Text, seat: Seat, person: &Person) -> String {
    if person.kind == Kind::Open { text.say("lobby-seat-free") } else { text.player(seat, person) }
}

/// The names of the players in these seats, except for `own_seats`. A name that occurs several times is listed once,
/// with its count, as in "Ana, Vizier ×2".
fn names(text: Text, seats: &[(Seat, Person)], own_seats: &[Seat]) -> String {
    let mut counts_by_name: Vec<(String, u8)> = Vec::new();
    for (seat, person) in seats.iter().filter(|(seat, person)| !own_seats.contains(seat) && person.kind != Kind::Open) {
        let name = seat_name(text, *seat, person);
        match counts_by_name.iter_mut().find(|(other, _)| *other == name) {
            Some((_, count)) => *count += 1,
            None => counts_by_name.push((name, 1)),
        }
    }
    let with_count = |(name, count)| if count == 1 { name } else { format!("{name} ×{count}") };
    counts_by_name.into_iter().map(with_count).collect::<Vec<_>>().join(", ")
}

/// The emblems of all seats; a free seat has an empty badge.
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

/// The link of a row of a list, which is the whole row: the table, its players, a note, and an action such as "Join".
fn table_link(table: TableId, seats: &[(Seat, Person)], title: &str, note: &str, action: &Markup) -> Markup {
    html! { a href=(format!("/t/{table}")) { (badges(seats)) span { b { (title) } small { (note) } } (action) } }
}

/// Whether a game of this browser is shown above all forms: it has not ended.
pub(super) fn is_running(game: &OwnGame) -> bool {
    !game.view.is_over()
}

/// Some of the games in which this browser has a seat.
pub(super) fn own_games<'a>(text: Text, id: &str, games: impl Iterator<Item = &'a OwnGame>) -> Markup {
    let mut games = games.peekable();
    html! {
        @if games.peek().is_some() {
            section.panel id=(id) {
                h2 { (text.say("home-my-games")) }
                ul.tables { @for game in games { li { (own_game(text, game)) (forms_of(text, game)) } } }
            }
        }
    }
}

/// The forms about a game in play, folded. A browser with several seats finds them at the table.
fn forms_of(text: Text, game: &OwnGame) -> Markup {
    let playing = game.view.playing().filter(|playing| game.own_seats.len() == 1 && !playing.is_over());
    html! {
        @if let Some(playing) = playing {
            details.more {
                summary { (text.say("home-game-more")) }
                div.menu-list { (game_forms(PageContext { text, playing, query: "" }, Origin::Home)) }
            }
        }
    }
}

/// What became of a game that the player has just left.
pub(super) fn left_game(text: Text, left: Option<&PlayingTable>) -> Markup {
    html! {
        @if let Some(left) = left {
            p.panel.left-game role="status" {
                @if left.is_over() { (text.say("home-left-over")) }
                @else {
                    (text.with("home-left", &[("bot", text.bot(&left.clock.stand_in).into())])) " "
                    a href=(format!("/t/{}", left.info.table)) { (text.say("home-left-back")) }
                }
            }
        }
    }
}

/// The row of a game: its other players, and its progress.
fn own_game(text: Text, game: &OwnGame) -> Markup {
    let (seats, note) = match &game.view {
        TableView::Waiting(waiting) => (people(&waiting.seats), awaited_seats(text, &waiting.seats)),
        TableView::Playing(playing) => {
            let view = &playing.view;
            let seats = view.parameters.players.seats().zip(playing.people.iter().cloned()).collect();
            let round = text.round_label(view.stage.0, view.round.0);
            let note = match playing.info.paused {
                _ if playing.is_over() => text.say("home-game-over"),
                true => format!("{} · {round}", text.say("home-game-paused")),
                false => round,
            };
            (seats, note)
        }
    };
    let names = names(text, &seats, &game.own_seats);
    let title =
        if names.is_empty() { table_code(game.table) } else { text.with("home-game-with", &[("names", names.into())]) };
    let action = html! { @if game.your_turn { span.turn { (text.say("home-your-turn")) } } };
    table_link(game.table, &seats, &title, &note, &action)
}

/// The seats of a table that waits for players, with their people and bots.
fn people(seats: &[WaitingSeat]) -> Vec<(Seat, Person)> {
    seats.iter().map(|seat| (seat.seat, seat.person.clone())).collect()
}

/// The number of seats that the game still waits for, in words.
fn awaited_seats(text: Text, seats: &[WaitingSeat]) -> String {
    let count = seats.iter().filter(|seat| !seat.ready).count();
    text.with("home-seats-awaited", &[("free", count.into())])
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

/// The row of a public table: its players and options. `action` is the word at the end of the row.
fn public_table(text: Text, table: &OpenTable, action: &str) -> Markup {
    let seats = people(&table.seats);
    let mut note = vec![text.with("home-table-players", &[("players", table.players.count().into())])];
    if !table.playing {
        note.push(awaited_seats(text, &table.seats));
    }
    note.extend(text.variant_title(&table.variant));
    note.extend(table.options.seconds_per_action.map(|time| time_limit(text, time)));
    let link =
        table_link(table.table, &seats, &names(text, &seats, &[]), &note.join(" · "), &html! { span.go { (action) } });
    html! { li { (link) } }
}
