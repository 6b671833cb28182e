//! Texts as wide as a terminal shows them: names may be in scripts whose signs take two columns.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How many columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// A text of at most so many columns; what is left out is marked.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut used = 1;
    for sign in text.chars() {
        used += sign.width().unwrap_or(0);
        if used > columns {
            break;
        }
        short.push(sign);
    }
    if columns > 0 {
        short.push('…');
    }
    short
}

/// A text of exactly so many columns.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    let mut fitted = cut(text, columns);
    let missing = columns.saturating_sub(width(&fitted));
    fitted.extend(std::iter::repeat_n(' ', missing));
    fitted
}

/// The same with the text at the right.
pub(crate) fn fit_right(text: &str, columns: usize) -> String {
    let short = cut(text, columns);
    let missing = columns.saturating_sub(width(&short));
    " ".repeat(missing) + &short
}

/// A text broken into lines of at most so many columns, between words where that is possible.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        // Not at blanks that hold words together.
        for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            let mut word = word.to_owned();
            if !line.is_empty() && width(&line) + 1 + width(&word) > columns {
                lines.push(std::mem::take(&mut line));
            }
            while width(&word) > columns {
                let mut head = String::new();
                let signs = word.chars().take_while(|sign| {
                    let fits = head.is_empty() || width(&head) + sign.width().unwrap_or(0) <= columns;
                    head.push(*sign);
                    fits
                });
                let end: usize = signs.map(char::len_utf8).sum();
                let rest = word.split_off(end);
                lines.push(std::mem::replace(&mut word, rest));
            }
            if !line.is_empty() && !word.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
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
    fn double_width_signs_count_twice() {
        assert_eq!(cut("王様の宝石", 10), "王様の宝石");
        assert_eq!(cut("王様の宝石", 9), "王様の宝…");
        assert_eq!(cut("王様の宝石", 8), "王様の…");
        assert_eq!(width(&fit("王様の宝石", 8)), 8);
        assert_eq!(fit("Ana", 5), "Ana  ");
        assert_eq!(fit_right("Ana", 5), "  Ana");
        assert_eq!(cut("Ana", 0), "");
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(wrap("王様の宝石", 4), ["王様", "の宝", "石"]);
        assert_eq!(wrap("a\n\nb", 4), ["a", "", "b"]);
        assert_eq!(wrap("王", 1), ["王"]);
    }
}
