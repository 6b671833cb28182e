//! Tests of the numbered rules of docs/rules.md about the course of a game. Rules about parameters, settling and
//! scoring are tested in the modules that implement them.

use sultan_rules::domain::{
    Action, BadParameters, BySeat, CardsInOrder, Drawn, Illegal, Jewel, Jewels, MoneyCard, Observer, Parameters,
    Players, Screens, Seat,
};
use sultan_rules::{BadDraw, BadSetup, FastRng, Game, Pending, Setup};
use sultan_testkit::{action_space, play_action, random_moments, view_text};

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn drawn(letters: &str) -> Drawn {
    let jewels: Vec<Jewel> = letters.chars().map(|letter| Jewel::from_letter(letter).unwrap()).collect();
    Drawn::new(&jewels).unwrap()
}

/// A game in which all decks are sorted, with the lowest card on top, and seat 0 is the first player. So every first
/// hand is 1 to 5; with two players 1 to 4, each twice.
fn sorted_game(players: u8) -> Game {
    let parameters = Parameters::of(Players::new(players).unwrap());
    let deck: CardsInOrder = parameters.full_set().iter().collect();
    let setup = Setup { parameters, first_seat: seat(0), screens: Screens::Closed, decks: BySeat([deck; 5]) };
    Game::new(&setup).unwrap()
}

/// Plays actions in text form, with draws before the offers: `draw:RYBW RYB 1@1 …`.
fn play(game: &mut Game, actions: &str) {
    for word in actions.split_whitespace() {
        match word.strip_prefix("draw:") {
            Some(letters) => game.draw(drawn(letters)).unwrap(),
            None => _ = game.play(word.parse().unwrap()).unwrap_or_else(|illegal| panic!("{word}: {illegal}")),
        }
    }
}

/// The error for an action of the seat to act.
fn error_of(game: &Game, action: &str) -> Illegal {
    let seat = game.to_act().unwrap();
    play_action(game, seat, action.parse().unwrap()).unwrap_err()
}

/// The values of the cards in a seat's hand.
fn hand(game: &Game, number: u8) -> Vec<u8> {
    game.hand(seat(number)).iter().map(MoneyCard::value).collect()
}

#[test]
fn rule_1_3_board_has_two_cushions_with_three_players_else_three() {
    for (players, cushions, draw) in [(2, 3, "WRYG"), (3, 2, "WRY"), (4, 3, "WRYG"), (5, 3, "WRYG")] {
        let mut game = sorted_game(players);
        let Pending::Chance(due) = game.pending() else { panic!("a draw is due") };
        assert_eq!(usize::from(due.jewels), cushions + 1);
        game.draw(drawn(draw)).unwrap();
        let offer = game.legal().nth(0).unwrap();
        assert_eq!(offer.to_string().len(), cushions);
        game.play(offer).unwrap();
        assert_eq!(game.view(Observer::Public).offer.len(), cushions);
        if cushions == 2 {
            assert_eq!(error_of(&game, "1@3").code(), "bid/no-such-cushion");
        }
    }
}

#[test]
fn rule_2_1_only_seats_at_the_table_can_be_first_or_act() {
    let parameters = Parameters::of(Players::new(3).unwrap());
    let deck: CardsInOrder = parameters.full_set().iter().collect();
    let setup = Setup { parameters, first_seat: seat(3), screens: Screens::Closed, decks: BySeat([deck; 5]) };
    assert_eq!(Game::new(&setup).unwrap_err(), BadSetup::FirstSeat(seat(3)));
    let mut game = sorted_game(3);
    play(&mut game, "draw:WRY");
    assert_eq!(play_action(&game, seat(4), "WR".parse().unwrap()).unwrap_err(), Illegal::NoSuchSeat(seat(4)));
}

#[test]
fn setup_with_invalid_parameters_is_rejected() {
    let parameters = Parameters { rounds_per_stage: 0, ..Parameters::of(Players::new(3).unwrap()) };
    let deck: CardsInOrder = parameters.full_set().iter().collect();
    let setup = Setup { parameters, first_seat: seat(0), screens: Screens::Closed, decks: BySeat([deck; 5]) };
    assert_eq!(Game::new(&setup).unwrap_err(), BadSetup::Parameters(BadParameters::Rounds));
}

