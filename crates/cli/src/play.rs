//! `sultan play`: plays in the terminal, at a table on this computer or at a server's table.

use std::fs::{File, TryLockError};
use std::io::{IsTerminal, stdin, stdout};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::error::ErrorKind;
use sha2::{Digest, Sha256};
use sultan_domain::{Players, Screens, Seat};
use sultan_store::Location;
use sultan_table::{Service, Settings, Visitor};
use sultan_text::{Lang, Text};
use sultan_tui::{SeatSetup, SessionEnd, Setup, Start};
use tokio::io::BufReader;

use crate::Out;
use crate::args::play::{PlayArgs, ScreensArg};
use crate::args::wrong_usage;
use crate::serve::data;

pub(crate) fn run(args: &PlayArgs, out: Out) -> anyhow::Result<()> {
    let text = Text::of(language(args.lang));
    let plain = args.plain || !stdin().is_terminal() || !stdout().is_terminal();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let played = runtime.block_on(play(args, text, plain, out));
    // Do not wait for a bot that is thinking, or for a thread that reads a line.
    runtime.shutdown_background();
    match played? {
        SessionEnd::Finished => {}
        SessionEnd::Unfinished => writeln!(out, "{}", text.say("tui-kept"))?,
        SessionEnd::SeatLink(link) => writeln!(out, "{}", text.with("tui-come-back", &[("link", (&link).into())]))?,
    }
    Ok(())
}

/// The requested language, otherwise the language of the environment, otherwise English.
pub(crate) fn language(requested: Option<Lang>) -> Lang {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let environment = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(variable);
    requested.or_else(|| environment?.parse().ok()).unwrap_or_default()
}

async fn play(args: &PlayArgs, text: Text, plain: bool, out: Out<'_>) -> anyhow::Result<SessionEnd> {
    if let Some(link) = &args.link {
        let start = Start::Remote { link: link.clone(), name: name_of_user(args), colour: args.colour };
        return Ok(open_terminal(start, text, plain, out).await?);
    }
    let setup = setup(args).unwrap_or_else(|message| wrong_usage("play", ErrorKind::InvalidValue, &message));
    let location = data::default_location("play.db")?;
    // Held until this function returns.
    let _lock = lock_tables(&location)?;
    data::make_private(&location)?;
    let store = sultan_store::open(&location).await.with_context(|| location.to_string())?;
    let pause = args.bot_pause_ms.unwrap_or(if plain { 0 } else { 900 });
    let settings = Settings { bot_pause: Duration::from_millis(pause.into()), ..Settings::default() };
    let service = Service::new(store, settings);
    // The player is identified by the secret in the file: access to the file is the authorization.
    let secret = service.cookie_secret().await?;
    let visitor =
        Visitor::from_bytes(Sha256::new().chain_update(b"sultan/terminal").chain_update(secret).finalize().into());
    // Runs the bots and the clocks of the tables until the end of this function.
    let runner = service.clone();
    let driver = tokio::spawn(async move { runner.run().await });
    let skip_form = args.players.is_some() || args.people.is_some() || !args.bots.is_empty();
    let start = Start::Local { service: service.clone(), visitor, setup, skip_unfinished: args.new, skip_form };
    let played = open_terminal(start, text, plain, out).await;
    driver.abort();
    // Acknowledged actions are durable already, so a timeout loses nothing.
    let _ = tokio::time::timeout(Duration::from_secs(1), service.close()).await;
    Ok(played?)
}

/// Plays until the user quits.
async fn open_terminal(start: Start, text: Text, plain: bool, out: Out<'_>) -> std::io::Result<SessionEnd> {
    if plain {
        return sultan_tui::plain(start, text, BufReader::new(tokio::io::stdin()), out).await;
    }
    sultan_tui::play(start, text, colours()).await
}

/// Returns whether the output may have colours.
pub(crate) fn colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Locks the tables for this process: with two processes, bots would act twice, and only one process would be notified.
fn lock_tables(location: &Location) -> anyhow::Result<File> {
    let Location::Sqlite(path) = location else { bail!("cannot lock {location}: it is not a SQLite file") };
    let lock = File::create(path.with_extension("lock")).with_context(|| format!("cannot open {location}"))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => {
            bail!("another sultan play is open already; close it, or play at a table of sultan serve by its link")
        }
        Err(TryLockError::Error(error)) => Err(error).with_context(|| format!("cannot lock {location}")),
    }
}

