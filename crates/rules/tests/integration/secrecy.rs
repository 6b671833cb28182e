//! Asserts that hidden information stays hidden: in two games that differ only in information hidden from an observer,
//! the observer receives exactly the same bytes.

use proptest::prelude::*;
use serde::Serialize;
use static_assertions::assert_not_impl_any;
use sultan_rules::domain::{Cards, Observer, Parameters, Players, Recall, Screens, Seat};
use sultan_rules::{Draw, FastRng, FixedDraws, Game, GameSeed, Pending, SeededGame, Setup, Verdict, imagine};
use sultan_testkit::{Moment, Script, indistinguishable_script, play_action, play_to_end, recall, view_text};

// Types with hidden information cannot be serialized by accident.
assert_not_impl_any!(Game: Serialize);
assert_not_impl_any!(Setup: Serialize);
assert_not_impl_any!(Pending: Serialize);
assert_not_impl_any!(Draw: Serialize);
assert_not_impl_any!(GameSeed: Serialize);
assert_not_impl_any!(SeededGame: Serialize);
assert_not_impl_any!(FixedDraws: Serialize);
assert_not_impl_any!(Verdict: Serialize);
assert_not_impl_any!(FastRng: Serialize);
assert_not_impl_any!(sultan_rules::domain::ServerSeed: Serialize);

fn players() -> impl Strategy<Value = Players> {
    (2_u8..=5).prop_map(|count| Players::new(count).unwrap())
}

fn screens() -> impl Strategy<Value = Screens> {
    prop_oneof![Just(Screens::Closed), Just(Screens::Open)]
}

/// All texts that an observer receives in these positions: the views, and the recall at the end.
fn texts_received(moments: &[Moment], observer: Observer) -> Vec<String> {
    let mut texts = Vec::new();
    for Moment { game, .. } in moments {
        let view = game.view(observer);
        texts.push(format!("{} {} {view:?}", view.to_json(&[], None), view_text(&view)));
    }
    let recall = recall(moments, observer);
    texts.push(format!("{} {recall:?}", serde_json::to_string(recall.rounds()).unwrap()));
    texts
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_byte_depends_on_hidden_information(players in players(), screens in screens(), seed: u64, length: usize) {
        let script = Script::random(players, screens, seed);
        let last = length % (script.inputs.len() + 1);
        let moments = &script.moments()[..=last];
        for observer in Observer::all(players) {
            // Another seed than the script has, so that the other game's hidden cards are independent of the script.
            let mut rng = FastRng::new(!seed);
            let other_moments = indistinguishable_script(&script, last, observer, &mut rng).moments();
            prop_assert_eq!(moments.len(), other_moments.len());
            let (received, other_received) = (texts_received(moments, observer), texts_received(&other_moments, observer));
            prop_assert_eq!(received, other_received, "{:?} at {}", observer, last);
            // Debug output and errors may be logged or sent, so they must be the same in both games too.
            let (game, other_game) = (moments[last].game, other_moments[last].game);
            let (debug, other_debug) = (format!("{game:?} {:?}", game.pending()), format!("{other_game:?} {:?}", other_game.pending()));
            prop_assert_eq!(debug, other_debug);
            prop_assert!(rejections(&game, observer) == rejections(&other_game, observer), "{:?} at {}", observer, last);
        }
    }

    #[test]
    fn game_imagined_with_a_complete_recall_differs_from_the_real_game_only_in_hidden_cards(
        players in players(), screens in screens(), seed: u64,
    ) {
        let moments = Script::random(players, screens, seed).moments();
        for (index, Moment { game, .. }) in moments.iter().enumerate() {
            for observer in Observer::all(players) {
                let view = game.view(observer);
                let recall = recall(&moments[..=index], observer);
                let imagined = imagine(&view, &recall, &mut FastRng::new(seed)).unwrap();
                prop_assert_eq!(&imagined.view(observer), &view);
                for seat in players.seats() {
                    prop_assert_eq!(imagined.collection(seat), game.collection(seat));
                    prop_assert_eq!(imagined.played(seat), game.played(seat));
                }
                prop_assert_eq!(imagined.pouch(), game.pouch());
                prop_assert!(decks_match_hands(&imagined));
            }
        }
    }

    #[test]
    fn with_forgotten_rounds_a_game_can_still_be_imagined_and_played_on(players in players(), seed: u64, from in 0_usize..16, count in 0_usize..16) {
        let moments = Script::random(players, Screens::Closed, seed).moments();
        let mut rng = FastRng::new(seed);
        for at in 0..moments.len() {
            for observer in Observer::all(players) {
                let rounds = recall(&moments[..=at], observer).rounds().to_vec();
                let remembered: Vec<_> = rounds.iter().copied().skip(from).take(count).collect();
                let view = moments[at].game.view(observer);
                let imagined = imagine(&view, &Recall::of(remembered).unwrap(), &mut rng).unwrap();
                prop_assert_eq!(&imagined.view(observer), &view);
                prop_assert!(decks_match_hands(&imagined));
                let on_board = if imagined.offer().is_empty() { imagined.drawn().jewels() } else { imagined.offer().jewels() };
                let all_jewels = players.seats().fold(imagined.pouch().with(on_board), |sum, seat| sum.with(imagined.collection(seat)));
                prop_assert_eq!(all_jewels, Parameters::of(players).pouch);
                // The jewels drawn in the last round must have been in the pouch at that time.
                if let Some(last) = view.last_round {
                    let pouch_at_draw = players.seats().fold(imagined.pouch().with(on_board), |sum, seat| sum.with(last.won_by(seat)));
                    prop_assert!(pouch_at_draw.has_all(last.drawn.jewels()), "{}", view_text(&view));
                }
                prop_assert_eq!(play_to_end(&imagined, &mut rng).places.len(), usize::from(players.count()));
            }
        }
    }
}

