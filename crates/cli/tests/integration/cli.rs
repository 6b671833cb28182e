//! Tests of the commands that read records, score and solve: output, errors and exit status.

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

fn run_with_input(arguments: &[&str], input: &[u8]) -> Output {
    SULTAN.run_with_input(arguments, input)
}

/// Runs a command, which must succeed, and returns its standard output.
fn stdout_of(arguments: &[&str]) -> String {
    SULTAN.successful_stdout(arguments)
}

/// The path of a file in `tests/data`.
fn test_data(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name).to_str().unwrap().to_owned()
}

/// Writes a file and returns its path.
fn write_file(folder: &TempDir, name: &str, bytes: &[u8]) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

fn with_wrong_commitment(record: &Record) -> Record {
    Record { commitment: Some("00".repeat(32).parse().unwrap()), ..record.clone() }
}

/// Plays games of random bots and writes their records to a file.
fn record_games(players: u8, games: &str, file: &Path) {
    let (count, bots) = (players.to_string(), vec!["random"; usize::from(players)].join(","));
    let records = ["--games", games, "--seed", "1", "--records", file.to_str().unwrap()];
    stdout_of(&[&["arena", "--players", &count, "--bots", &bots][..], &records].concat());
}

#[test]
fn arena_games_are_recorded_replayed_and_verified() {
    let folder = TempDir::new().unwrap();
    for players in 2..=5 {
        let file = folder.path().join("games.jsonl");
        record_games(players, "40", &file);
        let path = file.to_str().unwrap();
        let text = stdout_of(&["replay", path, "--json"]);
        let full_games: Vec<FullGame> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(full_games.len(), 40);
        assert!(full_games.iter().all(|full_game| full_game.complete && full_game.players.count() == players));
        assert!(stdout_of(&["verify", path]).starts_with("40 records hold."));
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            let record = Record::from_json(line).unwrap();
            assert_eq!(serde_json::to_string(&record).unwrap(), line);
        }
    }
}

#[test]
fn replay_prints_a_readable_game() {
    assert_eq!(
        stdout_of(&["replay", &test_data("four.sultan.json")]),
        std::fs::read_to_string(test_data("four.txt")).unwrap()
    );
    let report = stdout_of(&["verify", &test_data("four.sultan.json")]);
    assert!(report.starts_with("The record holds.\n") && report.contains("75, all legal"), "{report}");
}

#[test]
fn all_commands_count_seats_from_zero() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl").to_str().unwrap().to_owned();
    let bots = "page,merchant,page,merchant";
    let options = ["--players", "4", "--bots", bots, "--games", "1", "--seed", "3", "--records", &path];
    let results = stdout_of(&[&["arena"][..], &options].concat());
    let full_game: FullGame = serde_json::from_str(&stdout_of(&["replay", &path, "--json"])).unwrap();
    let winner = full_game.outcome.unwrap().winners().next().unwrap();
    let first_seat = full_game.first_seat;
    let names = bots.split(',').collect::<Vec<_>>();
    let (winner_name, first_name) = (names[winner.index()], names[first_seat.index()]);
    let assert_contains = |text: &str, part: String| assert!(text.contains(&part), "no {part} in: {text}");
    let checks = stdout_of(&["verify", &path]);
    assert_contains(&checks, format!("first seat   {first_seat} (bot:{first_name}), as the seeds"));
    // Two bots have the name of the winner: the seat distinguishes them.
    assert_contains(&checks, format!("result       bot:{winner_name} ({winner}) wins with"));
    let text = stdout_of(&["replay", &path, "--print"]);
    assert_contains(&text, format!("  seat {first_seat}   bot:{first_name} ({first_seat})   first player"));
    assert_contains(&text, format!("bot:{winner_name} ({winner}) is the sultan’s new treasurer, with"));
    // In the table of bots: the seat, the name, and the percentage of games won.
    assert_contains(&results, format!("   {winner}  {winner_name:<8}  100.0"));
    let analysis = stdout_of(&["analyze", &path, "--playouts", "1"]);
    for (seat, name) in names.iter().enumerate() {
        assert_contains(&analysis, format!("bot:{name} ({seat})"));
    }
}

