//! Tests of the binary: output, errors and exit status.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Output;

use sultan_domain::{FullGame, Players, Record};
use sultan_testkit::binary::{Binary, assert_fails, assert_usage_error, stderr, stdout};
use sultan_testkit::random_record;
use tempfile::TempDir;

const SULTAN: Binary = Binary(env!("CARGO_BIN_EXE_sultan"));

fn sultan(arguments: &[&str]) -> Output {
    SULTAN.run(arguments)
}

fn with_input(arguments: &[&str], input: &[u8]) -> Output {
    SULTAN.run_with_input(arguments, input)
}

fn printed(arguments: &[&str]) -> String {
    SULTAN.successful_stdout(arguments)
}

fn data(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name).to_str().unwrap().to_owned()
}

fn written(folder: &TempDir, name: &str, bytes: &[u8]) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

fn arena(players: u8, records: &Path, more: &[&str]) -> String {
    let (count, bots) = (players.to_string(), vec!["random"; usize::from(players)].join(","));
    let mut arguments = vec!["arena", "--players", &count, "--bots", &bots, "--seed", "1", "--records"];
    arguments.push(records.to_str().unwrap());
    arguments.extend(more);
    printed(&arguments)
}

#[test]
fn arena_games_are_recorded_replayed_and_verified() {
    let folder = TempDir::new().unwrap();
    for players in 2..=5 {
        let file = folder.path().join("games.jsonl");
        arena(players, &file, &["--games", "40"]);
        let path = file.to_str().unwrap();
        let text = printed(&["replay", path, "--json"]);
        let full_games: Vec<FullGame> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(full_games.len(), 40);
        assert!(full_games.iter().all(|full_game| full_game.complete && full_game.players.count() == players));
        assert!(printed(&["verify", path]).starts_with("40 records hold."));
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            let record = Record::from_json(line).unwrap();
            assert_eq!(serde_json::to_string(&record).unwrap(), line);
        }
    }
}

#[test]
fn replay_prints_a_readable_game() {
    assert_eq!(printed(&["replay", &data("four.sultan.json")]), std::fs::read_to_string(data("four.txt")).unwrap());
    let report = printed(&["verify", &data("four.sultan.json")]);
    assert!(report.starts_with("The record holds.\n") && report.contains("75, all legal"), "{report}");
}

#[test]
fn all_commands_count_seats_from_zero() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl").to_str().unwrap().to_owned();
    let bots = "page,merchant,page,merchant";
    let arena =
        printed(&["arena", "--players", "4", "--bots", bots, "--games", "1", "--seed", "3", "--records", &path]);
    let full_game: FullGame = serde_json::from_str(&printed(&["replay", &path, "--json"])).unwrap();
    let best = full_game.outcome.unwrap().places.into_iter().find(|place| place.rank == 1).unwrap();
    let (first, won) = (full_game.first_seat, best.seat);
    let names = bots.split(',').collect::<Vec<_>>();
    let verdict = printed(&["verify", &path]);
    assert!(
        verdict.contains(&format!("first seat   {first} (bot:{}), as the seeds", names[first.index()])),
        "{verdict}"
    );
    // Two bots have this name: the seat distinguishes them.
    assert!(verdict.contains(&format!("result       bot:{} ({won}) wins with", names[won.index()])), "{verdict}");
    let text = printed(&["replay", &path, "--print"]);
    assert!(
        text.contains(&format!("  seat {first}   bot:{} ({first})   first player", names[first.index()])),
        "{text}"
    );
    assert!(
        text.contains(&format!("bot:{} ({won}) is the sultan’s new treasurer, with", names[won.index()])),
        "{text}"
    );
    assert!(arena.contains(&format!("   {won}  {:<8}  100.0", names[won.index()])), "{arena}");
    let analysis = printed(&["analyze", &path, "--playouts", "1"]);
    assert!(
        names.iter().enumerate().all(|(seat, name)| analysis.contains(&format!("bot:{name} ({seat})"))),
        "{analysis}"
    );
}

