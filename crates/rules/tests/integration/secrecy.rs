//! Hidden information stays hidden: if it changes, every byte that the observer receives stays the same.

use proptest::prelude::*;
use serde::Serialize;
use static_assertions::assert_not_impl_any;
use sultan_rules::domain::{Cards, Observer, Parameters, Players, Recall, Screens, Seat};
use sultan_rules::{Draw, FixedDraws, Game, GameSeed, Pending, Quick, SeededGame, Setup, Verdict, imagine};
use sultan_testkit::{Moment, Script, indistinguishable_script, play_action, play_to_end, recall};

// Types with hidden information cannot be serialized by accident.
assert_not_impl_any!(Game: Serialize);
assert_not_impl_any!(Setup: Serialize);
assert_not_impl_any!(Pending: Serialize);
assert_not_impl_any!(Draw: Serialize);
assert_not_impl_any!(GameSeed: Serialize);
assert_not_impl_any!(SeededGame: Serialize);
assert_not_impl_any!(FixedDraws: Serialize);
assert_not_impl_any!(Verdict: Serialize);
assert_not_impl_any!(Quick: Serialize);
assert_not_impl_any!(sultan_rules::domain::ServerSeed: Serialize);

fn players() -> impl Strategy<Value = Players> {
    (2_u8..=5).prop_map(|count| Players::new(count).unwrap())
}

fn screens() -> impl Strategy<Value = Screens> {
    prop_oneof![Just(Screens::Closed), Just(Screens::Open)]
}

/// Everything an observer receives in these positions, as bytes: the views, and the memory at the end.
fn received(moments: &[Moment], observer: Observer) -> Vec<String> {
    let mut bytes = Vec::new();
    for Moment { game, .. } in moments {
        let view = game.view(observer);
        bytes.push(format!("{} {view} {view:?}", view.to_json(&[], None)));
    }
    let memory = recall(moments, observer);
    bytes.push(format!("{} {memory:?}", serde_json::to_string(memory.rounds()).unwrap()));
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_byte_depends_on_hidden_information(players in players(), screens in screens(), seed: u64, at: usize) {
        let script = Script::random(players, screens, seed);
        let at = at % (script.inputs.len() + 1);
        let moments = &script.moments()[..=at];
        for observer in Observer::all(players) {
            let mut chance = Quick::new(!seed);
            let other_moments = indistinguishable_script(&script, at, observer, &mut chance).moments();
            prop_assert_eq!(moments.len(), other_moments.len());
            prop_assert_eq!(received(moments, observer), received(&other_moments, observer), "{:?} at {}", observer, at);
            // Debug output and errors may be logged or sent, so they must not differ between the two worlds either.
            let (real, other) = (moments[at].game, other_moments[at].game);
            prop_assert_eq!(format!("{real:?} {:?}", real.pending()), format!("{other:?} {:?}", other.pending()));
            prop_assert!(refusals(&real, observer) == refusals(&other, observer), "{:?} at {}", observer, at);
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
                prop_assert!(decks_match_hands(&imagined));
            }
        }
    }

    #[test]
    fn without_memory_a_game_can_still_be_imagined_and_played_on(players in players(), seed: u64, from in 0_usize..16, count in 0_usize..16) {
        let moments = Script::random(players, Screens::Closed, seed).moments();
        let mut chance = Quick::new(seed);
        for at in 0..moments.len() {
            for observer in Observer::all(players) {
                let rounds = recall(&moments[..=at], observer).rounds().to_vec();
                let some: Vec<_> = rounds.iter().copied().skip(from).take(count).collect();
                let view = moments[at].game.view(observer);
                let imagined = imagine(&view, &Recall::of(some).unwrap(), &mut chance).unwrap();
                prop_assert_eq!(&imagined.view(observer), &view);
                prop_assert!(decks_match_hands(&imagined));
                let on_board = if imagined.offer().is_empty() { imagined.drawn().jewels() } else { imagined.offer().jewels() };
                let won = players.seats().fold(imagined.pouch().with(on_board), |sum, seat| sum.with(imagined.collection(seat)));
                prop_assert_eq!(won, Parameters::of(players).pouch);
                // The jewels drawn in the last round must have been in the pouch at that time.
                if let Some(last) = view.last_round {
                    let pouch_at_draw = players.seats().fold(imagined.pouch().with(on_board), |sum, seat| sum.with(last.won_by(seat)));
                    prop_assert!(pouch_at_draw.has_all(last.drawn.jewels()), "{}", view);
                }
                prop_assert_eq!(play_to_end(&imagined, &mut chance).places.len(), usize::from(players.count()));
            }
        }
    }
}

