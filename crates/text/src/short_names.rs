//! Short forms of the names of players, for places with little room.
//!
//! Names that start alike, such as “Merchant I” and “Merchant II”, would look the same if their ends were cut off. Of
//! such names the start is cut instead: “Merc… I”, “Merc… II”.

/// Names look alike if at least this number of characters at their starts is the same.
const ALIKE_CHARS: usize = 4;
/// A last word with at most this number of characters, including the space before it, is kept whole.
const MAX_LAST_WORD_CHARS: usize = 7;
/// What is left of the start of a cut name, at least, in characters.
const MIN_START_CHARS: usize = 2;

/// Splits each name into a start, which may be cut anywhere, and an end, which distinguishes it from all names that
/// start alike. The end is empty if no other name starts alike.
#[must_use]
pub fn split_names(names: &[String]) -> Vec<(&str, &str)> {
    names.iter().map(|name| name.split_at(end_of_start(name, names))).collect()
}

/// The names with at most `max_chars` characters each; `…` marks a cut. With at least 6 characters, the short forms of
/// two different names differ.
#[must_use]
pub fn short_names(names: &[String], max_chars: usize) -> Vec<String> {
    split_names(names).into_iter().map(|(start, end)| shortened(start, end, max_chars)).collect()
}

/// The length of the start of a name, in bytes.
fn end_of_start(name: &str, names: &[String]) -> usize {
    let is_alike = |other: &&String| *other != name && same_start(name, other).chars().count() >= ALIKE_CHARS;
    let alike: Vec<&String> = names.iter().filter(is_alike).collect();
    let last_words_differ = |word: &str| alike.iter().all(|other| last_word(other).is_some_and(|other| other != word));
    match last_word(name) {
        Some(word) if last_words_differ(word) && !alike.is_empty() => name.len() - word.len(),
        // Without a short last word, the name is distinguished by the first character that differs from the most
        // similar name.
        _ => alike.iter().map(|other| same_start(name, other).len()).max().unwrap_or(name.len()),
    }
}

/// The characters at the starts of two names that are the same.
fn same_start<'a>(name: &'a str, other: &str) -> &'a str {
    let different = name.char_indices().zip(other.chars()).find(|((_, a), b)| a != b);
    let end = different.map_or(name.len().min(other.len()), |((index, _), _)| index);
    &name[..end]
}

/// The last of several words, with the space before it, if it is short.
fn last_word(name: &str) -> Option<&str> {
    let word = &name[name.rfind(' ')?..];
    (word.chars().count() <= MAX_LAST_WORD_CHARS).then_some(word)
}

/// A name with at most `max_chars` characters.
fn shortened(start: &str, end: &str, max_chars: usize) -> String {
    // The end leaves room for the start and its mark.
    let end = cut(end, max_chars.saturating_sub(MIN_START_CHARS + 1));
    let end_chars = end.chars().count();
    format!("{}{end}", cut(start, max_chars.saturating_sub(end_chars)))
}

/// The text with at most `max_chars` characters.
fn cut(text: &str, max_chars: usize) -> String {
    if text.chars().count() <= max_chars {
        return text.to_owned();
    }
    let Some(kept_chars) = max_chars.checked_sub(1) else { return String::new() };
    let kept: String = text.chars().take(kept_chars).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(names: &[&str], max_chars: usize) -> Vec<String> {
        short_names(&names.iter().map(ToString::to_string).collect::<Vec<_>>(), max_chars)
    }

    #[test]
    fn names_that_fit_or_differ_at_their_start_are_only_cut_at_the_end() {
        assert_eq!(short(&["Ana", "Merchant I", "Merchant II"], 11), ["Ana", "Merchant I", "Merchant II"]);
        assert_eq!(short(&["Maximilian", "Konstantin", "Bo"], 8), ["Maximil…", "Konstan…", "Bo"]);
        assert_eq!(short(&["Anna Lena", "Astrid Lena"], 6), ["Anna…", "Astri…"]);
    }

    #[test]
    fn names_that_start_alike_keep_the_last_word() {
        let bots = ["Ékszerész I", "Ékszerész II", "Ékszerész III", "Ékszerész IV"];
        assert_eq!(short(&bots, 9), ["Ékszer… I", "Éksze… II", "Éksz… III", "Éksze… IV"]);
        assert_eq!(short(&["Alexandra Meier", "Alexandra Maier"], 10), ["Ale… Meier", "Ale… Maier"]);
    }

    #[test]
    fn names_that_start_alike_keep_what_differs() {
        let huber = ["Maximilian Alexander Huber", "Maximilian Benedikt Huber"];
        assert_eq!(short(&huber, 12), ["Ma…Alexande…", "Ma…Benedikt…"]);
        assert_eq!(short(&["Christoph", "Christopher"], 8), ["Christo…", "Chris…er"]);
        assert_eq!(short(&["Anna-Maria", "Anna-Magda"], 6), ["An…ria", "An…gda"]);
    }

    #[test]
    fn short_forms_of_different_names_differ() {
        let long = |middle: &str| format!("{}{middle}{}", "a".repeat(20), "b".repeat(18));
        let names = [long("x"), long("y"), long("c"), "aaaab".to_owned(), "aaaa".to_owned()];
        for max_chars in 6..=40 {
            let mut short = short_names(&names, max_chars);
            assert!(short.iter().all(|name| name.chars().count() <= max_chars), "{short:?}");
            short.sort();
            short.dedup();
            assert_eq!(short.len(), names.len(), "{max_chars}: {short:?}");
        }
    }

    #[test]
    fn equal_names_stay_equal_and_starts_are_split_between_characters() {
        assert_eq!(short(&["Ana", "Ana"], 9), ["Ana", "Ana"]);
        assert_eq!(split_names(&["王様の宝石一".to_owned(), "王様の宝石二".to_owned()])[1], ("王様の宝石", "二"));
        assert_eq!(split_names(&["Éééééa".to_owned(), "Éééééb".to_owned()])[0], ("Ééééé", "a"));
        assert_eq!(short(&["Ana"], 0), [""]);
    }
}