#[test]
fn partial_record_is_read_from_standard_input() {
    let (record, _) = random_record(Players::new(2).unwrap(), 3);
    for length in 0..=record.actions.len() {
        let mut cut = record.clone();
        cut.actions.truncate(length);
        let json = serde_json::to_vec(&cut).unwrap();
        let text = with_input(&["replay", "-", "--json"], &json);
        let full_game: FullGame = serde_json::from_str(stdout(&text)).unwrap();
        assert_eq!(full_game.complete, length == record.actions.len());
        assert!(with_input(&["verify", "-"], &json).status.success());
        assert!(with_input(&["replay", "-"], &json).status.success());
    }
    let bare = serde_json::to_string(&record).unwrap().replace("\"actions\":[", "\"actions\":[],\"was\":[");
    let text = with_input(&["replay", "-", "--json"], bare.as_bytes());
    let last = r#""offer":null,"put_back":null,"bids":[],"winners":null}],"final":null}"#;
    assert!(stdout(&text).trim_end().ends_with(last), "{}", stdout(&text));
}

#[test]
fn bad_records_are_refused_in_one_clear_line() {
    let folder = TempDir::new().unwrap();
    let good = std::fs::read_to_string(data("four.sultan.json")).unwrap();
    let (mut long, _) = random_record(Players::new(3).unwrap(), 1);
    long.actions.push("1@1".parse().unwrap());
    let noise: Vec<u8> = (0_u32..10_000_000).map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
    let bad: Vec<(&str, Vec<u8>, &str)> = vec![
        ("truncated", good.as_bytes()[..good.len() / 2].to_vec(), "record 1: it is cut off"),
        ("wrong version", good.replace("\"version\": 1", "\"version\": 9").into(), "version 9"),
        ("unknown colour", good.replacen("\"WRB\"", "\"WXB\"", 1).replacen("\"RYG\"", "\"RXG\"", 1).into(), "action "),
        ("too many actions", serde_json::to_vec(&long).unwrap(), "action 61 “1@1” is after the end"),
        ("noise", noise, "not JSON"),
        ("not UTF-8", [good.as_bytes(), b"{\"names\":\"\xff\xfe\"}"].concat(), "record 2"),
        ("empty", Vec::new(), "no record found"),
        ("blank", b" \n\n".to_vec(), "no record found"),
        ("a list", b"[1,2]".to_vec(), "not a record"),
        ("another format", b"{\"format\":\"chess\"}".to_vec(), "its format is not"),
        ("deep", vec![b'['; 100_000], "record 1: "),
        ("a huge name", format!("{{\"format\":\"{}\"}}", "x".repeat(1_000_000)).into(), "its format is not"),
        ("huge words", good.replace("\"closed\"", &format!("\"{}\"", "y".repeat(1_000_000))).into(), "not a record"),
        ("escapes", good.replace("\"closed\"", "\"\\u001b[2J\\n\"").into(), "not a record"),
    ];
    for (what, bytes, with) in bad {
        let path = written(&folder, "bad.sultan.json", &bytes);
        for arguments in [vec!["replay", &path], vec!["replay", &path, "--json"], vec!["verify", &path]] {
            let output = sultan(&arguments);
            assert!(!stderr(&output).contains("panicked"), "{what}");
            assert!(!stderr(&output).contains('\u{1b}'), "{what}");
            assert_fails(&output, with);
        }
    }
    assert_fails(&sultan(&["replay", folder.path().join("nothing").to_str().unwrap()]), "No such file");
    let output = sultan(&["verify", folder.path().to_str().unwrap()]);
    assert_fails(&output, "directory");
    assert!(!stderr(&output).contains("record 1"), "{}", stderr(&output));
}

#[test]
fn unusual_valid_records_are_read() {
    let (mut record, _) = random_record(Players::new(3).unwrap(), 5);
    record.names = vec!["n".repeat(70_000), "\u{202e}\u{1b}[2J".to_owned(), String::new()];
    let json = serde_json::to_string(&record).unwrap();
    let text = with_input(&["replay", "-"], json.as_bytes());
    assert!(text.status.success(), "{}", stderr(&text));
    assert!(stdout(&text).contains("seat 2") && !stdout(&text).contains('\u{1b}') && text.stdout.len() < 20_000);
    record.names = vec!["Bo".to_owned(); 3];
    let twice = with_input(&["replay", "-"], serde_json::to_string(&record).unwrap().as_bytes());
    assert!(stdout(&twice).contains("Bo (0)") && stdout(&twice).contains("Bo (2)"));
    let marked = format!("\u{feff}{json}\r\n{json}");
    assert!(with_input(&["verify", "-"], marked.as_bytes()).status.success());
}

