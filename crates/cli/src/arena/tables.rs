//! Prints the results as text tables.

use sultan_lab::arena::{DecisionTimes, Entrant, Pairing};

use super::results::Results;
use crate::{Out, format};

/// The minimum width of a terminal that tables must fit.
const WIDTH: usize = 80;

/// A value shown for every pair of bots.
struct Measure {
    name: &'static str,
    value: fn(&Pairing) -> (f64, Option<f64>),
    format: fn(f64) -> String,
}

const MEASURES: [Measure; 2] = [
    Measure {
        name: "won %",
        value: |pair| (100.0 * pair.win_share, pair.win_share_error.map(|error| 100.0 * error)),
        format: |mean| format!("{mean:.1}"),
    },
    Measure { name: "margin", value: |pair| (pair.margin, pair.margin_error), format: |mean| signed(mean, 1) },
];

pub(super) fn print(results: &Results, out: Out) -> anyhow::Result<()> {
    writeln!(out, "{}\n", results.summary())?;
    write(out, &bots(results))?;
    write(out, &standings(results))?;
    let several = results.ratings.len() > 1;
    for measure in MEASURES.iter().filter(|_| several) {
        write(out, &cross(results, measure))?;
    }
    writeln!(out, "won: shared first places count as shares; margin: to the best other player.")?;
    writeln!(out, "median, p99: of the time for one decision; ±: standard error.")?;
    if several {
        writeln!(out, "against: over all pairs at a table; an equal place is half a win{}.", errors(results))?;
        writeln!(out, "rating: Bradley-Terry fit of who wins, Elo scale, mean 0, 95 % interval;")?;
        writeln!(out, "each bot has one virtual win and one virtual loss against an average player.")?;
    }
    Ok(())
}

/// The largest standard errors, for the note below tables that have no room for errors.
fn errors(results: &Results) -> String {
    let error_of = |measure: &Measure| largest(results, measure).map(|error| format!("{} {error:.1}", measure.name));
    let errors: Vec<String> = MEASURES.iter().filter_map(error_of).collect();
    let no_room = MEASURES.iter().any(|measure| !fits(&matrix(results, measure, full(measure))));
    if no_room && !errors.is_empty() {
        format!(";\nlargest standard errors: {}", errors.join(", "))
    } else {
        String::new()
    }
}

/// Rows of cells; the first row is the heading.
type Table = Vec<Vec<String>>;

/// Writes a table with aligned columns: names to the left, numbers to the right.
fn write(out: Out, table: &Table) -> anyhow::Result<()> {
    for (row, line) in aligned(table).into_iter().enumerate() {
        if row == 0 { writeln!(out, "{}", format::heading(&line)) } else { writeln!(out, "{line}") }?;
    }
    Ok(writeln!(out)?)
}

fn aligned(table: &Table) -> Vec<String> {
    format::aligned(table, |column| table[0][column] == "bot" || table[0][column].ends_with(" against"))
}

fn heading<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).into()
}

fn bots(results: &Results) -> Table {
    let place = if results.rotate || results.pool { "entry" } else { "seat" };
    let mut table = vec![heading([place, "bot", "seats", "won %", "points", "margin", "rank"])];
    for Entrant { bot, entry, row, .. } in &results.bots {
        let won = with_error(format!("{:.1}", 100.0 * row.win_share), row.win_share_error.map(|e| 100.0 * e), 1);
        let points = with_error(format!("{:.2}", row.points), row.points_error, 2);
        let margin = with_error(signed(row.margin, 2), row.margin_error, 2);
        let (entry, seats, rank) = (entry.to_string(), row.seats.to_string(), format!("{:.2}", row.rank));
        table.push(vec![entry, (*bot).to_owned(), seats, won, points, margin, rank]);
    }
    // Without a pool, every bot has one seat in every game.
    if !results.pool {
        table.iter_mut().for_each(|row| drop(row.remove(2)));
    }
    table
}

