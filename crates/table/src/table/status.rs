//! Answers questions about the game at a table: is it over, whose turn is it, until when. With an even pace the answer
//! depends on the observer.

use sultan_domain::{Observer, Record, Seat};
use sultan_store::{Listing, TableState};

use super::play::Position;
use super::{Occupant, Play, Table};
use crate::Rejection;

/// How long a table waits for the player to act before the host may replace the player by a bot.
pub(super) const ABSENCE_SECONDS: u32 = 60;

/// At a table with an even pace, a bot acts for a player whose time runs out this long before the deadline, so that the
/// bot's action becomes visible with the same beat as an action of the player would.
const EVEN_PACE_LEAD_MS: i64 = 500;

impl Table {
    /// Returns whether the game is over in the position that an observer sees.
    pub(crate) fn is_over(&self, observer: Observer) -> bool {
        self.play().map_or(self.is_abandoned(), |play| self.is_over_in(&play.position(observer)))
    }

    /// Returns whether the game is over in this position, or abandoned.
    pub(crate) fn is_over_in(&self, position: &Position) -> bool {
        self.is_abandoned() || position.game.outcome().is_some()
    }

    /// The seat to act after all stored actions.
    pub(crate) fn to_act(&self) -> Option<Seat> {
        self.play().filter(|_| !self.is_stored_game_over())?.stored.game.to_act()
    }

    /// The game, if it is over or abandoned, and its last position is visible to all observers.
    pub(crate) fn finished(&self) -> Result<&Play, Rejection> {
        self.play().filter(|play| self.is_stored_game_over() && play.is_all_visible()).ok_or(Rejection::NotOver)
    }

    /// The deadline of the seat to act in a position; `None` without a time limit, during a pause, or if the game is
    /// over.
    pub(crate) fn deadline_ms(&self, position: &Position) -> Option<i64> {
        let seconds = self.options().seconds_per_action.filter(|_| !self.is_over_in(position))?;
        Some(position.clock_since_ms() + i64::from(seconds) * 1000).filter(|_| !self.info().paused)
    }

    /// From when the host may let a bot play for the player to act; `None` if the seat to act has a bot, or the game is
    /// over.
    pub(crate) fn stand_in_from_ms(&self, position: &Position) -> Option<i64> {
        let to_act = position.game.to_act().filter(|_| !self.is_over_in(position))?;
        self.player(to_act).filter(|player| player.stand_in.is_none())?;
        Some(position.turn_since_ms + i64::from(ABSENCE_SECONDS) * 1000)
    }

    /// When a bot acts instead of the player to act, because the player's time runs out. `None` without a time limit,
    /// or if no game is in play.
    pub(crate) fn clock_ms(&self) -> Option<i64> {
        let deadline_ms = self.deadline_ms(&self.play()?.position(Observer::Public))?;
        Some(deadline_ms - if self.options().even_pace { EVEN_PACE_LEAD_MS } else { 0 })
    }

    /// The table's entry in the lists.
    pub(crate) fn listing(&self) -> Listing {
        let state = match self.play() {
            _ if self.is_over(Observer::Public) => TableState::Over,
            None => TableState::Waiting,
            Some(_) => TableState::Playing,
        };
        let has_bots = self.occupants().iter().any(|occupant| occupant.bot().is_some());
        let has_clock = self.options().seconds_per_action.is_some() || self.options().even_pace;
        let has_bots_or_clocks = (has_bots || has_clock) && !self.info().paused;
        Listing { state, public: self.options().public, has_bots_or_clocks }
    }

    /// The record of a finished game. A branch has none, since its deal does not follow from the seeds.
    pub(crate) fn record(&self) -> Result<Record, Rejection> {
        let play = self.finished()?;
        if self.opened().branch.is_some() {
            return Err(Rejection::Branch);
        }
        let name = |occupant: &Occupant| match occupant {
            Occupant::Free => String::new(),
            Occupant::Bot(bot) => format!("bot:{bot}"),
            Occupant::Player(player) => player.name.clone(),
        };
        Ok(Record {
            variant: self.opened().variant,
            players: self.players(),
            first_seat: play.deal.setup.first_seat,
            first_seat_by: Some(self.opened().first_by),
            screens: self.options().screens,
            names: self.occupants().iter().map(name).collect(),
            commitment: Some(self.info().commitment),
            server_seed: self.opened().server_seed,
            client_seeds: self.client_seeds(),
            actions: play.actions(),
        })
    }
}
