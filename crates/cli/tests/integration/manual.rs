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

/// Runs a command, which must succeed, and returns its standard output.
fn stdout_of(arguments: &[&str]) -> String {
    SULTAN.successful_stdout(arguments)
}

/// All commands except `help`, which is made by clap.
fn own_commands() -> impl Iterator<Item = &'static str> {
    COMMANDS.into_iter().filter(|name| *name != "help")
}

#[test]
fn every_command_has_help() {
    let help = stdout_of(&["--help"]);
    assert!(help.contains("André Zatz and Sergio Halaban") && help.contains("unofficial"));
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // The second line of a wrapped description is indented further.
    let lines = lines.filter(|line| !line.starts_with("   "));
    let mut listed: Vec<&str> = lines.map(|line| line.split_whitespace().next().unwrap()).collect();
    let mut commands = COMMANDS;
    listed.sort_unstable();
    commands.sort_unstable();
    assert_eq!(listed, commands, "the help lists other commands than this test");
    for command in own_commands() {
        let text = stdout_of(&[command, "--help"]);
        assert!(text.contains("Usage: sultan") && text.contains("Example"), "{text}");
        // Examples are lines to copy, so they are not wrapped.
        let examples = text.lines().skip_while(|line| !line.starts_with("Example")).skip(1);
        assert!(examples.filter(|line| !line.is_empty()).all(|line| line.starts_with("  ")), "{text}");
    }
    // Commands that take a bot list all bots.
    for command in ["arena", "engine", "play", "train"] {
        for bot in sultan_bots::NAMES {
            assert!(stdout_of(&[command, "--help"]).contains(bot), "{command}: {bot}");
        }
    }
}

#[test]
fn help_command_ignores_the_help_option() {
    let help = stdout_of(&["help"]);
    assert_eq!((stdout_of(&["help", "--help"]), stdout_of(&["help", "-h"])), (help.clone(), help));
    assert_eq!(stdout_of(&["help", "serve", "--help"]), stdout_of(&["help", "serve"]));
}

#[test]
fn options_of_serve_need_no_command() {
    assert_eq!(stdout_of(&["--lan", "--help"]), stdout_of(&["serve", "--help"]));
    // The server does not start, because the database is not valid.
    for arguments in [&["--db", "nowhere:x", "--no-open"][..], &["--no-open", "--db=nowhere:x"]] {
        let with_command = sultan(&[&["serve"], arguments].concat());
        assert_eq!(with_command.status.code(), Some(1));
        assert_eq!(sultan(arguments), with_command, "{arguments:?}");
    }
    assert_usage_error(&sultan(&["--lna"]), "unexpected argument '--lna' found");
    assert_usage_error(&sultan(&["--lan", "play"]), "unexpected argument 'play' found");
    assert_usage_error(&sultan(&["--lan", "--bind", "127.0.0.1:80"]), "cannot be used with");
    assert_usage_error(&sultan(&["play", "--lan"]), "unexpected argument '--lan' found");
    assert_usage_error(&sultan(&["plaz"]), "unrecognized subcommand 'plaz'");
    for text in [stdout_of(&["--help"]), stdout_of(&["man"]).replace("\\-", "-")] {
        assert!(text.contains("sultan --lan"), "{text}");
    }
}

#[test]
fn invalid_numbers_and_addresses_are_explained() {
    for (arguments, message) in [
        (&["arena", "--players", "2", "--bots", "page,page", "--games", "0"][..], "must be a number, at least 1"),
        (&["arena", "--players", "2", "--bots", "page,page", "--jobs", "0"], "must be a number, at least 1"),
        (&["arena", "--players", "6", "--bots", "page,page"], "must be a number from 2 to 5"),
        (&["serve", "--max-tables", "0"], "must be a number, at least 1"),
        (&["serve", "--bind", "localhost:8080"], "both in numbers, such as 127.0.0.1:8080"),
        (&["health", "--bind", "node2:8080"], "both in numbers, such as 127.0.0.1:8080"),
    ] {
        assert_usage_error(&sultan(arguments), message);
    }
}

