//! Views and memories with one changed part are rejected with the right [`Contradiction`].

use sultan_rules::domain::{
    Cards, Cushion, Drawn, Jewel, Jewels, Observer, Offer, Outcome, Parameters, Players, Recall, Round, RoundRecord,
    Screens, Seat, Stage, View, ViewError, ViewPhase,
};
use sultan_rules::{Contradiction, Quick, imagine, winners};
use sultan_testkit::{Moment, Script, recall};

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

/// The view and the memory of seat 1 in the middle of a random game, during the bids.
fn mid_game_view(players: u8, seed: u64) -> (View, Recall) {
    let moments = Script::random(Players::new(players).unwrap(), Screens::Closed, seed).moments();
    let is_middle = |moment: &Moment| moment.game.round_index() == 5 && moment.game.bids().len() == 2;
    let at = moments.iter().position(is_middle).unwrap();
    let observer = Observer::Seat(seat(1));
    (moments[at].game.view(observer), recall(&moments[..=at], observer))
}

fn error_of(view: &View, rounds: Vec<RoundRecord>) -> Option<Contradiction> {
    imagine(view, &Recall::of(rounds).unwrap(), &mut Quick::new(1)).err()
}

/// Changes each of the earlier rounds of random games in turn, and asserts that the error names that round.
fn assert_rounds_are_rejected(players: u8, change: impl Fn(&Parameters, &mut RoundRecord)) {
    for seed in 0..8 {
        let (view, memory) = mid_game_view(players, seed);
        assert_eq!(error_of(&view, memory.rounds().to_vec()), None);
        for index in 0..4 {
            let mut rounds = memory.rounds().to_vec();
            let before = rounds[index];
            change(&view.parameters, &mut rounds[index]);
            assert_ne!(rounds[index], before, "the round was changed");
            let wanted = Contradiction::Round { stage: before.stage, round: before.round };
            assert_eq!(error_of(&view, rounds), Some(wanted), "{before}");
        }
    }
}

/// Recomputes the winners of a changed round.
fn settle(parameters: &Parameters, round: &mut RoundRecord) {
    let all = winners(parameters, round.first_seat, &round.bids);
    round.winners = Some(all.0.into_iter().take(usize::from(parameters.cushions)).collect());
}

#[test]
fn round_with_a_wrong_winner_is_rejected() {
    for players in 2..=5 {
        assert_rounds_are_rejected(players, |parameters, round| {
            let first = &mut round.winners.as_mut().unwrap()[0];
            *first = Some(first.map_or(seat(0), |seat| seat.left(parameters.players)));
        });
        assert_rounds_are_rejected(players, |_, round| {
            let won = round.winners.as_mut().unwrap().iter_mut().find(|winner| winner.is_some());
            *won.unwrap() = None;
        });
        assert_rounds_are_rejected(players, |_, round| _ = round.winners.as_mut().unwrap().pop());
    }
}

#[test]
fn round_with_wrong_jewels_is_rejected() {
    for players in 2..=5 {
        assert_rounds_are_rejected(players, |_, round| {
            let other = |back: &Jewel| Jewel::ALL.into_iter().find(|jewel| jewel != back);
            round.put_back = round.put_back.as_ref().and_then(other);
        });
        assert_rounds_are_rejected(players, |_, round| round.put_back = None);
        assert_rounds_are_rejected(players, |_, round| round.offer = None);
        assert_rounds_are_rejected(players, |_, round| round.drawn = Drawn::default());
        // One jewel less drawn, offered and won: one is still put back, but a cushion is empty.
        assert_rounds_are_rejected(players, |_, round| {
            let mut row: Vec<Jewel> = round.offer.unwrap().iter().collect();
            row.pop();
            round.offer = Offer::new(&row);
            row.extend(round.put_back);
            round.drawn = Drawn::new(&row).unwrap();
        });
    }
}

#[test]
fn rule_4_2_round_with_bids_out_of_turn_is_rejected() {
    for players in 2..=5 {
        assert_rounds_are_rejected(players, |parameters, round| {
            (round.bids[0].seat, round.bids[1].seat) = (round.bids[1].seat, round.bids[0].seat);
            settle(parameters, round);
        });
        assert_rounds_are_rejected(players, |parameters, round| {
            round.bids.pop();
            settle(parameters, round);
        });
        assert_rounds_are_rejected(players, |parameters, round| {
            round.first_seat = round.first_seat.left(parameters.players);
        });
    }
}

#[test]
fn rule_1_3_bid_on_a_cushion_not_on_the_board_is_rejected() {
    assert_rounds_are_rejected(3, |parameters, round| {
        // A losing card, so that the winners stay the same without it.
        let taken = winners(parameters, round.first_seat, &round.bids);
        let lost = round.bids.iter_mut().find(|bid| taken[bid.cushion] != Some(bid.seat)).unwrap();
        lost.cushion = Cushion::new(3).unwrap();
    });
}

#[test]
fn rule_4_3_round_with_two_cards_of_a_seat_on_one_cushion_is_rejected() {
    assert_rounds_are_rejected(2, |parameters, round| {
        round.bids[2].cushion = round.bids[0].cushion;
        settle(parameters, round);
    });
}

