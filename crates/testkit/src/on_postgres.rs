//! Tests that want a Postgres: left out, with a word, where none is installed; where everything must be tested they fail there.

use std::sync::Once;

use libtest_mimic::{Failed, Trial};

use crate::{Postgres, everything_is_tested, must_be_there};

/// How somebody gets one.
const HOW_TO_INSTALL: &str = "Postgres is not installed: apt-get install postgresql (or set PG_BINDIR)";

/// A test on the server that all tests of a program share.
pub fn on_postgres(name: &str, test: impl FnOnce(&'static Postgres) -> Result<(), Failed> + Send + 'static) -> Trial {
    static SAID: Once = Once::new();
    let missing = Postgres::installed().is_none();
    if missing {
        SAID.call_once(|| eprintln!("\n!!! {HOW_TO_INSTALL}\n"));
    }
    let test = move || test(Postgres::shared().ok_or(HOW_TO_INSTALL)?);
    Trial::test(format!("postgres::{name}"), test).with_ignored_flag(missing && !everything_is_tested())
}

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
