//! `sultan verify`: whether records hold.

use anyhow::{anyhow, bail};
use sultan_domain::{Outcome, Record};
use sultan_rules::{Verdict, verify};

use crate::{Out, args::VerifyArgs, records, shown};

pub(crate) fn run(args: &VerifyArgs, out: Out) -> anyhow::Result<()> {
    let (mut all, mut bad, mut complete) = (0_usize, 0_usize, 0_usize);
    let mut single = None;
    let mut first_fault = None;
    records::for_each(&args.file, |number, record| {
        all += 1;
        let Verdict { faults, replay } = verify(&record);
        let outcome = replay.as_ref().and_then(|replay| replay.game.outcome());
        complete += usize::from(outcome.is_some());
        bad += usize::from(!faults.is_empty());
        for fault in &faults {
            writeln!(out, "record {number} does not hold: {}", shown::one_line(&fault.to_string()))?;
        }
        if let Some(fault) = faults.into_iter().next() {
            first_fault.get_or_insert((number, fault));
        }
        single = (all == 1).then_some((record, outcome));
        Ok(())
    })?;
    if let Some((number, fault)) = first_fault {
        bail!("{bad} of {all} records do not hold; the first is record {number}: {fault}");
    }
    match single {
        Some((record, outcome)) => report(&record, outcome, out)?,
        None => writeln!(
            out,
            "{all} records hold: chance is what the seeds give and every action is legal ({complete} games complete)"
        )?,
    }
    Ok(())
}

/// What was checked in a single record that holds.
fn report(record: &Record, outcome: Option<Outcome>, out: Out) -> anyhow::Result<()> {
    writeln!(out, "The record holds.")?;
    match record.commitment {
        Some(_) => writeln!(out, "  commitment   is the server seed's SHA-256")?,
        None => writeln!(out, "  commitment   not in the record, so not checked")?,
    }
    let first = record.first_seat;
    match record.first_seat_by {
        Some(sultan_domain::FirstSeatBy::Chance) => writeln!(out, "  first seat   {first}, as the seeds give it")?,
        Some(sultan_domain::FirstSeatBy::Host) => writeln!(out, "  first seat   {first}, named by the host")?,
        Some(sultan_domain::FirstSeatBy::Rematch) => writeln!(out, "  first seat   {first}, moved on in a rematch")?,
        None => writeln!(out, "  first seat   {first}; the record does not say who chose it")?,
    }
    writeln!(out, "  actions      {}, all legal on the deal that the seeds give", record.actions.len())?;
    let Some(outcome) = outcome else {
        writeln!(out, "  result       none: the record ends before the game does")?;
        return Ok(());
    };
    let best = outcome.places.iter().find(|place| place.rank == 1).ok_or_else(|| anyhow!("nobody won"))?;
    let names: Vec<String> = outcome.winners().map(|seat| shown::harmless(&record.names[seat.index()])).collect();
    let verb = if names.len() == 1 { "wins" } else { "share the first place" };
    writeln!(out, "  result       {} {verb} with {} points", names.join(" and "), best.points)?;
    Ok(())
}
