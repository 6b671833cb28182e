//! Steps through a finished game with keys, as one seat saw it or with everything open.

use std::io;
use std::time::Duration;

use sultan_domain::{Observer, Seat, TableView};
use sultan_table::{FalseClaim, Replay};
use sultan_text::Text;

use crate::app::Game;
use crate::events::{TerminalEvent, TerminalEvents};
use crate::input::{Hits, Input};
use crate::paint::Paint;
use crate::setup::turned;
use crate::terminal;

/// Delay between two actions during automatic playback.
const PAUSE: Duration = Duration::from_millis(1200);

/// Shows a recorded game until the user quits or the process is signalled to stop.
///
/// # Errors
/// If the terminal cannot be used.
pub async fn replay(game: Replay, doubts: &[FalseClaim], text: Text, colours: bool) -> io::Result<()> {
    let mut show = Show::new(game, doubts, text, Paint { colours });
    let stop = terminal::told_to_stop();
    let mut taken = terminal::take()?;
    let mut events = TerminalEvents::new(PAUSE, stop);
    let mut changed = true;
    loop {
        if changed {
            terminal::whole(&mut taken.screen, |frame| crate::screens::replay(&mut show, frame))?;
        }
        changed = match events.next(&show.hits).await? {
            None => return Ok(()),
            Some(TerminalEvent::Input(input)) => {
                if show.on(input) {
                    return Ok(());
                }
                // After a manual step the full delay applies. Mouse movements do not restart it.
                events.ticks.reset();
                true
            }
            Some(TerminalEvent::Resized) => true,
            Some(TerminalEvent::Tick) => show.tick(),
        };
    }
}

/// The state of the replay screen.
#[derive(Clone, Debug)]
pub(crate) struct Show {
    pub(crate) text: Text,
    pub(crate) paint: Paint,
    pub(crate) replay: Replay,
    /// The number of actions played at the shown position.
    pub(crate) at: usize,
    /// The seat whose view is shown; `None` for everything open.
    pub(crate) eyes: Option<Seat>,
    /// Whether automatic playback is on.
    pub(crate) plays: bool,
    /// Warnings about the record.
    pub(crate) notes: Vec<String>,
    pub(crate) hits: Hits,
}

impl Show {
    pub(crate) fn new(replay: Replay, doubts: &[FalseClaim], text: Text, paint: Paint) -> Self {
        let doubt = |doubt: &FalseClaim| match doubt {
            FalseClaim::Commitment => text.say("record-doubt-promise"),
            FalseClaim::FirstSeat => text.say("record-doubt-first"),
        };
        let mut notes: Vec<String> = doubts.iter().map(doubt).collect();
        if !replay.is_complete() {
            notes.push(text.say("record-unfinished"));
        }
        Self { text, paint, replay, at: 0, eyes: None, plays: false, notes, hits: Hits::default() }
    }

    /// Handles an input. Returns whether the user quits.
    pub(crate) fn on(&mut self, input: Input) -> bool {
        let last = self.replay.last();
        let playing = std::mem::take(&mut self.plays);
        match input {
            Input::Quit | Input::Escape | Input::Sign('q' | 'Q') => return true,
            Input::Right | Input::Enter | Input::Wheel(true) => self.at = (self.at + 1).min(last),
            Input::Left | Input::Undo | Input::Wheel(false) => self.at = self.at.saturating_sub(1),
            Input::Home => self.at = 0,
            Input::End => self.at = last,
            Input::Sign(' ') => {
                self.plays = !playing;
                // At the end, playback restarts from the beginning.
                self.at = if self.plays && self.at == last { 0 } else { self.at };
            }
            Input::Down | Input::Next(true) => self.look(true),
            Input::Up | Input::Next(false) => self.look(false),
            Input::Sign('0') => self.eyes = None,
            Input::Sign(digit @ '1'..='5') => {
                let seat = Seat::new(digit as u8 - b'1').filter(|&seat| self.replay.has(seat));
                self.eyes = seat.or(self.eyes);
            }
            Input::Line(line) => self.eyes = u8::try_from(line).ok().and_then(Seat::new),
            _ => self.plays = playing,
        }
        false
    }

    /// Switches to the next or previous observer.
    fn look(&mut self, next: bool) {
        let seats = (0..5).filter_map(Seat::new).filter(|&seat| self.replay.has(seat)).map(Some);
        let all: Vec<Option<Seat>> = std::iter::once(None).chain(seats).collect();
        self.eyes = turned(&all, &self.eyes, next);
    }

    /// Advances automatic playback. Returns whether anything changed.
    pub(crate) fn tick(&mut self) -> bool {
        if !self.plays {
            return false;
        }
        self.at = (self.at + 1).min(self.replay.last());
        self.plays = self.at < self.replay.last();
        true
    }

    /// The current position as a [`Game`] for the game screens, without a choice.
    pub(crate) fn game(&self) -> Game {
        let playing = match self.eyes {
            Some(seat) => self.replay.view_at(self.at, Observer::Seat(seat)),
            None => self.replay.open(self.at).playing,
        };
        let everybody = playing.view.parameters.players.seats().collect();
        let mut game = Game::new(everybody, true, TableView::Playing(Box::new(playing)));
        game.choice = None;
        game
    }
}