#[test]
fn version_is_that_of_the_crate() {
    assert_eq!(stdout_of(&["--version"]), concat!("sultan ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn every_command_has_a_page_in_the_manual() {
    let temporary = TempDir::new().unwrap();
    let folder = temporary.path().join("new/man1");
    let files = stdout_of(&["man", "--dir", folder.to_str().unwrap()]);
    // `sultan.1`, and a page for each command except `help`.
    assert_eq!(files.lines().count(), COMMANDS.len(), "{files}");
    let program = stdout_of(&["man"]);
    assert_eq!(program, std::fs::read_to_string(folder.join("sultan.1")).unwrap());
    for command in own_commands() {
        assert!(program.contains(&format!("sultan\\-{}(1)", command.replace('-', "\\-"))), "{command}: {program}");
        let page = stdout_of(&["man", command]);
        assert_eq!(page, std::fs::read_to_string(folder.join(format!("sultan-{command}.1"))).unwrap());
        assert!(page.contains(".SH NAME\n") && page.contains(".SH SYNOPSIS\n"), "{page}");
        // Without this program's own sections, the examples would be in a section EXTRA.
        assert!(page.contains("\n.SH EXAMPLES\n.nf\nsultan ") && !page.contains("EXTRA"), "{page}");
        assert!(page.contains(concat!("\"sultan ", env!("CARGO_PKG_VERSION"), "\"")), "{page}");
    }
    assert!(stdout_of(&["man", "serve"]).contains("SULTAN_DB_PASSWORD_FILE"));
    assert_pages_are_well_formed(&folder);
    assert_usage_error(&sultan(&["man", "nothing"]), "there is no page sultan-nothing.1");
    assert_eq!(sultan(&["man", "serve", "--dir", "x"]).status.code(), Some(2));
}

/// The terms of a section of a manual page; empty without this section.
fn terms(page: &str, section: &str) -> Vec<String> {
    let lines = page.lines().skip_while(|line| *line != format!(".SH {section}")).skip(1);
    let section: Vec<&str> = lines.take_while(|line| !line.starts_with(".SH ")).collect();
    // In roff, the line after `.TP` is a term.
    let terms = section.windows(2).filter(|lines| lines[0] == ".TP").map(|lines| lines[1]);
    terms.map(|term| term.replace("\\fB", "").replace("\\fR", "").replace("\\-", "-")).collect()
}

#[test]
fn pages_list_exit_statuses_variables_and_files() {
    // Each command, its variables besides those of options, and its files. The first name of several and the end of a
    // path are enough.
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
        let page = stdout_of(&["man", command]);
        assert_eq!(terms(&page, "EXIT STATUS"), ["0", "1", "2"], "{page}");
        // The variables of options are also in the help.
        let help = stdout_of(&[command, "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
        let of_options = help.split("[env: ").skip(1).map(|text| text.split(['=', ']']).next().unwrap());
        let expected: Vec<&str> = of_options.chain(variables.split_whitespace()).chain(["NO_COLOR"]).collect();
        let first_name = |term: &String| term.split(", ").next().unwrap().to_owned();
        let listed: Vec<String> = terms(&page, "ENVIRONMENT").iter().map(first_name).collect();
        assert_eq!(listed, expected, "{command}");
        let end_of_path = |term: &String| term.rsplit([' ', '/']).next().unwrap().trim_start_matches("--").to_owned();
        let listed: Vec<String> = terms(&page, "FILES").iter().map(end_of_path).collect();
        assert_eq!(listed, files.split_whitespace().collect::<Vec<_>>(), "{command}");
    }
    let program = stdout_of(&["man"]);
    assert_eq!(terms(&program, "EXIT STATUS"), ["0", "1", "2"], "{program}");
    assert_eq!(terms(&program, "FILES"), ["~/.local/share/sultan/sultan.db", "~/.local/share/sultan/play.db"]);
    assert_eq!(terms(&program, "ENVIRONMENT"), ["XDG_DATA_HOME, HOME", "NO_COLOR"]);
}

/// Checks all pages in a folder with groff.
fn assert_pages_are_well_formed(folder: &std::path::Path) {
    for page in folder.read_dir().unwrap() {
        let page = page.unwrap().path();
        let Ok(output) = Command::new("groff").args(["-man", "-Tutf8", "-Kutf8", "-ww", "-z"]).arg(&page).output()
        else {
            skip_or_fail(
                "whether the manual pages can be formatted; groff is not installed: apt-get install groff-base",
            );
            return;
        };
        assert!(output.status.success() && output.stderr.is_empty(), "{}: {output:?}", page.display());
    }
}

#[test]
fn every_shell_completes_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout_of(&["completions", shell]);
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    let script = stdout_of(&["completions", "bash"]);
    // The values of --lang, --colour and --bots are completed, too.
    let languages = sultan_text::Lang::ALL.map(sultan_text::Lang::code).join(" ");
    for values in [languages.as_str(), "violet gold green red blue", &sultan_bots::NAMES.join(" ")] {
        assert!(script.contains(&format!("compgen -W \"{values}\"")), "no {values} in {script}");
    }
    let after_program = script.split("        sultan)").nth(1).unwrap().split(";;").next().unwrap();
    assert!(after_program.contains("--lan --no-open "), "no options of serve without the command: {after_program}");
    assert!(script.contains("--dir --help serve play backup "), "no commands for sultan man: {script}");
    let Ok(output) = Command::new("bash").args(["-n", "-c", &script]).output() else {
        return skip_or_fail("whether a shell can read its completions; bash is not installed");
    };
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert_eq!(sultan(&["completions", "abacus"]).status.code(), Some(2));
}