#[test]
fn rule_2_2_and_2_3_every_deck_is_the_full_set() {
    for players in Players::ALL {
        let parameters = Parameters::of(players);
        let full_deck: CardsInOrder = parameters.full_set().iter().collect();
        // Starts a game in which seat 1 has this deck.
        let game_with = |deck: CardsInOrder| {
            let mut decks = BySeat([full_deck; 5]);
            decks[seat(1)] = deck;
            Game::new(&Setup { parameters, first_seat: seat(0), screens: Screens::Closed, decks })
        };
        assert!(game_with(full_deck).is_ok());
        let mut one_card_short = full_deck;
        one_card_short.pop();
        // The first card is replaced by a second (with two players third) copy of another card.
        let mut with_duplicate = full_deck;
        with_duplicate[0] = with_duplicate[full_deck.len() - 1];
        for wrong_deck in [one_card_short, with_duplicate, CardsInOrder::new()] {
            assert_eq!(game_with(wrong_deck).unwrap_err(), BadSetup::Deck(seat(1)));
        }
    }
}

#[test]
fn rule_2_3_deck_with_a_card_above_12_is_rejected_with_two_players() {
    let parameters = Parameters::of(Players::new(2).unwrap());
    let full_deck: CardsInOrder = parameters.full_set().iter().collect();
    let mut decks = BySeat([full_deck; 5]);
    decks[seat(1)][0] = MoneyCard::new(15).unwrap();
    let setup = Setup { parameters, first_seat: seat(0), screens: Screens::Closed, decks };
    assert_eq!(Game::new(&setup).unwrap_err(), BadSetup::Deck(seat(1)));
}

#[test]
fn rule_2_4_all_jewels_start_in_the_pouch() {
    for players in [2, 3, 4, 5] {
        assert_eq!(sorted_game(players).pouch().counts().0, [12, 11, 10, 9, 8]);
    }
}

#[test]
fn rule_2_5_the_chosen_first_seat_is_first() {
    for players in Players::ALL {
        for seat in players.seats() {
            let game = Game::shuffled(Parameters::of(players), seat, Screens::Closed, &mut FastRng::new(1));
            assert_eq!(game.first_seat(), seat);
        }
    }
}

#[test]
fn rule_3_1_and_5_1_fifteen_rounds_in_three_stages_or_twelve_with_two_players() {
    for (players, rounds, per_stage) in [(2, 12, 4), (3, 15, 5), (4, 15, 5), (5, 15, 5)] {
        let moments = random_moments(Players::new(players).unwrap(), 3);
        let draws = moments.iter().filter(|moment| matches!(moment.game.pending(), Pending::Chance(_))).count();
        assert_eq!(draws, rounds);
        let finished_game = moments.last().unwrap().game;
        assert!(matches!(finished_game.pending(), Pending::Over(_)));
        let last_round = finished_game.last_round().unwrap();
        assert_eq!((last_round.stage.0, last_round.round.0), (3, per_stage));
        for seat in finished_game.parameters().players.seats() {
            assert!(finished_game.hand(seat).is_empty() && finished_game.deck(seat).is_empty());
        }
    }
}

#[test]
fn rule_3_2_cards_are_taken_at_the_start_of_a_stage_only_and_from_the_top() {
    for (players, first_hand, second_hand) in [
        (4, vec![1, 2, 3, 4, 5], vec![6, 7, 8, 9, 10]),
        (2, vec![1, 1, 2, 2, 3, 3, 4, 4], vec![5, 5, 6, 6, 7, 7, 8, 8]),
    ] {
        let mut game = sorted_game(players);
        assert_eq!(hand(&game, 0), first_hand);
        let mut rng = FastRng::new(5);
        let mut hand_size = first_hand.len();
        loop {
            if !game.draw_with(&mut rng) {
                game.play(game.legal().pick(&mut rng).unwrap()).unwrap();
            }
            if game.round_index() == game.parameters().rounds_per_stage {
                break;
            }
            assert!(hand(&game, 0).len() <= hand_size, "no cards are taken during a stage");
            hand_size = hand(&game, 0).len();
        }
        assert_eq!(hand(&game, 0), second_hand, "the second stage has begun");
    }
}

