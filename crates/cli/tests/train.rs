//! `sultan train` from outside, and bots that play with what it made.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::process::{Command, Output, Stdio};

fn sultan(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sultan")).args(arguments).stdin(Stdio::null()).output().unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = sultan(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Checks that it ended with this code and says this.
fn refused(arguments: &[&str], code: i32, with: &str) {
    let output = sultan(arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(said.starts_with("error: ") && said.contains(with), "{said}");
    assert!(code == 2 || said.lines().count() == 1, "{said}");
}

#[test]
fn what_is_trained_can_be_played_with() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (own, reply) = (file("own.nets"), file("reply.nets"));
    let told = printed(&["train", "--players", "3", "--steps", "1", "--out", &own]);
    assert!(told.contains("own.nets: 1 step, 32 games"), "{told}");
    let against = format!("vizier@{own}");
    let told = printed(&["train", "--players", "3", "--steps", "1", "--against", &against, "--out", &reply]);
    assert!(told.contains("reply.nets: 1 step, 32 games"), "{told}");
    let bots = format!("vizier@{own},sultan@{reply}/20,jeweller");
    let table = printed(&["arena", "--players", "3", "--games", "2", "--bots", &bots]);
    assert!(table.contains(&against) && table.contains("jeweller"), "{table}");
    refused(&["arena", "--players", "2", "--bots", &format!("{against},random")], 1, "for 3 players, not 2");
    std::fs::write(&own, "something else").unwrap();
    refused(&["arena", "--players", "2", "--bots", &format!("{against},random")], 1, "no nets made by `sultan train`");
}

#[test]
fn wrong_trainings_are_refused() {
    refused(&["train", "--players", "2", "--out", "/no/such/folder/x.nets"], 1, "/no/such/folder/x.nets");
    refused(&["train", "--players", "2", "--against", "nobody", "--out", "x"], 2, "there is no such bot");
    refused(&["train", "--players", "2", "--minutes", "0", "--out", "x"], 2, "more than 0");
    refused(&["arena", "--players", "2", "--bots", "jeweller@x,random"], 2, "only vizier and sultan");
    refused(&["arena", "--players", "2", "--bots", "vizier@/no/such/file,random"], 1, "/no/such/file");
}