/// The errors that the observer gets for every possible action, legal now or not. A spectator cannot act.
fn refusals(game: &Game, observer: Observer) -> Vec<String> {
    let Some(seat) = observer.seat() else { return Vec::new() };
    let actions = sultan_testkit::action_space().into_iter();
    actions
        .filter_map(|action| play_action(game, seat, action).err())
        .map(|illegal| format!("{illegal} {illegal:?} {}", illegal.code()))
        .collect()
}

/// Whether every deck is a full set that leads to the actual hands.
fn decks_match_hands(game: &Game) -> bool {
    let full = game.parameters().full_set();
    game.parameters().players.seats().all(|seat| {
        let deck = game.dealt_deck(seat);
        let bids = game.bids();
        let placed = bids.iter().filter(|bid| bid.seat == seat).map(|bid| bid.card);
        let taken: Cards = game.played(seat).into_iter().chain(placed).chain(game.hand(seat).iter()).collect();
        let to_come: Cards = game.deck(seat).iter().copied().collect();
        deck.iter().copied().collect::<Cards>() == full && full.without(to_come) == Some(taken)
    })
}

/// The other tests are meaningful only if the other world differs in hidden information. This asserts that it does.
#[test]
fn indistinguishable_game_differs_in_hidden_information() {
    let (mut hands, mut decks, mut own_decks, mut face_down, mut cases) = (0, 0, 0, 0, 0);
    for players in Players::ALL {
        let observer = Observer::Seat(Seat::new(0).unwrap());
        for seed in 0..20 {
            let script = Script::random(players, Screens::Closed, seed);
            for at in [5, 9, 13, 17] {
                let real = script.moments()[at].game;
                let other = indistinguishable_script(&script, at, observer, &mut Quick::new(seed)).moments()[at].game;
                let others = || players.seats().skip(1);
                let values = |game: &Game| {
                    game.bids()
                        .iter()
                        .filter(|bid| bid.seat.number() > 0)
                        .map(|bid| bid.card.value())
                        .collect::<Vec<_>>()
                };
                cases += 1;
                hands += u32::from(others().all(|seat| real.hand(seat) != other.hand(seat)));
                decks += u32::from(others().all(|seat| real.deck(seat) != other.deck(seat)));
                own_decks += u32::from(real.deck(Seat::default()) != other.deck(Seat::default()));
                face_down += u32::from(values(&real) != values(&other) || values(&real).is_empty());
            }
        }
    }
    for (name, count) in [("hands", hands), ("decks", decks), ("own decks", own_decks), ("face down", face_down)] {
        assert!(count * 10 > cases * 8, "{name} differ in {count} of {cases} cases only");
    }
}

/// Debug output contains only public information.
#[test]
fn debug_output_matches_exactly() {
    let four = Players::new(4).unwrap();
    let script = Script::random(four, Screens::Open, 5);
    let moments = script.moments();
    let phases: Vec<String> = [0, 1, 2, 6].map(|at| format!("{:?}", moments[at].game)).into();
    let game = |at: u8, phase: &str| format!("Game {{ players: 4, at: {at}, phase: \"{phase}\", .. }}");
    assert_eq!(phases, [game(0, "draw"), game(0, "offer"), game(1, "bid"), game(5, "draw")]);
    assert_eq!(format!("{:?}", moments.last().unwrap().game), game(75, "over"));
    assert_eq!(format!("{:?}", moments[0].game.pending()), "Chance(Draw { jewels: 4, .. })");
    assert_eq!(format!("{:?}", Quick::new(7)), "Quick(hidden)");
    let setup = format!("{:?}", script.setup);
    assert!(setup.starts_with("Setup { parameters: ") && setup.ends_with(", screens: Open, .. }"), "{setup}");
    assert!(!setup.contains("decks") && setup.contains("first_seat"), "{setup}");
}