/// The errors that the observer gets for all illegal actions. A spectator cannot act, so the list is empty.
fn rejections(game: &Game, observer: Observer) -> Vec<String> {
    let Some(seat) = observer.seat() else { return Vec::new() };
    let actions = sultan_testkit::action_space().into_iter();
    actions
        .filter_map(|action| play_action(game, seat, action).err())
        .map(|illegal| format!("{illegal} {illegal:?} {}", illegal.code()))
        .collect()
}

/// Whether every dealt deck is a full set, and consists of the cards that are played, placed, in hand and in the deck.
fn decks_match_hands(game: &Game) -> bool {
    let full_set = game.parameters().full_set();
    game.parameters().players.seats().all(|seat| {
        let dealt: Cards = game.dealt_deck(seat).into_iter().collect();
        let placed = game.bids().into_iter().filter(|bid| bid.seat == seat).map(|bid| bid.card);
        let taken: Cards = game.played(seat).into_iter().chain(placed).chain(game.hand(seat).iter()).collect();
        let in_deck: Cards = game.deck(seat).into_iter().collect();
        dealt == full_set && full_set.without(in_deck) == Some(taken)
    })
}

/// The tests above would pass if both games were the same. This test asserts that they usually differ in all hidden
/// information.
#[test]
fn indistinguishable_game_differs_in_hidden_information() {
    let own_seat = Seat::default();
    // The number of cases, and for each kind of hidden information the number of cases in which it differs.
    let (mut hands, mut decks, mut own_decks, mut face_down, mut cases) = (0, 0, 0, 0, 0);
    for (players, seed) in Players::ALL.into_iter().flat_map(|players| (0..20).map(move |seed| (players, seed))) {
        let script = Script::random(players, Screens::Closed, seed);
        for last in [5, 9, 13, 17] {
            let game = script.moments()[last].game;
            let rng = &mut FastRng::new(seed);
            let other_script = indistinguishable_script(&script, last, Observer::Seat(own_seat), rng);
            let other_game = other_script.moments()[last].game;
            let other_seats = || players.seats().filter(|&seat| seat != own_seat);
            let face_down_cards = |game: &Game| {
                let bids = game.bids().into_iter().filter(|bid| bid.seat != own_seat);
                bids.map(|bid| bid.card).collect::<Vec<_>>()
            };
            let cards = face_down_cards(&game);
            cases += 1;
            hands += u32::from(other_seats().all(|seat| game.hand(seat) != other_game.hand(seat)));
            decks += u32::from(other_seats().all(|seat| game.deck(seat) != other_game.deck(seat)));
            own_decks += u32::from(game.deck(own_seat) != other_game.deck(own_seat));
            // A position without face-down cards counts as different: it has nothing to hide.
            face_down += u32::from(cards.is_empty() || cards != face_down_cards(&other_game));
        }
    }
    for (name, differing) in [("hands", hands), ("decks", decks), ("own decks", own_decks), ("face down", face_down)] {
        assert!(differing * 10 > cases * 8, "{name} differ only in {differing} of {cases} cases");
    }
}

#[test]
fn debug_output_contains_only_public_information() {
    let four = Players::new(4).unwrap();
    let script = Script::random(four, Screens::Open, 5);
    let moments = script.moments();
    // At the start, and after the draw, the offer and the last bid of the first round.
    let debug_texts = [0, 1, 2, 6].map(|index| format!("{:?}", moments[index].game));
    let expected = |at: u8, phase: &str| format!("Game {{ players: 4, at: {at}, phase: \"{phase}\", .. }}");
    assert_eq!(debug_texts, [expected(0, "draw"), expected(0, "offer"), expected(1, "bid"), expected(5, "draw")]);
    assert_eq!(format!("{:?}", moments.last().unwrap().game), expected(75, "over"));
    assert_eq!(format!("{:?}", moments[0].game.pending()), "Chance(Draw { jewels: 4, .. })");
    assert_eq!(format!("{:?}", FastRng::new(7)), "FastRng(hidden)");
    let setup = format!("{:?}", script.setup);
    assert!(setup.starts_with("Setup { parameters: ") && setup.ends_with(", screens: Open, .. }"), "{setup}");
    assert!(!setup.contains("decks") && setup.contains("first_seat"), "{setup}");
}

