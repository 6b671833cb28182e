//! Checks that the record has all acknowledged actions, no rejected ones, and no action of a player that was not
//! requested.

use sultan_domain::Kind as Sitter;

use super::{Faults, Kind, Truth};
use crate::storm::history::{Ending, History, Request};

pub(super) fn kept(history: &History, truth: &Truth, faults: &mut Faults) {
    for request in &history.requests {
        let is_done = truth.done(request.at).is_some_and(|done| done == (request.seat, request.action.clone()));
        match &request.ending {
            Ending::Acknowledged(_) if !is_done => {
                let what =
                    format!("{} was acknowledged, but the record has {}", told(request), in_record(truth, request.at));
                faults.add(Kind::AcknowledgedLost, what);
            }
            Ending::Refused(code) if request.honest && !history.table.others_act() => {
                faults.add(Kind::WronglyRefused, format!("{} was refused with {code}", told(request)));
            }
            Ending::Refused(code) if is_done && !history.table.others_act() && !may_be_done(history, request) => {
                faults
                    .add(Kind::RefusedDone, format!("{} was refused with {code}, but is in the record", told(request)));
            }
            Ending::Acknowledged(_) | Ending::Refused(_) | Ending::Unknown => {}
        }
    }
    if !history.table.others_act() {
        asked_for(history, truth, faults);
    }
}

/// Returns whether the same action was also sent in a request that was not rejected.
fn may_be_done(history: &History, refused: &Request) -> bool {
    let same = |other: &&Request| (other.seat, other.at, &other.action) == (refused.seat, refused.at, &refused.action);
    history.requests.iter().filter(same).any(|other| !matches!(other.ending, Ending::Refused(_)))
}

/// Checks that every action of a player's seat was requested by that player.
fn asked_for(history: &History, truth: &Truth, faults: &mut Faults) {
    for at in 0..truth.record.actions.len() as u64 {
        let Some((seat, action)) = truth.done(at) else { return };
        let person = history.table.people.get(usize::from(seat));
        if person.is_none_or(|person| person.kind != Sitter::Human) {
            continue;
        }
        let asked = |request: &Request| {
            (request.seat, request.at, &request.action) == (seat, at, &action)
                && !matches!(request.ending, Ending::Refused(_))
        };
        if !history.requests.iter().any(asked) {
            faults.add(
                Kind::NobodyAsked,
                format!("the record has {action} of seat {seat} at {at}, which that person did not ask for"),
            );
        }
    }
}

fn told(request: &Request) -> String {
    format!("{} of seat {} at {} (node {})", request.action, request.seat, request.at, request.node)
}

fn in_record(truth: &Truth, at: u64) -> String {
    truth.done(at).map_or("nothing there".to_owned(), |(seat, action)| format!("{action} of seat {seat} there"))
}
