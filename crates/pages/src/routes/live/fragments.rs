//! Shorter HTML for messages: each frequent fragment is one control character, which the page's script expands.

use crate::html::section::Section;

/// Frequent fragments of the HTML of sections. The position of a fragment, from 1, is the code of its control character.
///
/// The script `30-live.js` has the same list. A change of the list needs a new [`super::message::FORMAT`]. If a fragment
/// starts with another, the longer is first. All start with `</` or `<s`: see [`code_at`].
static FRAGMENTS: [&str; 8] = [
    "</span>",
    "</svg>",
    "<span class=\"visually-hidden\">",
    "<span class=\"",
    "<svg class=\"emblem\" aria-hidden=\"true\"><use href=\"#emblem-",
    "<svg class=\"jewel\" aria-hidden=\"true\"><use href=\"#jewel-",
    "<svg class=\"ornament\" aria-hidden=\"true\"><use href=\"#card-",
    "<svg class=\"velvet\" aria-hidden=\"true\"><use href=\"#cushion\"/></svg>",
];

/// Returns whether the script would expand the control character with this code.
fn is_code(byte: u8) -> bool {
    (1..=8).contains(&byte)
}

/// The fragment at the start of this HTML, and its code.
fn code_at(html: &str) -> Option<(u8, &'static str)> {
    // Most elements are rejected by their first letter, which is faster than eight comparisons.
    let may_be_fragment = matches!(html.as_bytes().get(1), Some(b'/' | b's'));
    let mut codes = (1_u8..).zip(FRAGMENTS.iter().copied());
    may_be_fragment.then(|| codes.find(|(_, fragment)| html.starts_with(fragment)))?
}

/// Appends the HTML of a section, with a code in place of each frequent fragment.
///
/// Names of players have no control characters, and no other text of a page is written by users. A code that the HTML
/// contains anyway would become a fragment in the page, so it is left out.
pub(super) fn push_shortened(text: &mut String, section: &Section) {
    // `fold` compares many bytes at once, unlike `any`, which can stop early.
    if section.html.bytes().fold(false, |found, byte| found | is_code(byte)) {
        push_with_codes(text, &section.html.replace(|character| u8::try_from(character).is_ok_and(is_code), ""));
    } else {
        push_with_codes(text, &section.html);
    }
}

/// Appends HTML, which contains no codes.
fn push_with_codes(text: &mut String, html: &str) {
    let mut copied_bytes = 0;
    for (start, byte) in html.bytes().enumerate() {
        // A fragment also contains `<` inside.
        if byte != b'<' || start < copied_bytes {
            continue;
        }
        if let Some((code, fragment)) = code_at(&html[start..]) {
            text.push_str(&html[copied_bytes..start]);
            text.push(char::from(code));
            copied_bytes = start + fragment.len();
        }
    }
    text.push_str(&html[copied_bytes..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = include_str!("../../../assets/js/30-live.js");

    fn shortened(html: &str) -> String {
        let mut text = String::new();
        push_shortened(&mut text, &Section { id: "board", html: html.to_owned() });
        text
    }

    #[test]
    fn script_expands_the_same_fragments() {
        let list = FRAGMENTS.map(|fragment| format!("  '{fragment}',")).join("\n");
        assert!(SCRIPT.contains(&format!("const FRAGMENTS = [\n{list}\n];\n")), "30-live.js has other fragments");
    }

    #[test]
    fn frequent_fragments_become_control_characters() {
        assert_eq!(
            shortened("<p><span class=\"visually-hidden\">red</span><span class=\"now\">é</span></p>"),
            "<p>\u{3}red\u{1}\u{4}now\">é\u{1}</p>"
        );
        assert_eq!(shortened("no tag"), "no tag");
        assert_eq!(shortened(""), "");
    }

    #[test]
    fn control_characters_of_a_text_do_not_become_fragments() {
        assert_eq!(shortened("\u{5}<b>A\u{1}n\u{8}a\u{2}</b>\u{7}"), "<b>Ana</b>");
    }
}
