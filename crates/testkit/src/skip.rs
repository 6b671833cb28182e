//! Skips tests that need Postgres if it is not installed, and fails them on CI.

use crate::{Postgres, must_be_there};

/// The message for a missing Postgres.
const HOW_TO_INSTALL: &str = "Postgres is not installed: apt-get install postgresql (or set PG_BINDIR)";

/// The server shared by all tests of this process. If Postgres is not installed, prints a message and returns `None`.
///
/// # Panics
/// If Postgres is not installed and `CI` is `true`.
#[must_use]
pub fn postgres_or_skip() -> Option<&'static Postgres> {
    if Postgres::installed().is_none() {
        must_be_there(HOW_TO_INSTALL);
    }
    Postgres::shared()
}
