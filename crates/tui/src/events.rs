//! Terminal events: keys, clicks, ticks, and signals to stop.

use std::io;
use std::pin::Pin;
use std::time::Duration;

use crossterm::event::Event;
use tokio::sync::mpsc;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::input::{ClickAreas, Input, translate};

/// An event of the terminal.
pub(crate) enum TerminalEvent {
    Input(Input),
    /// The terminal was resized.
    Resized,
    /// The tick interval has passed.
    Tick,
}

/// The source of all terminal events.
pub(crate) struct TerminalEvents {
    /// The events that crossterm reads: keys, the mouse, changes of size.
    crossterm_events: mpsc::Receiver<io::Result<Event>>,
    pub(crate) ticks: Interval,
    /// Completes when the process is signalled to stop.
    stop: Pin<Box<dyn Future<Output = ()>>>,
}

impl TerminalEvents {
    /// Starts reading the terminal, on a separate thread because crossterm's `read` blocks. The thread ends once the
    /// receiver is dropped.
    pub(crate) fn new(tick_interval: Duration, stop: impl Future<Output = ()> + 'static) -> Self {
        let (sender, crossterm_events) = mpsc::channel(64);
        std::thread::spawn(move || while sender.blocking_send(crossterm::event::read()).is_ok() {});
        let mut ticks = interval(tick_interval);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { crossterm_events, ticks, stop: Box::pin(stop) }
    }

    /// Waits for the next event. `None` once the process is signalled to stop or the terminal is closed. `areas` are
    /// the clickable areas on the screen.
    pub(crate) async fn next(&mut self, areas: &ClickAreas) -> io::Result<Option<TerminalEvent>> {
        loop {
            tokio::select! {
                () = &mut self.stop => return Ok(None),
                event = self.crossterm_events.recv() => {
                    let Some(event) = event.transpose()? else { return Ok(None) };
                    if let Some(input) = translate(&event, areas) {
                        return Ok(Some(TerminalEvent::Input(input)));
                    }
                    // All other events, such as mouse movements, are ignored.
                    if matches!(event, Event::Resize(..)) {
                        return Ok(Some(TerminalEvent::Resized));
                    }
                }
                _ = self.ticks.tick() => return Ok(Some(TerminalEvent::Tick)),
            }
        }
    }
}
