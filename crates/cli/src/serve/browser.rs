//! Opens the browser at the start if a user is at this machine.
//!
//! Runs the program that each desktop has for this. A crate would do no more, and the link needs no escaping.

use std::io::{IsTerminal, stdout};
use std::process::{Command, Stdio};

/// Opens a link in the browser, unless `no_open` is set or no user is present.
pub(crate) fn open(link: &str, no_open: bool) {
    if no_open || !stdout().is_terminal() || !is_attended(|name| std::env::var_os(name).is_some()) {
        return;
    }
    let mut command = opener(link);
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        // Wait for the child process, so that no zombie remains.
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => tracing::debug!(%error, "no browser could be opened"),
    }
}

/// Returns whether a user may be at this machine: not in CI, not over SSH, and with a screen. (A service has no
/// terminal.)
fn is_attended(is_set: impl Fn(&str) -> bool) -> bool {
    let unattended = ["CI", "SSH_CONNECTION", "SSH_TTY"].into_iter().any(&is_set);
    let screen = cfg!(any(windows, target_os = "macos")) || ["DISPLAY", "WAYLAND_DISPLAY"].into_iter().any(&is_set);
    screen && !unattended
}

#[cfg(windows)]
fn opener(link: &str) -> Command {
    let mut command = Command::new("rundll32");
    command.args(["url.dll,FileProtocolHandler", link]);
    command
}

#[cfg(not(windows))]
fn opener(link: &str) -> Command {
    let mut command = Command::new(if cfg!(target_os = "macos") { "open" } else { "xdg-open" });
    command.arg(link);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browser_is_not_opened_without_a_display() {
        let attended = |set: &[&str]| is_attended(|name| set.contains(&name));
        assert!(attended(&["DISPLAY"]) && attended(&["WAYLAND_DISPLAY", "HOME"]));
        for unattended in ["CI", "SSH_CONNECTION", "SSH_TTY"] {
            assert!(!attended(&["DISPLAY", unattended]), "{unattended}");
        }
        assert_eq!(attended(&[]), cfg!(any(windows, target_os = "macos")));
    }
}
