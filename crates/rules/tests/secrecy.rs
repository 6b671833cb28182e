//! Hidden information stays hidden: whatever an observer cannot know may change, and no byte it receives does.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use serde::Serialize;
use static_assertions::assert_not_impl_any;
use sultan_rules::domain::{
    Action, BySeat, Cards, CardsInOrder, Numbers, Observer, Players, Recall, Screens, Seat, View,
};
use sultan_rules::{Chance, Draw, Event, Game, GameSeed, Pending, Quick, Setup, Step, imagine};
use sultan_testkit::{Input, Moment, Script, recall};

// The full truth cannot be written down by accident.
assert_not_impl_any!(Game: Serialize);
assert_not_impl_any!(Event: Serialize);
assert_not_impl_any!(Step: Serialize);
assert_not_impl_any!(Setup: Serialize);
assert_not_impl_any!(Pending: Serialize);
assert_not_impl_any!(Draw: Serialize);
assert_not_impl_any!(GameSeed: Serialize);
assert_not_impl_any!(sultan_rules::domain::ServerSeed: Serialize);

fn players() -> impl Strategy<Value = Players> {
    (2_u8..=5).prop_map(|count| Players::new(count).unwrap())
}

fn screens() -> impl Strategy<Value = Screens> {
    prop_oneof![Just(Screens::Closed), Just(Screens::Open)]
}

/// Everything an observer receives on the way to the last of these moments: events and views, as bytes.
fn received(moments: &[Moment], observer: Observer) -> Vec<String> {
    let mut bytes = Vec::new();
    for Moment { game, events, .. } in moments {
        bytes.extend(events.iter().map(|event| serde_json::to_string(&event.seen_by(observer)).unwrap()));
        let view = game.view(observer);
        bytes.push(serde_json::to_string(&view).unwrap());
        bytes.push(view.to_string());
    }
    bytes
}

/// Another game that looks the same to the observer up to a moment, and is as different as it can be where the observer
/// cannot look: other hands, the values of cards that lie face down, and all decks, the own one too.
fn other_world(script: &Script, at: usize, observer: Observer, chance: &mut Quick) -> Script {
    let now = script.moments()[at].game;
    let numbers = script.setup.numbers;
    let mut other = script.clone();
    other.inputs.truncate(at);
    let mut placed = BySeat::<Vec<_>>::default();
    for seat in numbers.players.seats() {
        let own = observer == Observer::Seat(seat);
        let played = now.played(seat);
        let down: Vec<_> = now.bids().iter().filter(|bid| bid.seat == seat).map(|bid| bid.card).collect();
        // What the observer knows of this seat's cards is kept; the rest is dealt anew.
        let kept: Vec<_> = if own {
            played.iter().copied().chain(down.iter().copied()).chain(now.hand(seat).iter()).collect()
        } else {
            played.to_vec()
        };
        let known: Cards = kept.iter().copied().collect();
        let mut unknown: Vec<_> = numbers.full_set().without(known).unwrap().iter().collect();
        for last in (1..unknown.len()).rev() {
            unknown.swap(last, chance.below(u32::try_from(last + 1).unwrap()) as usize);
        }
        if !own {
            placed[seat] = unknown[..down.len()].to_vec();
        }
        let deck: CardsInOrder = kept.into_iter().chain(unknown).collect();
        other.setup.decks[seat] = deck;
    }
    // The cards that lie face down now have other values.
    let round = now.bids().len();
    let from = other.inputs.len() - round;
    for input in &mut other.inputs[from..] {
        if let Input::Act(seat, Action::Bid { card, .. }) = input
            && observer != Observer::Seat(*seat)
        {
            *card = placed[*seat].remove(0);
        }
    }
    other
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_byte_depends_on_what_an_observer_cannot_know(players in players(), screens in screens(), seed: u64, at in 0_usize..105) {
        let script = Script::random(players, screens, seed);
        let at = at.min(script.inputs.len());
        let moments = &script.moments()[..=at];
        for observer in Observer::all(players) {
            let mut chance = Quick::new(!seed);
            let other = other_world(&script, at, observer, &mut chance).moments();
            prop_assert_eq!(moments.len(), other.len());
            prop_assert_eq!(received(moments, observer), received(&other, observer), "{:?} at {}", observer, at);
            // Debug output and refusals may be logged or sent: they must not tell the two worlds apart either.
            let (here, there) = (moments[at].game, other[at].game);
            prop_assert_eq!(format!("{here:?} {:?}", here.pending()), format!("{there:?} {:?}", there.pending()));
            prop_assert_eq!(format!("{:?}", moments[at].events), format!("{:?}", other[at].events));
            prop_assert!(refusals(&here, observer) == refusals(&there, observer), "{:?} at {}", observer, at);
        }
    }

    #[test]
    fn an_imagined_game_looks_like_the_real_one(players in players(), screens in screens(), seed: u64) {
        let moments = Script::random(players, screens, seed).moments();
        for at in 0..moments.len() {
            for observer in Observer::all(players) {
                let memory = recall(&moments[..=at], observer);
                let view = moments[at].game.view(observer);
                let imagined = imagine(&view, &memory, &mut Quick::new(seed)).unwrap();
                prop_assert_eq!(&imagined.view(observer), &view);
                for seat in players.seats() {
                    prop_assert_eq!(imagined.collection(seat), moments[at].game.collection(seat));
                    prop_assert_eq!(imagined.played(seat), moments[at].game.played(seat));
                }
                prop_assert_eq!(imagined.pouch(), moments[at].game.pouch());
                prop_assert!(dealt_right(&imagined));
            }
        }
    }

    #[test]
    fn without_memory_a_game_can_still_be_imagined_and_played_on(players in players(), seed: u64, from in 0_usize..16, upto in 0_usize..16) {
        let moments = Script::random(players, Screens::Closed, seed).moments();
        let mut chance = Quick::new(seed);
        for at in 0..moments.len() {
            for observer in Observer::all(players) {
                let rounds = recall(&moments[..=at], observer).rounds().to_vec();
                let some: Vec<_> = rounds.iter().copied().skip(from).take(upto).collect();
                let view = moments[at].game.view(observer);
                let imagined = imagine(&view, &Recall::of(some), &mut chance).unwrap();
                prop_assert_eq!(&imagined.view(observer), &view);
                prop_assert!(dealt_right(&imagined));
                let on_board = if imagined.offer().is_empty() { imagined.drawn().jewels() } else { imagined.offer().jewels() };
                let won = players.seats().fold(imagined.pouch().with(on_board), |sum, seat| sum.with(imagined.collection(seat)));
                prop_assert_eq!(won, Numbers::of(players).pouch);
                prop_assert!(play_on(imagined, &mut chance));
            }
        }
    }
}

