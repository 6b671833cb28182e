//! A game that is over, stepped through with keys: from one seat's eyes, or with everything open.

use std::io;
use std::time::Duration;

use sultan_domain::{Observer, Seat, TableView};
use sultan_table::{Doubt, Replay};
use sultan_text::Text;

use crate::app::Game;
use crate::events::{TerminalEvent, TerminalEvents};
use crate::input::{Hits, Input};
use crate::paint::Paint;
use crate::setup::turned;
use crate::terminal;

/// How long a moment lies where the game plays by itself.
const PAUSE: Duration = Duration::from_millis(1200);

/// Steps through a recorded game until the reader has enough, or the program is told to stop.
///
/// # Errors
/// When the terminal cannot be used.
pub async fn replay(game: Replay, doubts: &[Doubt], text: Text, colours: bool) -> io::Result<()> {
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
                // A step by hand lies as long as any other; a mouse that moves holds nothing up.
                events.ticks.reset();
                true
            }
            Some(TerminalEvent::Resized) => true,
            Some(TerminalEvent::Tick) => show.tick(),
        };
    }
}

/// What is shown of the game.
#[derive(Clone, Debug)]
pub(crate) struct Show {
    pub(crate) text: Text,
    pub(crate) paint: Paint,
    pub(crate) replay: Replay,
    /// How many actions there have been.
    pub(crate) at: usize,
    /// Whose eyes see it; with nobody's, everything is open.
    pub(crate) eyes: Option<Seat>,
    /// Whether it goes on by itself.
    pub(crate) plays: bool,
    /// What is to be known of the record.
    pub(crate) notes: Vec<String>,
    pub(crate) hits: Hits,
}

impl Show {
    pub(crate) fn new(replay: Replay, doubts: &[Doubt], text: Text, paint: Paint) -> Self {
        let doubt = |doubt: &Doubt| match doubt {
            Doubt::Commitment => text.say("record-doubt-promise"),
            Doubt::FirstSeat => text.say("record-doubt-first"),
        };
        let mut notes: Vec<String> = doubts.iter().map(doubt).collect();
        if !replay.is_complete() {
            notes.push(text.say("record-unfinished"));
        }
        Self { text, paint, replay, at: 0, eyes: None, plays: false, notes, hits: Hits::default() }
    }

    /// Does what the reader means. Says whether that is to stop.
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
                // From the end it begins anew.
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

    /// The next eyes, or those before.
    fn look(&mut self, next: bool) {
        let seats = (0..5).filter_map(Seat::new).filter(|&seat| self.replay.has(seat)).map(Some);
        let all: Vec<Option<Seat>> = std::iter::once(None).chain(seats).collect();
        self.eyes = turned(&all, &self.eyes, next);
    }

    /// Time passes. Says whether anything changed.
    pub(crate) fn tick(&mut self) -> bool {
        if !self.plays {
            return false;
        }
        self.at = (self.at + 1).min(self.replay.last());
        self.plays = self.at < self.replay.last();
        true
    }

    /// The moment as the screens of a game show one, with nothing to choose.
    pub(crate) fn game(&self) -> Game {
        let playing = match self.eyes {
            Some(seat) => self.replay.seen(self.at, Observer::Seat(seat)),
            None => self.replay.open(self.at).playing,
        };
        let everybody = playing.view.parameters.players.seats().collect();
        let mut game = Game::new(everybody, true, TableView::Playing(Box::new(playing)));
        game.choice = None;
        game
    }
}
