//! What tests want that is not always there: programs, browsers, databases. There is one rule for all of it.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

/// Whether everything must be tested here, because `CI` is `true`: what cannot be tested fails then, and is left out elsewhere.
#[must_use]
pub fn everything_is_tested() -> bool {
    std::env::var("CI").is_ok_and(|ci| ci == "true")
}

/// Says once, in one line, that something which a test needs is missing, and how to get it.
///
/// # Panics
/// Where everything must be tested.
pub fn must_be_there(what: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    assert!(!everything_is_tested(), "{what}");
    if SAID.lock().unwrap_or_else(PoisonError::into_inner).insert(what.to_owned()) {
        // Not `eprintln!`, which is shown for tests that fail only.
        let _ = writeln!(io::stderr(), "skipped: {what}");
    }
}