/// The first name of `--name`, otherwise the name of the user's account.
fn name_of_user(args: &PlayArgs) -> String {
    let account = || ["USER", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    args.name.first().cloned().or_else(account).unwrap_or_default()
}

/// The setup of the requested game, or an error message.
fn setup(args: &PlayArgs) -> Result<Setup, String> {
    let (names, bots) = (args.name.len(), args.bots.len());
    let people = args.people.map_or_else(|| names.max(1), usize::from);
    if names > people {
        return Err(format!("{names} names for {people} at this screen: that does not fit"));
    }
    // One person without bots gets a table of four: default bots fill it.
    let count = if bots == 0 && people == 1 { 4 } else { people + bots };
    let players = args.players.or_else(|| u8::try_from(count).ok().and_then(Players::new));
    let players = players.ok_or_else(|| format!("2 to 5 can play, not {count}"))?;
    let seats = usize::from(players.count());
    if people + bots > seats {
        return Err(format!("{seats} seats, {people} for people and {bots} for bots: that does not fit"));
    }
    let mut setup = Setup::new(players, &name_of_user(args), args.colour);
    // `Setup::new` has seated the first person in seat 0.
    for (index, seat) in setup.seats.iter_mut().enumerate().take(people).skip(1) {
        let name = args.name.get(index).cloned().unwrap_or_default();
        *seat = SeatSetup::Person { name, colour: None };
    }
    for (bot, seat) in args.bots.iter().zip(setup.seats.iter_mut().skip(people)) {
        *seat = SeatSetup::Bot(bot.clone());
    }
    setup.variant = args.game;
    setup.screens = match args.screens {
        ScreensArg::Closed => Screens::Closed,
        ScreensArg::Open => Screens::Open,
    };
    if let Some(first) = args.first {
        // Seats are counted from 1 on the command line and on the screen, from 0 in the code.
        let seat = Seat::new(first - 1).filter(|&seat| players.has(seat));
        let no_such_seat = || format!("there is no seat {first} in a game of {seats}");
        setup.first_seat = Some(seat.ok_or_else(no_such_seat)?);
    }
    Ok(setup)
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, FromArgMatches};

    use super::*;
    use crate::args::{Args, Command};

    /// The setup for these options as text: the occupant of each seat (`-` is a person without a name), then the first
    /// seat (counted from 0) and the variant, unless they are the default.
    fn setup_as_text(options: &str) -> Result<String, String> {
        let words = ["sultan", "play"].into_iter().chain(options.split_whitespace());
        let matches = Args::command().get_matches_from(words);
        let Some(Command::Play(args)) = Args::from_arg_matches(&matches).unwrap().command else { panic!("not play") };
        let setup = setup(&args)?;
        let variant = if setup.variant.is_published() { "" } else { " espresso" };
        let first_seat = setup.first_seat.map_or(String::new(), |seat| format!(" first {seat}"));
        let occupant = |seat: &SeatSetup| match seat {
            SeatSetup::Person { name, .. } if name.is_empty() => "-".to_owned(),
            SeatSetup::Person { name, .. } => name.clone(),
            SeatSetup::Bot(bot) => format!("bot:{bot}"),
        };
        Ok(setup.seats.iter().map(occupant).collect::<Vec<_>>().join(" ") + &first_seat + variant)
    }

    #[test]
    fn people_are_seated_before_named_bots_and_default_bots() {
        for (options, expected) in [
            // The seats after the named bots have default bots: merchant in seat 1, jeweller in 2, page in 3.
            ("--name Ana", "Ana bot:merchant bot:jeweller bot:page"),
            ("--name Ana --players 4 --bots sultan", "Ana bot:sultan bot:jeweller bot:page"),
            ("--name Ana --bots sultan,vizier", "Ana bot:sultan bot:vizier"),
            ("--name Ana,Bo", "Ana Bo"),
            ("--name Ana,Bo --game espresso", "Ana Bo espresso"),
            ("--name Ana,Bo --people 3", "Ana Bo -"),
            ("--name Ana --people 2 --players 3 --bots sultan --first 3", "Ana - bot:sultan first 2"),
        ] {
            assert_eq!(setup_as_text(options).as_deref(), Ok(expected), "{options}");
        }
        // Without --name, the name in the first seat depends on the user who runs the test; the bots do not.
        let text = setup_as_text("--players 4 --bots jeweller").unwrap();
        assert!(text.ends_with(" bot:jeweller bot:jeweller bot:page"), "{text}");
    }

    #[test]
    fn contradictory_numbers_of_players_names_and_bots_are_rejected() {
        for (options, reason) in [
            ("--people 2 --name Ana,Bo,Chen", "3 names for 2"),
            ("--players 2 --bots page,page", "2 seats, 1 for people and 2 for bots"),
            ("--people 5 --bots page", "2 to 5 can play, not 6"),
            ("--players 2 --first 3", "there is no seat 3"),
        ] {
            assert!(setup_as_text(options).is_err_and(|message| message.contains(reason)), "{options}");
        }
    }
}
