//! `sultan score`: the points of a collection, line by line.

use anyhow::bail;
use serde::Serialize;
use sultan_domain::{ColourScore, Jewel, Jewels, Parameters, Place, Players, Seat, place};

use crate::{Out, args::ScoreArgs, format};

#[derive(Serialize)]
struct Score {
    players: Players,
    jewels: Jewels,
    lines: [ColourScore; 5],
    jewel_points: u16,
    bonus: u16,
    points: u16,
    count: u16,
}

pub(crate) fn run(args: &ScoreArgs, out: Out) -> anyhow::Result<()> {
    let parameters = Parameters::of(args.players);
    let jewels: Jewels = args.jewels.parse()?;
    for jewel in Jewel::ALL {
        let (given, available) = (jewels.count(jewel), parameters.pouch.count(jewel));
        if given > available {
            bail!("{given} {} jewels, but the game has only {available}", jewel.name());
        }
    }
    let place = place(&parameters, Seat::default(), jewels);
    if args.json {
        let lines = parameters.score(jewels);
        let Place { jewels, jewel_points, bonus, points, count, .. } = place;
        let score = Score { players: args.players, jewels, lines, jewel_points, bonus, points, count };
        return Ok(writeln!(out, "{}", serde_json::to_string(&score)?)?);
    }
    writeln!(out, "{}", format::heading(&format!("{} players", args.players)))?;
    for ColourScore { jewel, count, points, bonus } in parameters.score(jewels) {
        let each = jewel.points();
        writeln!(
            out,
            "  {} {:<6} {count:>2} × {each} = {points:>2}   bonus {bonus:>2}",
            format::Coloured(jewel),
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
