//! Tests of the checker on histories made from random games: a correct history has no violations, and each kind of
//! violation is found.

use sultan_domain::{Kind, Observer, Person, PlayerColour, Players, Record, Seat};
use sultan_rules::commitment;

use super::*;
use crate::fault_injection::history::{OpenedTable, Request, RequestOutcome, RequestedView, Stream};
use sultan_testkit::http::Event;
use sultan_testkit::random_record;

/// The history and record of a game of a player (seat 0), a bot (seat 1) and another player (seat 2). All observers
/// received all states in streams (the spectator in stream 3), and all actions of players were acknowledged.
///
/// Tests change some request or event by its index. Any other index in the middle of the game would do.
fn correct_history() -> (History, Record) {
    let players = Players::new(3).unwrap();
    let (mut record, _) = random_record(players, 8);
    record.commitment = Some(commitment(&record.server_seed));
    let kinds = [Kind::Human, Kind::Bot("merchant".to_owned()), Kind::Human];
    let person = |(kind, colour): (Kind, PlayerColour)| Person { name: "x".to_owned(), colour, kind };
    let table = OpenedTable {
        id: "000000000000".to_owned(),
        people: kinds.into_iter().zip(PlayerColour::ALL).map(person).collect(),
        commitment: record.commitment.unwrap().to_string(),
        screens: record.screens,
        ..OpenedTable::default()
    };
    let replayed = ReplayedGame::new(record.clone());
    let mut history = History { table, ..History::default() };
    for observer in Observer::all(players) {
        let seat = observer.seat().map(Seat::number);
        // The table has had its first versions before the game.
        let event = |at: usize| Event { id: 3 + u32::try_from(at).unwrap(), data: view(&history, &replayed, seat, at) };
        let events = (0..replayed.states.len()).map(event).collect();
        let spectator_number = 9;
        let watcher = seat.map_or(spectator_number, usize::from);
        history.streams.push(Stream { watcher, seat, node: 0, last_event_id: None, events });
    }
    for at in 0..record.actions.len() {
        let (seat, action) = replayed.action(at as u64).unwrap();
        if seat != 1 {
            let outcome = RequestOutcome::Acknowledged(view(&history, &replayed, Some(seat), at + 1));
            history.requests.push(Request { seat, at: at as u64, action, is_legal: true, node: 0, outcome });
        }
    }
    (history, record)
}

/// The correct view of an observer after `at` actions.
fn view(history: &History, replayed: &ReplayedGame, seat: Option<u8>, at: usize) -> String {
    views::expected(&history.table, replayed, seat, at as u64, false).unwrap().to_string()
}

fn json(record: &Record) -> String {
    serde_json::to_string(record).unwrap()
}

/// The kinds of violations found after a modification of a correct history.
fn violations_after(modify: impl FnOnce(&mut History, &mut Record)) -> Vec<ViolationKind> {
    let (mut history, mut record) = correct_history();
    modify(&mut history, &mut record);
    let mut kinds: Vec<ViolationKind> =
        check(&history, Some(&json(&record))).into_iter().map(|violation| violation.kind).collect();
    kinds.dedup();
    kinds
}

#[test]
fn correct_history_has_no_violations() {
    let (history, record) = correct_history();
    assert_eq!(check(&history, Some(&json(&record))), []);
    assert!(history.requests.len() > 20 && history.streams[0].events.len() > 40);
}

#[test]
fn unfinished_game_is_reported() {
    let (history, mut record) = correct_history();
    assert_eq!(check(&history, None)[0].kind, ViolationKind::Unfinished);
    record.actions.pop();
    let violations = check(&history, Some(&json(&record)));
    assert_eq!(violations[0].kind, ViolationKind::Unfinished);
    // Acknowledgements and views of the missing action are reported too, with details.
    let messages: Vec<String> = violations.iter().map(ToString::to_string).collect();
    assert!(
        messages.iter().any(|message| message.starts_with("wrong view: table 000000000000: seat 0 received version")),
        "{messages:?}"
    );
}

#[test]
fn invalid_record_is_reported() {
    assert!(violations_after(|_, record| record.server_seed.0[0] ^= 1).contains(&ViolationKind::InvalidRecord));
    assert_eq!(
        violations_after(|history, _| history.table.commitment = "00".to_owned())[0],
        ViolationKind::InvalidRecord
    );
    let (history, _) = correct_history();
    assert_eq!(check(&history, Some("{}"))[0].kind, ViolationKind::InvalidRecord);
}

#[test]
fn lost_acknowledged_action_is_reported() {
    let another_action = |history: &mut History, _: &mut Record| {
        let action = &mut history.requests[5].action;
        // No cushion has the number 9.
        *action = if action.contains('@') { "1@9".to_owned() } else { "GGG".to_owned() };
    };
    // The action in the record was never requested.
    assert_eq!(
        violations_after(another_action),
        [ViolationKind::AcknowledgedActionLost, ViolationKind::UnrequestedAction]
    );
    let another_seat = |history: &mut History, _: &mut Record| history.requests[5].seat = 1;
    assert!(violations_after(another_seat).contains(&ViolationKind::AcknowledgedActionLost));
    let after_the_end = |history: &mut History, _: &mut Record| history.requests.last_mut().unwrap().at = 1000;
    assert!(violations_after(after_the_end).contains(&ViolationKind::AcknowledgedActionLost));
}

