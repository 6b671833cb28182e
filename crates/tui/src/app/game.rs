//! A game on the screen: the last view received, the observer, and the choice under way.

use sultan_domain::{Kind, Offer, Round, RoundRecord, Seat, Stage, TableView};

use crate::app::Task;
use crate::choice::{BidChoice, Choice, OfferChoice};
use crate::setup::turned;

/// The screen of a game that is shown.
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
    pub(crate) turned: usize,
}

impl Reveal {
    fn cushions(&self) -> usize {
        self.round.offer.map_or(0, Offer::len)
    }

    /// Whether all cushions are revealed.
    pub(crate) fn is_whole(&self) -> bool {
        self.turned >= self.cushions()
    }
}

/// A game on the screen.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    /// The seats played from this terminal.
    pub(crate) own: Vec<Seat>,
    /// Whether the table is on a remote server.
    pub(crate) there: bool,
    pub(crate) told: TableView,
    pub(crate) choice: Option<Choice>,
    pub(crate) reveal: Option<Reveal>,
    /// The last finished round that was shown.
    seen: Option<(Stage, Round)>,
    /// The message that the table cannot be reached, temporarily or permanently.
    pub(crate) lost: Option<String>,
    /// The index of the seat at the cursor in the final result.
    pub(crate) line: usize,
}

fn last_round(told: &TableView) -> Option<RoundRecord> {
    told.playing().and_then(|playing| playing.view.last_round)
}

impl Game {
    pub(crate) fn new(own: Vec<Seat>, there: bool, told: TableView) -> Self {
        let seen = last_round(&told).map(|round| (round.stage, round.round));
        let mut game = Self { own, there, told, choice: None, reveal: None, seen, lost: None, line: 0 };
        game.choice = game.told.playing().and_then(|playing| Choice::of(&playing.view));
        game.line = game.winner();
        game
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
        self.own.len() > 1
    }

    /// The seat whose view is shown; `None` for a spectator.
    pub(crate) fn eyes(&self) -> Option<Seat> {
        self.told.playing()?.view.observer.seat()
    }

    /// Handles a view from the table's event stream. Ignores a view that is older than the current one. If a shared
    /// screen shows a player's view, also ignores a public view of the same age, which would hide the hand.
    pub(crate) fn news(&mut self, told: TableView) {
        let at = |told: &TableView| told.playing().map(|playing| playing.view.at);
        let (known, new) = (at(&self.told), at(&told));
        let other_eyes = self.is_shared() && self.eyes().is_some();
        if new < known || (new == known && other_eyes) {
            return;
        }
        self.tell(told);
    }

    /// Replaces the view. A different position resets the choice, and a newly finished round starts a reveal.
    pub(crate) fn tell(&mut self, told: TableView) {
        let moment = |told: &TableView| told.playing().map(|playing| (playing.view.at, playing.view.observer));
        self.lost = None;
        let before = moment(&self.told);
        self.told = told;
        if before != moment(&self.told) {
            self.choice = self.told.playing().and_then(|playing| Choice::of(&playing.view));
        }
        if let Some(round) = last_round(&self.told)
            && self.seen != Some((round.stage, round.round))
        {
            self.seen = Some((round.stage, round.round));
            self.reveal = Some(Reveal { round, turned: 0 });
            self.line = self.winner();
        }
    }

    /// The index of the first winning seat, or 0.
    fn winner(&self) -> usize {
        let outcome = self.told.playing().and_then(|playing| playing.view.outcome);
        outcome.and_then(|outcome| outcome.winners().next()).map_or(0, Seat::index)
    }

    /// Moves the cursor in the final result down or up.
    pub(super) fn next_place(&mut self, below: bool) {
        let outcome = self.told.playing().and_then(|playing| playing.view.outcome);
        let places = outcome.map_or_else(Vec::new, |outcome| outcome.by_rank());
        let seats: Vec<usize> = places.iter().map(|place| place.seat.index()).collect();
        if !seats.is_empty() {
            self.line = turned(&seats, &self.line, below);
        }
    }

    /// The scene to draw.
    pub(crate) fn scene(&self) -> Scene {
        let TableView::Playing(playing) = &self.told else { return Scene::Waiting };
        if self.reveal.is_some() {
            return Scene::Reveal;
        }
        if playing.is_over() {
            return Scene::End;
        }
        match playing.view.to_act {
            Some(seat) if self.is_shared() && self.own.contains(&seat) && self.eyes() != Some(seat) => {
                Scene::Curtain(seat)
            }
            _ => Scene::Table,
        }
    }

    /// Reveals the next cushion. Returns whether anything changed.
    pub(crate) fn tick(&mut self) -> bool {
        match &mut self.reveal {
            Some(reveal) if !reveal.is_whole() => {
                reveal.turned += 1;
                true
            }
            _ => false,
        }
    }

    /// Reveals all cushions, or closes the reveal if they already are.
    pub(super) fn turn_on(&mut self) {
        match &mut self.reveal {
            Some(reveal) if !reveal.is_whole() => reveal.turned = reveal.cushions(),
            _ => self.reveal = None,
        }
    }

    /// Whether a stand-in bot plays for the observer's seat.
    pub(crate) fn is_stood_in(&self) -> bool {
        let Some(playing) = self.told.playing() else { return false };
        let seat = playing.view.observer.seat();
        seat.is_some_and(|seat| matches!(playing.person(seat).kind, Kind::StandIn(_)))
    }

    /// Whether a rematch is possible.
    pub(crate) fn can_play_once_more(&self) -> bool {
        let over = self.told.playing().is_some_and(|playing| playing.view.outcome.is_some());
        over && !self.own.is_empty()
    }

    pub(super) fn act(&self, action: &str) -> Option<Task> {
        let view = &self.told.playing()?.view;
        Some(Task::Act { seat: view.observer.seat()?, action: action.to_owned(), at: view.at })
    }
}
