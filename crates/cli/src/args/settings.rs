//! Settings from a file, in the place of defaults: what the command line or the environment says comes first.
//!
//! The file is TOML, and its names are those of the options of `sultan serve`: whatever option is added there can stand in a file.

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

/// Reads the command line, the environment, and the file that one of them names. Ends the program, as clap does, where help is asked for
/// or something is wrong on the command line.
pub(crate) fn read(words: impl IntoIterator<Item = OsString>) -> anyhow::Result<super::Command> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    if words.get(1).is_some_and(|word| word == "help")
        && words.iter().skip(2).any(|word| word == "--help" || word == "-h")
    {
        // What is asked twice is asked once.
        words.retain(|word| word != "--help" && word != "-h");
    }
    let mut matches =
        Args::command().try_get_matches_from(&words).unwrap_or_else(|error| with_tip(error, &words).exit());
    if matches.subcommand().is_none() {
        // What `sultan` alone does.
        words.push("serve".into());
        matches = Args::command().get_matches_from(&words);
    }
    if let Some((name, told)) = matches.subcommand()
        && let Ok(Some(path)) = told.try_get_one::<PathBuf>("config")
    {
        let settings = settings(path).with_context(|| format!("the settings in {}", path.display()))?;
        let command = Args::command().mut_subcommand(name, |command| with_defaults(command, settings, told));
        matches = command.get_matches_from(&words);
    }
    let args = Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    args.command.context("no command given")
}

/// Says how an option of `serve` is given, where no command is named: `sultan` alone serves, too.
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

/// A setting that is what it should be.
struct Setting {
    name: String,
    value: String,
}

/// What stands in a file.
fn settings(path: &Path) -> anyhow::Result<Vec<Setting>> {
    let text = fs::read_to_string(path)?;
    // Only the reason and the line are told: there may be a password in it.
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

/// A value as it would be written on the command line, if it is right.
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
    // The same words as for the option; nothing else is set, so that nothing else can be wrong.
    if let Err(error) = known.clone().try_get_matches_from(["settings".to_owned(), format!("--{name}={text}")]) {
        let reason = std::error::Error::source(&error).map(ToString::to_string);
        let said = || {
            error.to_string().lines().map(str::trim).take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
        };
        bail!("{}", reason.unwrap_or_else(|| said().trim_start_matches("error: ").to_owned()));
    }
    Ok(text)
}

/// Puts settings in the place of a command's defaults, those that it knows.
fn with_defaults(mut command: Command, settings: Vec<Setting>, told: &ArgMatches) -> Command {
    let is_told = |id: &str| matches!(told.value_source(id), Some(ValueSource::CommandLine | ValueSource::EnvVariable));
    let knows = |command: &Command, name: &str| {
        command.get_arguments().find(|arg| arg.get_long() == Some(name)).map(|arg| arg.get_id().clone())
    };
    for Setting { name, value } in settings {
        let Some(id) = knows(&command, &name) else { continue };
        // Of two ways to say where to listen, the one in the file is not what somebody asked for now.
        let otherwise = match id.as_str() {
            "bind" => told.try_get_one::<bool>("lan").is_ok_and(|lan| lan == Some(&true)) && is_told("lan"),
            "lan" => is_told("bind"),
            _ => false,
        };
        if !otherwise {
            command = command.mut_arg(id, |arg| arg.default_value(value));
        }
    }
    command
}
