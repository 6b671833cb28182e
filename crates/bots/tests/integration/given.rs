//! What a bot is given: the compiler is the guard against one that knows more than its seat may know.

use sultan_bots::{Bot, Weighed};
use sultan_domain::{Action, Observer, Players, Recall, RoundRecord, Screens, Seat, SeatView, View};
use sultan_rules::Quick;
use sultan_testkit::{Script, recall};

/// All that a bot is given, field by field and without `..`: a new field stops the build here until somebody has
/// decided that the seat may know what is in it. What is remembered are whole rounds, which all have seen.
#[test]
fn every_field_given_to_a_bot_is_listed() {
    let moments = Script::random(Players::new(4).unwrap(), Screens::Closed, 1).moments();
    let observer = Observer::Seat(Seat::default());
    let View {
        parameters: _,
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
        let SeatView { seat: _, hand: _, deck: _, collection: _, played: _ } = seat;
    }
    let memory: Recall = recall(&moments[..=60], observer);
    for told in memory.rounds() {
        let RoundRecord { stage: _, round: _, first_seat: _, drawn: _, offer: _, put_back: _, bids: _, winners } = told;
        assert!(winners.is_some(), "only what was turned up is remembered");
    }
}

/// The signatures of [`Bot`], to the type: whoever hands bots anything else, such as a game, stops the build here.
#[test]
fn no_bot_can_be_handed_a_game() {
    type Given<Answer> = fn(&'static dyn Bot, &View, &Recall, &mut Quick, &dyn Fn() -> bool) -> Answer;
    let _: Given<Vec<Weighed>> = <dyn Bot>::weigh;
    let _: Given<Option<Action>> = <dyn Bot>::choose;
    let _: fn(&'static dyn Bot) -> &'static str = <dyn Bot>::name;
}