#[test]
fn partial_record_is_read_from_standard_input() {
    let (record, _) = random_record(Players::new(2).unwrap(), 3);
    for length in 0..=record.actions.len() {
        let mut partial = record.clone();
        partial.actions.truncate(length);
        let json = serde_json::to_vec(&partial).unwrap();
        let output = run_with_input(&["replay", "-", "--json"], &json);
        let full_game: FullGame = serde_json::from_str(stdout(&output)).unwrap();
        assert_eq!(full_game.complete, length == record.actions.len());
        assert!(run_with_input(&["verify", "-"], &json).status.success());
        assert!(run_with_input(&["replay", "-"], &json).status.success());
    }
    // The actions are moved into an unknown field, which is ignored: the unfinished first round has only a draw.
    let json = serde_json::to_string(&record).unwrap();
    let without_actions = json.replace("\"actions\":[", "\"actions\":[],\"unknown_field\":[");
    let output = run_with_input(&["replay", "-", "--json"], without_actions.as_bytes());
    let end = r#""offer":null,"put_back":null,"bids":[],"winners":null}],"final":null}"#;
    assert!(stdout(&output).trim_end().ends_with(end), "{}", stdout(&output));
}

#[test]
fn invalid_record_is_rejected_in_one_line() {
    let folder = TempDir::new().unwrap();
    let valid = std::fs::read_to_string(test_data("four.sultan.json")).unwrap();
    let (mut too_long, _) = random_record(Players::new(3).unwrap(), 1);
    too_long.actions.push("1@1".parse().unwrap());
    // Bytes that look random, the same in every run.
    let noise: Vec<u8> = (0_u32..10_000_000).map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
    let unknown_colour = valid.replacen("\"WRB\"", "\"WXB\"", 1).replacen("\"RYG\"", "\"RXG\"", 1);
    // A description, the contents of the file, and a part of the error.
    let invalid: Vec<(&str, Vec<u8>, &str)> = vec![
        ("truncated", valid.as_bytes()[..valid.len() / 2].to_vec(), "record 1: it is cut off"),
        ("wrong version", valid.replace("\"version\": 1", "\"version\": 9").into(), "version 9"),
        ("unknown colour", unknown_colour.into(), "action "),
        ("too many actions", serde_json::to_vec(&too_long).unwrap(), "action 61 “1@1” is after the end"),
        ("noise", noise, "not JSON"),
        ("not UTF-8", [valid.as_bytes(), b"{\"names\":\"\xff\xfe\"}"].concat(), "record 2"),
        ("empty", Vec::new(), "no record found"),
        ("blank", b" \n\n".to_vec(), "no record found"),
        ("a list", b"[1,2]".to_vec(), "not a record"),
        ("another format", b"{\"format\":\"chess\"}".to_vec(), "its format is not"),
        ("deeply nested", vec![b'['; 100_000], "record 1: "),
        ("a huge name", format!("{{\"format\":\"{}\"}}", "x".repeat(1_000_000)).into(), "its format is not"),
        ("a huge word", valid.replace("\"closed\"", &format!("\"{}\"", "y".repeat(1_000_000))).into(), "not a record"),
        ("escaped control characters", valid.replace("\"closed\"", "\"\\u001b[2J\\n\"").into(), "not a record"),
    ];
    for (description, bytes, reason) in invalid {
        let path = write_file(&folder, "bad.sultan.json", &bytes);
        for arguments in [vec!["replay", &path], vec!["replay", &path, "--json"], vec!["verify", &path]] {
            let output = sultan(&arguments);
            assert!(!stderr(&output).contains("panicked"), "{description}");
            assert!(!stderr(&output).contains('\u{1b}'), "{description}");
            assert_fails(&output, reason);
        }
    }
    assert_fails(&sultan(&["replay", folder.path().join("missing").to_str().unwrap()]), "No such file");
    let output = sultan(&["verify", folder.path().to_str().unwrap()]);
    assert_fails(&output, "directory");
    // A folder cannot be read, so the error is not about a record.
    assert!(!stderr(&output).contains("record 1"), "{}", stderr(&output));
}

