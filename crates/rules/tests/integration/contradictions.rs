//! [`imagine`] rejects a view or a recall with one changed part, and names the right [`Contradiction`].

use sultan_rules::domain::{
    Cards, Cushion, Drawn, Jewel, Jewels, Observer, Offer, Outcome, Parameters, Players, Recall, Round, RoundRecord,
    Screens, Seat, Stage, View, ViewError, ViewPhase,
};
use sultan_rules::{Contradiction, FastRng, imagine, winners};
use sultan_testkit::{Moment, Script, recall, round_text};

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

/// The view and the recall of seat 1 in the sixth round of a random game, after two bids.
fn mid_game_view(players: u8, seed: u64) -> (View, Recall) {
    let moments = Script::random(Players::new(players).unwrap(), Screens::Closed, seed).moments();
    let is_middle = |moment: &Moment| moment.game.round_index() == 5 && moment.game.bids().len() == 2;
    let middle = moments.iter().position(is_middle).unwrap();
    let observer = Observer::Seat(seat(1));
    (moments[middle].game.view(observer), recall(&moments[..=middle], observer))
}

/// The contradiction in a view and a recall of these rounds.
fn contradiction_in(view: &View, rounds: Vec<RoundRecord>) -> Option<Contradiction> {
    imagine(view, &Recall::of(rounds).unwrap(), &mut FastRng::new(1)).err()
}

/// Changes one of the first four rounds of a recall at a time, and asserts that the error names the changed round. (The
/// fifth and last finished round is also in the view.)
fn assert_changed_round_is_rejected(players: u8, change: impl Fn(&Parameters, &mut RoundRecord)) {
    for seed in 0..8 {
        let (view, recall) = mid_game_view(players, seed);
        assert_eq!(contradiction_in(&view, recall.rounds().to_vec()), None);
        for index in 0..4 {
            let mut rounds = recall.rounds().to_vec();
            let valid = rounds[index];
            change(&view.parameters, &mut rounds[index]);
            assert_ne!(rounds[index], valid, "the round is changed");
            let expected = Contradiction::Round { stage: valid.stage, round: valid.round };
            assert_eq!(contradiction_in(&view, rounds), Some(expected), "{}", round_text(&valid));
        }
    }
}

/// Recomputes the winners after a change of the bids, so that the round is invalid only because of the change.
fn update_winners(parameters: &Parameters, round: &mut RoundRecord) {
    let winners = winners(parameters, round.first_seat, &round.bids);
    round.winners = Some(winners.0.into_iter().take(usize::from(parameters.cushions)).collect());
}

#[test]
fn round_with_a_wrong_winner_is_rejected() {
    for players in 2..=5 {
        assert_changed_round_is_rejected(players, |parameters, round| {
            let winner = &mut round.winners.as_mut().unwrap()[0];
            *winner = Some(winner.map_or(seat(0), |seat| seat.left_neighbour(parameters.players)));
        });
        assert_changed_round_is_rejected(players, |_, round| {
            let winner = round.winners.as_mut().unwrap().iter_mut().find(|winner| winner.is_some());
            *winner.unwrap() = None;
        });
        assert_changed_round_is_rejected(players, |_, round| _ = round.winners.as_mut().unwrap().pop());
    }
}

#[test]
fn round_with_wrong_jewels_is_rejected() {
    for players in 2..=5 {
        assert_changed_round_is_rejected(players, |_, round| {
            round.put_back = Jewel::ALL.into_iter().find(|&jewel| round.put_back != Some(jewel));
        });
        assert_changed_round_is_rejected(players, |_, round| round.put_back = None);
        assert_changed_round_is_rejected(players, |_, round| round.offer = None);
        assert_changed_round_is_rejected(players, |_, round| round.drawn = Drawn::default());
        // One jewel fewer is drawn and offered. One is still put back, but one cushion stays empty.
        assert_changed_round_is_rejected(players, |_, round| {
            let mut jewels: Vec<Jewel> = round.offer.unwrap().iter().collect();
            jewels.pop();
            round.offer = Offer::new(&jewels);
            jewels.extend(round.put_back);
            round.drawn = Drawn::new(&jewels).unwrap();
        });
    }
}