#[test]
fn rule_4_9_round_with_a_wrong_first_seat_is_rejected() {
    for players in 2..=5 {
        assert_rounds_are_rejected(players, |parameters, round| {
            // All seats are shifted by one, so that the round alone is still possible.
            round.first_seat = round.first_seat.left(parameters.players);
            round.bids.iter_mut().for_each(|bid| bid.seat = bid.seat.left(parameters.players));
            settle(parameters, round);
        });
    }
}

#[test]
fn recall_with_a_round_not_yet_played_is_rejected() {
    let (view, memory) = mid_game_view(4, 1);
    for (stage, round) in [(2, 1), (2, 2), (3, 5), (4, 1), (0, 1), (1, 6)] {
        let mut rounds = memory.rounds().to_vec();
        (rounds[0].stage, rounds[0].round) = (Stage(stage), Round(round));
        let wanted = Contradiction::Round { stage: Stage(stage), round: Round(round) };
        assert_eq!(error_of(&view, rounds), Some(wanted));
    }
    // The memory disagrees with the view about the last round.
    let mut rounds = memory.rounds().to_vec();
    let last = rounds.last_mut().unwrap();
    last.bids[0].card = last.bids[1].card;
    let wanted = Contradiction::Round { stage: last.stage, round: last.round };
    assert_eq!(error_of(&view, rounds), Some(wanted));
}

#[test]
fn view_that_contradicts_itself_or_the_recall_is_rejected() {
    let (view, memory) = mid_game_view(4, 8);
    let error_after = |change: &dyn Fn(&mut View)| {
        let mut wrong = view.clone();
        change(&mut wrong);
        error_of(&wrong, memory.rounds().to_vec())
    };
    let not_a_view = |error| Some(Contradiction::View(error));
    assert_eq!(error_after(&|_| {}), None);
    assert_eq!(error_after(&|view| view.at += 1), Some(Contradiction::Turn));
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
    // A played card is in hand again, or a different card was played.
    let own = &view.seats[1];
    let played = own.played.unwrap()[0];
    let held = view.hand.nth_value(0).unwrap();
    let hand: Cards = view.hand.iter().skip(1).chain([played]).collect();
    assert_eq!(error_after(&|view| view.hand = hand), Some(Contradiction::Cards(seat(1))));
    let other_played = |view: &mut View| view.seats[1].played.as_mut().unwrap()[0] = held;
    assert_eq!(error_after(&other_played), Some(Contradiction::Cards(seat(1))));
    let fewer_played = |view: &mut View| _ = view.seats[1].played.as_mut().unwrap().pop();
    assert_eq!(error_after(&fewer_played), Some(Contradiction::Cards(seat(1))));
}

#[test]
fn collection_that_does_not_match_the_recall_is_rejected() {
    let four = Players::new(4).unwrap();
    let is_rich = |view: &View| view.seats[1].collection.is_some_and(|own| !own.is_empty());
    let (view, memory) = (0..20).map(|seed| mid_game_view(4, seed)).find(|(view, _)| is_rich(view)).unwrap();
    let error_after = |collection: Jewels, rounds: &[RoundRecord]| {
        let mut wrong = view.clone();
        wrong.seats[1].collection = Some(collection);
        error_of(&wrong, rounds.to_vec())
    };
    let own = view.seats[1].collection.unwrap();
    let all = memory.rounds();
    assert_eq!(error_after(own, all), None);
    assert_eq!(error_after(Jewels::NONE, all), Some(Contradiction::Jewels), "less than was won");
    assert_eq!(error_after(own.with(Jewels::one(Jewel::White)), all), Some(Contradiction::Jewels), "more than was won");
    assert_eq!(error_after("W13".parse().unwrap(), &[]), Some(Contradiction::Jewels), "more than there are");
    // Five rounds, of which all but the last are forgotten: at most fifteen jewels were won.
    let last = view.last_round.unwrap();
    let remembered = four.seats().fold(Jewels::NONE, |sum, seat| sum.with(last.won_by(seat)));
    let others = remembered.len() - last.won_by(seat(1)).len();
    let free = [Jewel::White, Jewel::Red].into_iter().cycle();
    let most: Jewels = last.won_by(seat(1)).iter().chain(free).take(15 - others as usize).collect();
    assert_eq!(error_after(most, &[]), None);
    assert_eq!(
        error_after(most.with(Jewels::one(Jewel::Yellow)), &[]),
        Some(Contradiction::Jewels),
        "more than could be"
    );
}

#[test]
fn outcome_that_does_not_match_the_collections_is_rejected() {
    for players in Players::ALL {
        let moments = Script::random(players, Screens::Closed, 3).moments();
        let game = moments.last().unwrap().game;
        for observer in Observer::all(players) {
            let view = game.view(observer);
            assert_eq!(view.phase, ViewPhase::Over);
            let forge = |change: &dyn Fn(&mut Outcome)| {
                let mut forged = view.clone();
                change(forged.outcome.as_mut().unwrap());
                error_of(&forged, Vec::new())
            };
            assert_eq!(forge(&|_| {}), None);
            assert_eq!(forge(&|outcome| outcome.places[0].points += 1), Some(Contradiction::Outcome));
            assert_eq!(forge(&|outcome| outcome.places[1].rank ^= 1), Some(Contradiction::Outcome));
            assert_eq!(forge(&|outcome| _ = outcome.places.pop()), Some(Contradiction::Outcome));
        }
    }
}
