//! Tests of `sultan train`, and of bots that play with the trained nets.

use sultan_testkit::binary::{Binary, assert_fails, assert_usage_error};

const SULTAN: Binary = Binary(env!("CARGO_BIN_EXE_sultan"));

fn printed(arguments: &[&str]) -> String {
    SULTAN.successful_stdout(arguments)
}

#[test]
fn trained_nets_can_be_used_by_bots() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (own, reply) = (file("own.nets"), file("reply.nets"));
    let text = printed(&["train", "--players", "3", "--steps", "1", "--out", &own]);
    assert!(text.contains("own.nets: 1 step, 32 games"), "{text}");
    let against = format!("vizier@{own}");
    let text = printed(&["train", "--players", "3", "--steps", "1", "--against", &against, "--out", &reply]);
    assert!(text.contains("reply.nets: 1 step, 32 games"), "{text}");
    let bots = format!("vizier@{own},sultan@{reply}/20,jeweller");
    let table = printed(&["arena", "--players", "3", "--games", "2", "--bots", &bots]);
    assert!(table.contains(&against) && table.contains("jeweller"), "{table}");
    assert_fails(
        &SULTAN.run(&["arena", "--players", "2", "--bots", &format!("{against},random")]),
        "for 3 players, not 2",
    );
    std::fs::write(&own, "something else").unwrap();
    assert_fails(
        &SULTAN.run(&["arena", "--players", "2", "--bots", &format!("{against},random")]),
        "not a file of nets written by `sultan train`",
    );
}

#[test]
fn wrong_trainings_are_refused() {
    assert_fails(
        &SULTAN.run(&["train", "--players", "2", "--out", "/no/such/folder/x.nets"]),
        "/no/such/folder/x.nets",
    );
    assert_usage_error(&SULTAN.run(&["train", "--players", "2", "--against", "nobody", "--out", "x"]), "unknown bot");
    assert_usage_error(&SULTAN.run(&["train", "--players", "2", "--minutes", "0", "--out", "x"]), "more than 0");
    assert_usage_error(
        &SULTAN.run(&["arena", "--players", "2", "--bots", "jeweller@x,random"]),
        "only vizier and sultan",
    );
    assert_fails(&SULTAN.run(&["arena", "--players", "2", "--bots", "vizier@/no/such/file,random"]), "/no/such/file");
}
