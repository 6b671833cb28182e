//! `sultan play`: opens the tables of this user, or goes to a server's, and lets the terminal play.

use std::fs::File;
use std::io::{IsTerminal, stdin, stdout};
use std::time::Duration;

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};
use sultan_domain::{Players, Screens, Seat};
use sultan_store::Location;
use sultan_table::{Service, Settings, Visitor};
use sultan_text::{Lang, Text};
use sultan_tui::{Ended, SeatSetup, Setup, Start};
use tokio::io::BufReader;

use crate::Out;
use crate::args::{PlayArgs, ScreensArg};
use crate::serve::data;

pub(crate) fn run(args: &PlayArgs, out: Out) -> anyhow::Result<()> {
    let text = Text::of(language(args.lang));
    let plain = args.plain || !stdin().is_terminal() || !stdout().is_terminal();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let played = runtime.block_on(play(args, text, plain, out));
    // A bot may still think, or somebody be asked for a line: nobody waits for it.
    runtime.shutdown_background();
    match played? {
        Ended::Done => {}
        Ended::Kept => writeln!(out, "{}", text.say("tui-kept"))?,
        Ended::Link(link) => writeln!(out, "{}", text.with("tui-come-back", &[("link", (&link).into())]))?,
    }
    Ok(())
}

/// The language asked for, or that of the environment.
pub(crate) fn language(asked: Option<Lang>) -> Lang {
    let of = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let environment = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(of);
    asked.or_else(|| environment?.parse().ok()).unwrap_or_default()
}

async fn play(args: &PlayArgs, text: Text, plain: bool, out: Out<'_>) -> anyhow::Result<Ended> {
    if let Some(address) = &args.link {
        let start = Start::There { address: address.clone(), name: own_name(args), colour: args.colour };
        return Ok(shown(start, text, plain, out).await?);
    }
    let setup = setup(args)?;
    let location = data::place("play.db")?;
    let _only = alone(&location)?;
    data::make_private(&location)?;
    let store = sultan_store::open(&location).await.with_context(|| location.to_string())?;
    let pause = args.bot_pause_ms.unwrap_or(if plain { 0 } else { 900 });
    let settings = Settings { bot_pause: Duration::from_millis(pause.into()), ..Settings::default() };
    let service = Service::new(store, settings);
    // Whoever can read the file is who plays here.
    let secret = service.cookie_secret().await?;
    let visitor =
        Visitor::from_bytes(Sha256::new().chain_update(b"sultan/terminal").chain_update(secret).finalize().into());
    let attend = tokio::spawn({
        let service = service.clone();
        async move { service.attend().await }
    });
    let at_once = args.players.is_some() || args.people.is_some() || !args.bots.is_empty();
    let start = Start::Here { service: service.clone(), visitor, setup, new: args.new, at_once };
    let played = shown(start, text, plain, out).await;
    attend.abort();
    // What is acknowledged is kept in any case.
    let _ = tokio::time::timeout(Duration::from_secs(1), service.close()).await;
    Ok(played?)
}

async fn shown(start: Start, text: Text, plain: bool, out: Out<'_>) -> std::io::Result<Ended> {
    if plain {
        return sultan_tui::plain(start, text, BufReader::new(tokio::io::stdin()), out).await;
    }
    sultan_tui::play(start, text, colours()).await
}

/// Whether the terminal may have colours.
pub(crate) fn colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Makes sure that nobody else plays with these tables now: bots would act twice, and only one would be told.
fn alone(location: &Location) -> anyhow::Result<File> {
    let Location::Sqlite(path) = location else { bail!("games of this terminal are kept in a file") };
    let lock = File::create(path.with_extension("lock")).with_context(|| format!("cannot open {location}"))?;
    if lock.try_lock().is_err() {
        bail!("another sultan play is open already; close it, or play at a table of sultan serve by its link");
    }
    Ok(lock)
}

fn own_name(args: &PlayArgs) -> String {
    let user = || ["USER", "USERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    args.name.first().cloned().or_else(user).unwrap_or_default()
}

/// The game that was asked for.
fn setup(args: &PlayArgs) -> anyhow::Result<Setup> {
    let bots = args.bots.len();
    let people = usize::from(args.people.unwrap_or(1)).max(args.name.len());
    let players = match args.players {
        Some(players) if args.people.is_none() && bots > 0 && args.name.is_empty() => {
            return named(args, players, usize::from(players.count()).saturating_sub(bots));
        }
        Some(players) => players,
        None if bots == 0 && people == 1 => Players::new(4).context("four can play")?,
        None => {
            let count = u8::try_from(people + bots)?;
            Players::new(count).with_context(|| format!("2 to 5 can play, not {count}"))?
        }
    };
    named(args, players, people)
}

fn named(args: &PlayArgs, players: Players, people: usize) -> anyhow::Result<Setup> {
    let seats = usize::from(players.count());
    if people == 0 || people + args.bots.len() > seats || args.name.len() > people {
        bail!("{seats} seats, {people} for people and {} for bots: that does not fit", args.bots.len());
    }
    let mut setup = Setup::usual(players, &own_name(args), args.colour);
    for (place, seat) in setup.seats.iter_mut().enumerate().take(people).skip(1) {
        let name = args.name.get(place).cloned().unwrap_or_default();
        *seat = SeatSetup::Person { name, colour: None };
    }
    for (bot, seat) in args.bots.iter().zip(setup.seats.iter_mut().skip(people)) {
        *seat = SeatSetup::Bot(bot.clone());
    }
    setup.screens = match args.screens {
        ScreensArg::Closed => Screens::Closed,
        ScreensArg::Open => Screens::Open,
    };
    setup.first_seat = match args.first {
        Some(first) => {
            let seat = Seat::new(first - 1).filter(|&seat| players.has(seat));
            Some(seat.with_context(|| format!("there is no seat {first} in a game of {seats}"))?)
        }
        None => None,
    };
    Ok(setup)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_levels_that_are_offered_are_bots() {
        assert!(sultan_tui::LEVELS.iter().all(|level| sultan_bots::NAMES.contains(level)));
    }
}
