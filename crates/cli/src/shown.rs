//! How texts and jewels are shown on a terminal.

use std::fmt;

use anstyle::{AnsiColor, Effects, Style};
use sultan_domain::{Jewel, Jewels};

/// A text from outside without anything that could steer the terminal.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// A message on one line that is not too long to read.
pub(crate) fn one_line(message: &str) -> String {
    const LONGEST: usize = 400;
    let line: String = message.chars().take(LONGEST).collect();
    let dots = if message.chars().nth(LONGEST).is_some() { "…" } else { "" };
    harmless(&line) + dots
}

/// A jewel's letter in the jewel's colour.
pub(crate) struct Coloured(pub(crate) Jewel);

impl fmt::Display for Coloured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colour = match self.0 {
            Jewel::White => AnsiColor::White,
            Jewel::Red => AnsiColor::Red,
            Jewel::Yellow => AnsiColor::Yellow,
            Jewel::Green => AnsiColor::Green,
            Jewel::Blue => AnsiColor::Blue,
        };
        let style = Style::new().fg_color(Some(colour.into())).effects(Effects::BOLD);
        write!(f, "{style}{}{style:#}", self.0)
    }
}

/// The letters of several jewels, with blanks between them.
pub(crate) fn row(jewels: impl IntoIterator<Item = Jewel>) -> String {
    jewels.into_iter().map(|jewel| Coloured(jewel).to_string()).collect::<Vec<_>>().join(" ")
}

/// A collection such as `W3 R5 B1`.
pub(crate) fn collection(jewels: Jewels) -> String {
    let some = Jewel::ALL.into_iter().filter(|&jewel| jewels.count(jewel) > 0);
    let words: Vec<String> = some.map(|jewel| format!("{}{}", Coloured(jewel), jewels.count(jewel))).collect();
    if words.is_empty() { "no jewels".to_owned() } else { words.join(" ") }
}

/// A heading.
pub(crate) fn heading(text: &str) -> String {
    let style = Style::new().effects(Effects::BOLD);
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_steers_the_terminal() {
        assert_eq!(harmless("A\u{1b}[31mna\r\n\u{7}"), "A\u{fffd}[31mna\u{fffd}\u{fffd}\u{fffd}");
    }

    #[test]
    fn a_message_is_one_readable_line() {
        let long = one_line(&"x\ny".repeat(1000));
        assert!(!long.contains('\n') && long.ends_with('…') && long.chars().count() == 401);
        assert_eq!(one_line("short"), "short");
    }
}
