//! `sultan verify`: checks records.
//!
//! A record *holds* if its seeds match its commitment and give its first seat, and if all its actions are legal.

use std::io;

use anyhow::{anyhow, bail};
use sultan_domain::{FirstSeatBy, Outcome, Record};
use sultan_rules::{Verdict, verify};

use crate::format::{self, count};
use crate::records::{self, Entry};
use crate::replay::names;
use crate::{Out, args::records::VerifyArgs};

/// The number of a record in its file, and its faults.
type FaultyRecord = (usize, Vec<String>);

pub(crate) fn run(args: &VerifyArgs, out: Out) -> anyhow::Result<()> {
    let mut summary = Summary::default();
    // The record and its outcome, if it is valid and the only one of the file: a second record resets this to `None`.
    let mut single_record = None;
    let mut faulty: Vec<FaultyRecord> = Vec::new();
    let result = records::for_each(&args.file, |Entry { number, record, .. }| {
        let (faults, outcome) = match &record {
            Ok(record) => {
                let Verdict { faults, replay } = verify(record);
                let faults = faults.iter().map(ToString::to_string).collect();
                (faults, replay.and_then(|replay| replay.game().outcome()))
            }
            Err(error) => (vec![error.to_string()], None),
        };
        summary.add(record.as_ref().ok(), outcome.is_some());
        if !faults.is_empty() {
            faulty.push((number, faults));
        }
        single_record = record.ok().filter(|_| number == 1).map(|record| (record, outcome));
        Ok(())
    });
    let name = records::display_name(&args.file);
    let (all, bad) = (summary.records, faulty.len());
    if let Err(error) = result {
        print_faults(&faulty, out)?;
        if bad == 0 {
            return Err(error);
        }
        bail!("{error:#}; of the {all} before it, {bad} do not hold");
    }
    match (faulty.first(), single_record) {
        (None, Some((record, outcome))) => print_checks(&record, outcome, out),
        (None, None) => summary.print(out),
        (Some((_, faults)), _) if all == 1 => bail!("{name}: {}", faults.join("; ")),
        (Some((number, faults)), _) => {
            print_faults(&faulty, out)?;
            bail!("{name}: {bad} of {all} do not hold; the first is record {number}: {}", faults.join("; "))
        }
    }
}

/// Prints all faults, one per line.
fn print_faults(faulty: &[FaultyRecord], out: Out) -> io::Result<()> {
    for (number, faults) in faulty {
        for fault in faults {
            match writeln!(out, "record {number}: {}", format::one_line(fault)) {
                // The reader has closed the pipe; the exit status must still report the faults.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                result => result?,
            }
        }
    }
    Ok(())
}

/// The numbers of records in a file.
#[derive(Default)]
struct Summary {
    /// All records.
    records: usize,
    /// Records of finished games.
    finished: usize,
    /// Records with a commitment.
    committed: usize,
    /// Records whose first seat was chosen by chance.
    by_chance: usize,
}

impl Summary {
    /// Counts a record; `None` is an invalid one.
    fn add(&mut self, record: Option<&Record>, is_finished: bool) {
        let has_commitment = record.is_some_and(|record| record.commitment.is_some());
        let is_by_chance = record.is_some_and(|record| record.first_seat_by == Some(FirstSeatBy::Chance));
        self.records += 1;
        self.finished += usize::from(is_finished);
        self.committed += usize::from(has_commitment);
        self.by_chance += usize::from(is_by_chance);
    }

    fn print(&self, out: Out) -> anyhow::Result<()> {
        let Self { records, finished, committed, by_chance } = self;
        let not_by_chance = records - by_chance;
        writeln!(out, "{records} records hold.")?;
        writeln!(out, "  commitment   {committed} are the server seed's SHA-256, {} have none", records - committed)?;
        writeln!(out, "  first seat   {by_chance} are as the seeds give it, {not_by_chance} not chosen by chance")?;
        writeln!(out, "  actions      all legal on the deals that the seeds give")?;
        writeln!(out, "  result       {finished} games complete, {} end before their end", records - finished)?;
        Ok(())
    }
}

/// Prints the checks of a single valid record.
fn print_checks(record: &Record, outcome: Option<Outcome>, out: Out) -> anyhow::Result<()> {
    let commitment = match record.commitment {
        Some(_) => "is the server seed's SHA-256",
        None => "not in the record, so not checked",
    };
    // With the name, if there is one: a number alone does not show whether seats are counted from 0 or 1.
    let first_seat = match format::name(&record.names[record.first_seat.index()]) {
        name if name.is_empty() => record.first_seat.to_string(),
        name => format!("{} ({name})", record.first_seat),
    };
    let chosen_by = match record.first_seat_by {
        Some(FirstSeatBy::Chance) => ", as the seeds give it",
        Some(FirstSeatBy::Host) => ", named by the host",
        Some(FirstSeatBy::Rematch) => ", moved on in a rematch",
        None => "; the record does not say who chose it",
    };
    writeln!(out, "The record holds.")?;
    writeln!(out, "  commitment   {commitment}")?;
    writeln!(out, "  first seat   {first_seat}{chosen_by}")?;
    writeln!(out, "  actions      {}, all legal on the deal that the seeds give", record.actions.len())?;
    let Some(outcome) = outcome else {
        return Ok(writeln!(out, "  result       none: the record ends before the game does")?);
    };
    let best = outcome.places.iter().find(|place| place.rank == 1).ok_or_else(|| anyhow!("no seat has rank 1"))?;
    let names = names(record);
    let winners: Vec<&str> = outcome.winners().map(|seat| names[seat.index()].as_str()).collect();
    let verb = if winners.len() == 1 { "wins" } else { "share first place" };
    Ok(writeln!(out, "  result       {} {verb} with {}", winners.join(" and "), count(best.points, "point"))?)
}
