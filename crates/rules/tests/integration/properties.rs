//! Properties of every position of random games, for every number of players.

use proptest::prelude::*;
use sultan_rules::domain::{
    Action, Collection, FullGame, Jewels, MoneyCard, Observer, Parameters, Place, Players, Record, RoundRecord,
    Screens, Seat, View,
};
use sultan_rules::{FastRng, Game, Pending, Progress, imagine, replay};
use sultan_testkit::{Input, Moment, Script, action_space, play_action, random_moments, random_record, recall};

fn players() -> impl Strategy<Value = Players> {
    (2_u8..=5).prop_map(|count| Players::new(count).unwrap())
}

/// Whether an action is legal: a second implementation of the rules, with plain lists, to compare with the first.
fn is_legal(game: &Game, action: Action) -> bool {
    let Some(seat) = game.to_act() else { return false };
    let cushions = usize::from(game.parameters().cushions);
    match action {
        Action::Offer(offer) => {
            let mut drawn: Vec<_> = game.drawn().iter().collect();
            let mut remove_drawn =
                |jewel| drawn.iter().position(|&other| other == jewel).map(|index| drawn.remove(index));
            let is_drawn = offer.iter().all(|jewel| remove_drawn(jewel).is_some());
            game.offer().is_empty() && is_drawn && offer.len() == cushions
        }
        Action::Bid { card, cushion } => {
            let hand: Vec<_> = game.hand(seat).iter().collect();
            let has_own_card = game.bids().iter().any(|bid| bid.seat == seat && bid.cushion == cushion);
            let is_on_board = usize::from(cushion.number()) <= cushions;
            !game.offer().is_empty() && hand.contains(&card) && is_on_board && !has_own_card
        }
    }
}

#[test]
fn rule_4_3_two_cards_of_one_value_are_listed_once() {
    let parameters = Parameters { copies: 2, ..Parameters::of(Players::new(3).unwrap()) };
    let moments = (0..4).flat_map(|seed| Script::random_with(parameters, Screens::Closed, seed).moments());
    for Moment { game, .. } in moments {
        check_every_action(&game).unwrap();
    }
}

/// Whether `Legal` lists this action: it lists an offer only with its jewels in the order `W`, `R`, `Y`, `G`, `B`.
fn is_listed_form(action: Action) -> bool {
    match action {
        Action::Offer(offer) => offer.iter().is_sorted(),
        Action::Bid { .. } => true,
    }
}

proptest! {
    // Few cases, because each of them tries every action in every position of its games.
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn play_accepts_and_legal_lists_exactly_the_legal_actions(seed: u64) {
        for players in Players::ALL {
            for Moment { game, .. } in random_moments(players, seed) {
                check_every_action(&game)?;
            }
        }
    }

    #[test]
    fn variants_follow_the_same_rules(parameters in playable_parameters(), seed: u64) {
        let moments = Script::random_with(parameters, Screens::Closed, seed).moments();
        for (index, Moment { game, .. }) in moments.iter().enumerate() {
            check_every_action(game)?;
            for observer in Observer::all(parameters.players) {
                let view = game.view(observer);
                let recall = recall(&moments[..=index], observer);
                let imagined = imagine(&view, &recall, &mut FastRng::new(seed)).unwrap();
                prop_assert_eq!(imagined.view(observer), view);
            }
            prop_assert_eq!(all_jewels(game), parameters.pouch);
        }
        let end = moments.last().unwrap().game;
        prop_assert_eq!(end.action_count(), parameters.actions());
        prop_assert!(end.outcome().is_some());
    }
}

/// All jewels of a game: in the pouch, on the board and in the collections.
fn all_jewels(game: &Game) -> Jewels {
    let on_board = if game.offer().is_empty() { game.drawn().jewels() } else { game.offer().jewels() };
    let seats = game.parameters().players.seats();
    seats.fold(game.pouch().with(on_board), |sum, seat| sum.with(game.collection(seat)))
}

/// Random parameters with which a game can be played.
fn playable_parameters() -> impl Strategy<Value = Parameters> {
    let sizes = (1_u8..=3, 1_u8..=8, 1_u8..=3, 1_u8..=15, 1_u8..=2);
    (players(), sizes, proptest::array::uniform5(0_u8..=12))
        .prop_map(|(players, (stages, rounds_per_stage, cushions, highest_card, copies), pouch)| {
            let pouch = Jewels::new(pouch).unwrap();
            Parameters { stages, rounds_per_stage, cushions, highest_card, copies, pouch, ..Parameters::of(players) }
        })
        .prop_filter("no game can be played with these parameters", |parameters| parameters.check().is_ok())
}

