//! The game at a table, and the part of it that is visible to each observer.
//!
//! Normally every observer sees the stored position. With an even pace, players cannot see how long another player
//! thought: an action is stored at once, but becomes visible to the other observers with the next beat. Beats follow
//! each other at a fixed interval from the start of the game. The seat that acted sees its action at once. The
//! positions follow from the times of the stored events, so they are the same after a restart and on every node.

use std::borrow::Cow;
use std::sync::Arc;

use sultan_domain::{Action, BySeat, Illegal, Observer, Seat, TableOptions};
use sultan_rules::Game;

use crate::deal::{Deal, PlayError};

/// The interval of the beats at a table without a time limit. With a time limit, the interval equals the limit.
const DEFAULT_BEAT_MS: i64 = 5000;

/// After a finished round, pages turn up the cards before players can decide. No time limit runs for this long. It is
/// the same for all players, and longer than the reveal of any page.
pub(super) const REVEAL_ALLOWANCE_MS: i64 = 8000;

/// An action that is stored but not yet visible to other seats (even pace).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DelayedAction {
    seat: Seat,
    /// The time of the beat that makes the action visible.
    due_ms: i64,
    /// Whether a bot played the action because the player's time had run out.
    timed_out: bool,
}

/// The position visible to all observers, and the actions from there to the stored position.
#[derive(Clone, Debug, PartialEq)]
struct Delayed {
    visible: Position,
    actions: Vec<DelayedAction>,
}

/// A position of the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Position {
    pub(crate) game: Game,
    /// When the turn of the seat to act began.
    pub(crate) turn_since_ms: i64,
    /// The end of the time for the reveal of the last finished round: until then, no time limit runs.
    reveal_until_ms: i64,
    /// For each seat, the number of actions before its last action, if a bot played this action because the player's
    /// time had run out.
    pub(crate) timed_out: BySeat<Option<u16>>,
}

impl Position {
    /// The time from which the time limit of the seat to act is counted.
    pub(super) fn clock_since_ms(&self) -> i64 {
        self.turn_since_ms.max(self.reveal_until_ms)
    }

    /// Records whether a bot played the next action of this seat because the player's time had run out.
    fn set_timed_out(&mut self, seat: Seat, timed_out: bool) {
        self.timed_out[seat] = timed_out.then(|| self.game.action_count());
    }
}

/// The game at a table. Its `Debug` output shows no cards.
#[derive(Clone, Debug)]
pub(crate) struct Play {
    pub(crate) deal: Arc<Deal>,
    /// The position after all stored actions. Legality and the driver use this position.
    pub(crate) stored: Position,
    /// `None` while the stored position is visible to all observers.
    delayed: Option<Box<Delayed>>,
    /// When the game started. The beats are counted from this time.
    started_ms: i64,
}

/// The interval of the beats; `None` without an even pace.
fn beat_ms(options: &TableOptions) -> Option<i64> {
    options.even_pace.then(|| options.seconds_per_action.map_or(DEFAULT_BEAT_MS, |seconds| i64::from(seconds) * 1000))
}

impl Play {
    /// A game at its start, at this time. Returns the reason if the deal is impossible.
    pub(super) fn start(deal: Deal, at_ms: i64) -> Result<Self, String> {
        let stored = Position {
            game: deal.start()?,
            turn_since_ms: at_ms,
            reveal_until_ms: at_ms,
            timed_out: BySeat::default(),
        };
        Ok(Self { deal: Arc::new(deal), stored, delayed: None, started_ms: at_ms })
    }

