//! Makes the views of a table: one view for each seat, and one for spectators.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use sultan_domain::{Attendance, BySeat, Observer, PlayingTable, TableView, TurnClock, WaitingSeat, WaitingTable};

use crate::table::{Position, Table};

/// The view of an observer: the table as this seat, or a spectator, may see it.
pub(crate) fn view(table: &Table, observer: Observer) -> TableView {
    let Some(play) = table.play() else { return TableView::Waiting(waiting(table, observer)) };
    let position = play.position(observer);
    let mut view = position.game.view(observer);
    if table.is_abandoned() {
        // No player is left to act.
        view.to_act = None;
    }
    let deadline = table.deadline_ms(&position).filter(|_| view.to_act.is_some()).map(rfc3339);
    TableView::Playing(Box::new(PlayingTable {
        view,
        people: Arc::clone(table.occupants().people()),
        clock: TurnClock {
            deadline,
            stand_in_from: table.stand_in_from_ms(&position).map(rfc3339),
            stand_in: table.options().stand_in.clone(),
            timed_out: timed_out(table, &position, observer),
        },
        info: table.info().clone(),
        replayed: false,
        attendance: Attendance::default(),
    }))
}

/// The actions that a bot played because a player's time had run out. With an even pace, nobody may know how long
/// another player thought, so each player sees only the own entry.
fn timed_out(table: &Table, position: &Position, observer: Observer) -> BySeat<Option<u16>> {
    let is_visible = |seat| !table.options().even_pace || observer == Observer::Seat(seat);
    let mut timed_out = BySeat::default();
    for seat in table.seats().filter(|&seat| is_visible(seat)) {
        timed_out[seat] = position.timed_out[seat];
    }
    timed_out
}

/// The view of a table that waits for players. The list of public tables also shows it for tables in play.
pub(crate) fn waiting(table: &Table, observer: Observer) -> WaitingTable {
    let seats = table.seats().zip(table.occupants().people().iter()).map(|(seat, person)| WaitingSeat {
        seat,
        person: person.clone(),
        ready: table.occupant(seat).is_ready(),
    });
    WaitingTable {
        variant: table.opened().variant,
        table: table.id(),
        players: table.players(),
        seat: observer.seat(),
        commitment: table.info().commitment,
        host: table.info().host,
        seats: seats.collect(),
        options: table.options().clone(),
        ended: table.is_abandoned(),
        attendance: Attendance::default(),
    }
}

/// A time in milliseconds since 1970 as text (RFC 3339).
pub(crate) fn rfc3339(ms: i64) -> String {
    let since_1970 = Duration::from_millis(u64::try_from(ms).unwrap_or(0));
    humantime::format_rfc3339_millis(UNIX_EPOCH + since_1970).to_string()
}
