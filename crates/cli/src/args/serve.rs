//! Options of `sultan serve`, from the command line, the environment or a file.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use super::values::{address, at_least_one, within};

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
pub(crate) struct ServeArgs {
    /// TOML file with defaults for these options
    #[arg(long, env = "SULTAN_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Address to listen on [default: 127.0.0.1:8080, or the next free port]
    #[arg(long, env = "SULTAN_BIND", value_name = "ADDR:PORT", value_parser = address)]
    pub(crate) bind: Option<SocketAddr>,

    /// Database: sqlite:FILE or postgres://… [default: sultan.db in your data directory]
    #[arg(long, env = "SULTAN_DB", value_name = "PLACE", hide_env_values = true)]
    pub(crate) db: Option<String>,

    /// Read the Postgres password from this file's first line instead of --db
    #[arg(long, env = "SULTAN_DB_PASSWORD_FILE", value_name = "FILE")]
    pub(crate) db_password_file: Option<PathBuf>,

    /// Listen on all interfaces, and print the link for other devices, also as a QR code
    #[arg(long, env = "SULTAN_LAN", value_parser = switch, conflicts_with = "bind")]
    pub(crate) lan: bool,

    /// Do not open a browser. It is never opened without a terminal and a screen, or by a service
    #[arg(long, env = "SULTAN_NO_OPEN", value_parser = switch)]
    pub(crate) no_open: bool,

    /// Do not limit requests or connections per address or token
    #[arg(long, env = "SULTAN_NO_RATE_LIMIT", value_parser = switch)]
    pub(crate) no_rate_limit: bool,

    /// Average pause before a bot acts, in milliseconds
    #[arg(long, env = "SULTAN_BOT_PAUSE_MS", value_name = "N", default_value_t = 900, value_parser = within(0..=600_000_u32))]
    pub(crate) bot_pause_ms: u32,

    /// Serve /metrics for Prometheus on this address, which should not be reachable from the internet
    #[arg(long, env = "SULTAN_METRICS_BIND", value_name = "ADDR:PORT", value_parser = address)]
    pub(crate) metrics_bind: Option<SocketAddr>,

    /// Trust X-Forwarded-For and X-Forwarded-Proto: only behind a proxy that sets them
    #[arg(long, env = "SULTAN_TRUST_PROXY", value_parser = switch)]
    pub(crate) trust_proxy: bool,

    /// Maximum number of open tables: waiting for players, or in play
    #[arg(long, env = "SULTAN_MAX_TABLES", value_name = "N", default_value_t = 1_000_000, value_parser = tables)]
    pub(crate) max_tables: u32,

    /// Delete tables, including players' names, after N days without change [default: never]
    #[arg(long, env = "SULTAN_FORGET_AFTER_DAYS", value_name = "N", value_parser = within(1..=36_500_u32))]
    pub(crate) forget_after_days: Option<u32>,

    /// Log level on standard error: error, warn, info, debug or trace, also by module (`info,sqlx=warn`) [default:
    /// `RUST_LOG`, or info]
    #[arg(long, env = "SULTAN_LOG", value_name = "LEVEL")]
    pub(crate) log: Option<String>,

    /// Log format
    #[arg(long, env = "SULTAN_LOG_FORMAT", value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub(crate) log_format: LogFormat,
}

/// The format of the log.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum LogFormat {
    /// For people
    Text,
    /// For programs, one JSON object per line
    Json,
}

/// Parses a number of tables, at least 1.
fn tables(text: &str) -> Result<u32, String> {
    at_least_one(text).map(NonZeroU32::get)
}

/// Parses the value of a switch in the environment. (On the command line a switch has no value.)
///
/// An unknown word is an error, not `true`: `SULTAN_TRUST_PROXY=nein` would let every client forge its address.
fn switch(text: &str) -> Result<bool, String> {
    match &text.trim().to_lowercase()[..] {
        "true" | "yes" | "on" | "1" => Ok(true),
        "" | "false" | "no" | "off" | "0" => Ok(false),
        _ => Err("must be true or false (or yes, no, on, off, 1, 0)".to_owned()),
    }
}
