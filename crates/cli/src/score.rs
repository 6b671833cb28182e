//! `sultan score`: the points of a collection, line by line.

use anyhow::bail;
use serde_json::json;
use sultan_domain::{Jewel, Jewels, Numbers, Seat};
use sultan_rules::{bonus, jewel_points, place};

use crate::{Out, args::ScoreArgs, shown};

pub(crate) fn run(args: &ScoreArgs, out: Out) -> anyhow::Result<()> {
    let numbers = Numbers::of(args.players);
    let jewels: Jewels = args.jewels.parse()?;
    for jewel in Jewel::ALL {
        let (given, there) = (jewels.count(jewel), numbers.jewels_of(jewel));
        if given > there {
            bail!("{given} {} jewels, but the game has only {there}", jewel.name());
        }
    }
    let place = place(&numbers, Seat::default(), jewels);
    if args.json {
        let lines = Jewel::ALL.map(|jewel| {
            let count = jewels.count(jewel);
            let points = jewel_points(jewel) * u16::from(count);
            json!({"jewel": jewel, "count": count, "points": points, "bonus": bonus(&numbers, count)})
        });
        let json = json!({
            "players": args.players, "jewels": jewels, "lines": lines, "jewel_points": place.jewel_points,
            "bonus": place.bonus, "points": place.points, "count": place.count,
        });
        writeln!(out, "{json}")?;
        return Ok(());
    }
    writeln!(out, "{}", shown::heading(&format!("{} players", args.players)))?;
    for jewel in Jewel::ALL {
        let (count, each) = (jewels.count(jewel), jewel_points(jewel));
        let points = each * u16::from(count);
        let bonus = bonus(&numbers, count);
        writeln!(
            out,
            "  {} {:<6} {count:>2} × {each} = {points:>2}   bonus {bonus:>2}",
            shown::Coloured(jewel),
            jewel.name()
        )?;
    }
    writeln!(
        out,
        "  jewels {}: {} points + {} bonus = {}",
        place.count, place.jewel_points, place.bonus, place.points
    )?;
    Ok(())
}