#[test]
fn rule_4_2_round_with_bids_out_of_turn_is_rejected() {
    for players in 2..=5 {
        assert_changed_round_is_rejected(players, |parameters, round| {
            (round.bids[0].seat, round.bids[1].seat) = (round.bids[1].seat, round.bids[0].seat);
            update_winners(parameters, round);
        });
        assert_changed_round_is_rejected(players, |parameters, round| {
            round.bids.pop();
            update_winners(parameters, round);
        });
        assert_changed_round_is_rejected(players, |parameters, round| {
            round.first_seat = round.first_seat.left_neighbour(parameters.players);
        });
    }
}

#[test]
fn rule_1_3_bid_on_a_cushion_not_on_the_board_is_rejected() {
    assert_changed_round_is_rejected(3, |parameters, round| {
        // The bid that is moved is a losing bid, so the winners stay the same.
        let winners = winners(parameters, round.first_seat, &round.bids);
        let losing_bid = round.bids.iter_mut().find(|bid| winners[bid.cushion] != Some(bid.seat)).unwrap();
        losing_bid.cushion = Cushion::new(3).unwrap();
    });
}

#[test]
fn rule_4_3_round_with_two_cards_of_a_seat_on_one_cushion_is_rejected() {
    assert_changed_round_is_rejected(2, |parameters, round| {
        round.bids[2].cushion = round.bids[0].cushion;
        update_winners(parameters, round);
    });
}

#[test]
fn rule_4_9_round_with_a_wrong_first_seat_is_rejected() {
    for players in 2..=5 {
        assert_changed_round_is_rejected(players, |parameters, round| {
            // All bids are given to the left neighbour too, so the round by itself is possible.
            round.first_seat = round.first_seat.left_neighbour(parameters.players);
            round.bids.iter_mut().for_each(|bid| bid.seat = bid.seat.left_neighbour(parameters.players));
            update_winners(parameters, round);
        });
    }
}

#[test]
fn recall_with_a_round_that_is_not_finished_or_does_not_exist_is_rejected() {
    // The view is in the first round of the second stage, so rounds from (2, 1) on are not finished. No game has the
    // last three rounds of this list.
    let (view, recall) = mid_game_view(4, 1);
    for (stage, round) in [(2, 1), (2, 2), (3, 5), (4, 1), (0, 1), (1, 6)] {
        let mut rounds = recall.rounds().to_vec();
        (rounds[0].stage, rounds[0].round) = (Stage(stage), Round(round));
        let expected = Contradiction::Round { stage: Stage(stage), round: Round(round) };
        assert_eq!(contradiction_in(&view, rounds), Some(expected));
    }
}

#[test]
fn recall_that_differs_from_the_view_in_the_last_round_is_rejected() {
    let (view, recall) = mid_game_view(4, 1);
    let mut rounds = recall.rounds().to_vec();
    let last = rounds.last_mut().unwrap();
    last.bids[0].card = last.bids[1].card;
    let expected = Contradiction::Round { stage: last.stage, round: last.round };
    assert_eq!(contradiction_in(&view, rounds), Some(expected));
}

#[test]
fn view_that_contradicts_itself_or_the_recall_is_rejected() {
    let (view, recall) = mid_game_view(4, 8);
    let error_after = |change: &dyn Fn(&mut View)| {
        let mut changed = view.clone();
        change(&mut changed);
        contradiction_in(&changed, recall.rounds().to_vec())
    };
    let not_a_view = |error| Some(Contradiction::View(error));
    assert_eq!(error_after(&|_| {}), None);
    assert_eq!(error_after(&|view| view.action_count += 1), Some(Contradiction::Turn));
    assert_eq!(error_after(&|view| view.round.0 += 1), Some(Contradiction::Turn));
    assert_eq!(error_after(&|view| view.stage.0 = 9), not_a_view(ViewError::StageOrRound));
    assert_eq!(error_after(&|view| view.last_round = None), not_a_view(ViewError::LastRound));
    assert_eq!(error_after(&|view| view.hand = Cards::full(15, 1)), not_a_view(ViewError::Hand));
    assert_eq!(error_after(&|view| _ = view.seats.pop()), not_a_view(ViewError::Seats));
    assert_eq!(error_after(&|view| view.outcome = Some(Outcome::default())), not_a_view(ViewError::Outcome));
    assert_eq!(error_after(&|view| view.screens = Screens::Open), not_a_view(ViewError::Visibility));
    assert_eq!(error_after(&|view| view.seats[0].collection = Some(Jewels::NONE)), not_a_view(ViewError::Visibility));
    assert_eq!(error_after(&|view| view.seats[2].hand += 1), Some(Contradiction::Cards(seat(2))));
    assert_eq!(error_after(&|view| view.seats[2].deck -= 1), Some(Contradiction::Cards(seat(2))));
    // The observer is seat 1. A played card is in hand again, another card was played, or a played card is missing.
    let played_card = view.seats[1].played.unwrap()[0];
    let held_card = view.hand.nth_value(0).unwrap();
    let hand_with_played_card: Cards = view.hand.iter().skip(1).chain([played_card]).collect();
    let wrong_hand = |view: &mut View| view.hand = hand_with_played_card;
    let other_card_played = |view: &mut View| view.seats[1].played.as_mut().unwrap()[0] = held_card;
    let fewer_cards_played = |view: &mut View| _ = view.seats[1].played.as_mut().unwrap().pop();
    let changes: [&dyn Fn(&mut View); 3] = [&wrong_hand, &other_card_played, &fewer_cards_played];
    assert!(changes.into_iter().all(|change| error_after(change) == Some(Contradiction::Cards(seat(1)))));
}

