//! The compiler is the guard: a bot that wants more than its seat may know cannot be built.
//!
//! When a message of the compiler changes, read the new one; if it is still about the game that the bot cannot have,
//! `TRYBUILD=overwrite cargo test -p sultan-bots --test compile_fail` writes it down.

use sultan_domain::{Observer, Players, Recall, RoundTold, Screens, Seat, SeatView, View};
use sultan_testkit::{Script, recall};

/// All that a bot is given, field by field and without `..`: a new field stops the build here until somebody has
/// decided that the seat may know what is in it. What is remembered are whole rounds, which all have seen.
#[test]
fn what_a_bot_is_given_is_known_to_the_field() {
    let moments = Script::random(Players::new(4).unwrap(), Screens::Closed, 1).moments();
    let observer = Observer::Seat(Seat::default());
    let View {
        numbers: _,
        observer: _,
        screens: _,
        phase: _,
        at: _,
        stage: _,
        round: _,
        first_seat: _,
        to_act: _,
        drawn: _,
        cushions: _,
        bids: _,
        hand: _,
        seats,
        last_round: _,
        outcome: _,
    } = moments[60].game.view(observer);
    for seat in seats {
        let SeatView { seat: _, person: _, hand: _, deck: _, collection: _, played: _, deadline: _ } = seat;
    }
    let memory: Recall = recall(&moments[..=60], observer);
    for told in memory.rounds() {
        let RoundTold { stage: _, round: _, first_seat: _, drawn: _, offer: _, put_back: _, bids: _, winners } = told;
        assert!(winners.is_some(), "only what was turned up is remembered");
    }
}

#[test]
fn no_bot_can_be_handed_a_game() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}