    /// Plays an action of the seat to act; with an even pace, delays its visibility. `timed_out` tells whether a bot
    /// plays it because the player's time has run out. After an error, this game must not be used.
    pub(super) fn play(
        &mut self,
        action: Action,
        options: &TableOptions,
        timed_out: bool,
        at_ms: i64,
    ) -> Result<(), PlayError> {
        let seat = self.stored.game.to_act().ok_or(PlayError::Illegal(Illegal::GameOver))?;
        let mut turn_since_ms = at_ms;
        if let Some(beat_ms) = beat_ms(options) {
            let due_ms = self.next_due_ms(beat_ms, at_ms);
            // The turn of the next player begins when the other players see this action.
            turn_since_ms = due_ms;
            let no_actions = || Box::new(Delayed { visible: self.stored, actions: Vec::new() });
            self.delayed.get_or_insert_with(no_actions).actions.push(DelayedAction { seat, due_ms, timed_out });
        }
        let finished_rounds = self.stored.game.finished_rounds();
        self.stored.set_timed_out(seat, timed_out);
        self.deal.advance(&mut self.stored.game, action)?;
        self.stored.turn_since_ms = turn_since_ms;
        // With an even pace, the time limit is the interval of the beats: an allowance would move some actions to a
        // later beat, and so reveal that the player took longer.
        if !options.even_pace && self.stored.game.finished_rounds() > finished_rounds {
            self.stored.reveal_until_ms = at_ms + REVEAL_ALLOWANCE_MS;
        }
        Ok(())
    }

    /// Lets the turn of the seat to act begin at this time, after a pause.
    pub(super) fn restart_turn(&mut self, at_ms: i64) {
        self.stored.turn_since_ms = at_ms;
        if let Some(delayed) = &mut self.delayed {
            delayed.visible.turn_since_ms = at_ms;
        }
    }

    fn delayed_actions(&self) -> &[DelayedAction] {
        self.delayed.as_ref().map_or(&[], |delayed| &delayed.actions)
    }

    /// When the next action becomes visible: with the first beat after `at_ms`, but one beat later than the last
    /// delayed action, since each beat reveals one action.
    fn next_due_ms(&self, beat_ms: i64, at_ms: i64) -> i64 {
        let after_ms = self.delayed_actions().last().map_or(at_ms, |delayed| delayed.due_ms.max(at_ms));
        self.started_ms + ((after_ms - self.started_ms).max(0) / beat_ms + 1) * beat_ms
    }

    /// Makes the delayed actions visible that are due at this time.
    pub(super) fn reveal_due_actions(&mut self, now_ms: i64) {
        let due_count = self.delayed_actions().partition_point(|delayed| delayed.due_ms <= now_ms);
        let visible = *self.position_after(due_count);
        self.delayed = self.delayed.take().filter(|delayed| due_count < delayed.actions.len());
        if let Some(delayed) = &mut self.delayed {
            delayed.visible = visible;
            delayed.actions.drain(..due_count);
        }
    }

    /// The position that is visible to all observers once the first `count` delayed actions are revealed.
    fn position_after(&self, count: usize) -> Cow<'_, Position> {
        let Some(delayed) = self.delayed.as_ref().filter(|delayed| count < delayed.actions.len()) else {
            return Cow::Borrowed(&self.stored);
        };
        let Some(last) = count.checked_sub(1) else { return Cow::Borrowed(&delayed.visible) };
        let mut position = Position { turn_since_ms: delayed.actions[last].due_ms, ..delayed.visible };
        let visible_count = usize::from(position.game.action_count());
        for (&action, delayed) in self.actions()[visible_count..].iter().zip(&delayed.actions[..count]) {
            position.set_timed_out(delayed.seat, delayed.timed_out);
            self.deal.advance(&mut position.game, action).expect("the action was played before");
        }
        Cow::Owned(position)
    }

    /// The number of delayed actions that an observer has seen: for a seat, its own actions and all actions before
    /// them. (A seat acts only after it has seen all earlier actions. They may still be delayed on this node if the
    /// seat has seen them on another node, whose clock is slightly ahead.)
    fn seen_by(&self, observer: Observer) -> usize {
        let last_own = self.delayed_actions().iter().rposition(|delayed| observer == Observer::Seat(delayed.seat));
        last_own.map_or(0, |last_own| last_own + 1)
    }

    /// The number of stored actions that are still hidden from an observer.
    pub(crate) fn hidden_from(&self, observer: Observer) -> usize {
        self.delayed_actions().len() - self.seen_by(observer)
    }

    /// The position that an observer may see.
    pub(crate) fn position(&self, observer: Observer) -> Cow<'_, Position> {
        self.position_after(self.seen_by(observer))
    }

    /// Whether all observers see the same position.
    pub(crate) const fn is_all_visible(&self) -> bool {
        self.delayed.is_none()
    }

    /// When the next delayed action becomes visible to all observers.
    pub(crate) fn next_beat_ms(&self) -> Option<i64> {
        self.delayed_actions().first().map(|delayed| delayed.due_ms)
    }

    /// The action that was played after `at` other actions, and the seat that played it; `None` if there is none yet.
    pub(crate) fn action_at(&self, at: u16) -> Option<(Seat, Action)> {
        // A new action is usual, a repeated request is rare. For a new action, do not make the list of all actions.
        if at >= self.stored.game.action_count() {
            None
        } else {
            self.stored.game.actions().get(usize::from(at)).copied()
        }
    }

    /// All stored actions.
    pub(crate) fn actions(&self) -> Vec<Action> {
        self.stored.game.actions().into_iter().map(|(_, action)| action).collect()
    }
}

