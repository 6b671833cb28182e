//! `sultan migrate-db`: copies everything from one database into another, and compares the copy with the original.

use anyhow::{Context, bail};
use sultan_store::{CopyError, Location, TransferCounts};

use crate::args::hosting::MigrateDbArgs;
use crate::serve::data;
use crate::{Out, progress};

pub(crate) fn run(args: &MigrateDbArgs, out: Out) -> anyhow::Result<()> {
    let parse_location = |text: &str| -> anyhow::Result<Location> {
        // Only Postgres has a password; `data::location` rejects one for a SQLite file.
        let password_file = args.db_password_file.as_deref().filter(|_| text.starts_with("postgres"));
        data::location(Some(text), password_file)
    };
    let (from, to) = (parse_location(&args.from)?, parse_location(&args.to)?);
    // Not for Postgres: different databases may have the same text, which omits the socket and the user. `transfer`
    // refuses a target that is not empty.
    if from.to_string() == to.to_string() && matches!(from, Location::Sqlite(_)) {
        bail!("{from} is both source and target");
    }
    let bar = progress::progress_bar(0, "moving and comparing {wide_bar} {human_pos}/{human_len} rows, {eta} left");
    let mut report = |progress: sultan_store::Progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done);
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(sultan_store::transfer(&from, &to, &mut report));
    bar.finish_and_clear();
    let result = result.map_err(|error| match error {
        CopyError::Store(error) => data::with_password_hint(error, args.db_password_file.as_deref()),
        error => error.into(),
    });
    let counts = result.with_context(|| format!("cannot move {from} to {to}"))?;
    let TransferCounts { tables, changes, events, visitors, commitments, secrets, analyses } = counts;
    writeln!(out, "Moved from {from} to {to}, read back and found the same:")?;
    writeln!(out, "  {tables} tables with {changes} changes, {events} events in all")?;
    writeln!(out, "  {visitors} seats of browsers, {commitments} promises, {secrets} secrets, {analyses} analyses")?;
    writeln!(out, "{from} is as it was; do not serve from it any more.")?;
    Ok(())
}
