//! Reads settings from a TOML file and uses them as defaults: the command line and the environment override them.
//!
//! The names in the file are those of the options of `sultan serve`, so a new option can be set in the file without
//! further code.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::builder::{Resettable, ValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, CommandFactory, FromArgMatches};
use toml::de::{DeTable, DeValue};

use super::{Args, ServeArgs};

/// Reads the command line, the environment, and the file given by `--config` or `SULTAN_CONFIG`. Exits like clap for
/// `--help` and for errors on the command line.
pub(crate) fn read(words: impl IntoIterator<Item = OsString>) -> anyhow::Result<super::Command> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    if words.get(1).is_some_and(|word| word == "help")
        && words.iter().skip(2).any(|word| word == "--help" || word == "-h")
    {
        // `sultan help COMMAND --help` is the same as `sultan help COMMAND`.
        words.retain(|word| word != "--help" && word != "-h");
    }
    let mut matches =
        Args::command().try_get_matches_from(&words).unwrap_or_else(|error| with_tip(error, &words).exit());
    if matches.subcommand().is_none() {
        // `serve` is the default command.
        words.push("serve".into());
        matches = Args::command().get_matches_from(&words);
    }
    if let Some((name, first_matches)) = matches.subcommand()
        && let Ok(Some(path)) = first_matches.try_get_one::<PathBuf>("config")
    {
        let settings = settings(path).with_context(|| format!("the settings in {}", path.display()))?;
        let command = Args::command().mut_subcommand(name, |command| with_defaults(command, settings, first_matches));
        matches = command.get_matches_from(&words);
    }
    let args = Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    args.command.context("no command given")
}

/// Adds a tip to the error if an option of `serve` is given without a command.
fn with_tip(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let serve = ServeArgs::augment_args(Command::new("serve"));
    let option = words.get(1).and_then(|word| word.to_str()).map(|word| word.split('=').next().unwrap_or_default());
    let known =
        |name: &&str| serve.get_arguments().filter_map(Arg::get_long).any(|long| name.strip_prefix("--") == Some(long));
    if error.kind() == ErrorKind::UnknownArgument
        && let Some(option) = option.filter(known)
    {
        let tip = format!("this is an option of `sultan serve`: sultan serve {option}");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// A valid setting.
struct Setting {
    name: String,
    value: String,
}

/// Reads and checks the settings of a file.
fn settings(path: &Path) -> anyhow::Result<Vec<Setting>> {
    let text = fs::read_to_string(path)?;
    // Errors name only the reason and the line, not the text: it may contain a password.
    let line = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
    let table = DeTable::parse(&text).map_err(|error| {
        anyhow::anyhow!("line {}: {}", line(error.span().map_or(0, |at| at.start)), error.message())
    })?;
    let known = ServeArgs::augment_args(Command::new("settings")).mut_args(|arg| arg.env(Resettable::Reset));
    let mut settings = Vec::new();
    for (name, value) in table.get_ref() {
        let at = || format!("line {}: {}", line(name.span().start), name.get_ref());
        let value = value_of(&known, name.get_ref(), value.get_ref()).with_context(at)?;
        settings.push(Setting { name: name.get_ref().to_string(), value });
    }
    let is_set = |name, value| settings.iter().any(|setting| setting.name == name && setting.value != value);
    if is_set("lan", "false") && is_set("bind", "") {
        bail!("lan and bind exclude each other: lan listens on all interfaces");
    }
    Ok(settings)
}

/// Checks a value and returns it as text for the command line.
fn value_of(known: &Command, name: &str, value: &DeValue<'_>) -> anyhow::Result<String> {
    let may_be_set = |arg: &&Arg| arg.get_long().is_some_and(|long| long != "config" && long != "help");
    let names = || known.get_arguments().filter(may_be_set).filter_map(Arg::get_long);
    let Some(arg) = known.get_arguments().filter(may_be_set).find(|arg| arg.get_long() == Some(name)) else {
        bail!("unknown setting; known settings: {}", names().collect::<Vec<_>>().join(", "));
    };
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return value.as_bool().map(|truth| truth.to_string()).context("must be true or false");
    }
    let is_number = arg.get_value_parser().type_id() == ValueParser::from(clap::value_parser!(u32)).type_id();
    let text = if is_number {
        let number = value.as_integer().and_then(|it| i64::from_str_radix(it.as_str(), it.radix()).ok());
        number.context("must be a number, without quotes")?.to_string()
    } else {
        value.as_str().context("must be text, in quotes")?.to_owned()
    };
    // Parse the option alone, to get its error message and no error of another option.
    if let Err(error) = known.clone().try_get_matches_from(["settings".to_owned(), format!("--{name}={text}")]) {
        let reason = std::error::Error::source(&error).map(ToString::to_string);
        let message = || {
            error.to_string().lines().map(str::trim).take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
        };
        bail!("{}", reason.unwrap_or_else(|| message().trim_start_matches("error: ").to_owned()));
    }
    Ok(text)
}

/// Replaces the defaults of a command with the settings; ignores settings that the command does not have.
fn with_defaults(mut command: Command, settings: Vec<Setting>, first_matches: &ArgMatches) -> Command {
    let is_given =
        |id: &str| matches!(first_matches.value_source(id), Some(ValueSource::CommandLine | ValueSource::EnvVariable));
    let knows = |command: &Command, name: &str| {
        command.get_arguments().find(|arg| arg.get_long() == Some(name)).map(|arg| arg.get_id().clone())
    };
    for Setting { name, value } in settings {
        let Some(id) = knows(&command, &name) else { continue };
        // `lan` and `bind` exclude each other: one on the command line or in the environment overrides the other in the
        // file.
        let otherwise = match id.as_str() {
            "bind" => first_matches.try_get_one::<bool>("lan").is_ok_and(|lan| lan == Some(&true)) && is_given("lan"),
            "lan" => is_given("bind"),
            _ => false,
        };
        if !otherwise {
            command = command.mut_arg(id, |arg| arg.default_value(value));
        }
    }
    command
}