#[test]
fn rule_3_3_a_stage_ends_when_all_hands_are_empty() {
    for players in Players::ALL {
        let moments = random_moments(players, 11);
        for pair in moments.windows(2) {
            let (before, after) = (&pair[0].game, &pair[1].game);
            let stage = |game: &Game| game.round_index() / game.parameters().rounds_per_stage;
            if stage(before) == stage(after) {
                continue;
            }
            // The action that ended the stage was the bid of the last card in all hands.
            let cards_in_hands: u32 = players.seats().map(|seat| before.hand(seat).len()).sum();
            assert_eq!(cards_in_hands, 1);
        }
    }
}

#[test]
fn rule_4_1_first_player_offers_from_the_drawn_jewels() {
    let mut game = sorted_game(4);
    play(&mut game, "draw:RRYW");
    assert_eq!(game.to_act(), Some(seat(0)));
    assert_eq!(error_of(&game, "RYB"), Illegal::JewelNotDrawn(Jewel::Blue));
    assert_eq!(error_of(&game, "RRR"), Illegal::JewelNotDrawn(Jewel::Red));
    assert_eq!(error_of(&game, "RY"), Illegal::WrongNumberOfJewels { offered: 2, needed: 3 });
    assert_eq!(error_of(&game, "1@1"), Illegal::OfferDue);
    for offer in ["RRY", "RYR", "YRR", "RYW", "WYR", "RRW"] {
        let offered = play_action(&game, seat(0), offer.parse().unwrap()).unwrap();
        assert_eq!(offered.offer().to_string(), offer);
    }
    let mut three_player_game = sorted_game(3);
    play(&mut three_player_game, "draw:RYB");
    assert_eq!(error_of(&three_player_game, "RYB"), Illegal::WrongNumberOfJewels { offered: 3, needed: 2 });
}

#[test]
fn rule_4_1_jewel_put_back_can_be_drawn_in_the_next_round() {
    // The game has eight blue jewels. Four are drawn in each round, which is possible only if jewels that are put back
    // are in the pouch at once.
    let mut game = sorted_game(4);
    play(&mut game, "draw:BBBB");
    assert_eq!(game.pouch().count(Jewel::Blue), 4);
    play(&mut game, "BBB");
    assert_eq!(game.pouch().count(Jewel::Blue), 5, "put back before any bid");
    play(&mut game, "1@1 1@1 1@1 1@1");
    assert_eq!(game.pouch().count(Jewel::Blue), 7, "one was won, two got no bid");
    play(&mut game, "draw:BBBB BBB 2@1 2@2 2@3 2@3 draw:BBBB BBB");
    assert_eq!(game.pouch().count(Jewel::Blue), 1);
}

#[test]
fn rule_4_1_jewels_that_are_not_in_the_pouch_cannot_be_drawn() {
    let mut game = sorted_game(4);
    assert_eq!(game.draw(drawn("BBB")), Err(BadDraw::NotInPouch), "the number of jewels is wrong");
    play(&mut game, "draw:BBBB BBB 1@1 1@2 1@3 1@3 draw:BBBB BBB 2@1 2@2 2@3 2@3");
    assert_eq!(game.pouch().count(Jewel::Blue), 2);
    assert_eq!(game.draw(drawn("BBBW")), Err(BadDraw::NotInPouch));
    play(&mut game, "draw:BBWW");
    assert_eq!(game.draw(drawn("WWWW")), Err(BadDraw::NotDue));
}

#[test]
fn rule_4_2_each_player_bids_once_to_the_left_and_must_not_pass() {
    for players in [3, 4, 5] {
        let mut game = sorted_game(players);
        let draw_and_offer = if players == 3 { "draw:WRY WR" } else { "draw:WRYG WRY" };
        play(&mut game, draw_and_offer);
        for number in 0..players {
            assert_eq!(game.to_act(), Some(seat(number)));
            assert!(!game.legal().is_empty());
            let next_seat = seat((number + 1) % players);
            let bid_out_of_turn = play_action(&game, next_seat, "1@1".parse().unwrap());
            assert_eq!(bid_out_of_turn.unwrap_err(), Illegal::NotYourTurn { to_act: seat(number) });
            assert_eq!(error_of(&game, "6@1"), Illegal::CardNotInHand(MoneyCard::new(6).unwrap()));
            assert_eq!(error_of(&game, "WRY"), Illegal::BidDue);
            // All seats bid on the same cushion, which is allowed.
            play(&mut game, "1@1");
        }
        assert!(matches!(game.pending(), Pending::Chance(_)), "after one card each, the next draw is due");
        assert_eq!(play_action(&game, seat(1), "1@1".parse().unwrap()).unwrap_err(), Illegal::DrawDue);
    }
}