/// Ratings and times by name.
fn standings(results: &Results) -> Table {
    let mut table = vec![heading(["bot", "rating", "95 % interval", "median", "p99"])];
    for standing in results.ranking() {
        // Adding 0.0 turns -0.0 into 0.0.
        let whole = |rating: f64| rating.round() + 0.0;
        let interval = standing.low.zip(standing.high).map(|(low, high)| (whole(low), whole(high)));
        let interval = interval.map(|(low, high)| format!("{low:>+5} … {high:>+5}")).unwrap_or_default();
        let DecisionTimes { micros_median, micros_p99 } = standing.times;
        let [median, p99] = [micros_median, micros_p99].map(|micros| micros.map(time).unwrap_or_default());
        table.push(vec![standing.bot.to_owned(), format!("{:+}", whole(standing.rating)), interval, median, p99]);
    }
    // A single bot has no opponent to be rated against.
    if results.ratings.len() < 2 {
        table.iter_mut().for_each(|row| drop(row.drain(1..3)));
    }
    table
}

/// The cross table of all bots, with errors if they fit.
fn cross(results: &Results, measure: &Measure) -> Table {
    let full = matrix(results, measure, full(measure));
    if fits(&full) { full } else { matrix(results, measure, |pair| (measure.format)((measure.value)(pair).0)) }
}

fn full(measure: &Measure) -> impl Fn(&Pairing) -> String {
    |pair| {
        let (mean, error) = (measure.value)(pair);
        with_error((measure.format)(mean), error, 1)
    }
}

fn fits(table: &Table) -> bool {
    aligned(table).iter().all(|line| line.chars().count() <= WIDTH)
}

/// The largest standard error.
fn largest(results: &Results, measure: &Measure) -> Option<f64> {
    results.cross_table.iter().filter_map(|pair| (measure.value)(pair).1).reduce(f64::max)
}

fn matrix(results: &Results, measure: &Measure, cell: impl Fn(&Pairing) -> String) -> Table {
    let names: Vec<&str> = results.ranking().iter().map(|standing| standing.bot).collect();
    let head =
        std::iter::once(format!("{} against", measure.name)).chain(names.iter().map(|&name| name.to_owned())).collect();
    let row = |&bot: &&str| {
        let pair = |against: &&str| results.cross_table.iter().find(|pair| pair.bot == bot && pair.against == *against);
        let cells = names.iter().map(|against| pair(against).map_or_else(|| "·".to_owned(), &cell));
        std::iter::once(bot.to_owned()).chain(cells).collect()
    };
    std::iter::once(head).chain(names.iter().map(row)).collect()
}

/// Formats a number with its sign; a number that is rounded to zero gets a plus.
fn signed(mean: f64, digits: usize) -> String {
    let text = format!("{mean:+.digits$}");
    if text.trim_start_matches(['-', '0', '.']).is_empty() { text.replace('-', "+") } else { text }
}

/// A mean with its standard error, if there is one.
fn with_error(mean: String, error: Option<f64>, digits: usize) -> String {
    match error {
        Some(error) => format!("{mean} ± {error:.digits$}"),
        None => mean,
    }
}

/// Formats a time in µs, ms or s.
fn time(micros: f64) -> String {
    let (value, unit) = match micros {
        ..1e3 => (micros, "µs"),
        ..1e6 => (micros / 1e3, "ms"),
        _ => (micros / 1e6, "s"),
    };
    let digits = match value {
        ..10.0 => 2,
        ..100.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::super::results::sample;
    use super::*;

    #[test]
    fn durations_are_printed_in_a_suitable_unit() {
        let durations = [0.05, 7.123, 45.67, 999.4, 1500.0, 2_000_000.0].map(time);
        assert_eq!(durations, ["0.05 µs", "7.12 µs", "45.7 µs", "999 µs", "1.50 ms", "2.00 s"]);
    }

    #[test]
    fn tables_fit_on_a_terminal() {
        for names in [
            &["random"][..],
            &["strong", "weak"],
            &["a", "b", "c", "d"],
            &["sultan", "merchant", "vizier", "thief", "guard", "random"],
        ] {
            let mut out = Vec::new();
            print(&sample(names), &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            for line in text.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "").lines() {
                assert!(line.chars().count() <= WIDTH && line.trim_end() == line, "{line}");
            }
            assert_eq!(text.contains("Bradley-Terry"), names.len() > 1);
            assert_eq!(text.contains("largest standard errors: won % 1.2, margin 0.5."), names.len() > 4, "{text}");
        }
    }
}
