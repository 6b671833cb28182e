//! Opens a web browser when the server starts, if a user is at this machine.
//!
//! Every desktop system has a program that opens links in the browser: `xdg-open`, `open` or `rundll32`. Running it
//! takes few lines, so this needs no crate. The links need no escaping.

use std::io::{IsTerminal, stdout};
use std::process::{Command, Stdio};

/// Opens a link in the browser, unless `no_open` is set or no user is present.
pub(crate) fn open(link: &str, no_open: bool) {
    if no_open || !stdout().is_terminal() || !is_attended(|name| std::env::var_os(name).is_some()) {
        return;
    }
    let (program, arguments) = if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler", link][..])
    } else {
        (if cfg!(target_os = "macos") { "open" } else { "xdg-open" }, &[link][..])
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        // Wait for the child process, so that no zombie remains.
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => tracing::debug!(%error, program, "cannot open a browser; open the printed link yourself"),
    }
}

/// Returns whether a user may be at this machine: not in CI, not over SSH, and with a screen. (A service has no
/// terminal.) `is_set` tells whether an environment variable is set.
fn is_attended(is_set: impl Fn(&str) -> bool) -> bool {
    let is_remote = ["CI", "SSH_CONNECTION", "SSH_TTY"].into_iter().any(&is_set);
    let has_screen = cfg!(any(windows, target_os = "macos")) || ["DISPLAY", "WAYLAND_DISPLAY"].into_iter().any(&is_set);
    has_screen && !is_remote
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browser_is_opened_only_with_a_display_and_neither_in_ci_nor_over_ssh() {
        let is_attended_with = |variables: &[&str]| is_attended(|name| variables.contains(&name));
        assert!(is_attended_with(&["DISPLAY"]) && is_attended_with(&["WAYLAND_DISPLAY", "HOME"]));
        for variable in ["CI", "SSH_CONNECTION", "SSH_TTY"] {
            assert!(!is_attended_with(&["DISPLAY", variable]), "{variable}");
        }
        assert_eq!(is_attended_with(&[]), cfg!(any(windows, target_os = "macos")));
    }
}