impl PartialEq for Play {
    /// Ignores the deal: equal tables have equal options and seeds, and so the same deal.
    fn eq(&self, other: &Self) -> bool {
        let Self { deal: _, stored, delayed, started_ms } = self;
        *stored == other.stored && *delayed == other.delayed && *started_ms == other.started_ms
    }
}

#[cfg(test)]
mod tests {
    use sultan_domain::{Players, SeatPlan, ServerSeed, TableId};
    use sultan_rules::FastRng;
    use sultan_store::EventRecord;

    use super::*;
    use crate::request::{NewPlayer, NewTable};
    use crate::table::{Table, opening_record};
    use crate::token::SeatToken;

    const START_MS: i64 = 1_800_000_000_000;

    /// A table with an even pace after this number of actions, all stored at the start of the game, and the stored game
    /// before the first and after each action.
    fn table_after(actions: usize) -> (Table, Vec<Game>) {
        let bots = vec![SeatPlan::Bot("random".to_owned()); 3];
        let seats = [SeatPlan::Human].into_iter().chain(bots).collect();
        let mut new = NewTable { seats, ..NewTable::plain(Players::new(4).unwrap()) };
        new.options.even_pace = true;
        let mut table = Table::new(TableId::new(1), opening_record(&new, ServerSeed([7; 32])).unwrap(), START_MS);
        table.take_seat(&NewPlayer::default(), &SeatToken::random()).unwrap();
        let mut games = vec![table.play().unwrap().stored.game];
        for _ in 0..actions {
            let action = games[games.len() - 1].legal().pick(&mut FastRng::new(1)).unwrap();
            table.apply_now(EventRecord::Acted(action)).unwrap();
            games.push(table.play().unwrap().stored.game);
        }
        (table, games)
    }

    #[test]
    fn position_of_a_seat_ends_with_its_own_last_delayed_action() {
        let (table, games) = table_after(12);
        let play = table.play().unwrap();
        for seat in table.seats() {
            // `games[n]` is the game before action `n`, so this finds the last action of the seat.
            let last_own = games[..12].iter().rposition(|game| game.to_act() == Some(seat)).unwrap();
            let position = play.position(Observer::Seat(seat));
            assert!(position.game == games[last_own + 1], "seat {seat} sees another position");
            // Action `n` (counted from 0) becomes visible with beat `n + 1`.
            assert_eq!(position.turn_since_ms, START_MS + (i64::try_from(last_own).unwrap() + 1) * DEFAULT_BEAT_MS);
            assert_eq!(play.hidden_from(Observer::Seat(seat)), 11 - last_own);
        }
    }

    #[test]
    fn each_beat_reveals_one_delayed_action() {
        let (mut table, games) = table_after(12);
        for (beat, game) in games.iter().enumerate() {
            let now_ms = START_MS + i64::try_from(beat).unwrap() * DEFAULT_BEAT_MS;
            table.reveal_due_actions(now_ms);
            let play = table.play().unwrap();
            let position = play.position(Observer::Public);
            assert!(position.game == *game, "spectators see another position after beat {beat}");
            assert_eq!((position.turn_since_ms, play.hidden_from(Observer::Public)), (now_ms, 12 - beat));
        }
        assert!(table.play().unwrap().is_all_visible());
    }
}
