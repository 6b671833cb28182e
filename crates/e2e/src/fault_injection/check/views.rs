//! Checks that watchers received states of one game, in order, without hidden information.

use std::collections::HashMap;

use serde_json::{Value, json};
use sultan_domain::{Observer, Seat};

use super::{ReplayedGame, ViolationKind, Violations};
use crate::fault_injection::history::{History, OpenedTable, Request, RequestOutcome, Stream};

/// The observer as text.
fn observer_name(seat: Option<u8>) -> String {
    seat.map_or("a spectator".to_owned(), |seat| format!("seat {seat}"))
}

fn at_of(view: &str) -> Option<u64> {
    sultan_testkit::http::field(view, "at")?.parse().ok()
}

/// The last state a watcher received.
#[derive(Clone, Copy, Default)]
struct Last {
    id: u32,
    at: Option<u64>,
}

/// Checks that no watcher received an older state after a newer one, even on another node if `Last-Event-ID` was sent.
pub(super) fn check_order(history: &History, violations: &mut Violations) {
    let mut watchers: HashMap<usize, Last> = HashMap::new();
    let mut versions: HashMap<u32, Option<u64>> = HashMap::new();
    for stream in &history.streams {
        let before = watchers.get(&stream.watcher).copied().filter(|_| stream.last.is_some());
        let mut last = before;
        for event in &stream.events {
            let at = at_of(&event.data);
            let place = || {
                format!(
                    "{} on node {} received version {} (at {at:?})",
                    observer_name(stream.seat),
                    stream.node,
                    event.id
                )
            };
            if let Some(last) = last
                && (event.id < last.id || at < last.at)
            {
                violations.add(
                    ViolationKind::OlderState,
                    format!("{} after version {} (at {:?})", place(), last.id, last.at),
                );
            }
            // With an even pace, delayed actions are not counted in `at`, so one version may have two states.
            if !history.table.even_pace && *versions.entry(event.id).or_insert(at) != at {
                violations.add(
                    ViolationKind::VersionConflict,
                    format!("{}, another watcher received it at {:?}", place(), versions[&event.id]),
                );
            }
            last = Some(Last { id: event.id, at });
        }
        watchers.extend(last.map(|last| (stream.watcher, last)));
    }
}

/// Checks that every view is exactly the one computed by the rules for that observer.
pub(super) fn check_contents(history: &History, replayed: &ReplayedGame, violations: &mut Violations) {
    let mut known = HashMap::new();
    let mut check_view = |seat: Option<u8>, view: &str, how: &dyn Fn() -> String| {
        // Many observers receive the same text.
        let found: &Option<String> =
            known.entry((seat, view.to_owned())).or_insert_with(|| error_in(&history.table, replayed, seat, view));
        if let Some(error) = found {
            violations.add(ViolationKind::WrongView, format!("{} {}: {error}", observer_name(seat), how()));
        }
    };
    for Stream { seat, node, events, .. } in &history.streams {
        for event in events {
            check_view(*seat, &event.data, &|| format!("received version {} from node {node}", event.id));
        }
    }
    for requested in &history.requested_views {
        check_view(requested.seat, &requested.view, &|| format!("requested from node {}", requested.node));
    }
    for request in &history.requests {
        if let RequestOutcome::Acknowledged(view) = &request.outcome {
            check_view(Some(request.seat), view, &|| {
                format!("received for {} from node {}", request.action, request.node)
            });
        }
    }
}

/// Checks that the view in an acknowledgement includes the action.
pub(super) fn check_acknowledgements(history: &History, violations: &mut Violations) {
    for Request { seat, at, action, outcome, .. } in &history.requests {
        if let RequestOutcome::Acknowledged(view) = outcome
            && at_of(view).is_none_or(|seen| seen <= *at)
        {
            violations.add(
                ViolationKind::WrongView,
                format!("seat {seat} received for {action} at {at} a view from before it"),
            );
        }
    }
}