#[test]
fn replay_reports_wrong_randomness() {
    let (mut record, _) = random_record(Players::new(4).unwrap(), 2);
    record.commitment = Some("00".repeat(32).parse().unwrap());
    let text = with_input(&["replay", "-"], serde_json::to_string(&record).unwrap().as_bytes());
    assert!(stdout(&text).contains("does not hold: commitment"), "{}", stdout(&text));
}

#[test]
fn verify_status_survives_a_closed_pipe() {
    let folder = TempDir::new().unwrap();
    let (mut record, _) = random_record(Players::new(2).unwrap(), 2);
    record.commitment = Some("00".repeat(32).parse().unwrap());
    let line = serde_json::to_string(&record).unwrap() + "\n";
    let path = written(&folder, "many.jsonl", line.repeat(3000).as_bytes());
    let mut child = SULTAN.command(&["verify", &path]).spawn().unwrap();
    drop(child.stdout.take());
    assert_fails(&child.wait_with_output().unwrap(), "3000 of 3000 do not hold");
}

#[test]
fn illegal_and_dishonest_records_are_refused() {
    let folder = TempDir::new().unwrap();
    let (record, games) = random_record(Players::new(4).unwrap(), 2);
    let text = |record: &Record| serde_json::to_vec(record).unwrap();
    let mut card = record.clone();
    let seat = games[1].to_act().unwrap();
    let missing = (1..=15).find(|&value| !games[1].hand(seat).iter().any(|held| held.value() == value)).unwrap();
    card.actions[1] = format!("{missing}@1").parse().unwrap();
    let path = written(&folder, "card.json", &text(&card));
    for command in ["replay", "verify"] {
        assert_fails(&sultan(&[command, &path]), "rule 4.2/4.3, bid/card-not-in-hand");
    }
    let mut promise = record.clone();
    promise.commitment = Some("00".repeat(32).parse().unwrap());
    let path = written(&folder, "promise.json", &text(&promise));
    assert_fails(&sultan(&["verify", &path]), "commitment: the server seed's SHA-256 is");
    assert!(sultan(&["replay", &path]).status.success(), "it can still be printed");
    let mut first = record.clone();
    first.first_seat = first.first_seat.left(first.players);
    first.actions.clear();
    assert_fails(
        &sultan(&["verify", &written(&folder, "first.json", &text(&first))]),
        "first seat: the seeds give seat",
    );
    // One invalid record among valid ones is found and reported with its number.
    let file = [text(&record), text(&promise), text(&record)].join(&b'\n');
    let output = sultan(&["verify", &written(&folder, "three.jsonl", &file)]);
    assert_fails(&output, "three.jsonl: 1 of 3 do not hold; the first is record 2: commitment");
    assert!(stdout(&output).starts_with("record 2: commitment"), "{}", stdout(&output));
    // An unreadable record does not hide the others.
    let file = [b"{}".to_vec(), text(&record), text(&promise)].join(&b'\n');
    let output = sultan(&["verify", &written(&folder, "odd.jsonl", &file)]);
    assert_fails(&output, "2 of 3 do not hold; the first is record 1: not a record");
    let file = [text(&promise), b"]".to_vec()].join(&b'\n');
    let output = sultan(&["verify", &written(&folder, "broken.jsonl", &file)]);
    assert_fails(&output, "record 2: not JSON: expected value at line 2 column 1; of the 1 before it, 1 do not hold");
    assert!(stdout(&output).starts_with("record 1: commitment"), "{}", stdout(&output));
}

#[test]
fn points_are_counted_line_by_line() {
    let four = printed(&["score", "--players", "4", "W3R5B1"]);
    assert!(four.contains("jewels 9: 18 points + 12 bonus = 30"), "{four}");
    assert!(printed(&["score", "--players", "2", "W3R5B1"]).contains("18 points + 5 bonus = 23"));
    assert!(printed(&["score", "--players", "3", ""]).contains("= 0"));
    let json: serde_json::Value =
        serde_json::from_str(&printed(&["score", "--players", "4", "--json", "W3R5B1"])).unwrap();
    assert_eq!((json["points"].as_u64(), json["count"].as_u64()), (Some(30), Some(9)));
    assert_fails(&sultan(&["score", "--players", "4", "W13"]), "13 white jewels, but the game has only 12");
    assert_fails(&sultan(&["score", "--players", "4", "X1"]), "“X1” is no collection");
}

