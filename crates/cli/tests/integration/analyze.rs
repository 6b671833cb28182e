//! Tests of `sultan analyze`: reproducible numbers, valid charts and pages, rejected records.

use std::path::PathBuf;
use std::process::Output;

use sultan_domain::{Analysis, Players, Record, Variant};
use sultan_testkit::binary::{self, Binary, assert_usage_error};
use sultan_testkit::{random_record, random_record_of};
use tempfile::TempDir;

const SULTAN: Binary = Binary(env!("CARGO_BIN_EXE_sultan"));

/// The arguments of `sultan analyze` with these options, and with few playouts, so that tests are fast.
fn analyze_arguments<'a>(options: &[&'a str]) -> Vec<&'a str> {
    [&["analyze"], options, &["--playouts", "8"]].concat()
}

fn analyze(options: &[&str]) -> Output {
    SULTAN.run(&analyze_arguments(options))
}

/// Runs `sultan analyze`, which must succeed, and returns its standard output.
fn stdout_of(options: &[&str]) -> String {
    SULTAN.successful_stdout(&analyze_arguments(options))
}

/// Checks that a file is rejected: exit status 1, and one line of error that contains `reason`.
fn assert_is_rejected(file: &str, reason: &str) {
    binary::assert_fails(&analyze(&[file]), reason);
}

/// The path of a file in `tests/data`.
fn test_data(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name).to_str().unwrap().to_owned()
}