/// The error in a view; `None` if it is correct.
fn error_in(opened: &OpenedTable, replayed: &ReplayedGame, seat: Option<u8>, view: &str) -> Option<String> {
    let Ok(mut seen) = serde_json::from_str::<Value>(view) else { return Some(format!("not JSON: {view}")) };
    if seen["phase"] == "waiting" {
        let expected = json!([opened.id, seat, opened.commitment]);
        let received = json!([seen["table"], seen["seat"], seen["commitment"]]);
        return (received != expected).then(|| format!("{received} instead of {expected}"));
    }
    let at = seen["at"].as_u64();
    let Some(mut expected) = at.and_then(|at| expected(opened, replayed, seat, at, seen["ended"] == true)) else {
        return Some(format!("the game has no state at {}", seen["at"]));
    };
    if let Some(error) = remove_deadlines(opened, &mut seen) {
        return Some(error);
    }
    if opened.absences || opened.left_early {
        ignore_stand_ins(&mut seen, &mut expected);
    }
    difference("", &seen, &expected).map(|difference| format!("at {}: {difference}", at.unwrap_or_default()))
}

/// The view of an observer after `at` actions, computed by the rules.
pub(super) fn expected(
    opened: &OpenedTable,
    replayed: &ReplayedGame,
    seat: Option<u8>,
    at: u64,
    ended: bool,
) -> Option<Value> {
    let observer = seat.and_then(Seat::new).map_or(Observer::Public, Observer::Seat);
    let mut view = replayed.game(at)?.view(observer);
    if ended {
        // All players have left.
        view.to_act = None;
    }
    let mut value: Value = serde_json::from_str(&view.to_json(&opened.people, None)).ok()?;
    value["table"] = json!(opened.id);
    value["commitment"] = json!(opened.commitment);
    value["host"] = json!(opened.host);
    value["ended"] = json!(ended && opened.left_early);
    value["rematch"] = Value::Null;
    Some(value)
}

/// Removes the deadlines, which cannot be computed afterwards. The seat to act at a table with a time limit must have
/// one, and no other seat; otherwise returns the error.
fn remove_deadlines(opened: &OpenedTable, seen: &mut Value) -> Option<String> {
    let to_act = seen["to_act"].as_u64();
    let mut error = None;
    for (seat, fields) in seen["seats"].as_array_mut()?.iter_mut().enumerate() {
        let must_have_deadline = opened.seconds.is_some() && to_act == Some(seat as u64);
        let deadline = fields["deadline"].take();
        if deadline.is_string() != must_have_deadline {
            error = Some(format!("seat {seat} has the deadline {deadline}"));
        }
    }
    error
}

/// Ignores stand-ins and a changed host, which are possible when players leave their seats.
fn ignore_stand_ins(seen: &mut Value, expected: &mut Value) {
    seen["host"] = expected["host"].clone();
    let seats = expected["seats"].as_array_mut().into_iter().flatten();
    for (received, expected) in seen["seats"].as_array_mut().into_iter().flatten().zip(seats) {
        if expected["kind"] == "human" && received["kind"].as_str().is_some_and(|kind| kind.starts_with("stand-in:")) {
            received["kind"] = json!("human");
        }
    }
}

/// Describes the first difference between two values.
fn difference(path: &str, seen: &Value, expected: &Value) -> Option<String> {
    match (seen, expected) {
        (Value::Object(one), Value::Object(other)) => {
            let mut names: Vec<&String> = one.keys().chain(other.keys()).collect();
            names.sort_unstable();
            names.dedup();
            let none = Value::String("(missing)".to_owned());
            let part = |all: &serde_json::Map<String, Value>, name: &String| all.get(name).unwrap_or(&none).clone();
            names
                .into_iter()
                .find_map(|name| difference(&format!("{path}.{name}"), &part(one, name), &part(other, name)))
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut parts = one.iter().zip(other).enumerate();
            parts.find_map(|(number, (one, other))| difference(&format!("{path}[{number}]"), one, other))
        }
        _ => (seen != expected).then(|| format!("`{}` is {seen}, should be {expected}", path.trim_start_matches('.'))),
    }
}
