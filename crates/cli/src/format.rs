//! Formatting of texts, jewels and tables for the output of commands.

use anstyle::{AnsiColor, Effects, Style};
use sultan_domain::{Jewel, Jewels};
use sultan_text::sanitized;

/// Shortens an untrusted name for a table, and sanitizes it: control characters are replaced.
pub(crate) fn name(name: &str) -> String {
    shortened(name.trim(), 30)
}

/// A number with its noun: `1 game`, `2 games`.
pub(crate) fn count(number: impl Into<u64>, noun: &str) -> String {
    let number = number.into();
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Sanitizes a message into one line and shortens it to 400 characters.
pub(crate) fn one_line(message: &str) -> String {
    shortened(message, 400)
}

/// Sanitizes untrusted text and cuts it to `max_chars` characters, followed by an ellipsis.
fn shortened(text: &str, max_chars: usize) -> String {
    let start: String = text.chars().take(max_chars).collect();
    sanitized(&start) + if start.len() < text.len() { "…" } else { "" }
}

/// A jewel's letter in the jewel's colour.
pub(crate) fn letter(jewel: Jewel) -> String {
    let colour = match jewel {
        Jewel::White => AnsiColor::White,
        Jewel::Red => AnsiColor::Red,
        Jewel::Yellow => AnsiColor::Yellow,
        Jewel::Green => AnsiColor::Green,
        Jewel::Blue => AnsiColor::Blue,
    };
    let style = Style::new().fg_color(Some(colour.into())).effects(Effects::BOLD);
    format!("{style}{jewel}{style:#}")
}

/// A collection such as `W3 R5 B1`, each letter in the jewel's colour.
pub(crate) fn collection(jewels: Jewels) -> String {
    let collected = Jewel::ALL.into_iter().filter(|&jewel| jewels.count(jewel) > 0);
    let words: Vec<String> = collected.map(|jewel| format!("{}{}", letter(jewel), jewels.count(jewel))).collect();
    if words.is_empty() { "no jewels".to_owned() } else { words.join(" ") }
}

/// Formats rows as lines with aligned columns: a column for which `is_name` returns `true` to the left, others, which
/// contain numbers, to the right.
pub(crate) fn aligned(rows: &[Vec<String>], is_name: impl Fn(usize) -> bool) -> Vec<String> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if is_name(column) { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// A bold heading.
pub(crate) fn heading(text: &str) -> String {
    let style = Style::new().effects(Effects::BOLD);
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sanitized_and_shortened() {
        assert_eq!(name(" A\u{1b}[31mna "), "A\u{fffd}[31mna");
        assert_eq!(name(&"n".repeat(100_000)).chars().count(), 31);
    }

    #[test]
    fn long_message_is_shortened_to_one_line() {
        let shortened = one_line(&"x\ny".repeat(1000));
        assert!(!shortened.contains('\n') && shortened.ends_with('…') && shortened.chars().count() == 401);
        assert_eq!(one_line("short"), "short");
    }
}
