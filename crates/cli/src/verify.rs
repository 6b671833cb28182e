//! `sultan verify`: checks records.

use std::io;

use anyhow::{anyhow, bail};
use sultan_domain::{FirstSeatBy, Outcome, Record};
use sultan_rules::{Verdict, verify};

use crate::format::{self, count};
use crate::records::{self, Entry};
use crate::replay::names;
use crate::{Out, args::VerifyArgs};

pub(crate) fn run(args: &VerifyArgs, out: Out) -> anyhow::Result<()> {
    let mut all = Summary::default();
    let mut single = None;
    let mut faults: Vec<(usize, Vec<String>)> = Vec::new();
    let read = records::for_each(&args.file, |Entry { number, record, .. }| {
        let (wrong, outcome) = match &record {
            Ok(record) => {
                let Verdict { faults, replay } = verify(record);
                let wrong = faults.iter().map(ToString::to_string).collect();
                (wrong, replay.and_then(|replay| replay.game().outcome()))
            }
            Err(error) => (vec![error.to_string()], None),
        };
        all.add(record.as_ref().ok(), outcome.is_some());
        if !wrong.is_empty() {
            faults.push((number, wrong));
        }
        single = record.ok().filter(|_| number == 1).map(|record| (record, outcome));
        Ok(())
    });
    let name = records::name(&args.file);
    if let Err(error) = read {
        list(&faults, out)?;
        match faults.len() {
            0 => return Err(error),
            bad => bail!("{error:#}; of the {} before it, {bad} do not hold", all.records),
        }
    }
    match (faults.first(), single) {
        (None, Some((record, outcome))) => report(&record, outcome, out),
        (None, None) => all.print(out),
        (Some((_, wrong)), _) if all.records == 1 => bail!("{name}: {}", wrong.join("; ")),
        (Some((number, wrong)), _) => {
            list(&faults, out)?;
            let bad = faults.len();
            bail!("{name}: {bad} of {} do not hold; the first is record {number}: {}", all.records, wrong.join("; "))
        }
    }
}

/// Prints all faults, one per line.
fn list(faults: &[(usize, Vec<String>)], out: Out) -> io::Result<()> {
    for (number, wrong) in faults {
        for fault in wrong {
            match writeln!(out, "record {number}: {}", format::one_line(fault)) {
                // The reader has closed the pipe; the exit status must still report the faults.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                written => written?,
            }
        }
    }
    Ok(())
}

#[derive(Default)]
struct Summary {
    records: usize,
    complete: usize,
    promised: usize,
    by_chance: usize,
}

impl Summary {
    fn add(&mut self, record: Option<&Record>, complete: bool) {
        self.records += 1;
        self.complete += usize::from(complete);
        self.promised += usize::from(record.is_some_and(|record| record.commitment.is_some()));
        let by_chance = |record: &Record| record.first_seat_by == Some(FirstSeatBy::Chance);
        self.by_chance += usize::from(record.is_some_and(by_chance));
    }

    fn print(&self, out: Out) -> anyhow::Result<()> {
        let Self { records, complete, promised, by_chance } = self;
        writeln!(out, "{records} records hold.")?;
        writeln!(out, "  commitment   {promised} are the server seed's SHA-256, {} have none", records - promised)?;
        writeln!(
            out,
            "  first seat   {by_chance} are as the seeds give it, {} not chosen by chance",
            records - by_chance
        )?;
        writeln!(out, "  actions      all legal on the deals that the seeds give")?;
        writeln!(out, "  result       {complete} games complete, {} end before their end", records - complete)?;
        Ok(())
    }
}

/// Prints the checks of a single valid record.
fn report(record: &Record, outcome: Option<Outcome>, out: Out) -> anyhow::Result<()> {
    writeln!(out, "The record holds.")?;
    match record.commitment {
        Some(_) => writeln!(out, "  commitment   is the server seed's SHA-256")?,
        None => writeln!(out, "  commitment   not in the record, so not checked")?,
    }
    // With the name, if there is one: a number alone does not show whether seats are counted from 0 or 1.
    let first = match format::name(&record.names[record.first_seat.index()]) {
        name if name.is_empty() => record.first_seat.to_string(),
        name => format!("{} ({name})", record.first_seat),
    };
    match record.first_seat_by {
        Some(FirstSeatBy::Chance) => writeln!(out, "  first seat   {first}, as the seeds give it")?,
        Some(FirstSeatBy::Host) => writeln!(out, "  first seat   {first}, named by the host")?,
        Some(FirstSeatBy::Rematch) => writeln!(out, "  first seat   {first}, moved on in a rematch")?,
        None => writeln!(out, "  first seat   {first}; the record does not say who chose it")?,
    }
    writeln!(out, "  actions      {}, all legal on the deal that the seeds give", record.actions.len())?;
    let Some(outcome) = outcome else {
        writeln!(out, "  result       none: the record ends before the game does")?;
        return Ok(());
    };
    let best = outcome.places.iter().find(|place| place.rank == 1).ok_or_else(|| anyhow!("no seat has rank 1"))?;
    let names = names(record);
    let winners: Vec<&str> = outcome.winners().map(|seat| names[seat.index()].as_str()).collect();
    let verb = if winners.len() == 1 { "wins" } else { "share first place" };
    writeln!(out, "  result       {} {verb} with {}", winners.join(" and "), count(best.points, "point"))?;
    Ok(())
}
