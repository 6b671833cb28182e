//! The coach, for tables that have one. It uses only the view and the memory of the caller's seat.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sultan_analysis::{hint, may_hold};
use sultan_domain::{Hint, MayHold, Observer, Recall, Screens, Seat, TableId, View};

use crate::node::NodeContext;
use crate::registry::Registry;
use crate::request::Caller;
use crate::table::Table;
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

/// Advises players at tables that allow it.
pub(crate) struct Coach {
    registry: Registry,
    node: Arc<NodeContext>,
}

impl Coach {
    pub(crate) const fn new(registry: Registry, node: Arc<NodeContext>) -> Self {
        Self { registry, node }
    }

    /// Recommends an action to the seat to act.
    pub(crate) async fn advice(&self, table: TableId, caller: &Caller) -> Result<Advice, ServiceError> {
        let (seat, view, recall) = self.position(table, caller).await?;
        match view.to_act {
            Some(to_act) if to_act == seat => {}
            Some(to_act) => return Err(Rejection::NotYourTurn(to_act).into()),
            None => return Err(Rejection::Over.into()),
        }
        let think = move || {
            let begun = Instant::now();
            let hint = hint(&view, &recall, SEED, &|| begun.elapsed() > HINT_TIME_LIMIT)?;
            Some(Advice { view, hint })
        };
        self.think(think).await
    }

    /// The cards that each other player may hold. Available only at tables with open screens, at any time.
    pub(crate) async fn holds(&self, table: TableId, caller: &Caller) -> Result<Vec<MayHold>, ServiceError> {
        let (_, view, recall) = self.position(table, caller).await?;
        if view.screens == Screens::Closed {
            return Err(Rejection::NoCoach.into());
        }
        let think = move || {
            let begun = Instant::now();
            Some(may_hold(&view, &recall, SEED, &|| begun.elapsed() > CARDS_TIME_LIMIT))
        };
        self.think(think).await
    }

    async fn position(&self, table: TableId, caller: &Caller) -> Result<(Seat, View, Recall), ServiceError> {
        let observed = self.registry.observe(table, caller).await?;
        let seat = observed.observer().seat().ok_or(Rejection::NoToken)?;
        let (view, recall) = seen_and_remembered(observed.table(), seat)?;
        Ok((seat, view, recall))
    }

    async fn think<T: Send + 'static>(
        &self,
        think: impl FnOnce() -> Option<T> + Send + 'static,
    ) -> Result<T, ServiceError> {
        Ok(self.node.compute.run(think).await.flatten().ok_or(Rejection::CoachBusy)?)
    }
}

/// The view and the memory of a seat that may use the coach.
fn seen_and_remembered(table: &Table, seat: Seat) -> Result<(View, Recall), Rejection> {
    if !table.options().coach {
        return Err(Rejection::NoCoach);
    }
    let play = table.play().ok_or(Rejection::NotStarted)?;
    let observer = Observer::Seat(seat);
    let position = play.position(observer);
    if table.is_over_in(&position) {
        return Err(Rejection::Over);
    }
    let game = &position.game;
    Ok((game.view(observer), game.recall()))
}
