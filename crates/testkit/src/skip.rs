//! Skips tests whose requirements (programs, browsers, databases) are not installed, and fails them on CI.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

/// Returns whether a missing requirement is an error (`CI` is `true`). Elsewhere the tests that need it are skipped.
#[must_use]
pub fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|ci| ci == "true")
}

/// Reports a missing requirement of a skipped test, once per message. The message includes a hint for installing it.
///
/// # Panics
/// If `CI` is `true`.
pub fn skip_or_fail(message: &str) {
    static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    assert!(!is_ci(), "{message}");
    if REPORTED.lock().unwrap_or_else(PoisonError::into_inner).insert(message.to_owned()) {
        // Not `eprintln!`: the test harness shows its output only for failed tests.
        let _ = writeln!(io::stderr(), "skipped: {message}");
    }
}
