//! `sultan score`: the points of a collection, colour by colour.

use anyhow::bail;
use serde::Serialize;
use sultan_domain::{ColourScore, Jewel, Jewels, Parameters, Place, Players, Seat, place};

use crate::{Out, args::records::ScoreArgs, format};

/// The JSON output; docs/formats.md describes it.
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
    // The points do not depend on the seat.
    let place = place(&parameters, Seat::default(), jewels);
    if args.json {
        let lines = parameters.score(jewels);
        let Place { jewels, jewel_points, bonus, points, count, .. } = place;
        let score = Score { players: args.players, jewels, lines, jewel_points, bonus, points, count };
        return Ok(writeln!(out, "{}", serde_json::to_string(&score)?)?);
    }
    writeln!(out, "{}", format::heading(&format!("{} players", args.players)))?;
    for ColourScore { jewel, count, points, bonus } in parameters.score(jewels) {
        let (letter, name, each) = (format::letter(jewel), jewel.name(), jewel.points());
        writeln!(out, "  {letter} {name:<6} {count:>2} × {each} = {points:>2}   bonus {bonus:>2}")?;
    }
    let Place { jewel_points, bonus, points, count, .. } = place;
    Ok(writeln!(out, "  jewels {count}: {jewel_points} points + {bonus} bonus = {points}")?)
}
