//! Tests of the numbered rules of docs/rules.md on the course of a game, by number. Rules on parameters, settling and
//! scoring alone are tested beside that code.

use sultan_rules::domain::{
    Action, BadParameters, BySeat, CardsInOrder, Drawn, Illegal, Jewel, Jewels, MoneyCard, Observer, Parameters,
    Players, Screens, Seat,
};
use sultan_rules::{BadDraw, BadSetup, Game, Pending, Quick, Setup};
use sultan_testkit::{action_space, play_action, random_moments};

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

fn drawn(letters: &str) -> Drawn {
    let jewels: Vec<Jewel> = letters.chars().map(|letter| Jewel::from_letter(letter).unwrap()).collect();
    Drawn::new(&jewels).unwrap()
}

/// A game with sorted decks, 1 on top, and seat 0 as the first player.
fn sorted_game(players: u8) -> Game {
    let parameters = Parameters::of(Players::new(players).unwrap());
    let deck: CardsInOrder = parameters.full_set().iter().collect();
    let setup = Setup { parameters, first_seat: seat(0), screens: Screens::Closed, decks: BySeat([deck; 5]) };
    Game::new(&setup).unwrap()
}

/// Plays actions in text form, with draws before the offers: `draw:RYBW RYB 1@1 …`.
fn play(game: &mut Game, script: &str) {
    for word in script.split_whitespace() {
        match word.strip_prefix("draw:") {
            Some(letters) => game.draw(drawn(letters)).unwrap(),
            None => _ = game.play(word.parse().unwrap()).unwrap_or_else(|illegal| panic!("{word}: {illegal}")),
        }
    }
}

fn error_of(game: &Game, action: &str) -> Illegal {
    let seat = game.to_act().unwrap();
    play_action(game, seat, action.parse().unwrap()).unwrap_err()
}

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
    let other = Setup { parameters: Parameters { rounds_per_stage: 0, ..parameters }, first_seat: seat(0), ..setup };
    assert_eq!(Game::new(&other).unwrap_err(), BadSetup::Parameters(BadParameters::Rounds));
    let mut game = sorted_game(3);
    play(&mut game, "draw:WRY");
    assert_eq!(play_action(&game, seat(4), "WR".parse().unwrap()).unwrap_err(), Illegal::NoSuchSeat(seat(4)));
}

#[test]
fn rule_2_2_and_2_3_every_deck_is_the_full_set() {
    for players in Players::ALL {
        let parameters = Parameters::of(players);
        let full: CardsInOrder = parameters.full_set().iter().collect();
        let game_with = |deck: CardsInOrder| {
            let mut decks = BySeat([full; 5]);
            decks[seat(1)] = deck;
            Game::new(&Setup { parameters, first_seat: seat(0), screens: Screens::Closed, decks })
        };
        assert!(game_with(full).is_ok());
        let mut short = full;
        short.pop();
        let mut doubled = full;
        doubled[0] = doubled[23 % full.len()];
        for wrong in [short, doubled, CardsInOrder::new()] {
            assert_eq!(game_with(wrong).unwrap_err(), BadSetup::Deck(seat(1)));
        }
        let mut foreign = full;
        foreign[0] = MoneyCard::new(15).unwrap();
        assert_eq!(game_with(foreign).unwrap_err(), BadSetup::Deck(seat(1)));
    }
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
        for first in players.seats() {
            let game = Game::shuffled(Parameters::of(players), first, Screens::Closed, &mut Quick::new(1));
            assert_eq!(game.first_seat(), first);
        }
    }
}

#[test]
fn rule_3_1_and_5_1_fifteen_rounds_in_three_stages_or_twelve_with_two_players() {
    for (players, rounds, per_stage) in [(2, 12, 4), (3, 15, 5), (4, 15, 5), (5, 15, 5)] {
        let moments = random_moments(Players::new(players).unwrap(), 3);
        let draws = moments.iter().filter(|moment| matches!(moment.game.pending(), Pending::Chance(_))).count();
        assert_eq!(draws, rounds);
        let last = moments.last().unwrap().game;
        assert!(matches!(last.pending(), Pending::Over(_)));
        let round = last.last_round().unwrap();
        assert_eq!((round.stage.0, round.round.0), (3, per_stage));
        for seat in last.parameters().players.seats() {
            assert!(last.hand(seat).is_empty() && last.deck(seat).is_empty());
        }
    }
}

