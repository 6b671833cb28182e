//! Tests of `sultan analyze`: reproducible numbers, valid charts and pages, rejected records.

use std::path::PathBuf;
use std::process::Output;

use sultan_domain::{Analysis, Players, Record, Variant};
use sultan_testkit::binary::{self, Binary, assert_usage_error};
use sultan_testkit::{random_record, random_record_of};
use tempfile::TempDir;

const SULTAN: Binary = Binary(env!("CARGO_BIN_EXE_sultan"));

fn all<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [&["analyze"], arguments, &["--playouts", "8"]].concat()
}

fn analyze(arguments: &[&str]) -> Output {
    SULTAN.run(&all(arguments))
}

fn printed(arguments: &[&str]) -> String {
    SULTAN.successful_stdout(&all(arguments))
}

/// Checks that a record is rejected: exit status 1, one line with `with`.
fn assert_fails(file: &str, with: &str) {
    binary::assert_fails(&analyze(&[file]), with);
}

fn data(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name).to_str().unwrap().to_owned()
}

fn written(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn json(record: &Record) -> String {
    serde_json::to_string(record).unwrap()
}

#[test]
fn the_same_numbers_are_in_json_on_the_page_and_in_words() {
    let folder = TempDir::new().unwrap();
    let (svg, html) = (folder.path().join("a.svg"), folder.path().join("a.html"));
    let (svg, html) = (svg.to_str().unwrap(), html.to_str().unwrap());
    let file = data("four.sultan.json");
    let line = printed(&[&file, "--json", "--svg", svg, "--html", html, "--jobs", "1"]);
    let analysis: Analysis = serde_json::from_str(&line).unwrap();
    assert_eq!((analysis.format.as_str(), analysis.version, analysis.seed), ("sultan-analysis", 1, 1));
    assert!(analysis.complete && analysis.decisions.len() == 75 && analysis.seats.len() == 4);
    let (text, page) = (printed(&[&file, "--jobs", "3"]), std::fs::read_to_string(html).unwrap());
    for seat in &analysis.seats {
        let own = format!("{:+.1}%", 100.0 * seat.own.value).replace('-', "−");
        assert!(text.contains(&own) && page.contains(&own), "{own}\n{text}");
    }
    let picture = std::fs::read_to_string(svg).unwrap();
    assert!(page.contains(&picture) && page.starts_with("<!DOCTYPE html><html lang=\"en\">"));
    assert!(!page.contains("<script") && !page.contains("style=") && !page.contains("http://www.w3.org/1999"));
    check_picture(&picture, &analysis);
}

fn check_picture(picture: &str, analysis: &Analysis) {
    let tree = roxmltree::Document::parse(picture).unwrap();
    let root = tree.root_element();
    assert_eq!((root.tag_name().name(), root.attribute("role")), ("svg", Some("img")));
    let words = |tag: &str| root.children().find(|node| node.has_tag_name(tag)).and_then(|node| node.text()).unwrap();
    assert_eq!(words("title"), "Winning chances over the game");
    assert!(analysis.names.iter().all(|name| words("desc").contains(name.as_str())), "{}", words("desc"));
    let lines: Vec<_> = tree.descendants().filter(|node| node.has_tag_name("polyline")).collect();
    assert_eq!(lines.len(), 4);
    for line in lines {
        let points = line.attribute("points").unwrap();
        assert_eq!(points.split(' ').count(), analysis.moments.len());
        assert!(!points.contains("NaN"));
    }
}

#[test]
fn several_records_are_analysed_in_each_language() {
    let folder = TempDir::new().unwrap();
    let short = |players: u8| {
        let (mut record, _) = random_record(Players::new(players).unwrap(), 2);
        record.actions.truncate(6);
        record.names[0] = "<b>&\u{1b}[31m".to_owned();
        json(&record)
    };
    let file = written(&folder, "two.jsonl", &format!("{}\n{}\n", short(2), short(5)));
    for (lang, word) in [
        ("en", "Luck of the deal"),
        ("de", "Glück der Verteilung"),
        ("fr", "Chance de la donne"),
        ("nl", "Eigen beslissingen"),
        ("hu", "Saját döntések"),
    ] {
        let html = folder.path().join("page.html");
        let text = printed(&[&file, "--unfinished", "--lang", lang, "--html", html.to_str().unwrap()]);
        assert_eq!(text.matches(word).count(), 2, "{text}");
        assert!(!text.contains('\u{1b}'));
        let page = std::fs::read_to_string(html).unwrap();
        assert!(page.contains(word) && page.contains("&lt;b&gt;") && !page.contains("<b>"));
        let picture = &page[page.find("<svg xmlns").unwrap()..];
        roxmltree::Document::parse(&picture[..picture.find("</svg>").unwrap() + 6]).unwrap();
    }
    assert_usage_error(&analyze(&[&file, "--lang", "xx"]), "a language is");
}

#[test]
fn a_variant_is_analysed_and_named() {
    let folder = TempDir::new().unwrap();
    let (mut record, _) = random_record_of(Variant::ESPRESSO.parameters(Players::ALL[0]).unwrap(), 2);
    record.actions.truncate(3);
    let line = printed(&[&written(&folder, "short.json", &json(&record)), "--unfinished", "--json"]);
    assert!(line.contains(r#""players":2,"parameters":{"stages":1},"names""#), "{line}");
    let analysis: Analysis = serde_json::from_str(&line).unwrap();
    assert_eq!((analysis.variant, analysis.decisions.len()), (Variant::ESPRESSO, 3));
}

#[test]
fn records_that_are_cut_short_edited_or_too_new_are_refused() {
    let folder = TempDir::new().unwrap();
    let good = std::fs::read_to_string(data("four.sultan.json")).unwrap();
    let file = |name: &str, text: &str| written(&folder, name, text);
    assert_fails(&file("cut.json", &good[..good.len() / 2]), "cut off");
    assert_fails(
        &file("new.json", &good.replace("\"version\": 1", "\"version\": 3").replace("\"version\":1", "\"version\":3")),
        "version 3",
    );
    let (record, _) = random_record(Players::new(3).unwrap(), 1);
    let mut short = record.clone();
    short.actions.truncate(10);
    assert_fails(&file("short.json", &json(&short)), "ends after 10 actions, before the game is over");
    let mut illegal = record.clone();
    illegal.actions.swap(1, 2);
    illegal.actions[1] = record.actions[0];
    assert_fails(&file("illegal.json", &json(&illegal)), "illegal");
    let mut edited = record.clone();
    edited.server_seed.0[0] ^= 1;
    edited.actions.truncate(0);
    binary::assert_fails(&analyze(&[&file("edited.json", &json(&edited)), "--unfinished"]), "edited");
    assert_fails(&file("none.json", "{}"), "not a record");
    binary::assert_fails(&analyze(&[&data("four.sultan.json"), "--svg", "/nowhere/a.svg"]), "/nowhere/a.svg");
}

#[test]
fn rejected_record_keeps_the_previous_output() {
    let folder = TempDir::new().unwrap();
    let (record, old) = (written(&folder, "none.json", "{}"), written(&folder, "old.svg", "a picture"));
    let new = folder.path().join("new.html");
    binary::assert_fails(&analyze(&[&record, "--svg", &old, "--html", new.to_str().unwrap()]), "not a record");
    assert_eq!((std::fs::read_to_string(&old).unwrap().as_str(), new.exists()), ("a picture", false));
    // A record is not overwritten by its own chart, even under another path.
    let other = folder.path().join("./none.json");
    assert_usage_error(&analyze(&[&record, "--svg", other.to_str().unwrap()]), "name the same one");
    assert_usage_error(&analyze(&[&record, "--svg", &old, "--html", &old]), "--svg and --html need a file each");
    assert_eq!(std::fs::read_to_string(&record).unwrap(), "{}");
}
