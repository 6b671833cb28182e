//! Tests of `sultan train`, and of bots that play with the trained nets.

use sultan_testkit::binary::{Binary, assert_fails, assert_usage_error};

const SULTAN: Binary = Binary(env!("CARGO_BIN_EXE_sultan"));

/// Runs a command, which must succeed, and returns its standard output.
fn stdout_of(arguments: &[&str]) -> String {
    SULTAN.successful_stdout(arguments)
}

#[test]
fn trained_nets_can_be_used_by_bots() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (self_play, against_vizier) = (file("self-play.nets"), file("against.nets"));
    let text = stdout_of(&["train", "--players", "3", "--steps", "1", "--out", &self_play]);
    // A step of training has 32 games.
    assert!(text.contains("self-play.nets: 1 step, 32 games"), "{text}");
    let vizier = format!("vizier@{self_play}");
    let text = stdout_of(&["train", "--players", "3", "--steps", "1", "--against", &vizier, "--out", &against_vizier]);
    assert!(text.contains("against.nets: 1 step, 32 games"), "{text}");
    let bots = format!("{vizier},sultan@{against_vizier}/20,jeweller");
    let results = stdout_of(&["arena", "--players", "3", "--games", "2", "--bots", &bots]);
    assert!(results.contains(&vizier) && results.contains("jeweller"), "{results}");
    let game_of_two = || SULTAN.run(&["arena", "--players", "2", "--bots", &format!("{vizier},random")]);
    assert_fails(&game_of_two(), "for 3 players, not 2");
    std::fs::write(&self_play, "something else").unwrap();
    assert_fails(&game_of_two(), "not a file of nets written by `sultan train`");
}

#[test]
fn invalid_options_of_train_and_bots_without_nets_are_rejected() {
    let train = |options: &[&str]| SULTAN.run(&[&["train", "--players", "2"], options].concat());
    let arena = |bots: &str| SULTAN.run(&["arena", "--players", "2", "--bots", bots]);
    assert_fails(&train(&["--out", "/no/such/folder/x.nets"]), "/no/such/folder/x.nets");
    assert_usage_error(&train(&["--against", "nobody", "--out", "x"]), "unknown bot");
    assert_usage_error(&train(&["--minutes", "0", "--out", "x"]), "more than 0");
    assert_usage_error(&arena("jeweller@x,random"), "only vizier and sultan");
    assert_fails(&arena("vizier@/no/such/file,random"), "/no/such/file");
}
