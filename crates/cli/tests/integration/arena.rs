//! Tests of `sultan arena`: tables, JSON, charts, records.

use std::path::Path;
use std::process::Output;

use serde_json::Value;
use sultan_domain::Record;
use sultan_testkit::binary::{self, Binary, assert_usage_error};
use tempfile::TempDir;

const SULTAN: Binary = Binary(env!("CARGO_BIN_EXE_sultan"));

fn arena(options: &[&str]) -> Output {
    SULTAN.run(&[&["arena"], options].concat())
}

/// Runs `sultan arena`, which must succeed, and returns its standard output.
fn stdout_of(options: &[&str]) -> String {
    SULTAN.successful_stdout(&[&["arena"], options].concat())
}

fn json_results(options: &[&str]) -> Value {
    serde_json::from_str(&stdout_of(&[options, &["--json"]].concat())).unwrap()
}

/// Checks that the command exits with 1 and one line of error that contains `reason`, and prints no results.
fn assert_fails(options: &[&str], reason: &str) {
    let output = arena(options);
    binary::assert_fails(&output, reason);
    assert!(output.stdout.is_empty());
}

/// Removes the decision times from the results, because they are different in every run, and returns them.
fn remove_times(results: &mut Value) -> Vec<f64> {
    let bots = results["bots"].as_array_mut().unwrap().iter_mut();
    let times = bots.flat_map(|bot| {
        let bot = bot.as_object_mut().unwrap();
        ["micros_median", "micros_p99"].map(|field| bot.remove(field).unwrap().as_f64().unwrap())
    });
    times.collect()
}

/// 100 deals, each played three times because of the rotation: 300 games.
const THREE_RANDOM_BOTS: [&str; 7] = ["--players", "3", "--bots", "random,random,random", "--games", "100", "--rotate"];

#[test]
fn results_and_files_do_not_depend_on_the_number_of_threads() {
    let folder = TempDir::new().unwrap();
    let results_and_files = |name: &str, jobs: &str| {
        let (records, svg) = (folder.path().join(name), folder.path().join(format!("{name}.svg")));
        let files = ["--records", records.to_str().unwrap(), "--svg", svg.to_str().unwrap(), "--jobs", jobs];
        let mut results = json_results(&[&THREE_RANDOM_BOTS[..], &files].concat());
        let times = remove_times(&mut results);
        // Two times for each of three bots.
        assert!(times.len() == 6 && times.iter().all(|&micros| micros >= 0.0), "{times:?}");
        (results, std::fs::read_to_string(records).unwrap(), std::fs::read_to_string(svg).unwrap())
    };
    let on_one_thread = results_and_files("one", "1");
    assert_eq!(on_one_thread, results_and_files("five", "5"));
    let (results, records, _) = on_one_thread;
    assert_eq!(records.lines().count(), 300);
    assert_eq!((results["games"].as_u64(), results["deals"].as_u64()), (Some(300), Some(100)));
}

#[test]
fn json_contains_all_results() {
    let results = json_results(&THREE_RANDOM_BOTS);
    let fields = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let fields_of_results = "bots cross_table deals games players pool rating_method ratings rotate seed";
    assert_eq!(fields(&results), fields_of_results);
    let bots = results["bots"].as_array().unwrap();
    assert_eq!(bots.len(), 3);
    let fields_of_bot = "bot entry margin margin_error micros_median micros_p99 points points_error rank seats \
                         win_share win_share_error";
    assert!(bots.iter().all(|bot| fields(bot) == fields_of_bot), "{results}");
    assert_eq!(fields(&results["ratings"][0]), "bot high low rating");
    assert!(results["rating_method"].as_str().unwrap().starts_with("Bradley-Terry"));
    let pairings = results["cross_table"].as_array().unwrap();
    assert!(pairings.is_empty(), "bots with the same name are opponents: {pairings:?}");
    // A single deal gives no standard errors and no intervals.
    let of_one_deal = json_results(&["--players", "2", "--bots", "random,random", "--games", "1"]);
    assert!(of_one_deal["bots"][0]["win_share_error"].is_null() && of_one_deal["ratings"][0]["low"].is_null());
}

