//! The terminal while the screens have it, and how it is given back: at the end, in a panic, and when the program is told to stop.

use std::io::{self, Stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::Show;
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::style::ResetColor;
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui::Frame;
use ratatui::backend::CrosstermBackend;

/// The terminal as ratatui has it.
pub(crate) type Screen = ratatui::Terminal<CrosstermBackend<Stdout>>;

/// Whether the screens have the terminal.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal while the screens have it.
pub(crate) struct Taken {
    pub(crate) screen: Screen,
}

/// Takes the terminal. The screens are on the alternate one, which keeps no history: nobody scrolls back to a hand.
pub(crate) fn take() -> io::Result<Taken> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_back();
            usual(info);
        }));
    });
    TAKEN.store(true, Ordering::SeqCst);
    // Half taken is given back, too.
    screen().inspect_err(|_| give_back()).map(|screen| Taken { screen })
}

fn screen() -> io::Result<Screen> {
    enable_raw_mode()?;
    // Not ratatui's own way to clear: it asks the terminal where the cursor is, and not every terminal answers in time.
    execute!(io::stdout(), EnterAlternateScreen, Clear(ClearType::All), EnableMouseCapture)?;
    ratatui::Terminal::new(CrosstermBackend::new(io::stdout()))
}

/// Draws, so that a terminal that can shows all of it at once, and never half of two pictures. Others pass the marks over.
pub(crate) fn whole(screen: &mut Screen, draw: impl FnOnce(&mut Frame)) -> io::Result<()> {
    queue!(io::stdout(), BeginSynchronizedUpdate)?;
    screen.draw(draw)?;
    execute!(io::stdout(), EndSynchronizedUpdate)
}

/// Gives the terminal back as it was, once.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // There is nobody left to tell what does not work here.
        let _ =
            execute!(io::stdout(), EndSynchronizedUpdate, DisableMouseCapture, LeaveAlternateScreen, ResetColor, Show);
        let _ = disable_raw_mode();
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        give_back();
    }
}

/// Listens from now on, and waits until the program is told to stop. Called before the terminal is taken: whoever is told to stop
/// before anybody listens ends at once, and gives nothing back.
#[cfg(unix)]
pub(crate) fn told_to_stop() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()].map(signal);
    async move {
        let [Ok(mut terminate), Ok(mut interrupt), Ok(mut hang_up)] = kinds else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hang_up.recv() => {}
        }
    }
}

/// Waits until the program is told to stop.
#[cfg(not(unix))]
pub(crate) async fn told_to_stop() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