#[test]
fn records_with_unusual_names_or_a_byte_order_mark_are_read() {
    let (mut record, _) = random_record(Players::new(3).unwrap(), 5);
    record.names = vec!["n".repeat(70_000), "\u{202e}\u{1b}[2J".to_owned(), String::new()];
    let json = serde_json::to_string(&record).unwrap();
    let output = run_with_input(&["replay", "-"], json.as_bytes());
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    // The empty name is shown as the seat, and the long name is shortened.
    assert!(text.contains("seat 2") && !text.contains('\u{1b}') && text.len() < 20_000, "{text}");
    record.names = vec!["Bo".to_owned(); 3];
    let output = run_with_input(&["replay", "-"], serde_json::to_string(&record).unwrap().as_bytes());
    assert!(stdout(&output).contains("Bo (0)") && stdout(&output).contains("Bo (2)"));
    let with_byte_order_mark = format!("\u{feff}{json}\r\n{json}");
    assert!(run_with_input(&["verify", "-"], with_byte_order_mark.as_bytes()).status.success());
}

#[test]
fn replay_warns_of_a_wrong_commitment() {
    let (record, _) = random_record(Players::new(4).unwrap(), 2);
    let record = with_wrong_commitment(&record);
    let output = run_with_input(&["replay", "-"], serde_json::to_string(&record).unwrap().as_bytes());
    assert!(stdout(&output).contains("does not hold: commitment"), "{}", stdout(&output));
}

#[test]
fn verify_fails_for_invalid_records_even_if_its_output_is_closed() {
    let folder = TempDir::new().unwrap();
    let (record, _) = random_record(Players::new(2).unwrap(), 2);
    let line = serde_json::to_string(&with_wrong_commitment(&record)).unwrap() + "\n";
    let path = write_file(&folder, "many.jsonl", line.repeat(3000).as_bytes());
    let mut child = SULTAN.command(&["verify", &path]).spawn().unwrap();
    drop(child.stdout.take());
    assert_fails(&child.wait_with_output().unwrap(), "3000 of 3000 do not hold");
}

#[test]
fn verify_rejects_illegal_actions_wrong_commitments_and_wrong_first_seats() {
    let folder = TempDir::new().unwrap();
    let (record, games) = random_record(Players::new(4).unwrap(), 2);
    let to_json = |record: &Record| serde_json::to_vec(record).unwrap();
    let mut illegal_card = record.clone();
    let seat = games[1].to_act().unwrap();
    let not_in_hand = (1..=15).find(|&value| !games[1].hand(seat).iter().any(|card| card.value() == value)).unwrap();
    illegal_card.actions[1] = format!("{not_in_hand}@1").parse().unwrap();
    let path = write_file(&folder, "card.json", &to_json(&illegal_card));
    for command in ["replay", "verify"] {
        assert_fails(&sultan(&[command, &path]), "rule 4.2/4.3, bid/card-not-in-hand");
    }
    let wrong_commitment = with_wrong_commitment(&record);
    let path = write_file(&folder, "commitment.json", &to_json(&wrong_commitment));
    assert_fails(&sultan(&["verify", &path]), "commitment: the server seed's SHA-256 is");
    assert!(sultan(&["replay", &path]).status.success(), "replay does not print the game");
    let mut wrong_first_seat = record.clone();
    wrong_first_seat.first_seat = record.first_seat.left_neighbour(record.players);
    // Without actions, the first seat is the only fault: no action is out of turn.
    wrong_first_seat.actions.clear();
    let path = write_file(&folder, "first.json", &to_json(&wrong_first_seat));
    assert_fails(&sultan(&["verify", &path]), "first seat: the seeds give seat");
}