#[test]
fn a_pool_may_be_smaller_than_the_table() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.jsonl");
    let arguments = ["--players", "4", "--pool", "random", "--games", "5", "--rotate", "--records"];
    let results = json_results(&[&arguments[..], &[path.to_str().unwrap()]].concat());
    // 5 deals, 4 rotations, 4 seats: 20 games with 80 seats, all of the same bot, which wins a quarter of them.
    assert_eq!((results["pool"].as_bool(), results["games"].as_u64()), (Some(true), Some(20)));
    assert_eq!(results["bots"].as_array().unwrap().len(), 1);
    assert_eq!(
        (results["bots"][0]["seats"].as_u64(), results["bots"][0]["win_share"].as_f64()),
        (Some(80), Some(0.25))
    );
    for line in std::fs::read_to_string(&path).unwrap().lines() {
        assert_eq!(Record::from_json(line).unwrap().names, ["bot:random"; 4]);
    }
}

#[test]
fn results_are_printed_as_tables() {
    let text = stdout_of(&THREE_RANDOM_BOTS);
    assert!(text.starts_with("300 games of 3 players: 100 deals, each once per rotation, seed 1\n"), "{text}");
    for word in ["entry", "won %", "points", "margin", "rank", "median", "p99", "random", " µs"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 80) && !text.contains('\u{1b}'));
    let pool = stdout_of(&["--players", "2", "--pool", "random", "--games", "3"]);
    assert!(
        pool.contains("3 games of 2 players from a pool of 1: 3 deals, seed 1") && pool.contains("seats"),
        "{pool}"
    );
}

#[test]
fn svg_chart_is_written() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("arena.svg");
    stdout_of(&["--players", "2", "--bots", "random,random", "--games", "9", "--svg", path.to_str().unwrap()]);
    let svg = std::fs::read_to_string(&path).unwrap();
    let tree = roxmltree::Document::parse(&svg).unwrap();
    let root = tree.root_element();
    assert_eq!((root.tag_name().name(), root.attribute("role")), ("svg", Some("img")));
    assert!(["title", "desc"].iter().all(|tag| root.children().any(|node| node.has_tag_name(*tag))));
    // The chart loads no external resources.
    assert!(!svg.contains("href") && !svg.contains("url(") && !svg.contains("@import"));
}

#[test]
fn records_and_chart_need_different_files() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("old"), "old contents").unwrap();
    for (records, svg) in [("new", "new"), ("old", "old"), ("new", "./new")] {
        let files = ["--records", &path(records), "--svg", &path(svg)];
        let output = arena(&[&["--players", "2", "--bots", "random,random"][..], &files].concat());
        assert_usage_error(&output, "--records and --svg need a file each, but name the same one\n");
    }
    assert_eq!(
        (std::fs::read_to_string(path("old")).unwrap().as_str(), Path::new(&path("new")).exists()),
        ("old contents", false)
    );
}

#[test]
fn ratings_in_json_have_at_most_two_decimals() {
    let results = json_results(&["--players", "2", "--bots", "random,page", "--games", "40"]);
    for field in ["rating", "low", "high"] {
        let rating = results["ratings"][0][field].to_string();
        assert!(rating.split_once('.').is_some_and(|(_, decimals)| decimals.len() <= 2), "{field}: {rating}");
    }
}

#[test]
fn arena_fails_if_a_file_cannot_be_written() {
    let folder = TempDir::new().unwrap();
    let two_bots = ["--players", "2", "--bots", "random,random", "--games", "1"];
    for option in ["--records", "--svg"] {
        let assert_fails_with_file = |file: &Path, reason: &str| {
            assert_fails(&[&two_bots[..], &[option, file.to_str().unwrap()]].concat(), reason);
        };
        assert_fails_with_file(&folder.path().join("no/such/folder/file"), "file: No such file");
        assert_fails_with_file(folder.path(), "directory");
        // This device behaves like a file on a full disk.
        let full = Path::new("/dev/full");
        if full.exists() {
            assert_fails_with_file(full, "/dev/full: No space left");
        }
    }
}
