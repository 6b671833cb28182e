//! Tests of help, version, manual pages and completions.

use std::process::{Command, Output};

use sultan_testkit::binary::{Binary, assert_usage_error};
use sultan_testkit::skip_or_fail;
use tempfile::TempDir;

const SULTAN: Binary = Binary(env!("CARGO_BIN_EXE_sultan"));

const COMMANDS: [&str; 16] = [
    "serve",
    "play",
    "backup",
    "migrate-db",
    "health",
    "replay",
    "verify",
    "analyze",
    "score",
    "arena",
    "engine",
    "solve",
    "train",
    "completions",
    "man",
    "help",
];

fn sultan(arguments: &[&str]) -> Output {
    SULTAN.run(arguments)
}

fn printed(arguments: &[&str]) -> String {
    SULTAN.successful_stdout(arguments)
}

/// All commands but `help`, which is clap's own.
fn own() -> impl Iterator<Item = &'static str> {
    COMMANDS.into_iter().filter(|name| *name != "help")
}

#[test]
fn every_command_has_help() {
    let help = printed(&["--help"]);
    assert!(help.contains("André Zatz and Sergio Halaban") && help.contains("unofficial"));
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Wrapped lines are indented further.
    let listed = listed.filter(|line| !line.starts_with("   "));
    let mut listed: Vec<&str> = listed.map(|line| line.split_whitespace().next().unwrap()).collect();
    let mut commands = COMMANDS;
    listed.sort_unstable();
    commands.sort_unstable();
    assert_eq!(listed, commands, "all commands, and the list here has them all");
    for command in own() {
        let text = printed(&[command, "--help"]);
        assert!(text.contains("Usage: sultan") && text.contains("Example"), "{text}");
        // Examples are lines to copy, so they are not wrapped.
        let examples = text.lines().skip_while(|line| !line.starts_with("Example")).skip(1);
        assert!(examples.filter(|line| !line.is_empty()).all(|line| line.starts_with("  ")), "{text}");
    }
    // Commands that take a bot list all bots.
    for command in ["arena", "engine", "play", "train"] {
        for bot in sultan_bots::NAMES {
            assert!(printed(&[command, "--help"]).contains(bot), "{command}: {bot}");
        }
    }
}

#[test]
fn help_is_printed_for_every_spelling() {
    let all = printed(&["help"]);
    assert_eq!((printed(&["help", "--help"]), printed(&["help", "-h"])), (all.clone(), all));
    assert_eq!(printed(&["help", "serve", "--help"]), printed(&["help", "serve"]));
    for option in ["--lan", "--no-open", "--bind=127.0.0.1:80"] {
        let tip =
            format!("tip: this is an option of `sultan serve`: sultan serve {}", option.split('=').next().unwrap());
        assert_usage_error(&sultan(&[option]), &tip);
    }
    let message = String::from_utf8(sultan(&["--lna"]).stderr).unwrap();
    assert!(!message.contains("option of"), "{message}");
}

#[test]
fn invalid_numbers_and_addresses_are_explained() {
    for (words, message) in [
        (&["arena", "--players", "2", "--bots", "page,page", "--games", "0"][..], "must be a number, at least 1"),
        (&["arena", "--players", "2", "--bots", "page,page", "--jobs", "0"], "must be a number, at least 1"),
        (&["arena", "--players", "6", "--bots", "page,page"], "must be a number from 2 to 5"),
        (&["serve", "--max-tables", "0"], "must be a number, at least 1"),
        (&["serve", "--bind", "localhost:8080"], "both in numbers, such as 127.0.0.1:8080"),
        (&["health", "--bind", "node2:8080"], "both in numbers, such as 127.0.0.1:8080"),
    ] {
        assert_usage_error(&sultan(words), message);
    }
}