#[test]
fn verify_reports_invalid_records_with_their_number_in_the_file() {
    let folder = TempDir::new().unwrap();
    let (record, _) = random_record(Players::new(4).unwrap(), 2);
    let valid = serde_json::to_vec(&record).unwrap();
    let wrong_commitment = serde_json::to_vec(&with_wrong_commitment(&record)).unwrap();
    let file = [valid.clone(), wrong_commitment.clone(), valid.clone()].join(&b'\n');
    let output = sultan(&["verify", &write_file(&folder, "three.jsonl", &file)]);
    assert_fails(&output, "three.jsonl: 1 of 3 do not hold; the first is record 2: commitment");
    assert!(stdout(&output).starts_with("record 2: commitment"), "{}", stdout(&output));
    // JSON that is not a record does not keep the next records from being checked.
    let file = [b"{}".to_vec(), valid, wrong_commitment.clone()].join(&b'\n');
    let output = sultan(&["verify", &write_file(&folder, "object.jsonl", &file)]);
    assert_fails(&output, "2 of 3 do not hold; the first is record 1: not a record");
    // Text that is not JSON ends the checks.
    let file = [wrong_commitment, b"]".to_vec()].join(&b'\n');
    let output = sultan(&["verify", &write_file(&folder, "not-json.jsonl", &file)]);
    assert_fails(&output, "record 2: not JSON: expected value at line 2 column 1; of the 1 before it, 1 do not hold");
    assert!(stdout(&output).starts_with("record 1: commitment"), "{}", stdout(&output));
}

#[test]
fn score_counts_points_and_bonus() {
    let with_four_players = stdout_of(&["score", "--players", "4", "W3R5B1"]);
    assert!(with_four_players.contains("jewels 9: 18 points + 12 bonus = 30"), "{with_four_players}");
    assert!(stdout_of(&["score", "--players", "2", "W3R5B1"]).contains("18 points + 5 bonus = 23"));
    assert!(stdout_of(&["score", "--players", "3", ""]).contains("= 0"));
    let json: serde_json::Value =
        serde_json::from_str(&stdout_of(&["score", "--players", "4", "--json", "W3R5B1"])).unwrap();
    assert_eq!((json["points"].as_u64(), json["count"].as_u64()), (Some(30), Some(9)));
    assert_fails(&sultan(&["score", "--players", "4", "W13"]), "13 white jewels, but the game has only 12");
    assert_fails(&sultan(&["score", "--players", "4", "X1"]), "“X1” is no collection");
}

#[test]
fn toy_games_are_solved() {
    let words = |line: &'static str| line.split_whitespace().collect::<Vec<_>>();
    let toy = "solve --players 2 --cards 3 --copies 1 --stages 1 --rounds 1 --cushions 2 --pouch 2,1,0,0,0";
    let json = stdout_of(&[words(toy), vec!["--json"]].concat());
    let solution: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json.starts_with("{\"value\":[") && solution["exploitability"].as_f64().unwrap() < 1e-3, "{json}");
    assert!(solution["infostates"].as_u64().unwrap() > 0 && solution["iterations"].as_u64().unwrap() > 0);
    let text = stdout_of(&[words(toy), vec!["--iterations", "9"]].concat());
    assert!(text.contains("9 iterations of CFR+"), "{text}");
    for (line, reason) in [
        ("solve --cards 3 --pouch 2,0,0,0,0", "the rounds need 3 jewels, but the pouch has 2"),
        ("solve --players 3 --cards 3 --pouch 9,1,0,0,0", "only games of two players"),
        ("solve --cards 12 --copies 2 --stages 3 --rounds 4 --cushions 3 --pouch 12,11,10,9,8", "too large"),
    ] {
        assert_fails(&sultan(&words(line)), reason);
    }
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
    for arguments in wrong {
        assert_usage_error(&sultan(arguments), "");
    }
    let output = sultan(&["arena", "--players", "3", "--bots", "random,random"]);
    assert!(stderr(&output).contains("--players 3 needs 3 bots, but --bots names 2"));
    assert!(stderr(&output).contains("Usage: sultan arena"), "{}", stderr(&output));
}

#[test]
fn arena_with_the_highest_number_of_jobs_starts_only_as_many_threads_as_possible() {
    let jobs = usize::MAX.to_string();
    stdout_of(&["arena", "--players", "2", "--bots", "random,random", "--games", "40", "--jobs", &jobs]);
}

#[test]
fn closed_output_pipe_is_not_an_error() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("games.jsonl");
    // The output of 300 games does not fit into the buffer of a pipe.
    record_games(5, "300", &file);
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
fn health_fails_if_the_server_closes_the_connection() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = std::thread::spawn(move || drop(listener.accept()));
    assert_fails(&sultan(&["health", "--bind", &address]), &format!("{address} does not answer"));
    server.join().unwrap();
}
