//! Sanitizes untrusted text for a terminal.

/// Replaces each control character, direction mark and invisible character of an untrusted text by `\u{fffd}`.
#[must_use]
pub fn sanitized(text: &str) -> String {
    text.replace(|character: char| character.is_control() || is_invisible(character), "\u{fffd}")
}

/// Whether a character is a soft hyphen, a direction mark, a line separator, or another character without a shape.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(character, '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_characters_are_replaced() {
        assert_eq!(sanitized("A\u{1b}[31mna\r\n\u{7}"), "A\u{fffd}[31mna\u{fffd}\u{fffd}\u{fffd}");
        assert_eq!(sanitized("\u{202e}x\u{200b}Ő é 字"), "\u{fffd}x\u{fffd}Ő é 字");
    }
}
