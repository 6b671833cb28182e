//! Checks that watchers received states of one game, in order, without hidden information.

use std::collections::HashMap;

use serde_json::{Value, json};
use sultan_domain::{Observer, Seat};

use super::{Violations, ViolationKind, ReplayedGame};
use crate::fault_injection::history::{RequestOutcome, History, OpenedTable, Request, Stream};

/// The observer as text.
fn eyes(seat: Option<u8>) -> String {
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
pub(super) fn in_order(history: &History, faults: &mut Violations) {
    let mut watchers: HashMap<usize, Last> = HashMap::new();
    let mut versions: HashMap<u32, Option<u64>> = HashMap::new();
    for stream in &history.streams {
        let before = watchers.get(&stream.watcher).copied().filter(|_| stream.last.is_some());
        let mut last = before;
        for event in &stream.events {
            let at = at_of(&event.data);
            let here =
                || format!("{} on node {} was told version {} (at {at:?})", eyes(stream.seat), stream.node, event.id);
            if let Some(last) = last
                && (event.id < last.id || at < last.at)
            {
                faults.add(ViolationKind::OlderState, format!("{} after version {} (at {:?})", here(), last.id, last.at));
            }
            // With an even pace, delayed actions are not counted in `at`, so one version may have two states.
            if !history.table.even_pace && *versions.entry(event.id).or_insert(at) != at {
                faults.add(ViolationKind::VersionConflict, format!("{}, and others that it is at {:?}", here(), versions[&event.id]));
            }
            last = Some(Last { id: event.id, at });
        }
        watchers.extend(last.map(|last| (stream.watcher, last)));
    }
}

/// Checks that every view is exactly the one computed by the rules for that observer.
pub(super) fn true_to(history: &History, replayed: &ReplayedGame, faults: &mut Violations) {
    let mut known = HashMap::new();
    let mut look = |seat: Option<u8>, view: &str, how: &dyn Fn() -> String| {
        // Many observers receive the same text.
        let found: &Option<String> =
            known.entry((seat, view.to_owned())).or_insert_with(|| wrong(&history.table, replayed, seat, view));
        if let Some(wrong) = found {
            faults.add(ViolationKind::WrongView, format!("{} {}: {wrong}", eyes(seat), how()));
        }
    };
    for Stream { seat, node, events, .. } in &history.streams {
        for event in events {
            look(*seat, &event.data, &|| format!("was told version {} by node {node}", event.id));
        }
    }
    for seen in &history.requested_views {
        look(seen.seat, &seen.view, &|| format!("looked at node {}", seen.node));
    }
    for request in &history.requests {
        if let RequestOutcome::Acknowledged(view) = &request.outcome {
            look(Some(request.seat), view, &|| format!("was answered for {} by node {}", request.action, request.node));
        }
    }
}

/// Checks that the view in an acknowledgement includes the action.
pub(super) fn answered(history: &History, faults: &mut Violations) {
    for Request { seat, at, action, outcome, .. } in &history.requests {
        if let RequestOutcome::Acknowledged(view) = outcome
            && at_of(view).is_none_or(|seen| seen <= *at)
        {
            faults
                .add(ViolationKind::WrongView, format!("seat {seat} was answered for {action} at {at} with a view from before"));
        }
    }
}

/// The error in a view; `None` if it is correct.
fn wrong(opened: &OpenedTable, replayed: &ReplayedGame, seat: Option<u8>, view: &str) -> Option<String> {
    let Ok(mut seen) = serde_json::from_str::<Value>(view) else { return Some(format!("not JSON: {view}")) };
    if seen["phase"] == "waiting" {
        let expected = json!([opened.id, seat, opened.commitment]);
        let told = json!([seen["table"], seen["seat"], seen["commitment"]]);
        return (told != expected).then(|| format!("{told} instead of {expected}"));
    }
    let at = seen["at"].as_u64();
    let Some(mut expected) = at.and_then(|at| expected(opened, replayed, seat, at, seen["ended"] == true)) else {
        return Some(format!("the game was never at {}", seen["at"]));
    };
    if let Some(wrong) = deadlines(opened, &mut seen) {
        return Some(wrong);
    }
    if opened.absences || opened.ended {
        same_person(&mut seen, &mut expected);
    }
    difference("", &seen, &expected).map(|difference| format!("at {}: {difference}", at.unwrap_or_default()))
}

/// The view of an observer after `at` actions, computed by the rules.
pub(super) fn expected(opened: &OpenedTable, replayed: &ReplayedGame, seat: Option<u8>, at: u64, ended: bool) -> Option<Value> {
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
    value["ended"] = json!(ended && opened.ended);
    value["rematch"] = Value::Null;
    Some(value)
}

/// Removes the deadlines, which cannot be computed afterwards. Only the seat to act at a table with a time limit may
/// have one; returns the error otherwise.
fn deadlines(opened: &OpenedTable, seen: &mut Value) -> Option<String> {
    let to_act = seen["to_act"].as_u64();
    let mut wrong = None;
    for (seat, told) in seen["seats"].as_array_mut()?.iter_mut().enumerate() {
        let due = opened.seconds.is_some() && to_act == Some(seat as u64);
        let deadline = told["deadline"].take();
        if deadline.is_string() != due {
            wrong = Some(format!("seat {seat} has the deadline {deadline}"));
        }
    }
    wrong
}

/// Ignores stand-ins and a changed host, which are possible when players leave their seats.
fn same_person(seen: &mut Value, expected: &mut Value) {
    seen["host"] = expected["host"].clone();
    let seats = expected["seats"].as_array_mut().into_iter().flatten();
    for (told, should) in seen["seats"].as_array_mut().into_iter().flatten().zip(seats) {
        if should["kind"] == "human" && told["kind"].as_str().is_some_and(|kind| kind.starts_with("stand-in:")) {
            told["kind"] = json!("human");
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
