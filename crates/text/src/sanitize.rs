//! Sanitizes untrusted text for a terminal.

/// Replaces control characters, direction marks and invisible characters of an untrusted text.
#[must_use]
pub fn sanitized(text: &str) -> String {
    let is_unsafe = |sign: char| {
        sign.is_control()
            || matches!(sign, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    text.chars().map(|sign| if is_unsafe(sign) { '\u{fffd}' } else { sign }).collect()
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
