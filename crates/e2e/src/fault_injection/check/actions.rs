//! Checks that the record has all acknowledged actions, no rejected ones, and no action of a player that was not
//! requested.

use sultan_domain::Kind;

use super::{ReplayedGame, ViolationKind, Violations};
use crate::fault_injection::history::{History, Request, RequestOutcome};

/// Compares the requests with the actions of the record.
pub(super) fn check(history: &History, replayed: &ReplayedGame, violations: &mut Violations) {
    for request in &history.requests {
        let is_applied =
            replayed.action(request.at).is_some_and(|action| action == (request.seat, request.action.clone()));
        match &request.outcome {
            RequestOutcome::Acknowledged(_) if !is_applied => {
                let details = format!(
                    "{} was acknowledged, but the record has {} there",
                    describe(request),
                    describe_recorded(replayed, request.at)
                );
                violations.add(ViolationKind::AcknowledgedActionLost, details);
            }
            RequestOutcome::Rejected(code) if request.is_legal && !history.table.others_may_act() => {
                violations
                    .add(ViolationKind::WronglyRejected, format!("{} was rejected with {code}", describe(request)));
            }
            RequestOutcome::Rejected(code)
                if is_applied && !history.table.others_may_act() && !has_other_outcome(history, request) =>
            {
                violations.add(
                    ViolationKind::RejectedActionApplied,
                    format!("{} was rejected with {code}, but is in the record", describe(request)),
                );
            }
            RequestOutcome::Acknowledged(_) | RequestOutcome::Rejected(_) | RequestOutcome::Unknown => {}
        }
    }
    if !history.table.others_may_act() {
        check_requested(history, replayed, violations);
    }
}

/// Returns whether the same action was also sent in another request, which was acknowledged or has an unknown outcome.
fn has_other_outcome(history: &History, rejected: &Request) -> bool {
    let is_same_action =
        |other: &&Request| (other.seat, other.at, &other.action) == (rejected.seat, rejected.at, &rejected.action);
    history.requests.iter().filter(is_same_action).any(|other| !matches!(other.outcome, RequestOutcome::Rejected(_)))
}

/// Checks that every action of a player's seat was requested by that player.
fn check_requested(history: &History, replayed: &ReplayedGame, violations: &mut Violations) {
    for at in 0..replayed.record.actions.len() as u64 {
        let Some((seat, action)) = replayed.action(at) else { return };
        let person = history.table.people.get(usize::from(seat));
        if person.is_none_or(|person| person.kind != Kind::Human) {
            continue;
        }
        let is_request_for_action = |request: &Request| {
            (request.seat, request.at, &request.action) == (seat, at, &action)
                && !matches!(request.outcome, RequestOutcome::Rejected(_))
        };
        if !history.requests.iter().any(is_request_for_action) {
            violations.add(
                ViolationKind::UnrequestedAction,
                format!("the record has {action} of seat {seat} at {at}, which the player did not request"),
            );
        }
    }
}

fn describe(request: &Request) -> String {
    format!("{} of seat {} at {} (node {})", request.action, request.seat, request.at, request.node)
}

fn describe_recorded(replayed: &ReplayedGame, at: u64) -> String {
    replayed.action(at).map_or("no action".to_owned(), |(seat, action)| format!("{action} of seat {seat}"))
}
