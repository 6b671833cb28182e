//! Properties of every position of random games, for every number of players.

use proptest::prelude::*;
use sultan_rules::domain::{
    Action, Cards, Collection, Jewels, Observer, Parameters, Place, Players, Record, Screens, Seat, View,
};
use sultan_rules::{Game, Pending, Progress, Quick, imagine, replay};
use sultan_testkit::{Input, Moment, Script, action_space, play_action, random_moments, random_record, recall};

fn players() -> impl Strategy<Value = Players> {
    (2_u8..=5).prop_map(|count| Players::new(count).unwrap())
}

/// Whether an action is legal, computed independently from the hand, the drawn jewels and the bids as plain lists.
fn is_legal(game: &Game, action: Action) -> bool {
    let Some(seat) = game.to_act() else { return false };
    let cushions = usize::from(game.parameters().cushions);
    match action {
        Action::Offer(offer) => {
            let mut left: Vec<_> = game.drawn().iter().collect();
            let all_drawn = offer
                .iter()
                .all(|jewel| left.iter().position(|&drawn| drawn == jewel).map(|at| left.remove(at)).is_some());
            game.offer().is_empty() && all_drawn && offer.len() == cushions
        }
        Action::Bid { card, cushion } => {
            let held: Vec<_> = game.hand(seat).iter().collect();
            let own_card_there = game.bids().iter().any(|bid| bid.seat == seat && bid.cushion == cushion);
            let on_board = usize::from(cushion.number()) <= cushions;
            !game.offer().is_empty() && held.contains(&card) && on_board && !own_card_there
        }
    }
}

#[test]
fn rule_4_3_two_cards_of_one_value_are_listed_once() {
    let parameters = Parameters { copies: 2, ..Parameters::of(Players::new(3).unwrap()) };
    for Moment { game, .. } in (0..4).flat_map(|seed| Script::random_with(parameters, Screens::Closed, seed).moments())
    {
        check_every_action(&game).unwrap();
    }
}

