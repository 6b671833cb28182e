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
const CRATES_WITH_ERROR_CODES: [&str; 3] = ["domain", "table", "server"];

type Messages = BTreeMap<String, String>;

fn crate_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The messages of a file, each with all of its lines.
fn messages(file: &Path) -> Messages {
    let mut all = Messages::new();
    let mut name = String::new();
    for line in fs::read_to_string(file).unwrap().lines() {
        let starts = line
            .split_once(" =")
            .filter(|(key, _)| !key.is_empty() && key.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '-'));
        match starts {
            Some((key, rest)) => {
                key.clone_into(&mut name);
                let old = all.insert(name.clone(), rest.to_owned());
                assert!(old.is_none(), "{name} is twice in {}", file.display());
            }
            None if line.starts_with(' ') || line.starts_with('}') => {
                all.get_mut(&name).unwrap_or_else(|| panic!("{}: “{line}”", file.display())).push_str(line);
            }
            None => assert!(line.is_empty() || line.starts_with('#'), "{}: “{line}”", file.display()),
        }
    }
    all
}

/// The files of a language, by name.
fn files(lang: Lang) -> BTreeMap<String, Messages> {
    let folder = crate_folder().join("catalogues").join(lang.code());
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), messages(&path))).collect()
}

fn variables(message: &str) -> BTreeSet<String> {
    let after = message.split('$').skip(1);
    after.map(|rest| rest.chars().take_while(|sign| sign.is_ascii_alphanumeric() || *sign == '-').collect()).collect()
}

#[test]
fn every_language_has_every_message_with_the_same_variables() {
    let english = files(Lang::En);
    let mut wrong = Vec::new();
    for lang in Lang::ALL {
        let other = files(lang);
        assert!(english.keys().eq(other.keys()), "{}: not the same files", lang.code());
        for (file, messages) in &english {
            let translated = &other[file];
            for (key, message) in messages {
                match translated.get(key) {
                    None => wrong.push(format!("{}/{file}: {key} is missing", lang.code())),
                    Some(same) if variables(same) != variables(message) => {
                        wrong.push(format!("{}/{file}: {key} has other variables", lang.code()));
                    }
                    Some(same) if same.trim().is_empty() => {
                        wrong.push(format!("{}/{file}: {key} is empty", lang.code()));
                    }
                    Some(_) => {}
                }
            }
            let extra = translated.keys().filter(|key| !messages.contains_key(*key));
            wrong.extend(extra.map(|key| format!("{}/{file}: {key} is not in English", lang.code())));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn add_sources(folder: &Path, all: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            add_sources(&path, all);
        } else if path.extension().is_some_and(|kind| kind == "rs") && !path.ends_with("tests.rs") {
            // A use in a test module does not count.
            let source = fs::read_to_string(&path).unwrap();
            let program = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
            all.push(program.to_owned());
        }
    }
}

/// The string literals that directly follow `call` in a source.
fn literals_after<'a>(source: &'a str, call: &str) -> Vec<&'a str> {
    let after = source.split(call).skip(1);
    after.filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next()).collect()
}

/// The sources of these crates, without their tests.
fn sources_without_tests(crates: &[&str]) -> Vec<String> {
    let mut all = Vec::new();
    for name in crates {
        add_sources(&crate_folder().join("..").join(name).join("src"), &mut all);
    }
    all
}

/// The messages whose keys are made from the names of jewels, colours and offered games.
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
    let all = sources_without_tests(&CRATES_WITH_MESSAGES);
    let refusals = sources_without_tests(&CRATES_WITH_ERROR_CODES);
    let keys: BTreeSet<String> = files(Lang::En).into_values().flat_map(BTreeMap::into_keys).collect();
    // Each bot level has a name and a character. Their keys are made from the level.
    let level = |key: &str| key.strip_prefix("bot-").map(|level| level.trim_end_matches("-character").to_owned());
    let is_whole = |level: &String| ["", "-character"].iter().all(|part| keys.contains(&format!("bot-{level}{part}")));
    // The keys of these messages are made from error codes.
    let is_refusal = |key: &str| {
        let code = key.strip_prefix("refused-").and_then(|code| code.split_once('-'));
        code.is_some_and(|(area, error)| refusals.iter().any(|source| source.contains(&format!("\"{area}/{error}\""))))
    };
    let from_names = keys_from_names();
    let missing: Vec<_> = from_names.difference(&keys).collect();
    assert!(missing.is_empty(), "no catalogue has {missing:#?}");
    let is_used = |key: &str| all.iter().any(|source| source.contains(&format!("\"{key}\"")));
    let is_unused = |key: &str| {
        !is_used(key) && !from_names.contains(key) && !is_refusal(key) && !level(key).is_some_and(|it| is_whole(&it))
    };
    let unused: Vec<_> = keys.iter().filter(|key| is_unused(key)).collect();
    assert!(unused.is_empty(), "unused messages: {unused:#?}");
    let calls = ["text.say(", "text.with(", "self.say(", "self.with(", "Message::plain(", "Message::with("];
    let missing: BTreeSet<&str> = all
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
                assert!(!text.say(key).is_empty(), "{file}: {key}");
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
            let breakable = [" :", " ;", " !", " ?", " …", " »", "« ", "± ", "SHA-256"]
                .iter()
                .find(|sign| formatted.contains(**sign));
            assert!(breakable.is_none(), "{}: {key}: “{formatted}” may break at “{}”", lang.code(), breakable.unwrap());
            let blanks = |text: &str| text.trim().replace('\u{a0}', " ").replace('\u{2011}', "-");
            assert!(
                message.contains('{') || blanks(&formatted) == blanks(&message),
                "{}: {key}: “{formatted}”",
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