#[test]
fn the_version_is_the_crates() {
    assert_eq!(printed(&["--version"]), concat!("sultan ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn every_command_has_a_page_in_the_manual() {
    let folder = TempDir::new().unwrap();
    let into = folder.path().join("new/man1");
    let files = printed(&["man", "--dir", into.to_str().unwrap()]);
    assert_eq!(files.lines().count(), COMMANDS.len(), "{files}");
    let program = printed(&["man"]);
    assert_eq!(program, std::fs::read_to_string(into.join("sultan.1")).unwrap());
    for command in own() {
        assert!(program.contains(&format!("sultan\\-{}(1)", command.replace('-', "\\-"))), "{command}: {program}");
        let page = printed(&["man", command]);
        assert_eq!(page, std::fs::read_to_string(into.join(format!("sultan-{command}.1"))).unwrap());
        assert!(page.contains(".SH NAME\n") && page.contains(".SH SYNOPSIS\n"), "{page}");
        assert!(page.contains("\n.SH EXAMPLES\n.nf\nsultan ") && !page.contains("EXTRA"), "{page}");
        // The pages do not depend on the system.
        assert!(page.contains(concat!("\"sultan ", env!("CARGO_PKG_VERSION"), "\"")), "{page}");
    }
    assert!(printed(&["man", "serve"]).contains("SULTAN_DB_PASSWORD_FILE"));
    well_formed(&into);
    assert_usage_error(&sultan(&["man", "nothing"]), "there is no page sultan-nothing.1");
    assert_eq!(sultan(&["man", "serve", "--dir", "x"]).status.code(), Some(2));
}

/// The terms of a section of a manual page; empty without this section.
fn terms(page: &str, section: &str) -> Vec<String> {
    let lines = page.lines().skip_while(|line| *line != format!(".SH {section}")).skip(1);
    let section: Vec<&str> = lines.take_while(|line| !line.starts_with(".SH ")).collect();
    let terms = section.windows(2).filter(|lines| lines[0] == ".TP").map(|lines| lines[1]);
    terms.map(|term| term.replace("\\fB", "").replace("\\fR", "").replace("\\-", "-")).collect()
}

#[test]
fn pages_list_exit_statuses_variables_and_files() {
    let own_data = "~/.local/share/sultan/";
    for (command, variables, files) in [
        ("serve", "RUST_LOG PGPASSWORD DISPLAY XDG_DATA_HOME", "sultan.db config db-password-file .pgpass"),
        ("play", "SSL_CERT_FILE LC_ALL USER XDG_DATA_HOME", "play.db play.lock"),
        ("backup", "XDG_DATA_HOME", "sultan.db config FILE"),
        ("migrate-db", "PGPASSWORD", "db-password-file .pgpass TO"),
        ("health", "", "config"),
        ("replay", "LC_ALL", ""),
        ("verify", "", ""),
        ("analyze", "", "svg html"),
        ("score", "", ""),
        ("arena", "", "svg records"),
        ("engine", "", ""),
        ("solve", "", ""),
        ("train", "", "out"),
        ("completions", "", ""),
        ("man", "", "dir"),
    ] {
        let page = printed(&["man", command]);
        assert_eq!(terms(&page, "EXIT STATUS"), ["0", "1", "2"], "{page}");
        // The variables of options are those of the help.
        let help = printed(&[command, "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
        let of_options = help.split("[env: ").skip(1).map(|text| text.split(['=', ']']).next().unwrap());
        let listed = terms(&page, "ENVIRONMENT");
        let first = |term: &String| term.split(", ").next().unwrap().to_owned();
        let names: Vec<String> = listed.iter().map(first).collect();
        assert_eq!(
            names,
            of_options.chain(variables.split_whitespace()).chain(["NO_COLOR"]).collect::<Vec<_>>(),
            "{command}"
        );
        let named = |term: &String| term.rsplit([' ', '/']).next().unwrap().trim_start_matches("--").to_owned();
        let listed: Vec<String> = terms(&page, "FILES").iter().map(named).collect();
        assert_eq!(listed, files.split_whitespace().collect::<Vec<_>>(), "{command}");
    }
    let program = printed(&["man"]);
    assert_eq!(terms(&program, "EXIT STATUS"), ["0", "1", "2"], "{program}");
    let databases = ["sultan.db", "play.db"].map(|file| format!("{own_data}{file}"));
    assert_eq!(terms(&program, "FILES"), databases);
    assert_eq!(terms(&program, "ENVIRONMENT"), ["XDG_DATA_HOME, HOME", "NO_COLOR"]);
}

/// Checks the pages with groff.
fn well_formed(folder: &std::path::Path) {
    for page in folder.read_dir().unwrap() {
        let page = page.unwrap().path();
        let Ok(output) = Command::new("groff").args(["-man", "-Tutf8", "-Kutf8", "-ww", "-z"]).arg(&page).output()
        else {
            skip_or_fail("whether the manual pages can be set; groff is not installed: apt-get install groff-base");
            return;
        };
        assert!(output.status.success() && output.stderr.is_empty(), "{}: {output:?}", page.display());
    }
}

#[test]
fn every_shell_completes_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&["completions", shell]);
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    let script = printed(&["completions", "bash"]);
    let languages = sultan_text::Lang::ALL.map(sultan_text::Lang::code).join(" ");
    for values in [languages.as_str(), "violet gold green red blue", &sultan_bots::NAMES.join(" ")] {
        assert!(script.contains(&format!("compgen -W \"{values}\"")), "no {values} in {script}");
    }
    assert!(script.contains("--dir --help serve play backup "), "whose page: {script}");
    let Ok(output) = Command::new("bash").args(["-n", "-c", &script]).output() else {
        return skip_or_fail("whether a shell can read its completions; bash is not installed");
    };
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert_eq!(sultan(&["completions", "abacus"]).status.code(), Some(2));
}
