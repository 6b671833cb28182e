//! `sultan replay`: a recorded game, stepped through on a terminal, told round by round, or as JSON.

use std::io::{IsTerminal, stdin, stdout};

use anyhow::{Context, ensure};
use sultan_domain::{
    Bid, Collection, Cushion, FirstSeatBy, FullGame, Jewel, Outcome, Parameters, Players, Recall, Record, RoundRecord,
    Screens, Seat, Ties,
};
use sultan_rules::{replay, verify};
use sultan_table::{Doubt, Replay};
use sultan_text::Text;

use crate::play::{colours, language};
use crate::records::{self, Entry};
use crate::{Out, args::ReplayArgs, shown};

pub(crate) fn run(args: &ReplayArgs, out: Out) -> anyhow::Result<()> {
    let told = args.json || args.print || !stdin().is_terminal() || !stdout().is_terminal();
    if !told && let Some((game, doubts)) = only(args) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let stepped = runtime.block_on(sultan_tui::replay(game, &doubts, Text::of(language(args.lang)), colours()));
        // The terminal is read on a thread that waits without end.
        runtime.shutdown_background();
        return Ok(stepped?);
    }
    records::for_each(&args.file, |Entry { number, place, record }| {
        let record = record.with_context(|| place.clone())?;
        let telling = replay(&record).with_context(|| place.clone())?.full_game();
        if args.json {
            return Ok(writeln!(out, "{}", serde_json::to_string(&telling)?)?);
        }
        if number > 1 {
            writeln!(out, "\n———— record {number} ————\n")?;
        }
        tell(&record, &telling, out)
    })
}

/// The game of a file with one record that can be played. What is wrong with any other is told with its print.
fn only(args: &ReplayArgs) -> Option<(Replay, Vec<Doubt>)> {
    if args.file.as_os_str() == "-" {
        return None;
    }
    let mut found = None;
    let read = records::for_each(&args.file, |Entry { number, record, .. }| {
        ensure!(number == 1, "several games are printed");
        found = Some(record?);
        Ok(())
    });
    read.ok()?;
    Replay::of_record(&found?).ok()
}

fn tell(record: &Record, telling: &FullGame, out: Out) -> anyhow::Result<()> {
    let names = Names::new(record);
    introduce(record, &names, out)?;
    for (index, round) in telling.rounds.iter().enumerate() {
        tell_round(&record.parameters(), round, &names, out)?;
        let next = telling.rounds.get(index + 1);
        if next.is_some_and(|next| next.stage != round.stage) {
            tell_collections(record.players, &telling.rounds[..=index], &names, out)?;
        }
    }
    match telling.outcome {
        Some(outcome) => tell_end(&outcome, &names, out),
        None => Ok(writeln!(out, "\nThe record ends here, before the game is over.")?),
    }
}

/// What the players are called: by name and, where names are not enough, by name and seat.
pub(crate) struct Names {
    names: Vec<String>,
    width: usize,
}

impl Names {
    pub(crate) fn new(record: &Record) -> Self {
        let mut names: Vec<String> = record.names.iter().map(|name| shown::name(name)).collect();
        for (seat, name) in names.iter_mut().enumerate().filter(|(_, name)| name.is_empty()) {
            *name = format!("seat {seat}");
        }
        let same = names.iter().enumerate().any(|(seat, name)| names[..seat].contains(name));
        if same {
            names.iter_mut().enumerate().for_each(|(seat, name)| *name = format!("{name} ({seat})"));
        }
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        Self { names, width }
    }

    /// All of them, in the order of the seats.
    pub(crate) fn all(self) -> Vec<String> {
        self.names
    }

    pub(crate) fn of(&self, seat: Seat) -> &str {
        &self.names[seat.index()]
    }
}