/// In every forgotten round at least one jewel was won, and at most one per cushion and per card.
#[test]
fn forgotten_rounds_are_made_up_as_they_may_have_been() {
    for players in Players::ALL {
        let moments = Script::random(players, Screens::Closed, 4).moments();
        let game = moments.iter().map(|moment| moment.game).find(|game| game.round_index() == 5).unwrap();
        let (parameters, own) = (game.parameters(), Seat::default());
        let view = game.view(Observer::Seat(own));
        let last = view.last_round.unwrap();
        let mut chance = Quick::new(9);
        let mut totals = Vec::new();
        for _ in 0..600 {
            let imagined = imagine(&view, &Recall::default(), &mut chance).unwrap();
            let in_gaps = |seat: Seat| imagined.collection(seat).without(last.won_by(seat)).unwrap().len();
            let most_each = 4 * u32::from(parameters.bids_per_round);
            assert!(players.seats().all(|seat| in_gaps(seat) <= most_each));
            assert_eq!(imagined.collection(own), game.collection(own));
            totals.push(players.seats().map(in_gaps).sum::<u32>());
        }
        // Four rounds are forgotten. The observer's jewels from these rounds are known, and no other seat can win fewer
        // than zero.
        let own_won = game.collection(own).without(last.won_by(own)).unwrap().len();
        let others = u32::from(players.count() - 1) * 4 * u32::from(parameters.bids_per_round);
        let (least, most) = (own_won.max(4), (4 * u32::from(parameters.cushions)).min(own_won + others));
        let (fewest, greatest) = (totals.iter().min().unwrap(), totals.iter().max().unwrap());
        assert!(*fewest <= least + 1 && *fewest >= least, "{players}: {fewest}, not {least}");
        assert!(*greatest <= most && *greatest + 2 >= most, "{players}: {greatest}, not {most}");
        let mean = f64::from(totals.iter().sum::<u32>()) / 600.0;
        let even = 4.0 * f64::from(1 + parameters.cushions) / 2.0;
        assert!(
            (mean - even).abs() < 0.5 || most < 4 * u32::from(parameters.cushions),
            "{players}: {mean}, not {even}"
        );
    }
}

#[test]
fn rule_7_9_recall_keeps_information_no_longer_in_the_view() {
    let four = Players::new(4).unwrap();
    let moments = Script::random(four, Screens::Closed, 5).moments();
    let middle = &moments[..60];
    let view = middle.last().unwrap().game.view(Observer::Public);
    assert!(view.seats.iter().all(|seat| seat.collection.is_none() && seat.played.is_none()));
    let memory = recall(middle, Observer::Public);
    assert!(four.seats().any(|seat| !memory.collection(seat).is_empty()));
}

#[test]
fn imagined_games_cover_all_possibilities() {
    let four = Players::new(4).unwrap();
    let script = Script::random(four, Screens::Closed, 1);
    // After the first draw, the offer, and the bid of the first player, whose card is face down for the other seats.
    let game = script.moments()[3].game;
    let (bidder, own) = (game.first_seat(), game.first_seat().left(four));
    let other = own.left(four);
    let view = game.view(Observer::Seat(own));
    let mut chance = Quick::new(3);
    let (mut in_hand, mut face_down, mut on_top, mut own_top) = ([0_u32; 16], [0_u32; 16], [0_u32; 16], [0_u32; 16]);
    for _ in 0..3000 {
        let imagined = imagine(&view, &Recall::default(), &mut chance).unwrap();
        imagined.hand(other).iter().for_each(|card| in_hand[usize::from(card.value())] += 1);
        face_down[usize::from(imagined.bids()[0].card.value())] += 1;
        on_top[usize::from(imagined.deck(bidder)[0].value())] += 1;
        own_top[usize::from(imagined.deck(own)[0].value())] += 1;
    }
    // Every card is in hand a third of the time, and face down or on top a fifteenth of the time, within seven standard
    // deviations.
    assert!(in_hand[1..].iter().all(|&times| times.abs_diff(1000) < 180), "{in_hand:?}");
    for spread in [face_down, on_top] {
        assert!(spread[1..].iter().all(|&times| times.abs_diff(200) < 95), "{spread:?}");
    }
    // The observer's deck has the ten cards that are not in the observer's hand.
    for (value, &times) in (0_u8..).zip(&own_top).skip(1) {
        let held = game.hand(own).iter().any(|card| card.value() == value);
        assert!(if held { times == 0 } else { times.abs_diff(300) < 115 }, "{own_top:?}");
    }
}
