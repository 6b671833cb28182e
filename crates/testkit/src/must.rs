//! What tests want that is not always there: programs, browsers, databases. There is one rule for all of it.

/// Whether everything must be tested here, because `CI` is `true`: what cannot be tested fails then, and is left out elsewhere.
#[must_use]
pub fn everything_is_tested() -> bool {
    std::env::var("CI").is_ok_and(|ci| ci == "true")
}

/// Says that something which a test wants is missing, and how to get it.
///
/// # Panics
/// Where everything must be tested.
pub fn must_be_there(what: &str) {
    assert!(!everything_is_tested(), "{what}");
    eprintln!("\n!!! left out: {what}\n");
}
