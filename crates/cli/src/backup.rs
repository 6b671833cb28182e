//! `sultan backup`: copies a server's SQLite file while the server runs.

use anyhow::{Context, bail};
use sultan_store::Location;

use crate::Out;
use crate::args::hosting::BackupArgs;
use crate::serve::data;

pub(crate) fn run(args: &BackupArgs, out: Out) -> anyhow::Result<()> {
    let location = data::location(args.db.as_deref(), None)?;
    let path = match &location {
        Location::Sqlite(path) => path,
        Location::Postgres(options) => {
            let host =
                options.get_socket().map_or_else(|| options.get_host().into(), |folder| folder.to_string_lossy());
            let (port, user) = (options.get_port(), options.get_username());
            bail!(
                "this copies SQLite files; for Postgres use: \
                 pg_dump --format=custom --file={} --host={host} --port={port} --username={user} {}",
                args.file.display(),
                options.get_database().unwrap_or(user)
            );
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(sultan_store::backup(path, &args.file)).with_context(|| location.to_string())?;
    #[expect(clippy::cast_precision_loss, reason = "it is shown with one digit")]
    let megabytes = done.bytes as f64 / 1e6;
    writeln!(out, "{} tables, {megabytes:.1} MB, of {location}: copied to {}", done.tables, args.file.display())?;
    Ok(())
}