#[test]
fn toy_games_are_solved() {
    let toy = [
        "solve",
        "--players",
        "2",
        "--cards",
        "3",
        "--copies",
        "1",
        "--stages",
        "1",
        "--rounds",
        "1",
        "--cushions",
        "2",
    ];
    let json = printed(&[&toy[..], &["--pouch", "2,1,0,0,0", "--json"]].concat());
    let solved: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json.starts_with("{\"value\":[") && solved["exploitability"].as_f64().unwrap() < 1e-3, "{json}");
    assert!(solved["infostates"].as_u64().unwrap() > 0 && solved["iterations"].as_u64().unwrap() > 0);
    assert!(
        printed(&[&toy[..], &["--pouch", "2,1,0,0,0", "--iterations", "9"]].concat()).contains("9 iterations of CFR+")
    );
    assert_fails(
        &sultan(&[&toy[..], &["--pouch", "2,0,0,0,0"]].concat()),
        "the rounds need 3 jewels, but the pouch has 2",
    );
    assert_fails(
        &sultan(&["solve", "--players", "3", "--cards", "3", "--pouch", "9,1,0,0,0"]),
        "only games of two players",
    );
    assert_fails(
        &sultan(&[
            "solve",
            "--cards",
            "12",
            "--copies",
            "2",
            "--stages",
            "3",
            "--rounds",
            "4",
            "--cushions",
            "3",
            "--pouch",
            "12,11,10,9,8",
        ]),
        "too large",
    );
}

#[test]
fn wrong_usage_exits_with_2() {
    let wrong: [&[&str]; 19] = [
        &["arena", "--players", "2", "--bots", "random,random", "--records", "-"],
        &["arena", "--players", "2", "--bots", "random,random", "--svg", "-"],
        &["arena", "--players", "2"],
        &["arena", "--players", "2", "--bots", "random,random", "--pool", "random"],
        &["arena", "--players", "2", "--pool", "random,random"],
        &["arena", "--players", "2", "--pool", "nobody"],
        &["analyze", "game.json", "--svg", "-"],
        &["analyze", "game.json", "--svg", "a", "--html", "./a"],
        &["analyze", "game.json", "--html", "./game.json"],
        &["solve", "--cards", "3", "--pouch", "2,1"],
        &["--nonsense"],
        &["nonsense"],
        &["replay"],
        &["score", "W1"],
        &["score", "--players", "6", "W1"],
        &["arena", "--players", "4", "--bots", "random"],
        &["arena", "--players", "2", "--bots", "random,nobody"],
        &["arena", "--players", "2", "--bots", "random,random", "--games", "0"],
        &["arena", "--players", "2", "--bots", "random,random", "--jobs", "0"],
    ];
    let many =
        ["arena", "--players", "2", "--bots", "random,random", "--games", "40", "--jobs", "18446744073709551615"];
    assert!(sultan(&many).status.success(), "too many threads are not started");
    for arguments in wrong {
        assert_usage_error(&sultan(arguments), "");
    }
    let output = sultan(&["arena", "--players", "3", "--bots", "random,random"]);
    assert!(stderr(&output).contains("--players 3 needs 3 bots, but --bots names 2"));
    assert!(stderr(&output).contains("Usage: sultan arena"), "{}", stderr(&output));
}

#[test]
fn closed_output_pipe_is_not_an_error() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games.jsonl");
    arena(5, &file, &["--games", "300"]);
    for arguments in [vec!["replay"], vec!["replay", "--json"]] {
        let mut child = SULTAN.command(&arguments).arg(&file).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(!line.is_empty() && output.status.success());
        assert_eq!(stderr(&output), "");
    }
}

#[test]
fn a_server_that_hangs_up_is_an_error() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let hangs_up = std::thread::spawn(move || drop(listener.accept()));
    assert_fails(&sultan(&["health", "--bind", &address]), &format!("{address} does not answer"));
    hangs_up.join().unwrap();
}
