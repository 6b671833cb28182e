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
fn middle(players: u8, seed: u64) -> (View, Recall) {
    let moments = Script::random(Players::new(players).unwrap(), Screens::Closed, seed).moments();
    let is_middle = |moment: &Moment| moment.game.round_index() == 5 && moment.game.bids().len() == 2;
    let at = moments.iter().position(is_middle).unwrap();
    let observer = Observer::Seat(seat(1));
    (moments[at].game.view(observer), recall(&moments[..=at], observer))
}

fn refused(view: &View, rounds: Vec<RoundRecord>) -> Option<Contradiction> {
    imagine(view, &Recall::of(rounds).unwrap(), &mut Quick::new(1)).err()
}

/// Changes each of the earlier rounds of random games in turn, and asserts that the error names that round.
fn refuse_rounds(players: u8, change: impl Fn(&Parameters, &mut RoundRecord)) {
    for seed in 0..8 {
        let (view, memory) = middle(players, seed);
        assert_eq!(refused(&view, memory.rounds().to_vec()), None);
        for index in 0..4 {
            let mut rounds = memory.rounds().to_vec();
            let before = rounds[index];
            change(&view.parameters, &mut rounds[index]);
            assert_ne!(rounds[index], before, "something was changed");
            let wanted = Contradiction::Round { stage: before.stage, round: before.round };
            assert_eq!(refused(&view, rounds), Some(wanted), "{before}");
        }
    }
}

/// Recomputes the winners of a changed round.
fn settle(parameters: &Parameters, told: &mut RoundRecord) {
    let all = winners(parameters, told.first_seat, &told.bids);
    told.winners = Some(all.0.into_iter().take(usize::from(parameters.cushions)).collect());
}

#[test]
fn a_wrong_winner_is_refused() {
    for players in 2..=5 {
        refuse_rounds(players, |parameters, told| {
            let first = &mut told.winners.as_mut().unwrap()[0];
            *first = Some(first.map_or(seat(0), |seat| seat.left(parameters.players)));
        });
        refuse_rounds(players, |_, told| {
            let won = told.winners.as_mut().unwrap().iter_mut().find(|winner| winner.is_some());
            *won.unwrap() = None;
        });
        refuse_rounds(players, |_, told| _ = told.winners.as_mut().unwrap().pop());
    }
}

#[test]
fn jewels_that_were_not_drawn_so_are_refused() {
    for players in 2..=5 {
        refuse_rounds(players, |_, told| {
            let other = |back: &Jewel| Jewel::ALL.into_iter().find(|jewel| jewel != back);
            told.put_back = told.put_back.as_ref().and_then(other);
        });
        refuse_rounds(players, |_, told| told.put_back = None);
        refuse_rounds(players, |_, told| told.offer = None);
        refuse_rounds(players, |_, told| told.drawn = Drawn::default());
        // One jewel less drawn, offered and won: one is still put back, but a cushion is empty.
        refuse_rounds(players, |_, told| {
            let mut row: Vec<Jewel> = told.offer.unwrap().iter().collect();
            row.pop();
            told.offer = Offer::new(&row);
            row.extend(told.put_back);
            told.drawn = Drawn::new(&row).unwrap();
        });
    }
}

#[test]
fn rule_4_2_bids_out_of_turn_are_refused() {
    for players in 2..=5 {
        refuse_rounds(players, |parameters, told| {
            (told.bids[0].seat, told.bids[1].seat) = (told.bids[1].seat, told.bids[0].seat);
            settle(parameters, told);
        });
        refuse_rounds(players, |parameters, told| {
            told.bids.pop();
            settle(parameters, told);
        });
        refuse_rounds(players, |parameters, told| told.first_seat = told.first_seat.left(parameters.players));
    }
}

#[test]
fn rule_1_3_a_bid_beside_the_board_is_refused() {
    refuse_rounds(3, |parameters, told| {
        // A losing card, so that the winners stay the same without it.
        let taken = winners(parameters, told.first_seat, &told.bids);
        let lost = told.bids.iter_mut().find(|bid| taken[bid.cushion] != Some(bid.seat)).unwrap();
        lost.cushion = Cushion::new(3).unwrap();
    });
}

#[test]
fn rule_4_3_two_own_cards_on_one_cushion_are_refused() {
    refuse_rounds(2, |parameters, told| {
        told.bids[2].cushion = told.bids[0].cushion;
        settle(parameters, told);
    });
}

#[test]
fn rule_4_9_another_first_seat_is_refused() {
    for players in 2..=5 {
        refuse_rounds(players, |parameters, told| {
            // All seats are shifted by one, so that the round alone is still possible.
            told.first_seat = told.first_seat.left(parameters.players);
            told.bids.iter_mut().for_each(|bid| bid.seat = bid.seat.left(parameters.players));
            settle(parameters, told);
        });
    }
}

#[test]
fn rounds_that_the_game_does_not_have_yet_are_refused() {
    let (view, memory) = middle(4, 1);
    for (stage, round) in [(2, 1), (2, 2), (3, 5), (4, 1), (0, 1), (1, 6)] {
        let mut rounds = memory.rounds().to_vec();
        (rounds[0].stage, rounds[0].round) = (Stage(stage), Round(round));
        let wanted = Contradiction::Round { stage: Stage(stage), round: Round(round) };
        assert_eq!(refused(&view, rounds), Some(wanted));
    }
    // The memory disagrees with the view about the last round.
    let mut rounds = memory.rounds().to_vec();
    let last = rounds.last_mut().unwrap();
    last.bids[0].card = last.bids[1].card;
    let wanted = Contradiction::Round { stage: last.stage, round: last.round };
    assert_eq!(refused(&view, rounds), Some(wanted));
}

