//! Tables for the tests of the screens, and tests with untrusted table data.

use std::sync::Arc;

use sultan_domain::{
    Attendance, Commitment, Kind, Players, PlayingTable, Screens, TableId, TableInfo, TableOptions, TableView,
    TurnClock, View, ViewPhase, WaitingSeat, WaitingTable,
};

use super::{ANA, App, SIZES, Screen, draw_text, find_view, game_app, is_anas_turn, people, seat};

/// The table view of a game with the default players.
pub(super) fn playing_table(view: View) -> TableView {
    let people = people(view.parameters.players.count()).into();
    let attendance = Attendance::default();
    TableView::Playing(Box::new(PlayingTable {
        view,
        people,
        clock: TurnClock::default(),
        info: info(),
        replayed: false,
        attendance,
    }))
}

fn info() -> TableInfo {
    TableInfo {
        table: TableId::new(7),
        commitment: Commitment([7; 32]),
        host: seat(0),
        ended: false,
        paused: false,
        rematch: None,
        guided: false,
        coach: false,
        branch: None,
    }
}

/// The host's view of a table that waits for players.
pub(super) fn waiting_table(seats: Vec<WaitingSeat>) -> TableView {
    let TableInfo { table, commitment, host, ended, .. } = info();
    let players = Players::new(u8::try_from(seats.len()).unwrap()).unwrap();
    let options = TableOptions {
        screens: Screens::Closed,
        first_seat: None,
        seconds_per_action: None,
        public: false,
        even_pace: false,
        stand_in: "jeweller".to_owned(),
        rematch_of: None,
        guided: false,
        coach: false,
    };
    let attendance = Attendance::default();
    TableView::Waiting(WaitingTable {
        variant: sultan_domain::Variant::default(),
        table,
        players,
        seat: Some(host),
        commitment,
        host,
        seats,
        options,
        ended,
        attendance,
    })
}

/// The table on the screen.
fn table_of(app: &mut App) -> &mut PlayingTable {
    match &mut app.screen {
        Screen::Game(game) => match &mut game.table {
            TableView::Playing(playing) => playing,
            TableView::Waiting(_) => panic!("the game has not started"),
        },
        Screen::Resume(_) | Screen::Form => panic!("no game is on the screen"),
    }
}

#[test]
fn ended_game_without_a_result_is_shown_as_abandoned() {
    for phase in [ViewPhase::Offer, ViewPhase::Bid] {
        let mut app = game_app(find_view(3, ANA, is_anas_turn(phase)), vec![seat(0)]);
        let abandoned_message = app.text.say("table-ended");
        assert!(!draw_text(&mut app, SIZES[0]).contains(&abandoned_message));
        let table = table_of(&mut app);
        (table.info.ended, table.view.to_act) = (true, None);
        let frame = draw_text(&mut app, SIZES[0]);
        assert!(frame.contains(&abandoned_message), "{frame}");
    }
}

/// Player names are untrusted, and so are bot names from a remote server.
#[test]
fn control_characters_in_names_are_replaced() {
    let mut app = game_app(find_view(4, ANA, is_anas_turn(ViewPhase::Bid)), vec![seat(0)]);
    let table = table_of(&mut app);
    let people = Arc::make_mut(&mut table.people);
    people[0].name = "\u{1b}]0;x\u{7}".to_owned();
    people[1].kind = Kind::Bot("\u{202e}b".to_owned());
    (people[2].name, people[2].kind) = ("\u{9b}31m".to_owned(), Kind::StandIn("\u{1b}[2J".to_owned()));
    let frame = draw_text(&mut app, (120, 30));
    assert!(!frame.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), "{frame}");
    for name in ["\u{fffd}]0;x\u{fffd}", "\u{fffd}b", "\u{fffd}31m", "\u{fffd}[2J"] {
        assert!(frame.contains(name), "{name} in {frame}");
    }
}
