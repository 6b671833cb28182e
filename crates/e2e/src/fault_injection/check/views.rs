//! Checks that watchers (players and spectators) received states of one game, in order, without hidden information.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Value, json};
use sultan_domain::{Observer, Seat};

use super::{ReplayedGame, ViolationKind, Violations};
use crate::fault_injection::history::{History, OpenedTable, Request, RequestOutcome, Stream};

/// The observer for messages.
fn observer_name(seat: Option<u8>) -> String {
    seat.map_or("a spectator".to_owned(), |seat| format!("seat {seat}"))
}

/// The number of actions in a view.
fn at_of(view: &str) -> Option<u64> {
    sultan_testkit::http::field(view, "at")?.parse().ok()
}

/// The last state that a watcher received.
#[derive(Clone, Copy, Default)]
struct LastState {
    version: u32,
    /// The number of actions.
    at: Option<u64>,
}

/// Checks that no watcher received an older state after a newer state, even on another node if `Last-Event-ID` was
/// sent.
pub(super) fn check_order(history: &History, violations: &mut Violations) {
    let mut last_states: HashMap<usize, LastState> = HashMap::new();
    let mut at_of_versions: HashMap<u32, Option<u64>> = HashMap::new();
    for stream in &history.streams {
        // A request without the header does not name the last received version, so the node may send an older state.
        let mut last = last_states.get(&stream.watcher).copied().filter(|_| stream.last_event_id.is_some());
        for event in &stream.events {
            let at = at_of(&event.data);
            let received = || {
                format!(
                    "{} on node {} received version {} (at {at:?})",
                    observer_name(stream.seat),
                    stream.node,
                    event.id
                )
            };
            if let Some(last) = last
                && (event.id < last.version || at < last.at)
            {
                violations.add(
                    ViolationKind::OlderState,
                    format!("{} after version {} (at {:?})", received(), last.version, last.at),
                );
            }
            // With an even pace, delayed actions are not counted in `at`, so one version may have two states.
            if !history.table.has_even_pace && *at_of_versions.entry(event.id).or_insert(at) != at {
                violations.add(
                    ViolationKind::VersionConflict,
                    format!("{}, another watcher received it at {:?}", received(), at_of_versions[&event.id]),
                );
            }
            last = Some(LastState { version: event.id, at });
        }
        last_states.extend(last.map(|last| (stream.watcher, last)));
    }
}

/// Checks that every view is exactly the view that the rules compute for that observer.
pub(super) fn check_contents(history: &History, replayed: &ReplayedGame, violations: &mut Violations) {
    // An observer often receives the same view several times.
    let mut checked = HashMap::new();
    let mut check_view = |seat: Option<u8>, view: &str, describe: &dyn Fn() -> String| {
        let result: &Option<String> =
            checked.entry((seat, view.to_owned())).or_insert_with(|| error_in(&history.table, replayed, seat, view));
        if let Some(error) = result {
            violations.add(ViolationKind::WrongView, format!("{} {}: {error}", observer_name(seat), describe()));
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
            && at_of(view).is_none_or(|seen_at| seen_at <= *at)
        {
            violations.add(
                ViolationKind::WrongView,
                format!("seat {seat} sent {action} at {at} and received a view from before this action"),
            );
        }
    }
}

/// The error in a view; `None` if it is correct.
fn error_in(opened: &OpenedTable, replayed: &ReplayedGame, seat: Option<u8>, view: &str) -> Option<String> {
    let Ok(mut received) = serde_json::from_str::<Value>(view) else { return Some(format!("not JSON: {view}")) };
    if received["phase"] == "waiting" {
        let expected = json!([opened.id, seat, opened.commitment]);
        let received = json!([received["table"], received["seat"], received["commitment"]]);
        return (received != expected).then(|| format!("{received} instead of {expected}"));
    }
    let at = received["at"].as_u64();
    let Some(expected) = at.and_then(|at| expected(opened, replayed, seat, at, received["ended"] == true)) else {
        return Some(format!("the game has no state at {}", received["at"]));
    };
    if let Some(error) = remove_deadlines(opened, &mut received) {
        return Some(error);
    }
    if opened.has_absences || opened.is_left_early {
        ignore_stand_ins(&mut received, &expected);
    }
    difference("", &received, &expected).map(|difference| format!("at {}: {difference}", at.unwrap_or_default()))
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
    let mut view = replayed.state(at)?.view(observer);
    if ended {
        // All players have left.
        view.to_act = None;
    }
    let mut value: Value = serde_json::from_str(&view.to_json(&opened.people, None)).ok()?;
    value["table"] = json!(opened.id);
    value["commitment"] = json!(opened.commitment);
    value["host"] = json!(opened.host);
    value["ended"] = json!(ended && opened.is_left_early);
    value["rematch"] = Value::Null;
    Some(value)
}

/// Removes the deadlines and the marks of players whose time ran out, which cannot be computed afterwards. Returns an
/// error unless exactly the seat to act at a table with a time limit has a deadline.
fn remove_deadlines(opened: &OpenedTable, received: &mut Value) -> Option<String> {
    let to_act = received["to_act"].as_u64();
    let mut error = None;
    for (seat, fields) in received["seats"].as_array_mut()?.iter_mut().enumerate() {
        let must_have_deadline = opened.seconds.is_some() && to_act == Some(seat as u64);
        if opened.seconds.is_some() {
            fields.as_object_mut()?.remove("timed_out");
        }
        let deadline = fields["deadline"].take();
        if deadline.is_string() != must_have_deadline {
            error = Some(format!("seat {seat} has the deadline {deadline}"));
        }
    }
    error
}

/// Ignores stand-ins and a changed host, which are possible when players leave their seats.
fn ignore_stand_ins(received: &mut Value, expected: &Value) {
    received["host"] = expected["host"].clone();
    let expected_seats = expected["seats"].as_array().into_iter().flatten();
    for (received, expected) in received["seats"].as_array_mut().into_iter().flatten().zip(expected_seats) {
        if expected["kind"] == "human" && received["kind"].as_str().is_some_and(|kind| kind.starts_with("stand-in:")) {
            received["kind"] = json!("human");
        }
    }
}

/// Describes the first difference between two values, which are at this path of a view.
fn difference(path: &str, received: &Value, expected: &Value) -> Option<String> {
    match (received, expected) {
        (Value::Object(received), Value::Object(expected)) => {
            let names: BTreeSet<&String> = received.keys().chain(expected.keys()).collect();
            let missing = Value::String("(missing)".to_owned());
            names.into_iter().find_map(|name| {
                let [received, expected] = [received, expected].map(|fields| fields.get(name).unwrap_or(&missing));
                difference(&format!("{path}.{name}"), received, expected)
            })
        }
        (Value::Array(received), Value::Array(expected)) if received.len() == expected.len() => {
            let mut items = received.iter().zip(expected).enumerate();
            items.find_map(|(index, (received, expected))| difference(&format!("{path}[{index}]"), received, expected))
        }
        _ => (received != expected)
            .then(|| format!("`{}` is {received}, should be {expected}", path.trim_start_matches('.'))),
    }
}
