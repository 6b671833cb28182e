//! Tests that want a Postgres: left out, with a word, where none is installed; where everything must be tested they fail there.

use crate::{Postgres, must_be_there};

/// How somebody gets one.
const HOW_TO_INSTALL: &str = "Postgres is not installed: apt-get install postgresql (or set PG_BINDIR)";

/// The server that all tests of a program share; where Postgres is not installed, says so and gives none.
///
/// # Panics
/// Where none is installed although everything must be tested.
#[must_use]
pub fn postgres_or_skip() -> Option<&'static Postgres> {
    if Postgres::installed().is_none() {
        must_be_there(HOW_TO_INSTALL);
    }
    Postgres::shared()
}
