//! Sections of manual pages that `--help` does not have: exit status, environment, files.

use clap::{ArgAction, Command};

use super::item;

/// The name of an environment variable or file (or several names), a description, and the commands that use it.
type Entry = (&'static str, &'static str, &'static [&'static str]);

/// Environment variables that do not belong to an option.
const VARIABLES: &[Entry] = &[
    ("RUST_LOG", "The log level, unless --log or SULTAN_LOG is given.", &["serve"]),
    (
        "PGPASSWORD, PGPASSFILE, PGSSLMODE, PGSSLROOTCERT, PGSSLCERT, PGSSLKEY",
        "Password and TLS settings of a Postgres database, as for the programs of Postgres.",
        &["serve", "migrate-db"],
    ),
    (
        "DISPLAY, WAYLAND_DISPLAY, CI, SSH_CONNECTION, SSH_TTY",
        "A browser is opened only on a machine with a screen, and neither in CI nor over SSH.",
        &["serve"],
    ),
    ("SSL_CERT_FILE, SSL_CERT_DIR", "Certificates to trust for https://, instead of the system's.", &["play"]),
    ("LC_ALL, LC_MESSAGES, LANG", "The language, unless --lang is given; the first counts.", &["play", "replay"]),
    ("USER, USERNAME", "Your name, unless --name is given.", &["play"]),
    ("XDG_DATA_HOME, HOME", "The location of the data directory; see FILES.", &["sultan", "serve", "play", "backup"]),
];

/// Files that are read without an option or written.
pub(super) const FILES: &[Entry] = &[
    (
        "~/.local/share/sultan/sultan.db",
        "The default database of the server. (Path on Linux.)",
        &["sultan", "serve", "backup"],
    ),
    ("~/.local/share/sultan/play.db", "Your games on this computer. (Path on Linux.)", &["sultan", "play"]),
    ("~/.local/share/sultan/play.lock", "Locked while you play. (Path on Linux.)", &["play"]),
    (
        "FILE of --config",
        "Settings in TOML, such as bind = \"0.0.0.0:80\", under the names of the options of sultan serve. No file is \
         read by default.",
        &["serve", "backup", "health"],
    ),
    ("FILE of --db-password-file", "Its first line is the Postgres password.", &["serve", "migrate-db"]),
    ("~/.pgpass", "Passwords of Postgres databases.", &["serve", "migrate-db"]),
    ("FILE", "The copy, which only you can read. It must not exist yet.", &["backup"]),
    ("TO", "A SQLite file is created; it must not exist yet.", &["migrate-db"]),
    ("FILE of --svg", "The chart, written at the end.", &["analyze", "arena"]),
    ("FILE of --html", "The page, written at the end. It needs no other files.", &["analyze"]),
    ("FILE of --records", "The records, one per line, for sultan replay, verify and analyze.", &["arena"]),
    ("FILE of --out", "The nets, written at the end, for the bots vizier@FILE and sultan@FILE.", &["train"]),
    ("FOLDER of --dir", "sultan.1 and a page for each command. Existing pages are overwritten.", &["man"]),
];

/// The exit statuses of all commands.
pub(super) fn exit_status() -> String {
    item("0", "Success.")
        + &item("1", "The command failed or refused its input. One line on standard error gives the reason.")
        + &item("2", "Wrong usage of the command line.")
}

/// The environment variables that a command reads; first those that set the defaults of its options.
pub(super) fn environment(command: &Command) -> String {
    let options = command.get_arguments().filter_map(|option| {
        let possible_values = if matches!(option.get_action(), ArgAction::SetTrue) { ": true or false" } else { "" };
        Some(item(option.get_env()?.to_str()?, &format!("Default of --{}{possible_values}.", option.get_long()?)))
    });
    let no_color = item("NO_COLOR", "If not empty, the output has no colours.");
    options.collect::<String>() + &entries(VARIABLES, command) + &no_color
}

/// The items of the entries that belong to a command.
pub(super) fn entries(entries: &[Entry], command: &Command) -> String {
    let of_command = entries.iter().filter(|(.., commands)| commands.contains(&command.get_name()));
    of_command.map(|(name, description, _)| item(name, description)).collect()
}
