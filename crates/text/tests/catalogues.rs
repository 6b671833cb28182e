//! All languages have the same messages with the same variables, and every message is used.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use sultan_domain::{Jewel, PlayerColour, Variant};
use sultan_text::Lang;

/// The crates that use messages.
const CRATES_WITH_MESSAGES: [&str; 4] = ["text", "pages", "tui", "cli"];
/// The crates that define error codes such as `seat/away`.
const CRATES_WITH_ERROR_CODES: [&str; 4] = ["domain", "table", "server", "pages"];

/// The messages of a catalogue file by key.
type Messages = BTreeMap<String, String>;

fn crate_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn is_key_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '-'
}

/// Reads the messages of a file. A message starts with `key =` and may continue on indented lines.
fn read_messages(file: &Path) -> Messages {
    let mut messages = Messages::new();
    let mut current_key = String::new();
    for line in fs::read_to_string(file).unwrap().lines() {
        let message_start =
            line.split_once(" =").filter(|(key, _)| !key.is_empty() && key.chars().all(is_key_character));
        match message_start {
            Some((key, message)) => {
                key.clone_into(&mut current_key);
                let earlier = messages.insert(current_key.clone(), message.to_owned());
                assert!(earlier.is_none(), "{current_key} is twice in {}", file.display());
            }
            None if line.starts_with(' ') || line.starts_with('}') => {
                let message = messages.get_mut(&current_key);
                message.unwrap_or_else(|| panic!("{}: “{line}” continues no message", file.display())).push_str(line);
            }
            None => {
                let is_comment = line.is_empty() || line.starts_with('#');
                assert!(is_comment, "{}: “{line}” is neither a message nor a comment", file.display());
            }
        }
    }
    messages
}

/// The catalogue files of a language with their messages, by file name.
fn files(lang: Lang) -> BTreeMap<String, Messages> {
    let folder = crate_folder().join("catalogues").join(lang.code());
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), read_messages(&path))).collect()
}

/// The variables of a message: the names after `$`.
fn variables(message: &str) -> BTreeSet<String> {
    let parts_after_dollar = message.split('$').skip(1);
    parts_after_dollar.map(|part| part.chars().take_while(|&character| is_key_character(character)).collect()).collect()
}

#[test]
fn every_language_has_every_message_with_the_same_variables() {
    let english = files(Lang::En);
    let mut problems = Vec::new();
    for lang in Lang::ALL {
        let translation = files(lang);
        assert!(english.keys().eq(translation.keys()), "{}: not the same files as English", lang.code());
        for (file, english_messages) in &english {
            let mut add_problem =
                |key: &str, problem: &str| problems.push(format!("{}/{file}: {key} {problem}", lang.code()));
            let translated_messages = &translation[file];
            for (key, english_message) in english_messages {
                match translated_messages.get(key) {
                    None => add_problem(key, "is missing"),
                    Some(translated) if variables(translated) != variables(english_message) => {
                        add_problem(key, "has other variables than in English");
                    }
                    Some(translated) if translated.trim().is_empty() => add_problem(key, "is empty"),
                    Some(_) => {}
                }
            }
            for key in translated_messages.keys().filter(|key| !english_messages.contains_key(*key)) {
                add_problem(key, "is not in English");
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

/// Adds the source files of a folder and its subfolders, without their tests.
fn add_sources(folder: &Path, sources: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            add_sources(&path, sources);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            let source = fs::read_to_string(&path).unwrap();
            let source_without_tests = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
            sources.push(source_without_tests.to_owned());
        }
    }
}

/// The string literals that directly follow `call` in a source.
fn literals_after<'a>(source: &'a str, call: &str) -> Vec<&'a str> {
    let parts_after_call = source.split(call).skip(1);
    parts_after_call.filter_map(|part| part.trim_start().strip_prefix('"')?.split('"').next()).collect()
}

/// The sources of these crates, without their tests.
fn sources_without_tests(crates: &[&str]) -> Vec<String> {
    let mut sources = Vec::new();
    for name in crates {
        add_sources(&crate_folder().join("..").join(name).join("src"), &mut sources);
    }
    sources
}