fn introduce(record: &Record, names: &Names, out: Out) -> anyhow::Result<()> {
    let screens = match record.screens {
        Screens::Closed => "closed",
        Screens::Open => "open",
    };
    let how = match record.first_seat_by {
        Some(FirstSeatBy::Host) => ", named by the host",
        Some(FirstSeatBy::Chance) => ", chosen by chance",
        Some(FirstSeatBy::Rematch) => ", moved on from the game before",
        None => "",
    };
    writeln!(out, "{}", shown::heading(&format!("Sultan · {} players · {screens} screens", record.players)))?;
    for seat in record.players.seats() {
        let first = if seat == record.first_seat { format!("   first player{how}") } else { String::new() };
        writeln!(out, "  seat {seat}   {}{first}", names.of(seat))?;
    }
    let colours: Vec<String> =
        Jewel::ALL.iter().map(|&jewel| format!("{} {}", shown::Coloured(jewel), jewel.name())).collect();
    writeln!(out, "  {}; 1) 2) … tells in which order cards were placed", colours.join(", "))?;
    for fault in verify(record).faults {
        writeln!(out, "  Take care, this record does not hold: {}", shown::one_line(&fault.to_string()))?;
    }
    Ok(())
}

fn tell_round(parameters: &Parameters, told: &RoundRecord, names: &Names, out: Out) -> anyhow::Result<()> {
    let first = names.of(told.first_seat);
    let drawn = shown::row(told.drawn.iter());
    writeln!(out, "\n{}", shown::heading(&format!("Stage {} · Round {}", told.stage, told.round)))?;
    let (Some(offer), Some(put_back)) = (told.offer, told.put_back) else {
        writeln!(out, "  {first} draws {drawn} and is to put one of them back")?;
        return Ok(());
    };
    writeln!(out, "  {first} draws {drawn} and puts {} back", shown::Coloured(put_back))?;
    for (jewel, cushion) in offer.iter().zip(Cushion::first(parameters.cushions)) {
        let bids: Vec<(usize, &Bid)> = (1..).zip(&told.bids).filter(|(_, bid)| bid.cushion == cushion).collect();
        let words: Vec<String> =
            bids.iter().map(|(order, bid)| format!("{order}) {} {}", names.of(bid.seat), bid.card)).collect();
        let words = match (words.is_empty(), told.winners.is_some()) {
            (true, true) => "no bid".to_owned(),
            (true, false) => "no bid yet".to_owned(),
            (false, _) => words.join(", "),
        };
        let taken = match told.winners.map(|winners| winners[cushion.index()]) {
            Some(Some(seat)) => format!(" → {}{}", names.of(seat), tie(parameters, &bids)),
            Some(None) => " → back into the pouch".to_owned(),
            None => String::new(),
        };
        writeln!(out, "  cushion {cushion}  {}  {words}{taken}", shown::Coloured(jewel))?;
    }
    Ok(())
}

/// Why the winner won, where the highest cards are equal.
fn tie(parameters: &Parameters, bids: &[(usize, &Bid)]) -> &'static str {
    let highest = bids.iter().map(|(_, bid)| bid.card).max();
    let equal = bids.iter().filter(|(_, bid)| Some(bid.card) == highest).count();
    match parameters.ties {
        _ if equal < 2 => "",
        Ties::EarliestBid => ", who placed first",
        Ties::FirstPlayer => ", the first player",
    }
}

/// What everybody has after a stage.
fn tell_collections(players: Players, rounds: &[RoundRecord], names: &Names, out: Out) -> anyhow::Result<()> {
    let recall = Recall::of(rounds.to_vec()).unwrap_or_default();
    writeln!(out, "\n  After stage {}:", rounds.last().map_or(1, |round| round.stage.0))?;
    for seat in players.seats() {
        let jewels: Collection = recall.collection(seat);
        writeln!(out, "    {:<width$}  {}", names.of(seat), shown::collection(jewels), width = names.width)?;
    }
    Ok(())
}

fn tell_end(outcome: &Outcome, names: &Names, out: Out) -> anyhow::Result<()> {
    writeln!(out, "\n{}", shown::heading("The end"))?;
    for place in outcome.by_rank() {
        let name = names.of(place.seat);
        let (points, bonus, sum) = (place.jewel_points, place.bonus, place.points);
        let jewels = shown::collection(place.jewels);
        writeln!(
            out,
            "  {}.  {name:<width$}  {points:>3} + {bonus:>2} bonus = {sum:>3} points   {:>2} jewels: {jewels}",
            place.rank,
            place.count,
            width = names.width
        )?;
    }
    let winners: Vec<&str> = outcome.winners().map(|seat| names.of(seat)).collect();
    match winners.as_slice() {
        [winner] => writeln!(out, "{winner} is the new treasurer.")?,
        several => writeln!(out, "A draw: {} share first place.", several.join(" and "))?,
    }
    Ok(())
}