#[test]
fn imagined_forgotten_rounds_have_every_possible_number_of_won_jewels() {
    for players in Players::ALL {
        let moments = Script::random(players, Screens::Closed, 4).moments();
        // In the sixth round, without a recall, the observer has forgotten four rounds: the fifth is in the view.
        let game = moments.iter().map(|moment| moment.game).find(|game| game.round_index() == 5).unwrap();
        let (parameters, own_seat) = (game.parameters(), Seat::default());
        let view = game.view(Observer::Seat(own_seat));
        let last_round = view.last_round.unwrap();
        let won_in_forgotten =
            |game: &Game, seat| game.collection(seat).without(last_round.won_by(seat)).unwrap().len();
        // A seat wins at most one jewel per card.
        let max_per_seat = 4 * u32::from(parameters.bids_per_player);
        let mut rng = FastRng::new(9);
        let mut totals = Vec::new();
        for _ in 0..600 {
            let imagined = imagine(&view, &Recall::default(), &mut rng).unwrap();
            assert!(players.seats().all(|seat| won_in_forgotten(&imagined, seat) <= max_per_seat));
            assert_eq!(imagined.collection(own_seat), game.collection(own_seat));
            totals.push(players.seats().map(|seat| won_in_forgotten(&imagined, seat)).sum::<u32>());
        }
        // In each round at least one jewel is won, and at most one per cushion. The observer's own jewels are in the
        // view.
        let own_won = won_in_forgotten(&game, own_seat);
        let max_won_by_others = u32::from(players.count() - 1) * max_per_seat;
        let max_on_cushions = 4 * u32::from(parameters.cushions);
        let (possible_min, possible_max) = (own_won.max(4), max_on_cushions.min(own_won + max_won_by_others));
        let (min, max) = (*totals.iter().min().unwrap(), *totals.iter().max().unwrap());
        // The lowest and highest totals are rare, so 600 games may miss them by little.
        assert!((possible_min..=possible_min + 1).contains(&min), "{players}: {min}, not {possible_min}");
        assert!((possible_max - 2..=possible_max).contains(&max), "{players}: {max}, not {possible_max}");
        // Each number from one to the number of cushions is equally likely in a round.
        let mean = f64::from(totals.iter().sum::<u32>()) / 600.0;
        let expected_mean = 4.0 * f64::from(1 + parameters.cushions) / 2.0;
        let is_limited_by_cards = possible_max < max_on_cushions;
        assert!((mean - expected_mean).abs() < 0.5 || is_limited_by_cards, "{players}: {mean}, not {expected_mean}");
    }
}

#[test]
fn rule_7_9_recall_keeps_information_no_longer_in_the_view() {
    let four = Players::new(4).unwrap();
    let moments = Script::random(four, Screens::Closed, 5).moments();
    // More than nine rounds: with four players each has a draw, an offer and four bids.
    let first_moments = &moments[..60];
    let view = first_moments.last().unwrap().game.view(Observer::Public);
    assert!(view.seats.iter().all(|seat| seat.collection.is_none() && seat.played.is_none()));
    let recall = recall(first_moments, Observer::Public);
    assert!(four.seats().any(|seat| !recall.collection(seat).is_empty()));
}

#[test]
fn hidden_cards_of_imagined_games_are_evenly_distributed() {
    let four = Players::new(4).unwrap();
    let script = Script::random(four, Screens::Closed, 1);
    // After the first draw, the offer, and the bid of the first player, whose card is face down for the other seats.
    let game = script.moments()[3].game;
    let (bidder, own_seat) = (game.first_seat(), game.first_seat().left_neighbour(four));
    let third_seat = own_seat.left_neighbour(four);
    let view = game.view(Observer::Seat(own_seat));
    let mut rng = FastRng::new(3);
    // For each value, the number of games in which its card is at this place.
    let (mut in_hand, mut face_down, mut on_top, mut on_own_top) = ([0_u32; 16], [0_u32; 16], [0_u32; 16], [0_u32; 16]);
    for _ in 0..3000 {
        let imagined = imagine(&view, &Recall::default(), &mut rng).unwrap();
        imagined.hand(third_seat).iter().for_each(|card| in_hand[usize::from(card.value())] += 1);
        face_down[usize::from(imagined.bids()[0].card.value())] += 1;
        on_top[usize::from(imagined.deck(bidder)[0].value())] += 1;
        on_own_top[usize::from(imagined.deck(own_seat)[0].value())] += 1;
    }
    // Each of 15 cards is among the five cards of a hand in a third of the games, and face down or on top of the deck
    // in a fifteenth of the games. The limits are seven standard deviations.
    assert!(in_hand[1..].iter().all(|&games| games.abs_diff(1000) < 180), "{in_hand:?}");
    for counts in [face_down, on_top] {
        assert!(counts[1..].iter().all(|&games| games.abs_diff(200) < 95), "{counts:?}");
    }
    // The observer's deck consists of the ten cards that are not in the observer's hand.
    for (value, &games) in (0_u8..).zip(&on_own_top).skip(1) {
        let is_in_hand = game.hand(own_seat).iter().any(|card| card.value() == value);
        assert!(if is_in_hand { games == 0 } else { games.abs_diff(300) < 115 }, "{on_own_top:?}");
    }
}