/// The keys that the program builds from the names of jewels, colours and offered games.
fn keys_from_names() -> BTreeSet<String> {
    let jewels = Jewel::ALL.into_iter().flat_map(|jewel| {
        let name = jewel.name();
        [format!("jewel-{name}"), format!("the-jewel-{name}"), format!("taken-{name}")]
    });
    let colours = PlayerColour::ALL.into_iter().map(|colour| format!("colour-{}", colour.name()));
    // Each offered game has a name and a sentence; all but the published one also have a title.
    let games = Variant::OFFERED.into_iter().flat_map(|(name, variant)| {
        let title = (!variant.is_published()).then(|| format!("game-{name}-title"));
        [format!("game-{name}"), format!("game-{name}-about")].into_iter().chain(title)
    });
    jewels.chain(colours).chain(games).collect()
}

#[test]
fn every_message_is_used_and_every_used_message_exists() {
    let sources = sources_without_tests(&CRATES_WITH_MESSAGES);
    let sources_with_error_codes = sources_without_tests(&CRATES_WITH_ERROR_CODES);
    let keys: BTreeSet<String> = files(Lang::En).into_values().flat_map(BTreeMap::into_keys).collect();
    let keys_from_names = keys_from_names();
    let missing: Vec<_> = keys_from_names.difference(&keys).collect();
    assert!(missing.is_empty(), "no catalogue has {missing:#?}");

    // The program builds some keys from parts, so that they are not in the sources as literals. Each bot level needs
    // the two keys `bot-LEVEL` (its name) and `bot-LEVEL-character`.
    let is_of_complete_bot_level = |key: &str| {
        let level = key.strip_prefix("bot-").map(|level| level.trim_end_matches("-character"));
        level.is_some_and(|level| ["", "-character"].iter().all(|end| keys.contains(&format!("bot-{level}{end}"))))
    };
    // The message for the error code `AREA/ERROR` has the key `refused-AREA-ERROR`.
    let is_of_error_code = |key: &str| {
        key.strip_prefix("refused-").and_then(|code| code.split_once('-')).is_some_and(|(area, error)| {
            sources_with_error_codes.iter().any(|source| source.contains(&format!("\"{area}/{error}\"")))
        })
    };
    let is_literal = |key: &str| sources.iter().any(|source| source.contains(&format!("\"{key}\"")));
    let is_used = |key: &str| {
        is_literal(key) || keys_from_names.contains(key) || is_of_error_code(key) || is_of_complete_bot_level(key)
    };
    let unused: Vec<_> = keys.iter().filter(|key| !is_used(key)).collect();
    assert!(unused.is_empty(), "unused messages: {unused:#?}");

    let calls = ["text.say(", "text.with(", "self.say(", "self.with(", "Message::plain(", "Message::with("];
    let missing: BTreeSet<&str> = sources
        .iter()
        .flat_map(|source| calls.iter().flat_map(move |call| literals_after(source, call)))
        .filter(|key| !keys.contains(*key))
        .collect();
    assert!(missing.is_empty(), "no catalogue has {missing:#?}");
}

#[test]
fn all_catalogue_files_are_compiled_in() {
    for lang in Lang::ALL {
        let text = sultan_text::Text::of(lang);
        for (file, messages) in files(lang) {
            for key in messages.keys().filter(|key| variables(&messages[*key]).is_empty()) {
                // In debug builds `say` panics if the file of the key is not compiled in.
                assert!(!text.say(key).is_empty(), "{file}: {key} is empty");
            }
        }
    }
}

#[test]
fn no_line_breaks_between_a_word_and_its_punctuation() {
    for lang in Lang::ALL {
        let text = sultan_text::Text::of(lang);
        for (key, message) in files(lang).into_values().flatten().filter(|(_, message)| !message.contains('$')) {
            let formatted = text.say(&key);
            let breakable_texts = [" :", " ;", " !", " ?", " …", " »", "« ", "± ", "SHA-256"];
            let found = breakable_texts.iter().find(|text| formatted.contains(**text));
            assert_eq!(found, None, "{}: {key}: “{formatted}” may break there", lang.code());
            // Apart from the no-break characters, a message without placeables is formatted as it is in the file.
            let with_plain_characters = |text: &str| text.trim().replace('\u{a0}', " ").replace('\u{2011}', "-");
            assert!(
                message.contains('{') || with_plain_characters(&formatted) == with_plain_characters(&message),
                "{}: {key} was formatted as “{formatted}”",
                lang.code()
            );
        }
    }
    let text = sultan_text::Text::of(Lang::Fr);
    assert_eq!(
        text.with("event-reaction", &[("name", "Ana".into()), ("word", "Oh".into())]),
        "Ana\u{a0}: «\u{a0}Oh\u{a0}»"
    );
    assert_eq!(text.labelled("Tour 2", "12 pour le joyau blanc"), "Tour 2\u{a0}: 12 pour le joyau blanc");
}
