//! What becomes of an action.

use sultan_domain::{Action, Illegal, NotationError, Observer, Seat};
use sultan_store::EventRecord;

use crate::Rejection;
use crate::table::Table;

/// What is to be done about an action.
#[derive(Debug, PartialEq)]
pub(crate) enum Decided {
    /// It is to be stored.
    New(EventRecord),
    /// It was stored before: nothing is to be done.
    Again,
}

impl Table {
    /// Decides about an action that a player asks for.
    pub(crate) fn decide(&self, seat: Seat, action: Action, at: u16) -> Result<Decided, Rejection> {
        let Some(play) = &self.play else { return Err(Rejection::NotStarted) };
        if play.actions.get(usize::from(at)) == Some(&(seat, action)) {
            return Ok(Decided::Again);
        }
        self.has_turn(seat, at)?;
        self.legal(action).map_err(Rejection::Illegal)?;
        Ok(Decided::New(EventRecord::Acted(action)))
    }

    /// Decides about something that is no action: also then, what is wrong first is told first.
    pub(crate) fn decide_unreadable(&self, seat: Seat, at: u16, error: NotationError) -> Rejection {
        self.has_turn(seat, at).err().unwrap_or(Rejection::NoAction(error))
    }

    /// Whether a player may act now.
    fn has_turn(&self, seat: Seat, at: u16) -> Result<(), Rejection> {
        let Some(play) = &self.play else { return Err(Rejection::NotStarted) };
        // Whatever this seat has not been shown yet has not happened for it.
        if self.seems_over(Observer::Seat(seat)) {
            return Err(Rejection::Over);
        }
        let seen = play.seen_by(Observer::Seat(seat));
        if at != seen.at() {
            return Err(Rejection::NotNow { now: seen.at(), given: at });
        }
        match seen.to_act() {
            Some(to_act) if to_act == seat => {}
            Some(to_act) => return Err(Rejection::NotYourTurn(to_act)),
            None => return Err(Rejection::Over),
        }
        if self.guest(seat).is_some_and(|guest| guest.away.is_some()) {
            return Err(Rejection::Away);
        }
        Ok(())
    }

    fn legal(&self, action: Action) -> Result<(), Illegal> {
        let Some(play) = &self.play else { return Err(Illegal::GameOver) };
        let mut game = play.game;
        game.play(action).map(|_| ())
    }

    /// Whose turn it is, and the bot that has it.
    pub(crate) fn bot_to_act(&self) -> Option<(Seat, &str)> {
        let seat = self.to_act()?;
        Some((seat, self.place(seat).bot()?))
    }

    /// Whose turn it is.
    pub(crate) fn to_act(&self) -> Option<Seat> {
        self.play.as_ref().filter(|_| !self.is_over())?.game.to_act()
    }
}
