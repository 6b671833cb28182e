//! Reads settings from a TOML file and uses them as defaults: the command line and the environment override them.
//!
//! The names in the file are those of the options of `sultan serve`, so a new option of the command needs no code here.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::builder::{Resettable, ValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, CommandFactory, FromArgMatches};
use toml::de::{DeTable, DeValue};

use super::{Args, serve::ServeArgs};

/// Reads the command line, the environment, and the file given by `--config` or `SULTAN_CONFIG`. Exits like clap for
/// `--help` and for errors on the command line.
///
/// The file is known only after the command line was parsed. So if one is given, the command line is parsed again with
/// the settings in the file as defaults.
pub(crate) fn read(words: impl IntoIterator<Item = OsString>) -> anyhow::Result<super::Command> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    if words.get(1).is_some_and(|word| word == "help")
        && words.iter().skip(2).any(|word| word == "--help" || word == "-h")
    {
        // `sultan help COMMAND --help` is the same as `sultan help COMMAND`.
        words.retain(|word| word != "--help" && word != "-h");
    }
    if is_serve_without_command(&words) {
        words.insert(words.len().min(1), "serve".into());
    }
    let mut matches = Args::command().get_matches_from(&words);
    if let Some((name, first_matches)) = matches.subcommand()
        && let Ok(Some(path)) = first_matches.try_get_one::<PathBuf>("config")
    {
        let settings = read_settings(path).with_context(|| format!("the settings in {}", path.display()))?;
        let command = Args::command().mut_subcommand(name, |command| with_defaults(command, settings, first_matches));
        matches = command.get_matches_from(&words);
    }
    let args = Args::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    args.command.context("no command given")
}

/// Returns whether the command line has no command: no words, or options first. `serve` is the default command, so its
/// options can be given without it. Only the options of the program itself are different.
fn is_serve_without_command(words: &[OsString]) -> bool {
    let first_word = words.get(1).map(|word| word.to_string_lossy());
    first_word.is_none_or(|word| word.starts_with('-') && !["-h", "--help", "-V", "--version"].contains(&word.as_ref()))
}

/// Valid settings: the names of options of `serve`, with their values as text for the command line.
type Settings = BTreeMap<String, String>;

/// Reads and checks the settings of a file. Errors name only the reason and the line, not the text of the line: it may
/// contain a password.
fn read_settings(path: &Path) -> anyhow::Result<Settings> {
    let text = fs::read_to_string(path)?;
    let line_at = |byte: usize| text[..byte.min(text.len())].matches('\n').count() + 1;
    let table = DeTable::parse(&text).map_err(|error| {
        anyhow::anyhow!("line {}: {}", line_at(error.span().map_or(0, |span| span.start)), error.message())
    })?;
    // Without the environment: an invalid variable would be reported as an error of the file.
    let serve = ServeArgs::augment_args(Command::new("settings")).mut_args(|arg| arg.env(Resettable::Reset));
    let mut settings = Settings::new();
    for (name, value) in table.get_ref() {
        let line_and_name = || format!("line {}: {}", line_at(name.span().start), name.get_ref());
        let value = checked_value(&serve, name.get_ref(), value.get_ref()).with_context(line_and_name)?;
        settings.insert(name.get_ref().to_string(), value);
    }
    // Whether the file has the setting with another value than `unset`, which is its default.
    let is_set = |name, unset| settings.get(name).is_some_and(|value| value != unset);
    if is_set("lan", "false") && is_set("bind", "") {
        bail!("lan and bind exclude each other: lan listens on all interfaces");
    }
    Ok(settings)
}

/// Checks the value of a setting and returns it as text for the command line.
fn checked_value(serve: &Command, name: &str, value: &DeValue<'_>) -> anyhow::Result<String> {
    let is_setting = |arg: &&Arg| arg.get_long().is_some_and(|long| long != "config" && long != "help");
    let args = || serve.get_arguments().filter(is_setting);
    let Some(arg) = args().find(|arg| arg.get_long() == Some(name)) else {
        bail!("unknown setting; known settings: {}", args().filter_map(Arg::get_long).collect::<Vec<_>>().join(", "));
    };
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return value.as_bool().map(|flag| flag.to_string()).context("must be true or false");
    }
    // All numbers in the options of `serve` are of the type u32.
    let is_number = arg.get_value_parser().type_id() == ValueParser::from(clap::value_parser!(u32)).type_id();
    let text = if is_number {
        let number = value.as_integer().and_then(|digits| i64::from_str_radix(digits.as_str(), digits.radix()).ok());
        number.context("must be a number, without quotes")?.to_string()
    } else {
        value.as_str().context("must be text, in quotes")?.to_owned()
    };
    // Parse the option alone, so that an error is about this option.
    if let Err(error) = serve.clone().try_get_matches_from(["settings".to_owned(), format!("--{name}={text}")]) {
        // The source is the error of the option's own parser. Without a source, take the first paragraph of clap's
        // message; the other paragraphs are about usage.
        let reason = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
        let first_paragraph: Vec<&str> = reason.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        bail!("{}", first_paragraph.join(" ").trim_start_matches("error: "));
    }
    Ok(text)
}

/// Replaces the defaults of a command with the settings. Ignores settings that the command does not have: `backup` and
/// `health` read the same file as `serve`. `first_matches` is the command line, parsed without the file.
fn with_defaults(mut command: Command, settings: Settings, first_matches: &ArgMatches) -> Command {
    let is_given =
        |id: &str| matches!(first_matches.value_source(id), Some(ValueSource::CommandLine | ValueSource::EnvVariable));
    for (name, value) in settings {
        let Some(arg) = command.get_arguments().find(|arg| arg.get_long() == Some(name.as_str())) else { continue };
        let id = arg.get_id().clone();
        // `lan` and `bind` exclude each other: one on the command line or in the environment overrides the other in the
        // file.
        let is_overridden = match id.as_str() {
            "bind" => first_matches.try_get_one::<bool>("lan").is_ok_and(|lan| lan == Some(&true)) && is_given("lan"),
            "lan" => is_given("bind"),
            _ => false,
        };
        if !is_overridden {
            command = command.mut_arg(id, |arg| arg.default_value(value));
        }
    }
    command
}
