//! What the commands can be told that look after a database or a server, and where a database is.

use std::net::SocketAddr;
use std::path::PathBuf;

use super::values::address;

/// Where everything is kept.
#[derive(Debug, clap::Args)]
pub(crate) struct DbArgs {
    /// Where everything is kept: sqlite:FILE or postgres://… [default: sultan.db in your data directory]
    #[arg(long, env = "SULTAN_DB", value_name = "PLACE", hide_env_values = true)]
    pub(crate) db: Option<String>,

    /// The first line of this file is the password for Postgres, so that it need not stand in --db
    #[arg(long, env = "SULTAN_DB_PASSWORD_FILE", value_name = "FILE")]
    pub(crate) db_password_file: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct BackupArgs {
    /// The copy; it must not be there yet
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The settings of the server: `db` is taken from there
    #[arg(long, env = "SULTAN_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// What is copied: sqlite:FILE [default: sultan.db in your data directory]
    #[arg(long, env = "SULTAN_DB", value_name = "PLACE", hide_env_values = true)]
    pub(crate) db: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct MigrateDbArgs {
    /// Where everything is: sqlite:FILE or postgres://…
    #[arg(value_name = "FROM")]
    pub(crate) from: String,

    /// Where it shall be: an empty database, or a file that is not there yet
    #[arg(value_name = "TO")]
    pub(crate) to: String,

    /// The first line of this file is the password for Postgres
    #[arg(long, env = "SULTAN_DB_PASSWORD_FILE", value_name = "FILE")]
    pub(crate) db_password_file: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct HealthArgs {
    /// The settings of the server: `bind` is taken from there
    #[arg(long, env = "SULTAN_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Where the server listens; 0.0.0.0 stands for this machine
    #[arg(long, env = "SULTAN_BIND", value_name = "ADDR:PORT", default_value = "127.0.0.1:8080", value_parser = address)]
    pub(crate) bind: SocketAddr,
}
