//! Parsers of values that several commands take, with error messages and the possible values for shell completion.

use std::ffi::OsStr;
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, Command};
use sultan_domain::{PlayerColour, Players, Variant};
use sultan_text::Lang;

/// Parses a number of players.
pub(super) fn players() -> impl TypedValueParser<Value = Players> {
    within(2..=5).try_map(|count| Players::new(count).ok_or("2 to 5 players"))
}

/// Parses a number in `range`.
pub(super) fn within<T>(range: RangeInclusive<T>) -> impl TypedValueParser<Value = T>
where
    T: Copy + PartialOrd + FromStr + ToString + Send + Sync + 'static,
{
    StringValueParser::new().try_map(move |text: String| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            format!("must be a number from {} to {}", range.start().to_string(), range.end().to_string())
        })
    })
}

/// Parses a number that is at least 1. `T` must be a type without 0, such as `NonZeroU32`.
pub(super) fn at_least_one<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "must be a number, at least 1".to_owned())
}

/// Parses an IP address and a port.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "must be an address and a port, both in numbers, such as 127.0.0.1:8080".to_owned())
}

/// A parser that suggests names for shell completion, and may accept other values too.
#[derive(Clone)]
pub(super) struct NameParser<T> {
    names: fn() -> Vec<String>,
    parse: fn(&str) -> Result<T, String>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for NameParser<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let parse = self.parse;
        StringValueParser::new().try_map(move |text| parse(&text)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

/// Parses a language: its code or a tag that begins with it, such as `de-AT`.
pub(super) fn lang() -> NameParser<Lang> {
    NameParser {
        names: || Lang::ALL.iter().map(|lang| lang.code().to_owned()).collect(),
        parse: |text| text.parse().map_err(|error: <Lang as FromStr>::Err| error.to_string()),
    }
}

/// Parses a player's colour, by its English name.
pub(super) fn colour() -> NameParser<PlayerColour> {
    NameParser {
        names: || PlayerColour::ALL.map(|colour| colour.name().to_owned()).into(),
        parse: |text| {
            let colour = PlayerColour::ALL.into_iter().find(|colour| colour.name() == text.to_lowercase());
            colour.ok_or_else(|| "violet, gold, green, red or blue".to_owned())
        },
    }
}

/// Parses a variant, by its name.
pub(super) fn game() -> NameParser<Variant> {
    NameParser {
        names: || Variant::OFFERED.iter().map(|(name, _)| (*name).to_owned()).collect(),
        parse: |text| Variant::named(text).ok_or_else(|| "there is no such game".to_owned()),
    }
}

/// Checks the name of a bot, optionally with a file of nets or a time limit.
pub(super) fn bot() -> NameParser<String> {
    NameParser { names: || sultan_bots::NAMES.map(str::to_owned).into(), parse: crate::bot::check_name }
}

/// Suggests the commands of this program. Any text is accepted: `man` checks whether the page exists.
pub(super) fn command() -> NameParser<String> {
    NameParser {
        names: || {
            let program = <super::Args as clap::CommandFactory>::command();
            program.get_subcommands().map(|command| command.get_name().to_owned()).collect()
        },
        parse: |text| Ok(text.to_owned()),
    }
}
