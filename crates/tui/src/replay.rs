//! Steps through a finished game with keys, as one seat saw it or with everything open.

use std::io;
use std::time::Duration;

use sultan_domain::{Observer, Seat, TableView};
use sultan_table::{FalseClaim, Replay};
use sultan_text::Text;

use crate::app::GameScreen;
use crate::events::{TerminalEvent, TerminalEvents};
use crate::form::cycle_with_none;
use crate::input::{ClickAreas, Direction, Input};
use crate::screens::draw_replay;
use crate::terminal;

/// Delay between two actions during automatic playback.
const PLAYBACK_INTERVAL: Duration = Duration::from_millis(1200);

/// Shows a recorded game until the user quits or the process is signalled to stop.
///
/// # Errors
/// If the terminal cannot be used.
pub async fn replay(game: Replay, false_claims: &[FalseClaim], text: Text, uses_colours: bool) -> io::Result<()> {
    let mut replayer = Replayer::new(game, false_claims, text, uses_colours);
    let stop = terminal::stop_signal();
    let mut raw_terminal = terminal::enter()?;
    let mut events = TerminalEvents::new(PLAYBACK_INTERVAL, stop);
    let mut needs_redraw = true;
    loop {
        if needs_redraw {
            terminal::draw(&mut raw_terminal.screen, |frame| draw_replay(&mut replayer, frame))?;
        }
        needs_redraw = match events.next(&replayer.areas).await? {
            None => return Ok(()),
            Some(TerminalEvent::Input(input)) => {
                if replayer.handle(input) {
                    return Ok(());
                }
                // After an input, automatic playback waits the full interval before its next step.
                events.ticks.reset();
                true
            }
            Some(TerminalEvent::Resized) => true,
            Some(TerminalEvent::Tick) => replayer.tick(),
        };
    }
}

/// The state of the replay screen.
#[derive(Clone, Debug)]
pub(crate) struct Replayer {
    pub(crate) text: Text,
    /// False if `NO_COLOR` is set.
    pub(crate) uses_colours: bool,
    pub(crate) replay: Replay,
    /// The shown position, as the number of actions played before it.
    pub(crate) position: usize,
    /// The seat whose view is shown; `None` for everything open.
    pub(crate) observer: Option<Seat>,
    /// Whether automatic playback is on.
    pub(crate) is_playing: bool,
    /// Warnings about the record.
    pub(crate) warnings: Vec<String>,
    pub(crate) areas: ClickAreas,
}

impl Replayer {
    /// A replay at its start with everything open. `false_claims` are the claims of the record that the replay
    /// disproved.
    pub(crate) fn new(replay: Replay, false_claims: &[FalseClaim], text: Text, uses_colours: bool) -> Self {
        let warning = |claim: &FalseClaim| match claim {
            FalseClaim::Commitment => text.say("record-doubt-promise"),
            FalseClaim::FirstSeat => text.say("record-doubt-first"),
        };
        let mut warnings: Vec<String> = false_claims.iter().map(warning).collect();
        if !replay.is_complete() {
            warnings.push(text.say("record-unfinished"));
        }
        let areas = ClickAreas::default();
        Self { text, uses_colours, replay, position: 0, observer: None, is_playing: false, warnings, areas }
    }

    /// Handles an input, which also stops automatic playback if it has a meaning. Returns whether the user quits.
    pub(crate) fn handle(&mut self, input: Input) -> bool {
        let last = self.replay.last();
        let was_playing = std::mem::take(&mut self.is_playing);
        match input {
            Input::Quit | Input::Escape | Input::Char('q' | 'Q') => return true,
            Input::Right | Input::Enter | Input::ScrollDown => self.position = (self.position + 1).min(last),
            Input::Left | Input::Undo | Input::ScrollUp => self.position = self.position.saturating_sub(1),
            Input::Home => self.position = 0,
            Input::End => self.position = last,
            Input::Char(' ') => {
                self.is_playing = !was_playing;
                // At the end, playback restarts from the beginning.
                if self.is_playing && self.position == last {
                    self.position = 0;
                }
            }
            Input::Down | Input::NextField => self.change_observer(Direction::Forward),
            Input::Up | Input::PreviousField => self.change_observer(Direction::Backward),
            Input::Char('0') => self.observer = None,
            Input::Char(digit @ '1'..='5') => {
                let seat = Seat::new(digit as u8 - b'1').filter(|&seat| self.replay.has(seat));
                self.observer = seat.or(self.observer);
            }
            // In the final result, a line stands for a seat.
            Input::Line(line) => self.observer = u8::try_from(line).ok().and_then(Seat::new),
            _ => self.is_playing = was_playing,
        }
        false
    }

    /// Switches to the next or previous observer.
    fn change_observer(&mut self, direction: Direction) {
        let seats = (0..5).filter_map(Seat::new).filter(|&seat| self.replay.has(seat));
        cycle_with_none(&mut self.observer, seats, direction);
    }

    /// Advances automatic playback. Returns whether anything changed.
    pub(crate) fn tick(&mut self) -> bool {
        if !self.is_playing {
            return false;
        }
        self.position = (self.position + 1).min(self.replay.last());
        self.is_playing = self.position < self.replay.last();
        true
    }

    /// The current position as a [`GameScreen`] without a choice.
    pub(crate) fn game(&self) -> GameScreen {
        let playing = match self.observer {
            Some(seat) => self.replay.view_at(self.position, Observer::Seat(seat)),
            None => self.replay.open(self.position).playing,
        };
        let all_seats = playing.view.parameters.players.seats().collect();
        // As on a shared screen, the hand gets the name of its player. A remote table offers no new game.
        let mut game = GameScreen::new(all_seats, true, TableView::Playing(Box::new(playing)));
        game.choice = None;
        game
    }
}
