//! `sultan man`: manual pages, generated from the texts of `--help`. `sections` has the sections that help texts lack.

mod sections;

use std::io;

use anyhow::Context;
use clap::CommandFactory;
use clap::error::ErrorKind;
use clap_mangen::Man;

use crate::Out;
use crate::args::{Args, manual::ManArgs, wrong_usage};
use sections::{FILES, entries, environment, exit_status};

/// A rendered manual page.
struct Page {
    file_name: String,
    roff: Vec<u8>,
}

pub(crate) fn run(args: &ManArgs, out: Out) -> anyhow::Result<()> {
    let pages = pages()?;
    if let Some(folder) = &args.dir {
        let cannot_write = || format!("cannot write into {}", folder.display());
        std::fs::create_dir_all(folder).with_context(cannot_write)?;
        for Page { file_name, roff } in &pages {
            let file = folder.join(file_name);
            std::fs::write(&file, roff).with_context(cannot_write)?;
            writeln!(out, "{}", file.display())?;
        }
        return Ok(());
    }
    let name = args.command.as_ref().map_or("sultan.1".to_owned(), |command| format!("sultan-{command}.1"));
    match pages.iter().find(|page| page.file_name == name) {
        Some(page) => Ok(out.write_all(&page.roff)?),
        None => wrong_usage("man", ErrorKind::InvalidValue, &format!("there is no page {name}")),
    }
}

/// The page of the program, and one for each of its commands.
fn pages() -> io::Result<Vec<Page>> {
    let mut program = Args::command().disable_help_subcommand(true);
    program.build();
    let commands: Vec<_> = program.get_subcommands().cloned().collect();
    std::iter::once(program).chain(commands).map(page).collect()
}

/// Renders the page of a command: the sections made by clap, and then ours.
fn page(command: clap::Command) -> io::Result<Page> {
    let sections = section("EXIT STATUS", &exit_status())
        + &section("ENVIRONMENT", &environment(&command))
        + &section("FILES", &entries(FILES, &command))
        + &help_end(&command);
    // Commands have no version of their own, so the version of the program is set.
    let source = concat!("sultan ", env!("CARGO_PKG_VERSION"));
    // Without the end of the help, which clap would put into a section of its own: `help_end` replaces it.
    let man = Man::new(command.after_help(None)).source(source).manual("Sultan");
    let mut roff = Vec::new();
    man.render(&mut roff)?;
    roff.extend(sections.into_bytes());
    Ok(Page { file_name: man.get_filename(), roff })
}

/// A section with these items; empty without items.
fn section(title: &str, items: &str) -> String {
    if items.is_empty() { String::new() } else { format!(".SH {title}\n{items}") }
}

/// An item of a section: a term and its description.
fn item(term: &str, description: &str) -> String {
    format!(".TP\n\\fB{}\\fR\n{}\n", literal(term), literal(description))
}

/// The text at the end of the help, as a section. Examples are lines to copy, so they are neither filled nor
/// hyphenated.
fn help_end(command: &clap::Command) -> String {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    match text.strip_prefix("Examples:\n").or_else(|| text.strip_prefix("Example:\n")) {
        Some(examples) => format!(".SH EXAMPLES\n.nf\n{}\n.fi\n", literal(examples)),
        None => format!(".SH NOTES\n{}\n", literal(&text)),
    }
}

/// Escapes lines for roff, so that they are printed literally. Removes their indentation.
fn literal(text: &str) -> String {
    let escaped = text.replace('\\', "\\(rs").replace('-', "\\-").replace('\'', "\\(aq").replace('`', "\\(ga");
    let lines = escaped.lines().map(|line| line.strip_prefix("  ").unwrap_or(line));
    // A line that starts with a full stop would be a command of roff.
    let escape_start = |line: &str| if line.starts_with('.') { format!("\\&{line}") } else { line.to_owned() };
    lines.map(escape_start).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_escaped_for_roff() {
        assert_eq!(literal("  printf 'RYB\\n' | a --b\n  .x"), "printf \\(aqRYB\\(rsn\\(aq | a \\-\\-b\n\\&.x");
    }
}