#[test]
fn collection_that_does_not_match_the_recall_is_rejected() {
    let has_jewels = |view: &View| view.seats[1].collection.is_some_and(|collection| !collection.is_empty());
    let (view, recall) = (0..20).map(|seed| mid_game_view(4, seed)).find(|(view, _)| has_jewels(view)).unwrap();
    let error_with = |collection: Jewels, rounds: &[RoundRecord]| {
        let mut changed = view.clone();
        changed.seats[1].collection = Some(collection);
        contradiction_in(&changed, rounds.to_vec())
    };
    let collection = view.seats[1].collection.unwrap();
    let rounds = recall.rounds();
    assert_eq!(error_with(collection, rounds), None);
    assert_eq!(error_with(Jewels::NONE, rounds), Some(Contradiction::Jewels), "fewer jewels than were won");
    let one_more = collection.with(Jewels::one(Jewel::White));
    assert_eq!(error_with(one_more, rounds), Some(Contradiction::Jewels), "more jewels than were won");
}

#[test]
fn collection_of_more_jewels_than_can_be_won_is_rejected() {
    let (view, _) = mid_game_view(4, 8);
    // All rounds but the last, which is in the view, are forgotten.
    let error_with = |collection: Jewels| {
        let mut changed = view.clone();
        changed.seats[1].collection = Some(collection);
        contradiction_in(&changed, Vec::new())
    };
    assert_eq!(error_with("W13".parse().unwrap()), Some(Contradiction::Jewels), "the game has twelve white jewels");
    // At most fifteen jewels were won in the five finished rounds. The other seats won some of them in the last round.
    let last_round = view.last_round.unwrap();
    let other_seats = view.parameters.players.seats().filter(|&other| other != seat(1));
    let won_by_others: u32 = other_seats.map(|other| last_round.won_by(other).len()).sum();
    let whites_and_reds = [Jewel::White, Jewel::Red].into_iter().cycle();
    let jewels = last_round.won_by(seat(1)).iter().chain(whites_and_reds);
    let largest: Jewels = jewels.take(15 - won_by_others as usize).collect();
    assert_eq!(error_with(largest), None);
    assert_eq!(error_with(largest.with(Jewels::one(Jewel::Yellow))), Some(Contradiction::Jewels));
}

#[test]
fn outcome_that_does_not_match_the_collections_is_rejected() {
    for players in Players::ALL {
        let moments = Script::random(players, Screens::Closed, 3).moments();
        let game = moments.last().unwrap().game;
        for observer in Observer::all(players) {
            let view = game.view(observer);
            assert_eq!(view.phase, ViewPhase::Over);
            let error_after = |change: &dyn Fn(&mut Outcome)| {
                let mut changed = view.clone();
                change(changed.outcome.as_mut().unwrap());
                contradiction_in(&changed, Vec::new())
            };
            assert_eq!(error_after(&|_| {}), None);
            assert_eq!(error_after(&|outcome| outcome.places[0].points += 1), Some(Contradiction::Outcome));
            assert_eq!(error_after(&|outcome| outcome.places[1].rank ^= 1), Some(Contradiction::Outcome));
            assert_eq!(error_after(&|outcome| _ = outcome.places.pop()), Some(Contradiction::Outcome));
        }
    }
}