/// Tries every action that exists, by every seat, and compares the results and the list of legal actions with
/// `is_legal`.
fn check_every_action(game: &Game) -> Result<(), TestCaseError> {
    let mut expected = Vec::new();
    for action in action_space() {
        let is_legal = is_legal(game, action);
        let mut played = *game;
        let result = played.play(action);
        prop_assert_eq!(result.is_ok(), is_legal, "{} {:?}", action, game);
        prop_assert_eq!(is_legal, played != *game, "a rejected action leaves the game unchanged");
        for seat in game.parameters().players.seats() {
            let played_by_seat = play_action(game, seat, action);
            prop_assert_eq!(played_by_seat.is_ok(), is_legal && game.to_act() == Some(seat));
            prop_assert!(played_by_seat.is_err() || played_by_seat == Ok(played));
        }
        if is_legal && is_listed_form(action) {
            expected.push(action.to_string());
        }
    }
    let mut listed: Vec<String> = game.legal().iter().map(|action| action.to_string()).collect();
    prop_assert_eq!(listed.len(), game.legal().len() as usize);
    if let Some(seat) = game.to_act() {
        prop_assert_eq!(game.view(Observer::Seat(seat)).legal(), game.legal());
    }
    listed.sort();
    expected.sort();
    prop_assert_eq!(listed, expected);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rule_6_2_jewels_are_conserved(players in players(), seed: u64) {
        for Moment { game, .. } in random_moments(players, seed) {
            prop_assert_eq!(all_jewels(&game), Parameters::of(players).pouch);
        }
    }

    #[test]
    fn rule_6_3_cards_are_conserved(players in players(), seed: u64) {
        let mut full_set: Vec<MoneyCard> = Parameters::of(players).full_set().iter().collect();
        full_set.sort();
        for Moment { game, .. } in random_moments(players, seed) {
            for seat in players.seats() {
                let placed = game.bids().into_iter().filter(|bid| bid.seat == seat).map(|bid| bid.card);
                let held_and_placed = game.hand(seat).iter().chain(placed);
                let mut all: Vec<MoneyCard> = held_and_placed.chain(game.played(seat)).chain(game.deck(seat)).collect();
                all.sort();
                prop_assert_eq!(&all, &full_set);
            }
        }
    }

    #[test]
    fn rule_6_1_pouch_has_enough_jewels_for_every_draw(players in players(), seed: u64) {
        for Moment { game, .. } in random_moments(players, seed) {
            if let Pending::Chance(draw) = game.pending() {
                prop_assert!(draw.pouch.len() >= u32::from(draw.jewels));
            }
        }
    }

    #[test]
    fn play_reports_the_end_of_rounds_and_game(players in players(), seed: u64) {
        let script = Script::random(players, Screens::Open, seed);
        let mut game = Game::new(&script.setup).unwrap();
        let mut action_count = 0;
        for input in script.inputs {
            match input {
                Input::Draw(drawn) => game.draw(drawn).unwrap(),
                Input::Act(_, action) => {
                    let finished_before = game.finished_rounds();
                    let progress = game.play(action).unwrap();
                    let is_round_over = game.finished_rounds() > finished_before;
                    prop_assert_eq!(progress != Progress::Continues, is_round_over);
                    prop_assert_eq!(progress == Progress::GameOver, game.outcome().is_some());
                    action_count += 1;
                    prop_assert_eq!(game.action_count(), action_count);
                }
            }
        }
        prop_assert_eq!(action_count, Parameters::of(players).actions());
    }

    #[test]
    fn view_round_trips_as_json(players in players(), seed: u64, are_screens_open: bool) {
        let screens = if are_screens_open { Screens::Open } else { Screens::Closed };
        let moments = Script::random(players, screens, seed).moments();
        for Moment { game, .. } in &moments {
            for observer in Observer::all(players) {
                let view = game.view(observer);
                let json = view.to_json(&[], None);
                prop_assert_eq!(&serde_json::from_str::<View>(&json).unwrap(), &view, "{}", json);
            }
        }
    }

    #[test]
    fn record_replays_to_the_same_game(players in players(), seed: u64, max_actions in 0_usize..100) {
        let (mut record, games) = random_record(players, seed);
        // A game has at most 90 actions, so some records are complete.
        record.actions.truncate(max_actions);
        let json = serde_json::to_string(&record).unwrap();
        let read = Record::from_json(&json).unwrap();
        prop_assert_eq!(&read, &record);
        let replayed = replay(&read).unwrap();
        prop_assert!(*replayed.game() == games[record.actions.len()], "{}", json);
        let full_game = replayed.full_game();
        let full_game_json = serde_json::to_string(&full_game).unwrap();
        prop_assert_eq!(&serde_json::from_str::<FullGame>(&full_game_json).unwrap(), &full_game);
        prop_assert_eq!(full_game.complete, record.actions.len() == usize::from(Parameters::of(players).actions()));
        prop_assert_eq!(full_game.outcome.is_some(), full_game.complete);
        let actions = full_game.rounds.iter().flat_map(RoundRecord::actions).map(|(_, action)| action);
        prop_assert_eq!(actions.collect::<Vec<_>>(), record.actions);
    }

    #[test]
    fn recall_has_the_collections_and_cards_that_open_screens_show(players in players(), seed: u64) {
        let moments = Script::random(players, Screens::Open, seed).moments();
        for observer in Observer::all(players) {
            for (index, moment) in moments.iter().enumerate() {
                let recall = recall(&moments[..=index], observer);
                let public_view = moment.game.view(Observer::Public);
                for seat_view in &public_view.seats {
                    prop_assert_eq!(Some(recall.collection(seat_view.seat)), seat_view.collection);
                    prop_assert_eq!(Some(recall.played(seat_view.seat)), seat_view.played);
                }
                prop_assert_eq!(recall.rounds().last().copied(), public_view.last_round);
            }
        }
    }

    #[test]
    fn rule_5_5_rank_is_one_plus_the_number_of_better_players(counts in proptest::collection::vec(proptest::array::uniform5(0_u8..4), 5), players in players()) {
        let collection = |seat: Seat| -> Collection { Jewels::new(counts[seat.index()]).unwrap() };
        let outcome = sultan_rules::outcome(&Parameters::of(players), collection);
        let is_better = |place: &Place, other: &Place| (place.points, place.count) > (other.points, other.count);
        for place in outcome.places {
            let better_players = outcome.places.iter().filter(|other| is_better(other, &place)).count();
            prop_assert_eq!(usize::from(place.rank), better_players + 1);
        }
    }
}
