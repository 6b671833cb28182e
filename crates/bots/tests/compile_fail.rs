//! The compiler is the guard: a bot that wants more than its seat may know cannot be built.
//!
//! When a message of the compiler changes, read the new one; if it is still about the game that the bot cannot have,
//! `TRYBUILD=overwrite cargo test -p sultan-bots --test compile_fail` writes it down.

#[test]
fn no_bot_can_be_handed_a_game() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
