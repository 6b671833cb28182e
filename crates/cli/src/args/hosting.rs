//! Options of the commands that maintain a database or check a server.

use std::net::SocketAddr;
use std::path::PathBuf;

use super::values::address;

#[derive(Debug, clap::Args)]
pub(crate) struct BackupArgs {
    /// File for the copy; it must not exist yet
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The server's TOML file; `db` is read from it
    #[arg(long, env = "SULTAN_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Database to copy: sqlite:FILE [default: sultan.db in your data directory]
    #[arg(long, env = "SULTAN_DB", value_name = "PLACE", hide_env_values = true)]
    pub(crate) db: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct MigrateDbArgs {
    /// Source database: sqlite:FILE or postgres://…
    #[arg(value_name = "FROM")]
    pub(crate) from: String,

    /// Target: an empty database, or a file that does not exist yet
    #[arg(value_name = "TO")]
    pub(crate) to: String,

    /// Read the Postgres password from this file's first line
    #[arg(long, env = "SULTAN_DB_PASSWORD_FILE", value_name = "FILE")]
    pub(crate) db_password_file: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct HealthArgs {
    /// The server's TOML file; `bind` is read from it
    #[arg(long, env = "SULTAN_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Address of the server; 0.0.0.0 means this machine
    #[arg(long, env = "SULTAN_BIND", value_name = "ADDR:PORT", default_value = "127.0.0.1:8080", value_parser = address)]
    pub(crate) bind: SocketAddr,
}
