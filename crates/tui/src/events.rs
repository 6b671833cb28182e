//! What happens at the terminal: keys, clicks, time, and that the program is told to stop.

use std::io;
use std::pin::Pin;
use std::time::Duration;

use crossterm::event::Event;
use tokio::sync::mpsc;
use tokio::time::{Interval, MissedTickBehavior, interval};

use crate::input::{Hits, Input, meaning};

/// Something that happened at the terminal.
pub(crate) enum TerminalEvent {
    Input(Input),
    /// The terminal has another size.
    Resized,
    /// So much time has passed.
    Tick,
}

/// All that happens at the terminal.
pub(crate) struct TerminalEvents {
    events: mpsc::Receiver<io::Result<Event>>,
    pub(crate) ticks: Interval,
    stop: Pin<Box<dyn Future<Output = ()>>>,
}

impl TerminalEvents {
    /// Reads the terminal from now on, on a thread of its own: the library waits without end.
    pub(crate) fn new(tick: Duration, stop: impl Future<Output = ()> + 'static) -> Self {
        let (sender, events) = mpsc::channel(64);
        std::thread::spawn(move || {
            loop {
                let event = crossterm::event::read();
                let broken = event.is_err();
                if sender.blocking_send(event).is_err() || broken {
                    return;
                }
            }
        });
        let mut ticks = interval(tick);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { events, ticks, stop: Box::pin(stop) }
    }

    /// What happens next; nothing once the program is told to stop, or nobody is at the terminal any more.
    pub(crate) async fn next(&mut self, hits: &Hits) -> io::Result<Option<TerminalEvent>> {
        loop {
            tokio::select! {
                () = &mut self.stop => return Ok(None),
                event = self.events.recv() => {
                    let Some(event) = event.transpose()? else { return Ok(None) };
                    if let Some(input) = meaning(&event, hits) {
                        return Ok(Some(TerminalEvent::Input(input)));
                    }
                    // A mouse tells every move, and most of them mean nothing.
                    if matches!(event, Event::Resize(..)) {
                        return Ok(Some(TerminalEvent::Resized));
                    }
                }
                _ = self.ticks.tick() => return Ok(Some(TerminalEvent::Tick)),
            }
        }
    }
}
