//! The coach of a table that has one: what it says to a seat that is to act, from what that seat was shown and nothing else.

use std::time::{Duration, Instant};

use sultan_bots::analysis::{hint, may_hold};
use sultan_domain::{Hint, MayHold, Observer, Recall, Screens, Seat, TableId, View};

use crate::request::Caller;
use crate::table::Table;
use crate::{Refused, Service, Trouble};

/// So long the coach may think about what to do, and half as long again about what others hold.
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
    /// What each of the others may hold; only where screens are open.
    pub holds: Vec<MayHold>,
}

impl Table {
    /// What a seat sees and remembers that may ask the coach now.
    fn coached(&self, seat: Seat) -> Result<(View, Recall), Refused> {
        if !self.opened.coach {
            return Err(Refused::NoCoach);
        }
        let play = self.play.as_ref().ok_or(Refused::NotStarted)?;
        let observer = Observer::Seat(seat);
        if self.seems_over(observer) {
            return Err(Refused::Over);
        }
        let seen = play.seen_by(observer);
        match seen.to_act() {
            Some(to_act) if to_act == seat => {}
            Some(to_act) => return Err(Refused::NotYourTurn(to_act)),
            None => return Err(Refused::Over),
        }
        // Where the pace is even, the last round may not have been shown yet.
        let shown = play.rounds.iter().take(usize::from(seen.finished_rounds())).copied();
        Ok((seen.view(observer), Recall::of(shown.collect()).unwrap_or_default()))
    }
}

impl Service {
    /// What the coach says to whoever asks, and is to act.
    ///
    /// # Errors
    /// [`Refused::NoCoach`] where the table has none, or why there is nothing to be said now.
    pub async fn advice(&self, table: TableId, caller: &Caller) -> Result<Advice, Trouble> {
        let now = self.0.published_to(table, caller).await?.0;
        let seat = now.table.seated(caller)?;
        let (view, recall) = now.table.coached(seat)?;
        let _playing = self.0.studies.playing();
        let _turn = self.0.thinking.acquire().await.map_err(|_| Refused::Full)?;
        let think = move || {
            let begun = Instant::now();
            let hint = hint(&view, &recall, SEED, &|| begun.elapsed() > LONGEST)?;
            let holds = match view.screens {
                Screens::Open => may_hold(&view, &recall, SEED, &|| begun.elapsed() > LONGEST * 3 / 2),
                Screens::Closed => Vec::new(),
            };
            Some(Advice { view, hint, holds })
        };
        Ok(tokio::task::spawn_blocking(think).await.ok().flatten().ok_or(Refused::Full)?)
    }
}
