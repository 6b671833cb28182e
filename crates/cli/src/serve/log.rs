//! Log level and format.

use std::io;

use anyhow::{anyhow, bail};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::args::{LogFormat, ServeArgs};

/// Starts logging to standard error.
pub(crate) fn start(args: &ServeArgs) -> anyhow::Result<()> {
    let wanted = args.log.clone().or_else(|| std::env::var("RUST_LOG").ok());
    let filter = filter(wanted.as_deref().unwrap_or("info"))?;
    // The level is limited by the filter alone.
    let log = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(io::stderr);
    match args.log_format {
        LogFormat::Text => log.with_ansi(anstream::stderr().is_terminal()).finish().with(filter).init(),
        LogFormat::Json => log.json().finish().with(filter).init(),
    }
    Ok(())
}

/// Parses a log filter: levels, and levels by module. (`EnvFilter` would also read span fields and needs a regex
/// compiler.)
///
/// A single word that is not a level is an error: it would be read as the name of a module that does not exist, and
/// even errors would not be logged.
fn filter(wanted: &str) -> anyhow::Result<Targets> {
    // An empty part would enable everything.
    let parts: Vec<&str> = wanted.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    let wanted = parts.join(",");
    let level = wanted.parse::<LevelFilter>();
    if level.is_err() && !wanted.contains([',', '=']) {
        bail!("invalid log level: {wanted} is not error, warn, info, debug, trace or off");
    }
    // At every start Postgres sends notices about tables that already exist.
    let wanted =
        if level.is_ok_and(|level| level == LevelFilter::INFO) { "info,sqlx::postgres::notice=warn" } else { &wanted };
    // Not `context`: the error is its own source and would be printed twice.
    wanted.parse().map_err(|error| anyhow!("invalid log filter: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_log_filter_is_rejected_with_one_reason() {
        for right in ["info", "DEBUG", " warn ", "off", "info,sqlx=warn", "sultan_server=debug", "[{table}]=debug"] {
            assert!(filter(right).is_ok(), "{right}");
        }
        for wrong in ["inof", "verbose", "bogus=x=y", "loud=very"] {
            let message = format!("{:#}", filter(wrong).unwrap_err());
            let (what, reason) = message.split_once(": ").unwrap();
            assert!(what.starts_with("invalid log "), "{message}");
            assert!(reason.split_once(": ").is_none_or(|(one, other)| one != other), "{message}");
        }
    }

    #[test]
    fn empty_parts_of_a_filter_are_skipped() {
        assert_eq!(filter(" info, ,sqlx=warn,").unwrap().to_string(), filter("info,sqlx=warn").unwrap().to_string());
        assert_eq!(filter("").unwrap().to_string(), "error");
    }

    #[test]
    fn postgres_notices_are_not_logged() {
        for usual in ["info", "INFO", "3"] {
            assert!(filter(usual).unwrap().to_string().contains("sqlx::postgres::notice=warn"), "{usual}");
        }
        assert!(!filter("debug").unwrap().to_string().contains("notice"));
    }
}