#[test]
fn rule_4_3_with_two_players_two_cards_each_on_different_cushions() {
    let mut game = sorted_game(2);
    play(&mut game, "draw:WRYG WRY 1@1 1@1");
    assert_eq!(game.to_act(), Some(seat(0)));
    assert_eq!(error_of(&game, "1@1").code(), "bid/own-card-there");
    assert_eq!(error_of(&game, "2@1").code(), "bid/own-card-there");
    assert_eq!(error_of(&game, "2@1").rule(), "4.3");
    play(&mut game, "1@2");
    assert_eq!(game.to_act(), Some(seat(1)));
    assert_eq!(error_of(&game, "2@1").code(), "bid/own-card-there");
    play(&mut game, "2@3");
    let round = game.last_round().unwrap();
    let order: Vec<u8> = round.bids.iter().map(|bid| bid.seat.number()).collect();
    assert_eq!(order, [0, 1, 0, 1]);
}

#[test]
fn rule_4_5_each_cushion_is_settled_and_a_jewel_without_bids_returns_to_the_pouch() {
    let mut game = sorted_game(4);
    play(&mut game, "draw:WRYG WRY 1@1 2@1 3@2 4@1");
    assert_eq!(game.collection(seat(3)), Jewels::one(Jewel::White));
    assert_eq!(game.collection(seat(2)), Jewels::one(Jewel::Red));
    assert_eq!(game.pouch().count(Jewel::Yellow), 10, "no seat bid for it");
    assert_eq!(game.last_round().unwrap().winners.unwrap().as_slice(), [Some(seat(3)), Some(seat(2)), None]);
}

#[test]
fn rule_4_6_and_4_7_ties_in_a_whole_round() {
    let mut four_player_game = sorted_game(4);
    // Seat 0 placed its 5 before the other two seats with a 5.
    play(&mut four_player_game, "draw:WRYG WRY 5@1 5@1 4@1 5@1");
    assert_eq!(four_player_game.collection(seat(0)), Jewels::one(Jewel::White));
    let mut two_player_game = sorted_game(2);
    // On cushion 2 the card of seat 1 is placed first. With two players the first player of the round, seat 0, wins
    // ties.
    play(&mut two_player_game, "draw:WRYG WRY 1@1 2@2 2@2 1@1");
    assert_eq!(two_player_game.collection(seat(0)).len(), 2);
    // In the second round seat 1 is the first player and wins both ties.
    play(&mut two_player_game, "draw:WRYG WRY 3@1 4@2 4@2 3@1");
    assert_eq!(two_player_game.collection(seat(1)).len(), 2);
}

#[test]
fn rule_4_8_played_cards_leave_the_game() {
    let mut game = sorted_game(4);
    play(&mut game, "draw:WRYG WRY 1@1 2@1 3@2 4@1");
    assert_eq!(hand(&game, 0), [2, 3, 4, 5]);
    assert_eq!(game.played(seat(0)).iter().map(|card| card.value()).collect::<Vec<_>>(), [1]);
    play(&mut game, "draw:WRYG WRY");
    assert_eq!(error_of(&game, "2@1").code(), "bid/card-not-in-hand", "seat 1 has played its 2");
}

#[test]
fn rule_4_9_left_neighbour_is_the_next_first_player_even_if_a_new_stage_begins() {
    for players in Players::ALL {
        let games: Vec<Game> = random_moments(players, 4).into_iter().map(|moment| moment.game).collect();
        let starts_round = |game: &&Game| matches!(game.pending(), Pending::Chance(_));
        let first_seats: Vec<Seat> = games.iter().filter(starts_round).map(Game::first_seat).collect();
        assert_eq!(first_seats.len(), usize::from(Parameters::of(players).rounds()));
        assert!(first_seats.windows(2).all(|pair| pair[1] == pair[0].left_neighbour(players)));
    }
}

