//! What `sultan serve` can be told, by flags, in the environment, or in a file.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use super::DbArgs;
use super::values::{address, at_least_one, within};

#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
pub(crate) struct ServeArgs {
    /// Settings for all that is not set here or in the environment: a TOML file with the names of these options
    #[arg(long, env = "SULTAN_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Where to listen [default: 127.0.0.1:8080, or the next free port]
    #[arg(long, env = "SULTAN_BIND", value_name = "ADDR:PORT", value_parser = address)]
    pub(crate) bind: Option<SocketAddr>,

    #[command(flatten)]
    pub(crate) place: DbArgs,

    /// Listen on all interfaces, and show the link for other devices, also as a QR code
    #[arg(long, env = "SULTAN_LAN", value_parser = switch, conflicts_with = "bind")]
    pub(crate) lan: bool,

    /// Do not open a browser (none is opened anyway without a terminal and a screen, or as a service)
    #[arg(long, env = "SULTAN_NO_OPEN", value_parser = switch)]
    pub(crate) no_open: bool,

    /// Set no limit to how many requests and connections come from one address or with one token
    #[arg(long, env = "SULTAN_NO_RATE_LIMIT", value_parser = switch)]
    pub(crate) no_rate_limit: bool,

    /// How long bots pause before they act, on average, in milliseconds
    #[arg(long, env = "SULTAN_BOT_PAUSE_MS", value_name = "N", default_value_t = 900, value_parser = within(0..=600_000_u32))]
    pub(crate) bot_pause_ms: u32,

    /// Answer /metrics for Prometheus there; keep it where only you can reach it
    #[arg(long, env = "SULTAN_METRICS_BIND", value_name = "ADDR:PORT", value_parser = address)]
    pub(crate) metrics_bind: Option<SocketAddr>,

    /// Believe X-Forwarded-For and X-Forwarded-Proto: only behind a proxy that sets them
    #[arg(long, env = "SULTAN_TRUST_PROXY", value_parser = switch)]
    pub(crate) trust_proxy: bool,

    /// How many tables may be open at once: waiting for players, or in play
    #[arg(long, env = "SULTAN_MAX_TABLES", value_name = "N", default_value_t = 1_000_000, value_parser = tables)]
    pub(crate) max_tables: u32,

    /// Forget tables, with the names of those who played there, that have not changed for so many days [default: never]
    #[arg(long, env = "SULTAN_FORGET_AFTER_DAYS", value_name = "N", value_parser = within(1..=36_500_u32))]
    pub(crate) forget_after_days: Option<u32>,

    /// How much is logged on standard error: error, warn, info, debug or trace, also for parts (`info,sqlx=warn`)
    /// [default: what `RUST_LOG` says, or info]
    #[arg(long, env = "SULTAN_LOG", value_name = "LEVEL")]
    pub(crate) log: Option<String>,

    /// How the log is written
    #[arg(long, env = "SULTAN_LOG_FORMAT", value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub(crate) log_format: LogFormat,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum LogFormat {
    /// For people
    Text,
    /// For programs, one object a line
    Json,
}

/// How many tables; with none, nobody could play.
fn tables(text: &str) -> Result<u32, String> {
    at_least_one(text).map(NonZeroU32::get)
}

/// A switch in the environment; on the command line it is there or not. A word that is neither is not taken for one of
/// the two: `nein` would let everybody say where they come from.
fn switch(text: &str) -> Result<bool, String> {
    match &text.trim().to_lowercase()[..] {
        "true" | "yes" | "on" | "1" => Ok(true),
        "" | "false" | "no" | "off" | "0" => Ok(false),
        _ => Err("must be true or false (or yes, no, on, off, 1, 0)".to_owned()),
    }
}
