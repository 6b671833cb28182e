//! `sultan man`: manual pages, generated from the texts of `--help`. `sections` adds what help texts do not have.

mod sections;

use std::io;

use anyhow::Context;
use clap::CommandFactory;
use clap::error::ErrorKind;
use clap_mangen::Man;

use crate::Out;
use crate::args::{Args, ManArgs, wrong_usage};
use sections::{environment, exit_status, files};

pub(crate) fn run(args: &ManArgs, out: Out) -> anyhow::Result<()> {
    let pages = pages();
    if let Some(folder) = &args.dir {
        let written = || format!("cannot write into {}", folder.display());
        std::fs::create_dir_all(folder).with_context(written)?;
        for page in &pages {
            let (file, mut text) = (folder.join(page.name()), Vec::new());
            page.render(&mut text)?;
            std::fs::write(&file, text).with_context(written)?;
            writeln!(out, "{}", file.display())?;
        }
        return Ok(());
    }
    let name = args.command.as_ref().map_or("sultan.1".to_owned(), |command| format!("sultan-{command}.1"));
    let Some(page) = pages.into_iter().find(|page| page.name() == name) else {
        wrong_usage("man", ErrorKind::InvalidValue, &format!("there is no page {name}"))
    };
    Ok(page.render(out)?)
}

/// The page of the program, and one for each of its commands.
fn pages() -> Vec<Page> {
    let mut program = Args::command().disable_help_subcommand(true);
    program.build();
    let commands: Vec<_> = program.get_subcommands().cloned().collect();
    std::iter::once(program).chain(commands).map(Page::new).collect()
}

/// A manual page: the sections that clap renders, and the others as roff.
struct Page {
    man: Man,
    sections: String,
}

impl Page {
    fn new(command: clap::Command) -> Self {
        let sections = section("EXIT STATUS", &exit_status())
            + &section("ENVIRONMENT", &environment(&command))
            + &section("FILES", &files(&command))
            + &end(&command);
        // Subcommands have no version of their own, so the version of the program is set.
        let source = concat!("sultan ", env!("CARGO_PKG_VERSION"));
        Self { man: Man::new(command.after_help(None)).source(source).manual("Sultan"), sections }
    }

    fn name(&self) -> String {
        self.man.get_filename()
    }

    fn render(&self, out: Out) -> io::Result<()> {
        self.man.render(out)?;
        out.write_all(self.sections.as_bytes())
    }
}

/// A section with these items; empty without items.
fn section(title: &str, items: &str) -> String {
    if items.is_empty() { String::new() } else { format!(".SH {title}\n{items}") }
}

/// An item of a section: a term and its description.
fn item(term: &str, description: &str) -> String {
    format!(".TP\n\\fB{}\\fR\n{}\n", literal(term), literal(description))
}

/// The text at the end of the help, as a section. Examples are lines to copy, so they are neither filled nor hyphenated.
fn end(command: &clap::Command) -> String {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    match text.strip_prefix("Examples:\n").or_else(|| text.strip_prefix("Example:\n")) {
        Some(examples) => format!(".SH EXAMPLES\n.nf\n{}\n.fi\n", literal(examples)),
        None => format!(".SH NOTES\n{}\n", literal(&text)),
    }
}

/// Escapes lines for roff, so that they are printed literally.
fn literal(text: &str) -> String {
    let signs = text.replace('\\', "\\(rs").replace('-', "\\-").replace('\'', "\\(aq").replace('`', "\\(ga");
    let line = |line: &str| if line.starts_with('.') { format!("\\&{line}") } else { line.to_owned() };
    signs.lines().map(|text| line(text.strip_prefix("  ").unwrap_or(text))).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn man_pages_contain_examples_verbatim() {
        assert_eq!(literal("  printf 'RYB\\n' | a --b\n  .x"), "printf \\(aqRYB\\(rsn\\(aq | a \\-\\-b\n\\&.x");
    }
}
