//! How much is logged, and how.

use std::io;

use anyhow::{anyhow, bail};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::args::{LogFormat, ServeArgs};

/// Logs on standard error from now on.
pub(crate) fn start(args: &ServeArgs) -> anyhow::Result<()> {
    let wanted = args.log.clone().or_else(|| std::env::var("RUST_LOG").ok());
    let filter = filter(wanted.as_deref().unwrap_or("info"))?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    match args.log_format {
        LogFormat::Text => log.with_ansi(anstream::stderr().is_terminal()).init(),
        LogFormat::Json => log.json().init(),
    }
    Ok(())
}

/// What is let through. A single word that is no level would be the name of a part, of which there is none: then
/// nothing would be logged, not even what is wrong.
fn filter(wanted: &str) -> anyhow::Result<EnvFilter> {
    let level = wanted.trim().parse::<LevelFilter>();
    if level.is_err() && !wanted.contains([',', '=', '[']) {
        bail!("how much to log cannot be read: {wanted} is not error, warn, info, debug, trace or off");
    }
    // At every start, Postgres tells that what is there already need not be made.
    let wanted =
        if level.is_ok_and(|level| level == LevelFilter::INFO) { "info,sqlx::postgres::notice=warn" } else { wanted };
    // The reason has itself for a reason.
    EnvFilter::try_new(wanted).map_err(|error| anyhow!("how much to log cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_no_level_is_refused_and_a_reason_told_once() {
        for right in ["info", "DEBUG", " warn ", "off", "info,sqlx=warn", "sultan_server=debug", "[{table}]=debug"] {
            assert!(filter(right).is_ok(), "{right}");
        }
        for wrong in ["inof", "verbose", "bogus=x=y", "loud=very"] {
            let said = format!("{:#}", filter(wrong).unwrap_err());
            let (_, reason) = said.split_once("how much to log cannot be read: ").unwrap();
            assert!(reason.split_once(": ").is_none_or(|(one, other)| one != other), "{said}");
        }
    }

    #[test]
    fn what_postgres_notices_is_no_news() {
        for usual in ["info", "INFO", "3"] {
            assert!(filter(usual).unwrap().to_string().contains("sqlx::postgres::notice=warn"), "{usual}");
        }
        assert!(!filter("debug").unwrap().to_string().contains("notice"));
    }
}
