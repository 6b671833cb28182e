//! `sultan backup`: a copy of the file that a server keeps everything in, while it goes on.

use anyhow::{Context, bail};
use sultan_store::Location;

use crate::Out;
use crate::args::BackupArgs;
use crate::serve::data;

pub(crate) fn run(args: &BackupArgs, out: Out) -> anyhow::Result<()> {
    let location = data::located(args.db.as_deref(), None)?;
    let Location::Sqlite(path) = &location else {
        bail!(
            "sultan backs up SQLite files only; for Postgres: pg_dump --format=custom --file='{}' --dbname='{location}'",
            args.file.display()
        );
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(sultan_store::backup(path, &args.file)).with_context(|| location.to_string())?;
    #[expect(clippy::cast_precision_loss, reason = "it is shown with one digit")]
    let megabytes = done.bytes as f64 / 1e6;
    writeln!(out, "{} tables, {megabytes:.1} MB, of {location}: copied to {}", done.tables, args.file.display())?;
    Ok(())
}
