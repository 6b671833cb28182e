//! Text measured in terminal columns. Some scripts have characters that are two columns wide.

use unicode_truncate::{Alignment, UnicodeTruncateStr};
use unicode_width::UnicodeWidthStr;

/// The width of a text in columns.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// Shortens a text to at most this many columns. `…` marks the cut.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let Some(columns_before_mark) = columns.checked_sub(1) else { return String::new() };
    format!("{}…", text.unicode_truncate(columns_before_mark).0)
}

/// Cuts or pads a text to exactly `columns`.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    cut(text, columns).unicode_pad(columns, Alignment::Left, false).into_owned()
}

/// Like [`fit`], aligned to the right.
pub(crate) fn fit_right(text: &str, columns: usize) -> String {
    cut(text, columns).unicode_pad(columns, Alignment::Right, false).into_owned()
}

/// Breaks a text into lines of at most this many columns: between words if possible, and within words that are wider
/// than a line.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        // Not at no-break spaces, which keep the words on both sides together.
        for mut word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            if !line.is_empty() && width(&line) + 1 + width(word) > columns {
                lines.push(std::mem::take(&mut line));
            }
            while width(word) > columns {
                // Cut off at least one character, even if it is wider than a line.
                let first_character_bytes = word.chars().next().map_or(0, char::len_utf8);
                let cut_bytes = word.unicode_truncate(columns).0.len().max(first_character_bytes);
                lines.push(word[..cut_bytes].to_owned());
                word = &word[cut_bytes..];
            }
            if !line.is_empty() && !word.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        if !line.is_empty() || paragraph.is_empty() {
            lines.push(line);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn double_width_characters_take_two_columns() {
        assert_eq!(cut("王様の宝石", 10), "王様の宝石");
        assert_eq!(cut("王様の宝石", 9), "王様の宝…");
        assert_eq!(cut("王様の宝石", 8), "王様の…");
        assert_eq!(width(&fit("王様の宝石", 8)), 8);
        assert_eq!(fit("Ana", 5), "Ana  ");
        assert_eq!(fit_right("Ana", 5), "  Ana");
        assert_eq!(cut("Ana", 0), "");
    }

    #[test]
    fn lines_are_broken_between_words_and_within_wide_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrap("王様の宝石", 4), ["王様", "の宝", "石"]);
        assert_eq!(wrap("a\n\nb", 4), ["a", "", "b"]);
        assert_eq!(wrap("王", 1), ["王"]);
    }
}
