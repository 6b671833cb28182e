//! The coach, for tables that have one. It uses only the view and the memory of the caller's seat.

use std::time::{Duration, Instant};

use sultan_analysis::hint;
use sultan_domain::{Hint, MayHold, Recall, Screens, Seat, TableId, View};

use crate::registry::Registry;
use crate::request::Caller;
use crate::{Rejection, ServiceError};

/// Time limit for a hint.
const HINT_TIME_LIMIT: Duration = Duration::from_millis(1500);
/// Time limit for the likely cards of the other players.
const CARDS_TIME_LIMIT: Duration = Duration::from_millis(750);
/// Seeds the coach's randomness together with the view, so that a repeated request gets the same answer.
const SEED: u64 = 1;

/// The coach's advice.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The view of the caller's seat.
    pub view: View,
    /// The recommended action.
    pub hint: Hint,
}

/// Recommends an action to the seat to act.
pub(crate) async fn advice(registry: &Registry, table: TableId, caller: &Caller) -> Result<Advice, ServiceError> {
    let (seat, view, recall) = seat_position(registry, table, caller).await?;
    Rejection::unless_to_act(seat, view.to_act)?;
    let think = move || {
        let started = Instant::now();
        let hint = hint(&view, &recall, SEED, &|| started.elapsed() > HINT_TIME_LIMIT)?;
        Some(Advice { view, hint })
    };
    run(registry, think).await
}

/// The cards that each other player may hold. Available only at tables with open screens, at any time.
pub(crate) async fn may_hold(
    registry: &Registry,
    table: TableId,
    caller: &Caller,
) -> Result<Vec<MayHold>, ServiceError> {
    let (_, view, recall) = seat_position(registry, table, caller).await?;
    if view.screens == Screens::Closed {
        return Err(Rejection::NoCoach.into());
    }
    let think = move || {
        let started = Instant::now();
        Some(sultan_analysis::may_hold(&view, &recall, SEED, &|| started.elapsed() > CARDS_TIME_LIMIT))
    };
    run(registry, think).await
}

/// The caller's seat, which may use the coach, with its view and its memory.
async fn seat_position(
    registry: &Registry,
    table: TableId,
    caller: &Caller,
) -> Result<(Seat, View, Recall), ServiceError> {
    let observed = registry.observe(table, caller).await?;
    let (table, observer) = (observed.table(), observed.observer());
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

/// Runs `think` on the compute pool.
async fn run<T: Send + 'static>(
    registry: &Registry,
    think: impl FnOnce() -> Option<T> + Send + 'static,
) -> Result<T, ServiceError> {
    Ok(registry.node().compute.run(think).await.flatten().ok_or(Rejection::CoachBusy)?)
}
