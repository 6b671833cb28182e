//! The coach, which a table can have as an option: recommends actions, and estimates the cards of other players. Uses
//! only the view and the memory (finished rounds) of the caller's seat.

use std::time::Duration;

use sultan_analysis::hint;
use sultan_domain::{Hint, MayHold, Recall, Screens, Seat, TableId, View};

use crate::registry::Registry;
use crate::request::Caller;
use crate::{Rejection, ServiceError};

/// Time limit for a hint.
const HINT_TIME_LIMIT: Duration = Duration::from_millis(1500);
/// Time limit for an estimate of the other players' cards.
const CARDS_TIME_LIMIT: Duration = Duration::from_millis(750);
/// The seed of the coach's randomness. It is always the same, so a repeated request gets the same answer.
const SEED: u64 = 1;

/// The coach's advice.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The view of the caller's seat.
    pub view: View,
    /// The recommended action, and how good each legal action is.
    pub hint: Hint,
}

/// Recommends an action to the caller, if it is the caller's turn.
pub(crate) async fn advice(registry: &Registry, table: TableId, caller: &Caller) -> Result<Advice, ServiceError> {
    let (seat, view, recall) = seat_position(registry, table, caller).await?;
    Rejection::check_to_act(seat, view.to_act)?;
    let think = move |is_late: &dyn Fn() -> bool| {
        let hint = hint(&view, &recall, SEED, is_late)?;
        Some(Advice { view, hint })
    };
    Ok(registry.node().compute.run(HINT_TIME_LIMIT, think).await.ok_or(Rejection::CoachBusy)?)
}

/// Estimates the cards that each other player holds. Only at tables with open screens; it need not be the caller's
/// turn.
pub(crate) async fn may_hold(
    registry: &Registry,
    table: TableId,
    caller: &Caller,
) -> Result<Vec<MayHold>, ServiceError> {
    let (_, view, recall) = seat_position(registry, table, caller).await?;
    if view.screens == Screens::Closed {
        return Err(Rejection::NoCoach.into());
    }
    let think = move |is_late: &dyn Fn() -> bool| Some(sultan_analysis::may_hold(&view, &recall, SEED, is_late));
    Ok(registry.node().compute.run(CARDS_TIME_LIMIT, think).await.ok_or(Rejection::CoachBusy)?)
}

/// The caller's seat, view and memory. Rejects the request if the caller may not use the coach now.
async fn seat_position(
    registry: &Registry,
    table: TableId,
    caller: &Caller,
) -> Result<(Seat, View, Recall), ServiceError> {
    let observed = registry.observe(table, caller).await?;
    let (table, observer) = (observed.snapshot.table(), observed.observer());
    let seat = observer.seat().ok_or(Rejection::NoToken)?;
    if !table.options().coach {
        return Err(Rejection::NoCoach.into());
    }
    let position = table.play().ok_or(Rejection::NotStarted)?.position(observer);
    if table.is_over_in(&position) {
        return Err(Rejection::Over.into());
    }
    Ok((seat, position.game.view(observer), position.game.recall()))
}
