//! Number of threads and progress bar for long computations.

use std::io::IsTerminal;
use std::num::NonZeroUsize;

use indicatif::{ProgressBar, ProgressStyle};

/// The number of threads: the requested one, otherwise the number of cores.
pub(crate) fn jobs(requested: Option<NonZeroUsize>) -> NonZeroUsize {
    requested.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

/// A progress bar on standard error, hidden if standard error is not a terminal. `template` is one of `indicatif`.
pub(crate) fn progress_bar(length: u64, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style)
}
