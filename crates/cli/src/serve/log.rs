//! Starts the log, with the requested level and format.

use std::io;

use anyhow::{anyhow, bail};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::args::serve::{LogFormat, ServeArgs};

/// Starts logging to standard error.
pub(crate) fn start(args: &ServeArgs) -> anyhow::Result<()> {
    let levels = args.log.clone().or_else(|| std::env::var("RUST_LOG").ok());
    let filter = filter(levels.as_deref().unwrap_or("info"))?;
    // No limit here: `filter` decides which messages are logged.
    let log = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(io::stderr);
    match args.log_format {
        LogFormat::Text => log.with_ansi(anstream::stderr().is_terminal()).finish().with(filter).init(),
        LogFormat::Json => log.json().finish().with(filter).init(),
    }
    Ok(())
}

/// Parses a log filter: a level, and levels of modules, separated by commas. (`EnvFilter` would also read span fields
/// and needs a regex compiler.)
///
/// A single word that is not a level is an error: it would be read as the name of a module that does not exist, and
/// even errors would not be logged.
fn filter(text: &str) -> anyhow::Result<Targets> {
    // An empty part would enable everything.
    let parts: Vec<&str> = text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    let text = parts.join(",");
    let level = text.parse::<LevelFilter>();
    if level.is_err() && !text.contains([',', '=']) {
        bail!("invalid log level: {text} is not error, warn, info, debug, trace or off");
    }
    // Without the notices that Postgres sends at every start, about tables that already exist.
    let is_info = level.is_ok_and(|level| level == LevelFilter::INFO);
    let text = if is_info { "info,sqlx::postgres::notice=warn" } else { &text };
    // Not `context`: the error is its own source and would be printed twice.
    text.parse().map_err(|error| anyhow!("invalid log filter: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_log_filter_is_rejected_with_one_reason() {
        for valid in ["info", "DEBUG", " warn ", "off", "info,sqlx=warn", "sultan_server=debug", "[{table}]=debug"] {
            assert!(filter(valid).is_ok(), "{valid}");
        }
        for invalid in ["inof", "verbose", "bogus=x=y", "loud=very"] {
            let message = format!("{:#}", filter(invalid).unwrap_err());
            let (problem, reason) = message.split_once(": ").unwrap();
            assert!(problem.starts_with("invalid log "), "{message}");
            // An error that is its own source would give its reason twice.
            let is_repeated = reason.split_once(": ").is_some_and(|(first, second)| first == second);
            assert!(!is_repeated, "{message}");
        }
    }

    #[test]
    fn empty_parts_of_a_filter_are_skipped() {
        assert_eq!(filter(" info, ,sqlx=warn,").unwrap().to_string(), filter("info,sqlx=warn").unwrap().to_string());
        // An empty filter logs only errors.
        assert_eq!(filter("").unwrap().to_string(), "error");
    }

    #[test]
    fn postgres_notices_are_not_logged_at_level_info() {
        // A level may be a number, too: 3 is info.
        for info in ["info", "INFO", "3"] {
            assert!(filter(info).unwrap().to_string().contains("sqlx::postgres::notice=warn"), "{info}");
        }
        assert!(!filter("debug").unwrap().to_string().contains("notice"));
    }
}
