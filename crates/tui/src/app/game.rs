//! A game on the screen: the last view received, the observer, and the choice under way.

use sultan_domain::{Action, Kind, Offer, Round, RoundRecord, Seat, Stage, TableView};

use crate::app::Task;
use crate::choice::{BidChoice, Choice, OfferChoice};
use crate::connection::actions_in;
use crate::form::cycle;

/// The part of a game that is on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scene {
    /// The table waits for players.
    Waiting,
    /// The reveal at the end of a round.
    Reveal,
    /// A shared screen is handed to the player of this seat; no hand is shown.
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
    fn cushions(&self) -> usize {
        self.round.offer.map_or(0, Offer::len)
    }

    /// Whether all cushions are revealed.
    pub(crate) fn is_complete(&self) -> bool {
        self.revealed >= self.cushions()
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
    pub(crate) choice: Option<Choice>,
    pub(crate) reveal: Option<Reveal>,
    /// The last finished round that was shown.
    last_revealed: Option<(Stage, Round)>,
    /// The message that the table cannot be reached, temporarily or permanently.
    pub(crate) connection_error: Option<String>,
    /// The index of the seat at the cursor in the final result.
    pub(crate) cursor: usize,
}

fn last_round(table: &TableView) -> Option<RoundRecord> {
    table.playing().and_then(|playing| playing.view.last_round)
}

fn choice_in(table: &TableView) -> Option<Choice> {
    table.playing().and_then(|playing| Choice::of(&playing.view))
}

/// The index of the first winning seat, or 0.
fn winner(table: &TableView) -> usize {
    let outcome = table.playing().and_then(|playing| playing.view.outcome);
    outcome.and_then(|outcome| outcome.winners().next()).map_or(0, Seat::index)
}

impl GameScreen {
    pub(crate) fn new(own_seats: Vec<Seat>, is_remote: bool, table: TableView) -> Self {
        Self {
            own_seats,
            is_remote,
            choice: choice_in(&table),
            reveal: None,
            last_revealed: last_round(&table).map(|round| (round.stage, round.round)),
            connection_error: None,
            cursor: winner(&table),
            table,
        }
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
    pub(crate) fn is_shared(&self) -> bool {
        self.own_seats.len() > 1
    }

    /// The seat whose view is shown; `None` for a spectator.
    pub(crate) fn observer(&self) -> Option<Seat> {
        self.table.playing()?.view.observer.seat()
    }

    /// Handles a view from the table's event stream. Ignores a view that is older than the current one. If a shared
    /// screen shows a player's view, also ignores a public view of the same age, which would hide the hand.
    pub(crate) fn receive(&mut self, table: TableView) {
        let (current, new) = (actions_in(&self.table), actions_in(&table));
        let shows_hand = self.is_shared() && self.observer().is_some();
        if new > current || (new == current && !shows_hand) {
            self.show(table);
        }
    }

    /// Replaces the view. A different position resets the choice, and a newly finished round starts a reveal.
    pub(crate) fn show(&mut self, table: TableView) {
        let position = |table: &TableView| table.playing().map(|playing| (playing.view.at, playing.view.observer));
        self.connection_error = None;
        if position(&table) != position(&self.table) {
            self.choice = choice_in(&table);
        }
        if let Some(round) = last_round(&table)
            && self.last_revealed.replace((round.stage, round.round)) != Some((round.stage, round.round))
        {
            self.reveal = Some(Reveal { round, revealed: 0 });
            self.cursor = winner(&table);
        }
        self.table = table;
    }

    /// Moves the cursor in the final result down or up.
    pub(super) fn move_cursor(&mut self, down: bool) {
        if let Some(outcome) = self.table.playing().and_then(|playing| playing.view.outcome) {
            let seats: Vec<usize> = outcome.by_rank().iter().map(|place| place.seat.index()).collect();
            cycle(&mut self.cursor, &seats, down);
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
            Some(seat) if self.is_shared() && self.own_seats.contains(&seat) && self.observer() != Some(seat) => {
                Scene::Curtain(seat)
            }
            _ => Scene::Table,
        }
    }

    /// Reveals the next cushion, and returns whether the screen must be drawn again: for this, or for a countdown.
    pub(crate) fn tick(&mut self) -> bool {
        match &mut self.reveal {
            Some(reveal) if !reveal.is_complete() => {
                reveal.revealed += 1;
                true
            }
            _ => self.table.playing().is_some_and(|playing| playing.deadline.is_some()),
        }
    }

    /// Reveals all cushions, or closes the reveal if they already are.
    pub(super) fn continue_reveal(&mut self) {
        match &mut self.reveal {
            Some(reveal) if !reveal.is_complete() => reveal.revealed = reveal.cushions(),
            _ => self.reveal = None,
        }
    }

    /// Whether a stand-in bot plays for the observer's seat.
    pub(crate) fn has_stand_in(&self) -> bool {
        let Some(playing) = self.table.playing() else { return false };
        self.observer().is_some_and(|seat| matches!(playing.person(seat).kind, Kind::StandIn(_)))
    }

    /// Whether a rematch is possible.
    pub(crate) fn can_rematch(&self) -> bool {
        let over = self.table.playing().is_some_and(|playing| playing.view.outcome.is_some());
        over && !self.own_seats.is_empty()
    }

    pub(super) fn act(&self, action: Action) -> Option<Task> {
        let view = &self.table.playing()?.view;
        Some(Task::Act { seat: view.observer.seat()?, action: action.to_string(), at: view.at })
    }
}