#[test]
fn rule_5_1_actions_after_the_end_are_rejected() {
    for players in Players::ALL {
        let mut game = random_moments(players, 9).last().unwrap().game;
        for action in action_space() {
            for seat in players.seats() {
                assert_eq!(play_action(&game, seat, action).unwrap_err(), Illegal::GameOver);
            }
        }
        assert!(game.legal().is_empty());
        assert_eq!(game.draw(drawn("WWWW")).unwrap_err(), BadDraw::NotDue, "a draw is rejected too");
    }
}

#[test]
fn rule_6_4_a_game_has_a_fixed_number_of_decisions() {
    for (players, decisions) in [(2, 60), (3, 60), (4, 75), (5, 90)] {
        for seed in 0..20 {
            let finished_game = random_moments(Players::new(players).unwrap(), seed).last().unwrap().game;
            assert_eq!(finished_game.action_count(), decisions);
        }
    }
}

#[test]
fn rule_4_4_and_7_1_to_7_4_only_the_bidder_sees_the_card_of_a_bid() {
    let mut game = sorted_game(4);
    play(&mut game, "draw:WRYG WRY 5@2");
    let bidders_view = view_text(&game.view(Observer::Seat(seat(0))));
    let other_view = view_text(&game.view(Observer::Seat(seat(1))));
    assert!(bidders_view.contains("(1 seat 0 card 5)"), "{bidders_view}");
    assert!(other_view.contains("(1 seat 0)") && !other_view.contains("card"), "{other_view}");
    assert!(other_view.contains("0: hand 4, deck 10\n"), "{other_view}");
    assert!(other_view.contains("drawn WRYG"), "{other_view}");
}

#[test]
fn rule_1_4_and_7_5_to_7_7_closed_screens_hide_collections_and_cards() {
    let parameters = Parameters::of(Players::new(4).unwrap());
    let deck: CardsInOrder = parameters.full_set().iter().collect();
    for screens in [Screens::Closed, Screens::Open] {
        let setup = Setup { parameters, first_seat: seat(0), screens, decks: BySeat([deck; 5]) };
        let mut game = Game::new(&setup).unwrap();
        play(&mut game, "draw:WRYG WRY 1@1 2@1 3@2 4@1 draw:WRYG WRY 1@1 1@1");
        for observer in Observer::all(parameters.players) {
            let view = game.view(observer);
            for seat_view in &view.seats {
                let is_visible = screens == Screens::Open || observer == Observer::Seat(seat_view.seat);
                assert_eq!((seat_view.collection.is_some(), seat_view.played.is_some()), (is_visible, is_visible));
            }
            let last_round = view.last_round.unwrap();
            assert_eq!(last_round.bids.len(), 4, "all cards of the last finished round are visible");
            assert_eq!(last_round.winners.unwrap().len(), 3);
        }
    }
}

#[test]
fn illegal_action_has_a_stable_code_and_a_rule() {
    let action = |text: &str| text.parse::<Action>().unwrap();
    let mut game = sorted_game(2);
    assert_eq!(play_action(&game, seat(0), action("WRY")).unwrap_err().code(), "draw/due");
    play(&mut game, "draw:WRYG");
    let before = game;
    let codes = [
        (play_action(&game, seat(0), action("1@1")), "offer/due", "4.1"),
        (play_action(&game, seat(0), action("WR")), "offer/wrong-number", "4.1"),
        (play_action(&game, seat(0), action("WRB")), "offer/jewel-not-drawn", "4.1"),
        (play_action(&game, seat(1), action("WRY")), "turn/not-yours", "4.1-4.3"),
        (play_action(&game, seat(2), action("WRY")), "seat/not-at-table", "2.1"),
    ];
    for (result, code, rule) in codes {
        let illegal = result.unwrap_err();
        assert_eq!((illegal.code(), illegal.rule()), (code, rule));
        assert!(!illegal.to_string().is_empty());
    }
    assert!(game == before);
}