/// Writes a file and returns its path.
fn write_file(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn to_json(record: &Record) -> String {
    serde_json::to_string(record).unwrap()
}

#[test]
fn json_page_and_text_contain_the_same_numbers() {
    let folder = TempDir::new().unwrap();
    let (svg, html) = (folder.path().join("a.svg"), folder.path().join("a.html"));
    let (svg, html) = (svg.to_str().unwrap(), html.to_str().unwrap());
    let file = test_data("four.sultan.json");
    let json = stdout_of(&[&file, "--json", "--svg", svg, "--html", html, "--jobs", "1"]);
    let analysis: Analysis = serde_json::from_str(&json).unwrap();
    assert_eq!((analysis.format.as_str(), analysis.version, analysis.seed), ("sultan-analysis", 1, 1));
    assert!(analysis.complete && analysis.decisions.len() == 75 && analysis.seats.len() == 4);
    let (text, page) = (stdout_of(&[&file, "--jobs", "3"]), std::fs::read_to_string(html).unwrap());
    for seat in &analysis.seats {
        // As the text writes it: with a true minus sign.
        let own_decisions = format!("{:+.1}%", 100.0 * seat.own.value).replace('-', "−");
        assert!(text.contains(&own_decisions) && page.contains(&own_decisions), "{own_decisions}\n{text}");
    }
    let chart = std::fs::read_to_string(svg).unwrap();
    assert!(page.contains(&chart) && page.starts_with("<!DOCTYPE html><html lang=\"en\">"));
    // The page works without other files: it has no scripts and no namespaces, which inline SVG does not need.
    assert!(!page.contains("<script") && !page.contains("style=") && !page.contains("http://www.w3.org/1999"));
    assert_chart_is_complete(&chart, &analysis);
}

/// Checks that a chart has a text alternative with all names, and a line for each player with a point for each moment.
fn assert_chart_is_complete(chart: &str, analysis: &Analysis) {
    let tree = roxmltree::Document::parse(chart).unwrap();
    let root = tree.root_element();
    assert_eq!((root.tag_name().name(), root.attribute("role")), ("svg", Some("img")));
    let text_of = |tag: &str| root.children().find(|node| node.has_tag_name(tag)).and_then(|node| node.text()).unwrap();
    assert_eq!(text_of("title"), "Winning chances over the game");
    let description = text_of("desc");
    assert!(analysis.names.iter().all(|name| description.contains(name.as_str())), "{description}");
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
    let unfinished_record = |players: u8| {
        let (mut record, _) = random_record(Players::new(players).unwrap(), 2);
        record.actions.truncate(6);
        record.names[0] = "<b>&\u{1b}[31m".to_owned();
        to_json(&record)
    };
    let file = write_file(&folder, "two.jsonl", &format!("{}\n{}\n", unfinished_record(2), unfinished_record(5)));
    for (lang, heading) in [
        ("en", "Luck of the deal"),
        ("de", "Glück der Verteilung"),
        ("fr", "Chance de la donne"),
        ("nl", "Eigen beslissingen"),
        ("hu", "Saját döntések"),
    ] {
        let html = folder.path().join("page.html");
        let text = stdout_of(&[&file, "--unfinished", "--lang", lang, "--html", html.to_str().unwrap()]);
        // Once for each record. Both have a name with markup and an escape code, which the output must not contain.
        assert_eq!(text.matches(heading).count(), 2, "{text}");
        assert!(!text.contains('\u{1b}'));
        let page = std::fs::read_to_string(html).unwrap();
        assert!(page.contains(heading) && page.contains("&lt;b&gt;") && !page.contains("<b>"));
        let chart = &page[page.find("<svg xmlns").unwrap()..];
        roxmltree::Document::parse(&chart[..chart.find("</svg>").unwrap() + "</svg>".len()]).unwrap();
    }
    assert_usage_error(&analyze(&[&file, "--lang", "xx"]), "a language is");
}

#[test]
fn a_variant_is_analysed_and_named() {
    let folder = TempDir::new().unwrap();
    let (mut record, _) = random_record_of(Variant::ESPRESSO.parameters(Players::TWO).unwrap(), 2);
    record.actions.truncate(3);
    let json = stdout_of(&[&write_file(&folder, "short.json", &to_json(&record)), "--unfinished", "--json"]);
    assert!(json.contains(r#""players":2,"parameters":{"stages":1},"names""#), "{json}");
    let analysis: Analysis = serde_json::from_str(&json).unwrap();
    assert_eq!((analysis.variant, analysis.decisions.len()), (Variant::ESPRESSO, 3));
}

#[test]
fn truncated_unfinished_illegal_edited_and_newer_records_are_rejected() {
    let folder = TempDir::new().unwrap();
    let valid = std::fs::read_to_string(test_data("four.sultan.json")).unwrap();
    let file = |name: &str, text: &str| write_file(&folder, name, text);
    assert_is_rejected(&file("truncated.json", &valid[..valid.len() / 2]), "cut off");
    let newer = valid.replace("\"version\": 1", "\"version\": 3").replace("\"version\":1", "\"version\":3");
    assert_is_rejected(&file("newer.json", &newer), "version 3");
    let (record, _) = random_record(Players::new(3).unwrap(), 1);
    let mut unfinished = record.clone();
    unfinished.actions.truncate(10);
    assert_is_rejected(
        &file("unfinished.json", &to_json(&unfinished)),
        "ends after 10 actions, before the game is over",
    );
    let mut illegal = record.clone();
    illegal.actions.swap(1, 2);
    // The first action is an offer, which cannot follow itself.
    illegal.actions[1] = record.actions[0];
    assert_is_rejected(&file("illegal.json", &to_json(&illegal)), "illegal");
    let mut edited = record.clone();
    edited.server_seed.0[0] ^= 1;
    // Without actions, only the changed seed is wrong.
    edited.actions.truncate(0);
    binary::assert_fails(&analyze(&[&file("edited.json", &to_json(&edited)), "--unfinished"]), "edited");
    assert_is_rejected(&file("none.json", "{}"), "not a record");
    binary::assert_fails(&analyze(&[&test_data("four.sultan.json"), "--svg", "/nowhere/a.svg"]), "/nowhere/a.svg");
}

#[test]
fn rejected_record_keeps_the_previous_output() {
    let folder = TempDir::new().unwrap();
    let (record, existing) = (write_file(&folder, "none.json", "{}"), write_file(&folder, "old.svg", "a picture"));
    let new = folder.path().join("new.html");
    binary::assert_fails(&analyze(&[&record, "--svg", &existing, "--html", new.to_str().unwrap()]), "not a record");
    assert_eq!((std::fs::read_to_string(&existing).unwrap().as_str(), new.exists()), ("a picture", false));
    // A record is not overwritten by its own chart, even under another path.
    let same_file = folder.path().join("./none.json");
    assert_usage_error(&analyze(&[&record, "--svg", same_file.to_str().unwrap()]), "name the same one");
    let two_outputs = analyze(&[&record, "--svg", &existing, "--html", &existing]);
    assert_usage_error(&two_outputs, "--svg and --html need a file each");
    assert_eq!(std::fs::read_to_string(&record).unwrap(), "{}");
}