/// What the observer is told when it tries every action there is, whatever the moment. A spectator cannot try any.
fn refusals(game: &Game, observer: Observer) -> Vec<String> {
    let Some(seat) = observer.seat() else { return Vec::new() };
    let actions = sultan_testkit::action_space().into_iter();
    actions
        .filter_map(|action| game.apply(seat, action).err())
        .map(|illegal| format!("{illegal} {}", illegal.code()))
        .collect()
}

/// Whether every deck is a full set that gives just the hands that are there.
fn dealt_right(game: &Game) -> bool {
    let full = game.numbers().full_set();
    game.numbers().players.seats().all(|seat| {
        let deck = game.dealt_deck(seat);
        let bids = game.bids();
        let placed = bids.iter().filter(|bid| bid.seat == seat).map(|bid| bid.card);
        let gone: Cards = game.played(seat).into_iter().chain(placed).chain(game.hand(seat).iter()).collect();
        let to_come: Cards = game.deck(seat).iter().copied().collect();
        deck.iter().copied().collect::<Cards>() == full && full.without(to_come) == Some(gone)
    })
}

fn play_on(mut game: Game, chance: &mut Quick) -> bool {
    loop {
        match game.legal().pick(chance) {
            Some(action) => game.play(action).unwrap(),
            None if game.draw_by(chance) => {}
            None => return game.outcome().is_some(),
        }
    }
}

#[test]
fn rule_7_9_what_is_not_shown_any_more_may_be_remembered() {
    let four = Players::new(4).unwrap();
    let moments = Script::random(four, Screens::Closed, 5).moments();
    let middle = &moments[..60];
    let view = middle.last().unwrap().game.view(Observer::Public);
    assert!(view.seats.iter().all(|seat| seat.collection.is_none() && seat.played.is_none()));
    let memory = recall(middle, Observer::Public);
    assert!(four.seats().any(|seat| !memory.collection(seat).is_empty()));
}

#[test]
fn imagined_hands_are_spread_over_all_that_may_be() {
    let four = Players::new(4).unwrap();
    let moments = Script::random(four, Screens::Closed, 1).moments();
    let game = moments[2].game;
    let observer = Observer::Seat(Seat::new(0).unwrap());
    let view = game.view(observer);
    let other = Seat::new(2).unwrap();
    let mut chance = Quick::new(3);
    let mut seen = [0_u32; 16];
    for _ in 0..1500 {
        let imagined = imagine(&view, &Recall::default(), &mut chance).unwrap();
        imagined.hand(other).iter().for_each(|card| seen[usize::from(card.value())] += 1);
    }
    // Five of fifteen cards each time: every card a third of the time, here within seven standard deviations.
    assert!(seen[1..].iter().all(|&times| times.abs_diff(500) < 130), "{seen:?}");
}

#[test]
fn what_contradicts_itself_is_refused_without_a_panic() {
    let four = Players::new(4).unwrap();
    let moments = Script::random(four, Screens::Closed, 8).moments();
    let at = 50;
    let observer = Observer::Seat(Seat::new(1).unwrap());
    let view = moments[at].game.view(observer);
    let memory = recall(&moments[..=at], observer);
    let refuse = |change: &dyn Fn(&mut View)| {
        let mut wrong = view.clone();
        change(&mut wrong);
        assert!(imagine(&wrong, &memory, &mut Quick::new(1)).is_err());
    };
    refuse(&|view| view.at += 1);
    refuse(&|view| view.stage.0 = 9);
    refuse(&|view| view.last_round = None);
    refuse(&|view| view.hand = Cards::full(15, 1));
    refuse(&|view| view.seats[2].hand += 1);
    refuse(&|view| view.seats[2].deck -= 1);
    refuse(&|view| view.seats[1].collection = "W12R11".parse().ok());
    refuse(&|view| {
        view.seats.pop();
    });
    let mut rounds = memory.rounds().to_vec();
    rounds[0].bids[0].card = rounds[1].bids.iter().find(|bid| bid.seat == rounds[0].bids[0].seat).unwrap().card;
    assert!(imagine(&view, &Recall::of(rounds), &mut Quick::new(1)).is_err());
}
