//! What takes long: on how many threads it runs, and a bar that shows how far it has come.

use std::io::IsTerminal;
use std::num::NonZeroUsize;

use indicatif::{ProgressBar, ProgressStyle};

/// As many threads as asked for; as many as there are cores where nobody asked.
pub(crate) fn jobs(asked: Option<NonZeroUsize>) -> NonZeroUsize {
    asked.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

/// A bar on a terminal, nothing elsewhere.
pub(crate) fn progress_bar(length: u64, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style)
}
