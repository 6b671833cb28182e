//! `sultan man`: the manual, made of the same words as `--help`.

use anyhow::Context;
use clap::CommandFactory;
use clap::error::ErrorKind;
use clap_mangen::Man;

use crate::Out;
use crate::args::{Args, ManArgs, wrong_usage};

pub(crate) fn run(args: &ManArgs, out: Out) -> anyhow::Result<()> {
    let pages = pages();
    if let Some(folder) = &args.dir {
        let written = || format!("cannot write into {}", folder.display());
        std::fs::create_dir_all(folder).with_context(written)?;
        for page in &pages {
            let file = page.generate_to(folder).with_context(written)?;
            writeln!(out, "{}", file.display())?;
        }
        return Ok(());
    }
    let name = args.command.as_ref().map_or("sultan.1".to_owned(), |command| format!("sultan-{command}.1"));
    let Some(page) = pages.into_iter().find(|page| page.get_filename() == name) else {
        wrong_usage("man", ErrorKind::InvalidValue, &format!("there is no page {name}"))
    };
    Ok(page.render(out)?)
}

/// The page of the program, and one for each of its commands.
fn pages() -> Vec<Man> {
    let mut program = Args::command().disable_help_subcommand(true);
    program.build();
    let commands: Vec<_> = program.get_subcommands().cloned().collect();
    std::iter::once(program).chain(commands).map(page).collect()
}

fn page(command: clap::Command) -> Man {
    // A command of a program has no version of its own.
    Man::new(command).source(concat!("sultan ", env!("CARGO_PKG_VERSION"))).manual("Sultan")
}
