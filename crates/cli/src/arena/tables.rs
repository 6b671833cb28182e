//! Prints the results as text tables.

use sultan_lab::arena::{DecisionTimes, Entrant, Pairing};

use super::results::Results;
use crate::{Out, format};

/// The tables must fit on a terminal with this number of columns.
const TERMINAL_WIDTH: usize = 80;

/// A measure with a cross table of its own.
struct Measure {
    name: &'static str,
    /// The mean and its standard error.
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

/// Rows of cells; the first row is the heading.
type Table = Vec<Vec<String>>;

/// Prints all tables.
pub(super) fn print(results: &Results, out: Out) -> anyhow::Result<()> {
    writeln!(out, "{}\n", results.summary())?;
    print_table(out, &bot_table(results))?;
    print_table(out, &rating_table(results))?;
    // A single name has no opponent.
    let has_cross_tables = results.ratings.len() > 1;
    for measure in MEASURES.iter().filter(|_| has_cross_tables) {
        let with_errors = cross_table(results, measure, true);
        let fits = fits_terminal(&with_errors);
        print_table(out, &if fits { with_errors } else { cross_table(results, measure, false) })?;
    }
    writeln!(out, "won: shared first places count as shares; margin: to the best other player.")?;
    writeln!(out, "median, p99: of the time for one decision; ±: standard error.")?;
    if has_cross_tables {
        let errors = largest_errors(results).unwrap_or_default();
        writeln!(out, "against: over all pairs at a table; an equal place is half a win{errors}.")?;
        writeln!(out, "rating: Bradley-Terry fit of who wins, Elo scale, mean 0, 95 % interval;")?;
        writeln!(out, "each bot has one virtual win and one virtual loss against an average player.")?;
    }
    Ok(())
}

/// A note with the largest standard errors, if a cross table has no room for its errors.
fn largest_errors(results: &Results) -> Option<String> {
    let largest_error = |measure: &Measure| {
        let errors = results.cross_table.iter().filter_map(|pair| (measure.value)(pair).1);
        errors.reduce(f64::max).map(|error| format!("{} {error:.1}", measure.name))
    };
    let errors: Vec<String> = MEASURES.iter().filter_map(largest_error).collect();
    let fits = |measure: &Measure| fits_terminal(&cross_table(results, measure, true));
    let is_needed = !MEASURES.iter().all(fits) && !errors.is_empty();
    is_needed.then(|| format!(";\nlargest standard errors: {}", errors.join(", ")))
}

/// Prints a table with aligned columns and an empty line below.
fn print_table(out: Out, table: &Table) -> anyhow::Result<()> {
    for (row, line) in aligned(table).into_iter().enumerate() {
        if row == 0 { writeln!(out, "{}", format::heading(&line)) } else { writeln!(out, "{line}") }?;
    }
    Ok(writeln!(out)?)
}

/// The lines of a table: names aligned to the left, numbers to the right. Columns of names have the heading `bot` or,
/// in a cross table, a heading such as `margin against`.
fn aligned(table: &Table) -> Vec<String> {
    format::aligned(table, |column| table[0][column] == "bot" || table[0][column].ends_with(" against"))
}

fn fits_terminal(table: &Table) -> bool {
    aligned(table).iter().all(|line| line.chars().count() <= TERMINAL_WIDTH)
}

/// The results of each bot.
fn bot_table(results: &Results) -> Table {
    let entry = if results.rotate || results.pool { "entry" } else { "seat" };
    let mut table = vec![[entry, "bot", "seats", "won %", "points", "margin", "rank"].map(str::to_owned).into()];
    for Entrant { bot, entry, row, .. } in &results.bots {
        let won = with_error(format!("{:.1}", 100.0 * row.win_share), row.win_share_error.map(|e| 100.0 * e), 1);
        let points = with_error(format!("{:.2}", row.points), row.points_error, 2);
        let margin = with_error(signed(row.margin, 2), row.margin_error, 2);
        let (entry, seats, rank) = (entry.to_string(), row.seats.to_string(), format!("{:.2}", row.rank));
        table.push(vec![entry, (*bot).to_owned(), seats, won, points, margin, rank]);
    }
    // Without a pool, every bot has one seat in every game, so the column of seats is removed.
    if !results.pool {
        table.iter_mut().for_each(|row| drop(row.remove(2)));
    }
    table
}

/// Ratings and decision times by name, the highest rating first.
fn rating_table(results: &Results) -> Table {
    let mut table = vec![["bot", "rating", "95 % interval", "median", "p99"].map(str::to_owned).into()];
    for standing in results.ranking() {
        // Adding 0.0 turns -0.0 into 0.0.
        let rounded = |rating: f64| rating.round() + 0.0;
        let interval = standing.low.zip(standing.high).map(|(low, high)| (rounded(low), rounded(high)));
        let interval = interval.map(|(low, high)| format!("{low:>+5} … {high:>+5}")).unwrap_or_default();
        let DecisionTimes { micros_median, micros_p99 } = standing.times;
        let [median, p99] = [micros_median, micros_p99].map(|micros| micros.map(format_time).unwrap_or_default());
        table.push(vec![standing.bot.to_owned(), format!("{:+}", rounded(standing.rating)), interval, median, p99]);
    }
    // A single name has no opponent to be rated against, so the columns of ratings are removed.
    if results.ratings.len() < 2 {
        table.iter_mut().for_each(|row| drop(row.drain(1..3)));
    }
    table
}

/// The cross table of all names, with or without standard errors.
fn cross_table(results: &Results, measure: &Measure, with_errors: bool) -> Table {
    let names: Vec<&str> = results.ranking().iter().map(|standing| standing.bot).collect();
    let cell = |bot: &str, against: &str| {
        let pairing = results.cross_table.iter().find(|pair| pair.bot == bot && pair.against == against)?;
        let (mean, error) = (measure.value)(pairing);
        Some(with_error((measure.format)(mean), error.filter(|_| with_errors), 1))
    };
    let row = |&bot: &&str| {
        let cells = names.iter().map(|against| cell(bot, against).unwrap_or_else(|| "·".to_owned()));
        std::iter::once(bot.to_owned()).chain(cells).collect()
    };
    let heading = std::iter::once(format!("{} against", measure.name)).chain(names.iter().map(ToString::to_string));
    std::iter::once(heading.collect()).chain(names.iter().map(row)).collect()
}

/// Formats a number with its sign; a number that is rounded to zero has a plus.
fn signed(mean: f64, digits: usize) -> String {
    let text = format!("{mean:+.digits$}");
    if text.trim_start_matches(['-', '0', '.']).is_empty() { text.replace('-', "+") } else { text }
}

/// Appends the standard error, if there is one, to a formatted mean.
fn with_error(mean: String, error: Option<f64>, digits: usize) -> String {
    match error {
        Some(error) => format!("{mean} ± {error:.digits$}"),
        None => mean,
    }
}

/// Formats a time in µs, ms or s, with three significant digits.
fn format_time(micros: f64) -> String {
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
    use super::super::results::tests::sample;
    use super::*;

    #[test]
    fn times_are_printed_in_a_suitable_unit() {
        let times = [0.05, 7.123, 45.67, 999.4, 1500.0, 2_000_000.0].map(format_time);
        assert_eq!(times, ["0.05 µs", "7.12 µs", "45.7 µs", "999 µs", "1.50 ms", "2.00 s"]);
    }

    #[test]
    fn tables_fit_on_a_terminal_and_show_the_largest_errors_without_room_for_all() {
        for names in [
            &["random"][..],
            &["strong", "weak"],
            &["a", "b", "c", "d"],
            &["sultan", "merchant", "vizier", "thief", "guard", "random"],
        ] {
            let mut out = Vec::new();
            print(&sample(names), &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            // Headings are bold: without the escape codes for that.
            for line in text.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "").lines() {
                assert!(line.chars().count() <= TERMINAL_WIDTH && line.trim_end() == line, "{line}");
            }
            assert_eq!(text.contains("Bradley-Terry"), names.len() > 1);
            // With more than four names, a cross table has no room for the error of each cell.
            assert_eq!(text.contains("largest standard errors: won % 1.2, margin 0.5."), names.len() > 4, "{text}");
        }
    }
}
