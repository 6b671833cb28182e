//! `sultan replay`: shows a recorded game interactively on a terminal, round by round as text, or as JSON.

use std::io::{IsTerminal, stdin, stdout};

use anyhow::{Context, ensure};
use sultan_domain::{Cushion, FirstSeatBy, FullGame, Jewel, Parameters, Players, Recall, Record, RoundRecord, Screens};
use sultan_rules::{check_seeds, replay};
use sultan_table::{FalseClaim, Replay};
use sultan_text::{Lang, Narrator, Text};

use crate::play::{colours, language};
use crate::records::{self, Entry};
use crate::{Out, args::records::ReplayArgs, format};

pub(crate) fn run(args: &ReplayArgs, out: Out) -> anyhow::Result<()> {
    let is_printed = args.json || args.print || !stdin().is_terminal() || !stdout().is_terminal();
    if !is_printed && let Some((game, warnings)) = single_game(args) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let result = runtime.block_on(sultan_tui::replay(game, &warnings, Text::of(language(args.lang)), colours()));
        // The thread that reads the terminal blocks forever, so do not wait for it.
        runtime.shutdown_background();
        return Ok(result?);
    }
    records::for_each(&args.file, |Entry { number, location, record }| {
        let record = record.with_context(|| location.clone())?;
        let game = replay(&record).with_context(|| location.clone())?.full_game();
        if args.json {
            return Ok(writeln!(out, "{}", serde_json::to_string(&game)?)?);
        }
        if number > 1 {
            writeln!(out, "\n———— record {number} ————\n")?;
        }
        print_game(&record, &game, out)
    })
}

/// The game of a file with exactly one valid record, and its false claims about chance. For other files, returns
/// `None`: then the file is printed, which also reports its errors.
fn single_game(args: &ReplayArgs) -> Option<(Replay, Vec<FalseClaim>)> {
    // Standard input can be read only once, and printing reads it.
    if args.file.as_os_str() == "-" {
        return None;
    }
    let mut single = None;
    let result = records::for_each(&args.file, |Entry { number, record, .. }| {
        ensure!(number == 1, "the file has several records");
        single = Some(record?);
        Ok(())
    });
    result.ok()?;
    Replay::of_record(&single?).ok()
}

fn print_game(record: &Record, game: &FullGame, out: Out) -> anyhow::Result<()> {
    // In English, like all printed output. Only the interactive replay is translated.
    let text = Text::of(Lang::En);
    let narrator = Narrator::new(text, names(record), None);
    print_heading(record, &narrator, out)?;
    for (index, round) in game.rounds.iter().enumerate() {
        print_round(&record.parameters(), round, &narrator, out)?;
        let next_round = game.rounds.get(index + 1);
        if next_round.is_some_and(|next_round| next_round.stage != round.stage) {
            print_collections(record.players, &game.rounds[..=index], &narrator, out)?;
        }
    }
    let Some(outcome) = game.outcome else {
        return Ok(writeln!(out, "\nThe record ends here, before the game is over.")?);
    };
    writeln!(out, "\n{}", format::heading("The end"))?;
    let places = outcome.by_rank().into_iter().map(|place| {
        let (name, score) = (narrator.name(place.seat).to_owned(), text.score(&place));
        vec![format!("{}.", place.rank), name, score, format::collection(place.jewels)]
    });
    for line in format::aligned(&places.collect::<Vec<_>>(), |_| true) {
        writeln!(out, "  {line}")?;
    }
    Ok(writeln!(out, "{}", narrator.winners(&outcome))?)
}

/// The names of the players of a record; `seat 2` for an empty name. If two names are equal, all names get their seat:
/// `Ana (0)`.
pub(crate) fn names(record: &Record) -> Vec<String> {
    let mut names: Vec<String> = record.names.iter().map(|name| format::name(name)).collect();
    for (seat, name) in names.iter_mut().enumerate().filter(|(_, name)| name.is_empty()) {
        *name = format!("seat {seat}");
    }
    let has_duplicates = names.iter().enumerate().any(|(seat, name)| names[..seat].contains(name));
    if has_duplicates {
        names.iter_mut().enumerate().for_each(|(seat, name)| *name = format!("{name} ({seat})"));
    }
    names
}

fn print_heading(record: &Record, narrator: &Narrator, out: Out) -> anyhow::Result<()> {
    let screens = match record.screens {
        Screens::Closed => "closed",
        Screens::Open => "open",
    };
    let chosen_by = match record.first_seat_by {
        Some(FirstSeatBy::Host) => ", named by the host",
        Some(FirstSeatBy::Chance) => ", chosen by chance",
        Some(FirstSeatBy::Rematch) => ", moved on from the game before",
        None => "",
    };
    writeln!(out, "{}", format::heading(&format!("Sultan · {} players · {screens} screens", record.players)))?;
    for seat in record.players.seats() {
        let first = if seat == record.first_seat { format!("   first player{chosen_by}") } else { String::new() };
        writeln!(out, "  seat {seat}   {}{first}", narrator.name(seat))?;
    }
    let colours = Jewel::ALL.map(|jewel| format!("{} {}", format::letter(jewel), jewel.name()));
    writeln!(out, "  {}; 1) 2) … tells in which order cards were placed", colours.join(", "))?;
    for fault in check_seeds(record) {
        writeln!(out, "  Take care, this record does not hold: {}", format::one_line(&fault.to_string()))?;
    }
    Ok(())
}

/// Prints the draw of a round, and a line for each cushion: its jewel, the bids in order, and the result.
fn print_round(parameters: &Parameters, round: &RoundRecord, narrator: &Narrator, out: Out) -> anyhow::Result<()> {
    writeln!(out, "\n{}", format::heading(&format!("Stage {} · Round {}", round.stage, round.round)))?;
    let put_back = round.put_back.map(|jewel| format!(" {}", narrator.put_back(jewel))).unwrap_or_default();
    writeln!(out, "  {}{put_back}", narrator.drew(round.first_seat, round.drawn))?;
    let results = narrator.settled(round, parameters.ties);
    let jewels = round.offer.iter().flat_map(|offer| offer.iter());
    for (jewel, cushion) in jewels.zip(Cushion::first(parameters.cushions)) {
        let bids = (1..).zip(&round.bids).filter(|(_, bid)| bid.cushion == cushion);
        let bids = bids.map(|(order, bid)| format!("{order}) {} {}", narrator.name(bid.seat), bid.card));
        let bids = Some(bids.collect::<Vec<_>>().join(", ")).filter(|bids| !bids.is_empty());
        let parts: Vec<String> = bids.into_iter().chain(results.get(cushion.index()).cloned()).collect();
        writeln!(out, "  cushion {cushion}  {}  {}", format::letter(jewel), parts.join(" → "))?;
    }
    Ok(())
}

/// Prints the collections of all players after a stage, given all rounds up to its end.
fn print_collections(players: Players, rounds: &[RoundRecord], narrator: &Narrator, out: Out) -> anyhow::Result<()> {
    let recall = Recall::of(rounds.to_vec()).unwrap_or_default();
    writeln!(out, "\n  After stage {}:", rounds.last().map_or(1, |round| round.stage.0))?;
    let row = |seat| vec![narrator.name(seat).to_owned(), format::collection(recall.collection(seat))];
    for line in format::aligned(&players.seats().map(row).collect::<Vec<_>>(), |_| true) {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}
