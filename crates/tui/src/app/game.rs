//! A game on the screen: the last view received, the observer, and the choice under way.

use sultan_domain::{Action, Kind, Offer, RoundRecord, Seat, TableView, View};

use crate::app::Task;
use crate::choice::{BidChoice, Choice, OfferChoice};
use crate::connection::action_count;
use crate::form::cycle;
use crate::input::Direction;

/// The part of a game that is on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scene {
    /// The table waits for players.
    Waiting,
    /// The face-down cards of a finished round are turned up.
    Reveal,
    /// The screen is shared by several players, and the player of this seat is next to look at it. No hand is shown.
    Curtain(Seat),
    Table,
    End,
}

/// The cards of a finished round, turned up cushion by cushion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reveal {
    pub(crate) round: RoundRecord,
    /// The number of cushions revealed so far.
    pub(crate) revealed: usize,
}

impl Reveal {
    fn cushion_count(&self) -> usize {
        self.round.offer.map_or(0, Offer::len)
    }

    /// Whether all cushions are revealed.
    pub(crate) fn is_complete(&self) -> bool {
        self.revealed >= self.cushion_count()
    }
}

/// A game on the screen.
#[derive(Clone, Debug)]
pub(crate) struct GameScreen {
    /// The seats played from this terminal.
    pub(crate) own_seats: Vec<Seat>,
    /// Whether the table is on a remote server.
    pub(crate) is_remote: bool,
    pub(crate) table: TableView,
    /// The choice that the observer is making; `None` if it is not the observer's turn.
    pub(crate) choice: Option<Choice>,
    pub(crate) reveal: Option<Reveal>,
    /// The message that the table cannot be reached, temporarily or permanently.
    pub(crate) connection_error: Option<String>,
    /// The index of the seat at the cursor in the final result.
    pub(crate) cursor: usize,
}

/// The view of a game. `None` before the start.
fn game_view(table: &TableView) -> Option<&View> {
    table.playing().map(|playing| &playing.view)
}

/// The index of the first winning seat, or 0.
fn winner_index(table: &TableView) -> usize {
    let outcome = game_view(table).and_then(|view| view.outcome);
    outcome.and_then(|outcome| outcome.winners().next()).map_or(0, Seat::index)
}

impl GameScreen {
    pub(crate) fn new(own_seats: Vec<Seat>, is_remote: bool, table: TableView) -> Self {
        Self {
            own_seats,
            is_remote,
            choice: game_view(&table).and_then(Choice::of),
            reveal: None,
            connection_error: None,
            cursor: winner_index(&table),
            table,
        }
    }

    /// The view of the game. `None` before the start.
    fn view(&self) -> Option<&View> {
        game_view(&self.table)
    }

    /// The offer that is being chosen.
    pub(crate) fn offer_choice(&self) -> Option<&OfferChoice> {
        if let Some(Choice::Offer(offer)) = &self.choice { Some(offer) } else { None }
    }

    /// The bid that is being chosen.
    pub(crate) fn bid_choice(&self) -> Option<&BidChoice> {
        if let Some(Choice::Bid(bid)) = &self.choice { Some(bid) } else { None }
    }

    /// Whether several players share this screen.
    pub(crate) fn is_screen_shared(&self) -> bool {
        self.own_seats.len() > 1
    }

    /// The seat whose view is shown; `None` for a spectator.
    pub(crate) fn observer(&self) -> Option<Seat> {
        self.view()?.observer.seat()
    }

    /// Handles a view from the table's event stream. Ignores a view that is older than the current view. If a shared
    /// screen shows a player's view, also ignores a public view with the same number of actions: it would hide the
    /// hand.
    pub(crate) fn receive(&mut self, table: TableView) {
        let (current_count, new_count) = (action_count(&self.table), action_count(&table));
        let shows_hand = self.is_screen_shared() && self.observer().is_some();
        // Before the start a view has no count, and `None` is less than any count.
        if new_count > current_count || (new_count == current_count && !shows_hand) {
            self.show(table);
        }
    }

    /// Replaces the view. Another action or another observer resets the choice, and a newly finished round starts a
    /// reveal.
    pub(crate) fn show(&mut self, table: TableView) {
        let old_view = game_view(&self.table);
        let new_view = game_view(&table);
        if new_view.map(|view| (view.action_count, view.observer))
            != old_view.map(|view| (view.action_count, view.observer))
        {
            self.choice = new_view.and_then(Choice::of);
        }
        let finished_round = new_view.and_then(|view| view.last_round);
        if let Some(round) = finished_round.filter(|_| finished_round != old_view.and_then(|view| view.last_round)) {
            self.reveal = Some(Reveal { round, revealed: 0 });
            self.cursor = winner_index(&table);
        }
        self.connection_error = None;
        self.table = table;
    }

    /// Moves the cursor in the final result to the next or previous player by rank.
    pub(super) fn move_cursor(&mut self, direction: Direction) {
        if let Some(outcome) = self.view().and_then(|view| view.outcome) {
            let seats_by_rank: Vec<usize> = outcome.by_rank().iter().map(|place| place.seat.index()).collect();
            cycle(&mut self.cursor, &seats_by_rank, direction);
        }
    }

    /// The scene to draw.
    pub(crate) fn scene(&self) -> Scene {
        let TableView::Playing(playing) = &self.table else { return Scene::Waiting };
        if self.reveal.is_some() {
            return Scene::Reveal;
        }
        if playing.is_over() {
            return Scene::End;
        }
        match playing.view.to_act {
            Some(seat)
                if self.is_screen_shared() && self.own_seats.contains(&seat) && self.observer() != Some(seat) =>
            {
                Scene::Curtain(seat)
            }
            _ => Scene::Table,
        }
    }

    /// Reveals the next cushion at a tick. Returns whether the screen must be drawn again, which it also must if it
    /// counts down the time that is left.
    pub(crate) fn tick(&mut self) -> bool {
        if let Some(reveal) = self.reveal.as_mut().filter(|reveal| !reveal.is_complete()) {
            reveal.revealed += 1;
            return true;
        }
        self.table.playing().is_some_and(|playing| playing.clock.deadline.is_some())
    }

    /// Reveals all cushions, or closes the reveal if they already are.
    pub(super) fn continue_reveal(&mut self) {
        match &mut self.reveal {
            Some(reveal) if !reveal.is_complete() => reveal.revealed = reveal.cushion_count(),
            _ => self.reveal = None,
        }
    }

    /// Whether a stand-in bot plays for the observer's seat.
    pub(crate) fn has_stand_in(&self) -> bool {
        let Some(playing) = self.table.playing() else { return false };
        self.observer().is_some_and(|seat| matches!(playing.person(seat).kind, Kind::StandIn(_)))
    }

    /// Whether the player can request a rematch: the game is finished, and the player is not a spectator.
    pub(crate) fn can_rematch(&self) -> bool {
        let is_finished = self.view().is_some_and(|view| view.outcome.is_some());
        is_finished && !self.own_seats.is_empty()
    }

    /// The task that submits an action of the observer.
    pub(super) fn act(&self, action: Action) -> Option<Task> {
        let view = self.view()?;
        Some(Task::Act { seat: view.observer.seat()?, action: action.to_string(), action_count: view.action_count })
    }
}
