//! Checks that the record has all acknowledged actions, no rejected ones, and no action of a player that was not
//! requested.

use sultan_domain::Kind as OccupantKind;

use super::{Violations, ViolationKind, ReplayedGame};
use crate::fault_injection::history::{RequestOutcome, History, Request};

pub(super) fn kept(history: &History, replayed: &ReplayedGame, faults: &mut Violations) {
    for request in &history.requests {
        let is_done = replayed.done(request.at).is_some_and(|done| done == (request.seat, request.action.clone()));
        match &request.outcome {
            RequestOutcome::Acknowledged(_) if !is_done => {
                let what =
                    format!("{} was acknowledged, but the record has {}", told(request), in_record(replayed, request.at));
                faults.add(ViolationKind::AcknowledgedActionLost, what);
            }
            RequestOutcome::Refused(code) if request.honest && !history.table.others_may_act() => {
                faults.add(ViolationKind::WronglyRejected, format!("{} was refused with {code}", told(request)));
            }
            RequestOutcome::Refused(code) if is_done && !history.table.others_may_act() && !may_be_done(history, request) => {
                faults
                    .add(ViolationKind::RejectedActionApplied, format!("{} was refused with {code}, but is in the record", told(request)));
            }
            RequestOutcome::Acknowledged(_) | RequestOutcome::Refused(_) | RequestOutcome::Unknown => {}
        }
    }
    if !history.table.others_may_act() {
        asked_for(history, replayed, faults);
    }
}

/// Returns whether the same action was also sent in a request that was not rejected.
fn may_be_done(history: &History, refused: &Request) -> bool {
    let same = |other: &&Request| (other.seat, other.at, &other.action) == (refused.seat, refused.at, &refused.action);
    history.requests.iter().filter(same).any(|other| !matches!(other.outcome, RequestOutcome::Refused(_)))
}

/// Checks that every action of a player's seat was requested by that player.
fn asked_for(history: &History, replayed: &ReplayedGame, faults: &mut Violations) {
    for at in 0..replayed.record.actions.len() as u64 {
        let Some((seat, action)) = replayed.done(at) else { return };
        let person = history.table.people.get(usize::from(seat));
        if person.is_none_or(|person| person.kind != OccupantKind::Human) {
            continue;
        }
        let asked = |request: &Request| {
            (request.seat, request.at, &request.action) == (seat, at, &action)
                && !matches!(request.outcome, RequestOutcome::Refused(_))
        };
        if !history.requests.iter().any(asked) {
            faults.add(
                ViolationKind::UnrequestedAction,
                format!("the record has {action} of seat {seat} at {at}, which that person did not ask for"),
            );
        }
    }
}

fn told(request: &Request) -> String {
    format!("{} of seat {} at {} (node {})", request.action, request.seat, request.at, request.node)
}

fn in_record(replayed: &ReplayedGame, at: u64) -> String {
    replayed.done(at).map_or("nothing there".to_owned(), |(seat, action)| format!("{action} of seat {seat} there"))
}
