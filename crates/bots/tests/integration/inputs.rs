//! The inputs of a bot: the compiler rejects changes that would give it more information than its seat has.

use sultan_bots::{Bot, WeighedAction};
use sultan_domain::{Action, Observer, Players, Recall, RoundRecord, Screens, Seat, SeatView, View};
use sultan_rules::FastRng;
use sultan_testkit::{Script, recall};

/// Lists all inputs of a bot, field by field and without `..`. A new field breaks the build here until a developer has
/// decided that the seat may see the field, and added it. The recall consists of finished rounds, which are public.
#[test]
fn every_field_given_to_a_bot_is_listed() {
    let moments = Script::random(Players::new(4).unwrap(), Screens::Closed, 1).moments();
    let observer = Observer::Seat(Seat::default());
    let View {
        parameters: _,
        observer: _,
        screens: _,
        phase: _,
        action_count: _,
        stage: _,
        round: _,
        first_seat: _,
        to_act: _,
        drawn: _,
        offer: _,
        bids: _,
        hand: _,
        seats,
        last_round: _,
        outcome: _,
    } = moments[60].game.view(observer);
    for seat in seats {
        let SeatView { seat: _, hand: _, deck: _, collection: _, played: _ } = seat;
    }
    let recall: Recall = recall(&moments[..=60], observer);
    for round in recall.rounds() {
        let RoundRecord { stage: _, round: _, first_seat: _, drawn: _, offer: _, put_back: _, bids: _, winners } =
            round;
        assert!(winners.is_some(), "the recall has a round that is not finished");
    }
}

/// States the exact signatures of [`Bot`]: any other parameter, such as a game, breaks the build here.
#[test]
fn bot_methods_take_no_game() {
    type Method<Result> = fn(&'static dyn Bot, &View, &Recall, &mut FastRng, &dyn Fn() -> bool) -> Result;
    let _: Method<Vec<WeighedAction>> = <dyn Bot>::weigh;
    let _: Method<Option<Action>> = <dyn Bot>::choose;
    let _: fn(&'static dyn Bot) -> &'static str = <dyn Bot>::name;
}
