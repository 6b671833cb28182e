//! The coach of a table that has one: what it says to a seat that is to act, from what that seat was shown and nothing else.

use std::time::{Duration, Instant};

use sultan_analysis::{hint, may_hold};
use sultan_domain::{Hint, MayHold, Observer, Recall, Screens, Seat, TableId, View};

use crate::request::Caller;
use crate::table::Table;
use crate::{Rejection, Service, ServiceError};

/// So long the coach may think about what to do, and half as long about what others hold.
const LONGEST: Duration = Duration::from_millis(1500);
/// What its chance comes from; with the view, so that asking again changes nothing.
const SEED: u64 = 1;

/// What a coach says.
#[derive(Clone, Debug)]
pub struct Advice {
    /// What the seat saw when it asked.
    pub view: View,
    /// What to do.
    pub hint: Hint,
}

impl Table {
    /// What a seat sees and remembers that may ask the coach.
    fn coached(&self, seat: Seat) -> Result<(View, Recall), Rejection> {
        if !self.opened.coach {
            return Err(Rejection::NoCoach);
        }
        let play = self.play.as_ref().ok_or(Rejection::NotStarted)?;
        let observer = Observer::Seat(seat);
        if self.seems_over(observer) {
            return Err(Rejection::Over);
        }
        let seen = play.seen_by(observer);
        // Where the pace is even, the last round may not have been shown yet.
        let shown = play.rounds.iter().take(usize::from(seen.finished_rounds())).copied();
        Ok((seen.view(observer), Recall::of(shown.collect()).unwrap_or_default()))
    }
}

impl Service {
    /// What the coach says to whoever asks, and is to act.
    ///
    /// # Errors
    /// [`Rejection::NoCoach`] where the table has none, [`Rejection::CoachBusy`] where time ran out, or why there is nothing to be
    /// said now.
    pub async fn advice(&self, table: TableId, caller: &Caller) -> Result<Advice, ServiceError> {
        let now = self.0.published_to(table, caller).await?.0;
        let seat = now.table.seated(caller)?;
        let (view, recall) = now.table.coached(seat)?;
        match view.to_act {
            Some(to_act) if to_act == seat => {}
            Some(to_act) => return Err(Rejection::NotYourTurn(to_act).into()),
            None => return Err(Rejection::Over.into()),
        }
        let think = move || {
            let begun = Instant::now();
            let hint = hint(&view, &recall, SEED, &|| begun.elapsed() > LONGEST)?;
            Some(Advice { view, hint })
        };
        self.coached(think).await
    }

    /// What each of the others may hold, as the coach says it to whoever asks; at tables with open screens, whosever turn it is.
    ///
    /// # Errors
    /// [`Rejection::NoCoach`] where the table has none, or keeps its screens closed.
    pub async fn holds(&self, table: TableId, caller: &Caller) -> Result<Vec<MayHold>, ServiceError> {
        let now = self.0.published_to(table, caller).await?.0;
        let (view, recall) = now.table.coached(now.table.seated(caller)?)?;
        if view.screens == Screens::Closed {
            return Err(Rejection::NoCoach.into());
        }
        let think = move || {
            let begun = Instant::now();
            Some(may_hold(&view, &recall, SEED, &|| begun.elapsed() > LONGEST / 2))
        };
        self.coached(think).await
    }

    /// What the coach thinks, in turn with the bots.
    async fn coached<T: Send + 'static>(
        &self,
        think: impl FnOnce() -> Option<T> + Send + 'static,
    ) -> Result<T, ServiceError> {
        Ok(self.0.thought(think).await.flatten().ok_or(Rejection::CoachBusy)?)
    }
}
