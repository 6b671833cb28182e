//! The state of the game at a table, as far as an observer may know it.

use sultan_domain::{Observer, Record, Seat};
use sultan_store::{Listing, TableState};

use super::play::Position;
use super::{Occupant, Play, Table};
use crate::Rejection;

/// How long before a deadline a bot acts for an absent player at a table with an even pace, so that the action becomes
/// visible with the beat, as the player's own would have.
const EVEN_PACE_LEAD_MS: i64 = 500;

impl Table {
    /// Whether the game is over, as far as an observer may know.
    pub(crate) fn is_over(&self, observer: Observer) -> bool {
        self.play().map_or(self.is_abandoned(), |play| self.is_over_in(&play.position(observer)))
    }

    /// Whether the game is over for somebody who sees this position.
    pub(crate) fn is_over_in(&self, position: &Position) -> bool {
        self.is_abandoned() || position.game.outcome().is_some()
    }

    /// Whose turn it is after all stored actions.
    pub(crate) fn to_act(&self) -> Option<Seat> {
        self.play().filter(|_| !self.is_stored_game_over())?.stored().game.to_act()
    }

    /// A game that is over, with its last position visible to everybody.
    pub(crate) fn finished(&self) -> Result<&Play, Rejection> {
        self.play().filter(|play| self.is_stored_game_over() && play.is_all_visible()).ok_or(Rejection::NotOver)
    }

    /// When the time of the player to act in a position runs out.
    pub(crate) fn deadline_ms(&self, position: &Position) -> Option<i64> {
        let seconds = self.options().seconds_per_action.filter(|_| !self.is_over_in(position))?;
        Some(position.turn_since_ms + i64::from(seconds) * 1000)
    }

    /// When a bot acts for the player to act.
    pub(crate) fn clock_ms(&self) -> Option<i64> {
        let deadline_ms = self.deadline_ms(&self.play()?.position(Observer::Public))?;
        Some(deadline_ms - if self.options().even_pace { EVEN_PACE_LEAD_MS } else { 0 })
    }

    /// How lists show the table.
    pub(crate) fn listing(&self) -> Listing {
        let state = match self.play() {
            _ if self.is_over(Observer::Public) => TableState::Over,
            None => TableState::Waiting,
            Some(_) => TableState::Playing,
        };
        let bots = self.occupants().iter().any(|occupant| occupant.bot().is_some());
        let attended = bots || self.options().seconds_per_action.is_some() || self.options().even_pace;
        Listing { state, public: self.options().public, attended }
    }

    /// A finished game of which there is a record.
    pub(crate) fn recorded(&self) -> Result<&Play, Rejection> {
        let play = self.finished()?;
        if self.opened().branch.is_some() { Err(Rejection::Branch) } else { Ok(play) }
    }

    /// The record of a finished game.
    pub(crate) fn record(&self) -> Result<Record, Rejection> {
        let play = self.recorded()?;
        let name = |occupant: &Occupant| match occupant {
            Occupant::Nobody => String::new(),
            Occupant::Bot(bot) => format!("bot:{bot}"),
            Occupant::Player(player) => player.name.clone(),
        };
        Ok(Record {
            variant: self.opened().variant,
            players: self.players(),
            first_seat: play.deal().first_seat(),
            first_seat_by: Some(self.opened().first_by),
            screens: self.options().screens,
            names: self.occupants().iter().map(name).collect(),
            commitment: Some(self.commitment()),
            server_seed: self.opened().server_seed,
            client_seeds: self.client_seeds(),
            actions: play.actions(),
        })
    }
}
