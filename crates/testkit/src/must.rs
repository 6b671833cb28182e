//! Skips tests whose requirements (programs, browsers, databases) are not installed, and fails them on CI.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

/// Returns whether a missing requirement is an error (`CI` is `true`). Elsewhere the tests that need it are skipped.
#[must_use]
pub fn everything_is_tested() -> bool {
    std::env::var("CI").is_ok_and(|ci| ci == "true")
}

/// Reports a missing requirement of a skipped test, once per text. The text includes a hint for installing it.
///
/// # Panics
/// If `CI` is `true`.
pub fn must_be_there(what: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    assert!(!everything_is_tested(), "{what}");
    if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(what.to_owned()) {
        // Not `eprintln!`: the test harness shows its output only for failed tests.
        let _ = writeln!(io::stderr(), "skipped: {what}");
    }
}
