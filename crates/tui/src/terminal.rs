//! Switches the terminal to raw mode and the alternate screen, and restores it at the end, on a panic, and on a signal.

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

/// The ratatui terminal.
pub(crate) type Screen = ratatui::Terminal<CrosstermBackend<Stdout>>;

/// Whether the terminal must be restored.
static IS_RAW: AtomicBool = AtomicBool::new(false);

/// The terminal in raw mode. Restores it when dropped.
pub(crate) struct RawTerminal {
    pub(crate) screen: Screen,
}

/// Switches to raw mode and the alternate screen. That screen has no scrollback, so players cannot scroll back to
/// another player's hand.
pub(crate) fn enter() -> io::Result<RawTerminal> {
    static INSTALL_HOOK: Once = Once::new();
    INSTALL_HOOK.call_once(|| {
        // The panic message must appear on the restored terminal, so the terminal is restored first.
        let default_hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            restore();
            default_hook(info);
        }));
    });
    IS_RAW.store(true, Ordering::SeqCst);
    // Also restore the terminal if only some of the steps succeeded.
    open_screen().inspect_err(|_| restore()).map(|screen| RawTerminal { screen })
}

/// Switches the terminal, step by step.
fn open_screen() -> io::Result<Screen> {
    enable_raw_mode()?;
    // Not ratatui's `clear`: it queries the cursor position, and some terminals do not reply in time.
    execute!(io::stdout(), EnterAlternateScreen, Clear(ClearType::All), EnableMouseCapture)?;
    ratatui::Terminal::new(CrosstermBackend::new(io::stdout()))
}

/// Draws with a synchronized update, so that the terminal never shows a half-drawn screen. Terminals without support
/// ignore it.
pub(crate) fn draw(screen: &mut Screen, draw_frame: impl FnOnce(&mut Frame)) -> io::Result<()> {
    queue!(io::stdout(), BeginSynchronizedUpdate)?;
    screen.draw(draw_frame)?;
    execute!(io::stdout(), EndSynchronizedUpdate)
}

/// Restores the terminal, unless it is restored already.
fn restore() {
    if IS_RAW.swap(false, Ordering::SeqCst) {
        // Errors are ignored, because no terminal is left to report them on.
        let _ =
            execute!(io::stdout(), EndSynchronizedUpdate, DisableMouseCapture, LeaveAlternateScreen, ResetColor, Show);
        let _ = disable_raw_mode();
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Installs handlers for the signals that stop a process, and returns a future that waits for such a signal. Call this
/// before [`enter`]: a signal without a handler would kill the process and leave the terminal in raw mode.
#[cfg(unix)]
pub(crate) fn stop_signal() -> impl Future<Output = ()> {
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

/// Waits for Ctrl+C.
#[cfg(not(unix))]
pub(crate) async fn stop_signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