#[test]
fn rule_3_2_cards_are_taken_at_the_start_of_a_stage_only_and_from_the_top() {
    for (players, first, second) in [
        (4, vec![1, 2, 3, 4, 5], vec![6, 7, 8, 9, 10]),
        (2, vec![1, 1, 2, 2, 3, 3, 4, 4], vec![5, 5, 6, 6, 7, 7, 8, 8]),
    ] {
        let mut game = sorted_game(players);
        assert_eq!(hand(&game, 0), first);
        let mut chance = Quick::new(5);
        let mut before = first.len();
        while game.round_index() < game.parameters().rounds_per_stage {
            if let Some(action) = game.legal().pick(&mut chance) {
                game.play(action).unwrap();
            } else {
                game.draw_with(&mut chance);
            }
            if game.round_index() < game.parameters().rounds_per_stage {
                assert!(hand(&game, 0).len() <= before, "no cards are drawn during a stage");
                before = hand(&game, 0).len();
            }
        }
        assert_eq!(hand(&game, 0), second);
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
            // Before the action that ended the stage, all hands together had one card.
            let left: u32 = players.seats().map(|seat| before.hand(seat).len()).sum();
            assert_eq!(left, 1);
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
    let mut three = sorted_game(3);
    play(&mut three, "draw:RYB");
    assert_eq!(error_of(&three, "RYB"), Illegal::WrongNumberOfJewels { offered: 3, needed: 2 });
}

#[test]
fn rule_4_1_jewel_put_back_can_be_drawn_in_the_next_round() {
    // Four of the eight blue jewels are drawn in each round, so jewels put back must be in the pouch again at once.
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
    assert_eq!(game.draw(drawn("BBB")), Err(BadDraw::NotInPouch));
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
        let first_offer = if players == 3 { "draw:WRY WR" } else { "draw:WRYG WRY" };
        play(&mut game, first_offer);
        for turn in 0..players {
            assert_eq!(game.to_act(), Some(seat(turn)));
            assert!(!game.legal().is_empty());
            let other = seat((turn + 1) % players);
            let early = play_action(&game, other, "1@1".parse().unwrap()).unwrap_err();
            assert_eq!(early, Illegal::NotYourTurn { to_act: seat(turn) });
            assert_eq!(error_of(&game, "6@1"), Illegal::CardNotInHand(MoneyCard::new(6).unwrap()));
            assert_eq!(error_of(&game, "WRY"), Illegal::BidDue);
            // Earlier bids of other seats on this cushion do not matter.
            play(&mut game, "1@1");
        }
        assert!(matches!(game.pending(), Pending::Chance(_)), "exactly one card each");
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
fn rule_4_5_cushions_are_settled_in_order_and_unsold_jewels_return() {
    let mut game = sorted_game(4);
    play(&mut game, "draw:WRYG WRY 1@1 2@1 3@2 4@1");
    assert_eq!(game.collection(seat(3)), Jewels::one(Jewel::White));
    assert_eq!(game.collection(seat(2)), Jewels::one(Jewel::Red));
    assert_eq!(game.pouch().count(Jewel::Yellow), 10, "no seat bid for it");
    assert_eq!(game.last_round().unwrap().winners.unwrap().as_slice(), [Some(seat(3)), Some(seat(2)), None]);
}

#[test]
fn rule_4_6_and_4_7_ties_in_a_whole_round() {
    let mut four = sorted_game(4);
    play(&mut four, "draw:WRYG WRY 5@1 5@1 4@1 5@1");
    assert_eq!(four.collection(seat(0)), Jewels::one(Jewel::White));
    let mut two = sorted_game(2);
    // Seat 1 places first on cushion 2, but seat 0 is the first player of the round.
    play(&mut two, "draw:WRYG WRY 1@1 2@2 2@2 1@1");
    assert_eq!(two.collection(seat(0)).len(), 2);
    // Now seat 1 is the first player, so it wins the same ties.
    play(&mut two, "draw:WRYG WRY 3@1 4@2 4@2 3@1");
    assert_eq!(two.collection(seat(1)).len(), 2);
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
fn rule_4_9_the_first_player_moves_on_also_across_stages() {
    for players in Players::ALL {
        let moments = random_moments(players, 4);
        let mut firsts: Vec<Seat> = Vec::new();
        for moment in &moments {
            if let Pending::Chance(_) = moment.game.pending() {
                firsts.push(moment.game.first_seat());
            }
        }
        assert_eq!(firsts.len(), usize::from(Parameters::of(players).rounds()));
        assert!(firsts.windows(2).all(|pair| pair[1] == pair[0].left(players)));
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
        assert_eq!(game.draw(drawn("WWWW")).unwrap_err(), BadDraw::NotDue);
    }
}

#[test]
fn rule_6_4_a_game_has_a_fixed_number_of_decisions() {
    for (players, decisions) in [(2, 60), (3, 60), (4, 75), (5, 90)] {
        for seed in 0..20 {
            let last = random_moments(Players::new(players).unwrap(), seed).last().unwrap().game;
            assert_eq!(last.at(), decisions);
        }
    }
}

#[test]
fn rule_4_4_and_7_1_to_7_4_visibility_of_a_bid() {
    let mut game = sorted_game(4);
    play(&mut game, "draw:WRYG WRY 5@2");
    let own = game.view(Observer::Seat(seat(0))).to_string();
    let others = game.view(Observer::Seat(seat(1))).to_string();
    assert!(own.contains("(1 seat 0 card 5)"), "{own}");
    assert!(others.contains("(1 seat 0)") && !others.contains("card"), "{others}");
    assert!(others.contains("0: hand 4, deck 10\n"), "{others}");
    assert!(others.contains("drawn WRYG"), "{others}");
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
            for seen in &view.seats {
                let open = screens == Screens::Open || observer == Observer::Seat(seen.seat);
                assert_eq!((seen.collection.is_some(), seen.played.is_some()), (open, open));
            }
            let last = view.last_round.unwrap();
            assert_eq!(last.bids.len(), 4, "all cards of the last finished round");
            assert_eq!(last.winners.unwrap().len(), 3);
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