#[test]
fn request_with_unknown_outcome_may_be_applied_or_not() {
    assert_eq!(violations_after(|history, _| history.requests[7].outcome = RequestOutcome::Unknown), []);
    let not_applied = |history: &mut History, _: &mut Record| {
        let unknown =
            Request { action: "1@9".to_owned(), outcome: RequestOutcome::Unknown, ..history.requests[7].clone() };
        history.requests.push(unknown);
    };
    assert_eq!(violations_after(not_applied), []);
}

#[test]
fn rejected_action_in_the_record_is_reported() {
    let rejected = || RequestOutcome::Rejected("action/not-now".to_owned());
    let applied = |history: &mut History, _: &mut Record| {
        history.requests[7].is_legal = false;
        history.requests[7].outcome = rejected();
    };
    assert_eq!(violations_after(applied), [ViolationKind::RejectedActionApplied, ViolationKind::UnrequestedAction]);
    // No violation if the same action was also sent in a request that was not rejected.
    let sent_twice = |history: &mut History, _: &mut Record| {
        let again = Request { is_legal: false, outcome: rejected(), ..history.requests[7].clone() };
        history.requests.push(again);
    };
    assert_eq!(violations_after(sent_twice), []);
    // A legal action of the seat to act must not be rejected.
    let legal = |history: &mut History, _: &mut Record| {
        let again = Request { outcome: rejected(), ..history.requests[7].clone() };
        history.requests.push(again);
    };
    assert_eq!(violations_after(legal), [ViolationKind::WronglyRejected]);
}

#[test]
fn unrequested_action_is_accepted_if_bots_may_replace_players() {
    let with_stand_ins = |history: &mut History, _: &mut Record| {
        history.table.has_absences = true;
        history.requests.remove(7);
    };
    assert_eq!(violations_after(with_stand_ins), []);
    assert_eq!(violations_after(|history, _| drop(history.requests.remove(7))), [ViolationKind::UnrequestedAction]);
}

#[test]
fn older_state_after_a_newer_state_is_reported() {
    assert_eq!(violations_after(|history, _| history.streams[2].events.swap(4, 5)), [ViolationKind::OlderState]);
    assert_eq!(violations_after(|history, _| drop(history.streams[2].events.drain(4..9))), []);
    // Also on another node, if the client sent `Last-Event-ID`; without it any version is allowed.
    for (last_event_id, expected) in [(Some(12), vec![ViolationKind::OlderState]), (None, vec![])] {
        let reconnect = |history: &mut History, _: &mut Record| {
            let old = history.streams[2].events[..6].to_vec();
            let Stream { watcher, seat, .. } = history.streams[2].clone();
            history.streams.push(Stream { watcher, seat, node: 1, last_event_id, events: old });
        };
        assert_eq!(violations_after(reconnect), expected);
    }
}

#[test]
fn two_states_of_one_version_are_reported() {
    let other_state_with_same_version = |history: &mut History, _: &mut Record| {
        history.streams[3].events.remove(10);
        history.streams[3].events[10].id -= 1;
    };
    assert_eq!(violations_after(other_state_with_same_version), [ViolationKind::VersionConflict]);
}

#[test]
fn every_field_of_a_view_is_compared() {
    let check_replaced = |from: &str, to: &str| {
        let kinds = violations_after(|history, _| {
            let view = &mut history.streams[0].events[4].data;
            assert!(view.contains(from), "{view}");
            *view = view.replacen(from, to, 1);
        });
        assert_eq!(kinds, [ViolationKind::WrongView], "{from} replaced by {to}");
    };
    check_replaced("\"host\":0", "\"host\":1");
    check_replaced("\"collection\":null", "\"collection\":{\"W\":0,\"R\":0,\"Y\":0,\"G\":0,\"B\":0}");
    check_replaced("\"deadline\":null", "\"deadline\":\"2026-01-01T00:00:00.000Z\"");
    check_replaced("\"ended\":false", "\"ended\":true");
    check_replaced("\"kind\":\"human\"", "\"kind\":\"stand-in:page\"");
    check_replaced("\"rematch\":null", "\"rematch\":null,\"more\":1");
    check_replaced("\"phase\":", "\"was\":");
}

#[test]
fn view_of_another_seat_is_reported() {
    let (mut history, record) = correct_history();
    let view_of_seat_2 = history.streams[2].events[6].data.clone();
    // A leak of the hand must be found even if the view names the right observer.
    let view = view_of_seat_2.replace("\"seat\":2,\"seats\"", "\"seat\":null,\"seats\"");
    history.requested_views.push(RequestedView { seat: Some(0), node: 2, view: view_of_seat_2 });
    history.requested_views.push(RequestedView { seat: None, node: 2, view });
    let violations = check(&history, Some(&json(&record)));
    assert_eq!(
        violations.iter().map(|violation| violation.kind).collect::<Vec<_>>(),
        [ViolationKind::WrongView, ViolationKind::WrongView]
    );
    assert!(violations[1].details.starts_with("a spectator requested from node 2: at 6: `"), "{}", violations[1]);
}

#[test]
fn acknowledgement_with_an_older_view_is_reported() {
    let view_before_the_action = |history: &mut History, record: &mut Record| {
        let Request { seat, at, .. } = history.requests[3].clone();
        let before = view(history, &ReplayedGame::new(record.clone()), Some(seat), usize::try_from(at).unwrap());
        history.requests[3].outcome = RequestOutcome::Acknowledged(before);
    };
    assert_eq!(violations_after(view_before_the_action), [ViolationKind::WrongView]);
}