fn is_canonical(action: Action) -> bool {
    match action {
        Action::Offer(offer) => offer.iter().is_sorted(),
        Action::Bid { .. } => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn play_accepts_exactly_the_legal_actions_and_legal_lists_their_canonical_forms(seed: u64) {
        for players in Players::ALL {
            for Moment { game, .. } in random_moments(players, seed) {
                check_every_action(&game)?;
            }
        }
    }

    #[test]
    fn variants_follow_the_same_rules(parameters in playable_parameters(), seed: u64) {
        let moments = Script::random_with(parameters, Screens::Closed, seed).moments();
        for (at, Moment { game, .. }) in moments.iter().enumerate() {
            check_every_action(game)?;
            for observer in Observer::all(parameters.players) {
                let view = game.view(observer);
                let imagined = imagine(&view, &recall(&moments[..=at], observer), &mut Quick::new(seed)).unwrap();
                prop_assert_eq!(imagined.view(observer), view);
            }
            let on_board = if game.offer().is_empty() { game.drawn().jewels() } else { game.offer().jewels() };
            let won = parameters.players.seats().fold(Jewels::NONE, |sum, seat| sum.with(game.collection(seat)));
            prop_assert_eq!(game.pouch().with(on_board).with(won), parameters.pouch);
        }
        let end = moments.last().unwrap().game;
        prop_assert_eq!(end.at(), parameters.actions());
        prop_assert!(end.outcome().is_some());
    }
}

/// Playable parameters of unpublished games.
fn playable_parameters() -> impl Strategy<Value = Parameters> {
    let sizes = (1_u8..=3, 1_u8..=8, 1_u8..=3, 1_u8..=15, 1_u8..=2);
    (players(), sizes, proptest::array::uniform5(0_u8..=12))
        .prop_map(|(players, (stages, rounds_per_stage, cushions, highest_card, copies), pouch)| {
            let pouch = Jewels::new(pouch).unwrap();
            Parameters { stages, rounds_per_stage, cushions, highest_card, copies, pouch, ..Parameters::of(players) }
        })
        .prop_filter("no game can be played with these parameters", |parameters| parameters.check().is_ok())
}

/// Tries every possible action on a game, in place and by every seat.
fn check_every_action(game: &Game) -> Result<(), TestCaseError> {
    let mut canonical = Vec::new();
    for action in action_space() {
        let legal = is_legal(game, action);
        let mut played = *game;
        let result = played.play(action);
        prop_assert_eq!(result.is_ok(), legal, "{} {:?}", action, game);
        prop_assert_eq!(legal, played != *game, "a refused action leaves the game untouched");
        for seat in game.parameters().players.seats() {
            let next = play_action(game, seat, action);
            prop_assert_eq!(next.is_ok(), legal && game.to_act() == Some(seat));
            prop_assert!(next.is_err() || next == Ok(played));
        }
        if legal && is_canonical(action) {
            canonical.push(action.to_string());
        }
    }
    let mut listed: Vec<String> = game.legal().iter().map(|action| action.to_string()).collect();
    prop_assert_eq!(listed.len(), game.legal().len() as usize);
    if let Some(seat) = game.to_act() {
        prop_assert_eq!(game.view(Observer::Seat(seat)).legal(), game.legal());
    }
    listed.sort();
    canonical.sort();
    prop_assert_eq!(listed, canonical);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rule_6_2_jewels_are_conserved(players in players(), seed: u64) {
        for Moment { game, .. } in random_moments(players, seed) {
            let on_board = if game.offer().is_empty() { game.drawn().jewels() } else { game.offer().jewels() };
            let won = players.seats().fold(Jewels::NONE, |sum, seat| sum.with(game.collection(seat)));
            prop_assert_eq!(game.pouch().with(on_board).with(won), Parameters::of(players).pouch);
        }
    }

    #[test]
    fn rule_6_3_cards_are_conserved(players in players(), seed: u64) {
        let full = Parameters::of(players).full_set();
        for Moment { game, .. } in random_moments(players, seed) {
            for seat in players.seats() {
                let bids = game.bids();
                let placed = bids.iter().filter(|bid| bid.seat == seat).map(|bid| bid.card);
                let played = game.played(seat);
                let deck = game.deck(seat);
                let all: Cards = game.hand(seat).iter().chain(placed).chain(played).chain(deck).collect();
                let count = game.hand(seat).len() as usize
                    + bids.iter().filter(|bid| bid.seat == seat).count()
                    + played.len()
                    + game.deck(seat).len();
                prop_assert_eq!(all, full);
                prop_assert_eq!(count, full.len() as usize);
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
        let mut actions = 0;
        for input in script.inputs {
            let Input::Act(_, action) = input else {
                let Input::Draw(drawn) = input else { continue };
                game.draw(drawn).unwrap();
                continue;
            };
            let finished = game.finished_rounds();
            let wanted = |game: &Game| match (game.finished_rounds() > finished, game.outcome()) {
                (_, Some(_)) => Progress::GameOver,
                (true, None) => Progress::RoundOver,
                (false, None) => Progress::Continues,
            };
            prop_assert_eq!(game.play(action).unwrap(), wanted(&game));
            actions += 1;
            prop_assert_eq!(game.at(), actions);
        }
        prop_assert_eq!(actions, Parameters::of(players).actions());
    }

    #[test]
    fn views_round_trip_as_json(players in players(), seed: u64, open: bool) {
        let screens = if open { Screens::Open } else { Screens::Closed };
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
    fn a_record_replays_to_the_same_game(players in players(), seed: u64, cut in 0_usize..100) {
        let (mut record, games) = random_record(players, seed);
        record.actions.truncate(cut);
        let json = serde_json::to_string(&record).unwrap();
        let read = Record::from_json(&json).unwrap();
        prop_assert_eq!(&read, &record);
        let replayed = replay(&read).unwrap();
        prop_assert!(*replayed.game() == games[record.actions.len()], "{}", json);
        let full_game = replayed.full_game();
        let text = serde_json::to_string(&full_game).unwrap();
        prop_assert_eq!(serde_json::from_str::<sultan_rules::domain::FullGame>(&text).unwrap(), full_game.clone());
        prop_assert_eq!(full_game.complete, record.actions.len() == usize::from(Parameters::of(players).actions()));
        prop_assert_eq!(full_game.outcome.is_some(), full_game.complete);
        let actions = full_game.rounds.iter().map(|round| usize::from(round.offer.is_some()) + round.bids.len()).sum::<usize>();
        prop_assert_eq!(actions, record.actions.len());
    }

    #[test]
    fn public_recall_equals_what_open_screens_show(players in players(), seed: u64) {
        let moments = Script::random(players, Screens::Open, seed).moments();
        for observer in Observer::all(players) {
            for at in 0..moments.len() {
                let memory = recall(&moments[..=at], observer);
                let open = moments[at].game.view(Observer::Public);
                for seen in &open.seats {
                    prop_assert_eq!(Some(memory.collection(seen.seat)), seen.collection);
                    prop_assert_eq!(Some(memory.played(seen.seat)), seen.played);
                }
                prop_assert_eq!(memory.rounds().last().copied(), open.last_round);
            }
        }
    }

    #[test]
    fn rule_5_5_rank_is_one_plus_the_number_of_better_players(counts in proptest::collection::vec(proptest::array::uniform5(0_u8..4), 5), players in players()) {
        let collection = |seat: Seat| -> Collection { Jewels::new(counts[seat.index()]).unwrap() };
        let outcome = sultan_rules::outcome(&Parameters::of(players), collection);
        let better = |a: &Place, b: &Place| a.points > b.points || (a.points == b.points && a.count > b.count);
        for place in outcome.places {
            let ahead = outcome.places.iter().filter(|other| better(other, &place)).count();
            prop_assert_eq!(usize::from(place.rank), ahead + 1);
        }
    }
}
