//! `sultan replay`: a recorded game, round by round or as JSON.

use sultan_domain::{Collection, Cushion, FirstSeatBy, Outcome, Players, Recall, Record, RoundTold, Screens, Seat};
use sultan_rules::replay;

use crate::{Out, args::ReplayArgs, records, shown};

pub(crate) fn run(args: &ReplayArgs, out: Out) -> anyhow::Result<()> {
    records::for_each(&args.file, |number, record| {
        let telling = replay(&record)?.telling();
        if args.json {
            serde_json::to_writer(&mut *out, &telling)?;
            writeln!(out)?;
            return Ok(());
        }
        if number > 1 {
            writeln!(out)?;
        }
        let names = Names::new(&record);
        introduce(&record, &names, out)?;
        for (index, round) in telling.rounds.iter().enumerate() {
            tell_round(round, &names, out)?;
            let next = telling.rounds.get(index + 1);
            let stage_over = round.winners.is_some() && next.is_none_or(|next| next.stage != round.stage);
            if stage_over && (next.is_some() || telling.outcome.is_none()) {
                tell_collections(record.players, &telling.rounds[..=index], &names, out)?;
            }
        }
        match telling.outcome {
            Some(outcome) => tell_end(&outcome, &names, out),
            None => Ok(writeln!(out, "\nThe record ends here, before the game is over.")?),
        }
    })
}

/// What the players are called: by name and, where a name is not enough, by seat.
struct Names {
    names: Vec<String>,
    width: usize,
}

impl Names {
    fn new(record: &Record) -> Self {
        let named = |(seat, name): (usize, &String)| {
            let name = shown::harmless(name);
            let unique = record.names.iter().filter(|other| **other == record.names[seat]).count() == 1;
            if name.is_empty() {
                format!("seat {seat}")
            } else if unique {
                name
            } else {
                format!("{name} ({seat})")
            }
        };
        let names: Vec<String> = record.names.iter().enumerate().map(named).collect();
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        Self { names, width }
    }

    fn of(&self, seat: Seat) -> &str {
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
    Ok(())
}

fn tell_round(told: &RoundTold, names: &Names, out: Out) -> anyhow::Result<()> {
    let first = names.of(told.first_seat);
    let drawn = shown::row(told.drawn.iter());
    writeln!(out, "\n{}", shown::heading(&format!("Stage {} · Round {}", told.stage, told.round)))?;
    let (Some(offer), Some(put_back)) = (told.offer, told.put_back) else {
        writeln!(out, "  {first} draws {drawn} and is to put all but one on the cushions")?;
        return Ok(());
    };
    writeln!(out, "  {first} draws {drawn} and puts {} back", shown::Coloured(put_back))?;
    for (index, jewel) in offer.iter().enumerate() {
        let cushion = u8::try_from(index + 1).ok().and_then(Cushion::new);
        let bids = told.bids.iter().filter(|bid| Some(bid.cushion) == cushion);
        let bids: Vec<String> = bids.map(|bid| format!("{} {}", names.of(bid.seat), bid.card)).collect();
        let bids = if bids.is_empty() { "no bid".to_owned() } else { bids.join(", ") };
        let taken = match told.winners.map(|winners| winners[index]) {
            Some(Some(seat)) => format!(" → {}", names.of(seat)),
            Some(None) => " → back into the pouch".to_owned(),
            None => String::new(),
        };
        writeln!(out, "  {}  {}  {bids}{taken}", index + 1, shown::Coloured(jewel))?;
    }
    Ok(())
}

/// What everybody has after a stage.
fn tell_collections(players: Players, rounds: &[RoundTold], names: &Names, out: Out) -> anyhow::Result<()> {
    let recall = Recall::of(rounds.to_vec());
    writeln!(out, "\n  After stage {}:", rounds.last().map_or(1, |round| round.stage.0))?;
    for seat in players.seats() {
        let jewels: Collection = recall.collection(seat);
        writeln!(out, "    {:<width$}  {}", names.of(seat), shown::collection(jewels), width = names.width)?;
    }
    Ok(())
}

fn tell_end(outcome: &Outcome, names: &Names, out: Out) -> anyhow::Result<()> {
    writeln!(out, "\n{}", shown::heading("The end"))?;
    let mut places: Vec<_> = outcome.places.iter().collect();
    places.sort_by_key(|place| (place.rank, place.seat));
    for place in places {
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
        several => writeln!(out, "A draw: {} share the first place.", several.join(" and "))?,
    }
    Ok(())
}