#[test]
fn views_that_contradict_themselves_or_memory_are_refused() {
    let (view, memory) = middle(4, 8);
    let refuse = |change: &dyn Fn(&mut View)| {
        let mut wrong = view.clone();
        change(&mut wrong);
        refused(&wrong, memory.rounds().to_vec())
    };
    let not_a_view = |error| Some(Contradiction::View(error));
    assert_eq!(refuse(&|_| {}), None);
    assert_eq!(refuse(&|view| view.at += 1), Some(Contradiction::Clock));
    assert_eq!(refuse(&|view| view.round.0 += 1), Some(Contradiction::Clock));
    assert_eq!(refuse(&|view| view.stage.0 = 9), not_a_view(ViewError::Clock));
    assert_eq!(refuse(&|view| view.last_round = None), not_a_view(ViewError::LastRound));
    assert_eq!(refuse(&|view| view.hand = Cards::full(15, 1)), not_a_view(ViewError::Hand));
    assert_eq!(refuse(&|view| _ = view.seats.pop()), not_a_view(ViewError::Seats));
    assert_eq!(refuse(&|view| view.outcome = Some(Outcome::default())), not_a_view(ViewError::Outcome));
    assert_eq!(refuse(&|view| view.screens = Screens::Open), not_a_view(ViewError::Sight));
    assert_eq!(refuse(&|view| view.seats[0].collection = Some(Jewels::NONE)), not_a_view(ViewError::Sight));
    assert_eq!(refuse(&|view| view.seats[2].hand += 1), Some(Contradiction::Cards(seat(2))));
    assert_eq!(refuse(&|view| view.seats[2].deck -= 1), Some(Contradiction::Cards(seat(2))));
    // A played card is in hand again, or a different card was played.
    let own = &view.seats[1];
    let played = own.played.unwrap()[0];
    let held = view.hand.nth_value(0).unwrap();
    let hand: Cards = view.hand.iter().skip(1).chain([played]).collect();
    assert_eq!(refuse(&|view| view.hand = hand), Some(Contradiction::Cards(seat(1))));
    let other_played = |view: &mut View| view.seats[1].played.as_mut().unwrap()[0] = held;
    assert_eq!(refuse(&other_played), Some(Contradiction::Cards(seat(1))));
    let fewer_played = |view: &mut View| _ = view.seats[1].played.as_mut().unwrap().pop();
    assert_eq!(refuse(&fewer_played), Some(Contradiction::Cards(seat(1))));
}

#[test]
fn jewels_that_do_not_add_up_are_refused() {
    let four = Players::new(4).unwrap();
    let is_rich = |view: &View| view.seats[1].collection.is_some_and(|own| !own.is_empty());
    let (view, memory) = (0..20).map(|seed| middle(4, seed)).find(|(view, _)| is_rich(view)).unwrap();
    let refuse = |collection: Jewels, rounds: &[RoundRecord]| {
        let mut wrong = view.clone();
        wrong.seats[1].collection = Some(collection);
        refused(&wrong, rounds.to_vec())
    };
    let own = view.seats[1].collection.unwrap();
    let all = memory.rounds();
    assert_eq!(refuse(own, all), None);
    assert_eq!(refuse(Jewels::NONE, all), Some(Contradiction::Jewels), "less than was won");
    assert_eq!(refuse(own.with(Jewels::one(Jewel::White)), all), Some(Contradiction::Jewels), "more than was won");
    assert_eq!(refuse("W13".parse().unwrap(), &[]), Some(Contradiction::Jewels), "more than there are");
    // Five rounds, of which all but the last are forgotten: at most fifteen jewels were won.
    let last = view.last_round.unwrap();
    let told = four.seats().fold(Jewels::NONE, |sum, seat| sum.with(last.won_by(seat)));
    let others = told.len() - last.won_by(seat(1)).len();
    let free = [Jewel::White, Jewel::Red].into_iter().cycle();
    let most: Jewels = last.won_by(seat(1)).iter().chain(free).take(15 - others as usize).collect();
    assert_eq!(refuse(most, &[]), None);
    assert_eq!(refuse(most.with(Jewels::one(Jewel::Yellow)), &[]), Some(Contradiction::Jewels), "more than could be");
}

#[test]
fn a_forged_result_is_refused() {
    for players in Players::ALL {
        let moments = Script::random(players, Screens::Closed, 3).moments();
        let game = moments.last().unwrap().game;
        for observer in Observer::all(players) {
            let view = game.view(observer);
            assert_eq!(view.phase, ViewPhase::Over);
            let forge = |change: &dyn Fn(&mut Outcome)| {
                let mut forged = view.clone();
                change(forged.outcome.as_mut().unwrap());
                refused(&forged, Vec::new())
            };
            assert_eq!(forge(&|_| {}), None);
            assert_eq!(forge(&|outcome| outcome.places[0].points += 1), Some(Contradiction::Outcome));
            assert_eq!(forge(&|outcome| outcome.places[1].rank ^= 1), Some(Contradiction::Outcome));
            assert_eq!(forge(&|outcome| _ = outcome.places.pop()), Some(Contradiction::Outcome));
        }
    }
}
