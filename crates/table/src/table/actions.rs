//! Decides about actions that players request.

use sultan_domain::{Action, NotationError, Observer, Seat};
use sultan_store::EventRecord;

use super::Table;
use crate::{Rejection, ServiceError};

impl Table {
    /// Plays a player's action. `at` is the number of actions played before it, as the player sees the game.
    ///
    /// The request is idempotent: if this seat has already played this action after `at` actions, nothing changes.
    pub(crate) fn act(&mut self, seat: Seat, action: Action, at: u16) -> Result<(), ServiceError> {
        let play = self.play().ok_or(Rejection::NotStarted)?;
        if play.action_at(at) == Some((seat, action)) {
            return Ok(());
        }
        self.check_turn(seat, at)?;
        // An action ends a pause.
        if self.info().paused {
            self.apply_now(EventRecord::Resumed)?;
        }
        self.apply_now(EventRecord::Acted(action))
    }

    /// The rejection of a request whose text is not an action. If it is not the seat's turn or `at` is wrong, that is
    /// the reported reason.
    pub(crate) fn reject_notation(&self, seat: Seat, at: u16, error: NotationError) -> Rejection {
        self.check_turn(seat, at).err().unwrap_or(Rejection::NoAction(error))
    }

    /// Checks whether a player may act now. Uses only the position that the player sees: with an even pace, the newest
    /// actions of other players are still hidden, and a rejection must not reveal them.
    fn check_turn(&self, seat: Seat, at: u16) -> Result<(), Rejection> {
        let position = self.play().ok_or(Rejection::NotStarted)?.position(Observer::Seat(seat));
        if self.is_over_in(&position) {
            return Err(Rejection::Over);
        }
        if at != position.game.action_count() {
            return Err(Rejection::NotNow { now: position.game.action_count(), given: at });
        }
        Rejection::check_to_act(seat, position.game.to_act())?;
        if self.player(seat).is_some_and(|player| player.stand_in.is_some()) {
            return Err(Rejection::Away);
        }
        Ok(())
    }
}
