//! The results of an analysis equal hand-computed results, add up, and depend only on the knowledge of each seat.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use sultan_analysis::{AnalysisError, Plan, Watch, analyse, hint, may_hold};
use sultan_domain::{
    Action, Analysis, BonusTable, Hint, MayHold, Observer, Parameters, Players, Recall, Record, Screens, Seat,
    SeatAnalysis, Variant, View,
};
use sultan_rules::{Chance, FastRng, Game, imagine};
use sultan_testkit::{Moment, Script, indistinguishable_script, random_record, random_record_of, recall, view_text};

/// A plan with few playouts, to save time.
fn plan(seed: u64, jobs: usize) -> Plan {
    Plan { playouts: 12, ..Plan::new(seed, NonZeroUsize::new(jobs).unwrap()) }
}

/// Ignores the progress, and never stops.
const UNWATCHED: Watch = Watch { progress: &|_, _| {}, stop: &|| false };

/// Analyses a record with seed 1 on two threads.
fn analysis_of(record: &Record) -> Analysis {
    analyse(record, &plan(1, 2), &UNWATCHED).unwrap()
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

/// The view and recall of a seat at the last of these states.
fn knowledge(moments: &[Moment], seat: Seat) -> (View, Recall) {
    let observer = Observer::Seat(seat);
    let game = moments.last().unwrap().game;
    (game.view(observer), recall(moments, observer))
}

/// Checks that the parts of each seat's result add up to the result, and the chances of all seats to 1.
fn check_sums(analysis: &Analysis) {
    let even = 1.0 / f64::from(analysis.players.count());
    for seat in &analysis.seats {
        let parts = seat.deal.value + seat.others.value + seat.own.value;
        assert!(is_near(parts, seat.result - even), "{seat:?}");
        assert!((0.0..=100.001).contains(&seat.accuracy) && seat.worst.len() <= 3 && seat.mean_loss.value >= 0.0);
    }
    // A player's gain of chance is a loss of the other players, so the changes of all players add up to 0.
    let sum = |part: fn(&SeatAnalysis) -> f64| analysis.seats.iter().map(part).sum::<f64>();
    assert!(is_near(sum(|seat| seat.deal.value), 0.0));
    assert!(is_near(sum(|seat| seat.own.value + seat.others.value), 0.0));
    for moment in &analysis.moments {
        assert!(is_near(moment.chances.iter().map(|chance| chance.value).sum(), 1.0), "{moment:?}");
    }
}

/// Checks the losses of seats that played at random, so badly: each seat has some, `worst_decisions` returns its three
/// largest with reasons, and the mean and the count include only decisions with several options.
fn check_losses(analysis: &Analysis) {
    for seat in &analysis.seats {
        let own = || analysis.decisions.iter().filter(|decision| decision.seat == seat.seat);
        let mut losses: Vec<f64> = own().map(|decision| decision.loss).filter(|&loss| loss > 0.0).collect();
        losses.sort_by(|a, b| b.total_cmp(a));
        losses.truncate(3);
        assert!(!losses.is_empty() && seat.accuracy < 90.0, "{seat:?}");
        assert!(analysis.worst_decisions(seat.seat).map(|decision| decision.loss).eq(losses), "{seat:?}");
        assert!(analysis.worst_decisions(seat.seat).all(|worst| worst.seat == seat.seat && worst.reason.is_some()));
        let choices = own().filter(|decision| decision.options.len() > 1);
        assert_eq!(usize::try_from(seat.decisions).unwrap(), choices.clone().count());
        let mean = choices.map(|decision| decision.loss).sum::<f64>() / f64::from(seat.decisions);
        assert!(is_near(seat.mean_loss.value, mean) && mean > 0.0);
    }
    // The first word of a reason's `Debug` is the name of its variant.
    let reasons: BTreeSet<String> = analysis
        .decisions
        .iter()
        .filter_map(|decision| decision.reason)
        .map(|reason| format!("{reason:?}").split(' ').next().unwrap_or_default().to_owned())
        .collect();
    assert!(reasons.len() >= 3, "too few different reasons: {reasons:?}");
}

/// Checks that the decisions are the actions of the record, and that their numbers agree with each other.
fn check_decisions(analysis: &Analysis, record: &Record) {
    assert!(analysis.decisions.iter().map(|decision| decision.action).eq(record.actions.iter().copied()));
    for decision in &analysis.decisions {
        assert!((decision.options.iter().map(|option| option.share).sum::<f64>() - 1.0).abs() < 1e-5);
        assert!(decision.loss >= 0.0 && decision.gap.error >= 0.0, "{decision:?}");
        assert!(decision.loss == 0.0 || (decision.loss > 2.0 * decision.gap.error && decision.taken != decision.best));
        assert_eq!(decision.reason.is_some(), decision.loss > 0.0, "only a loss has a reason: {decision:?}");
        let (taken, best) = (decision.options[decision.taken], decision.options[decision.best]);
        assert!(best.win.value >= taken.win.value);
        // The loss is at most the difference from the best option.
        assert!(decision.loss <= best.win.value - taken.win.value + 1e-6, "{decision:?}");
    }
}

#[test]
fn luck_and_skill_add_up_to_the_result() {
    for players in Players::ALL {
        let (record, games) = random_record(players, 11);
        let analysis = analysis_of(&record);
        check_sums(&analysis);
        check_decisions(&analysis, &record);
        check_losses(&analysis);
        assert_eq!(analysis.round_ends().count(), usize::from(games[0].parameters().rounds()));
        let end = games.last().unwrap();
        assert!(analysis.seats.iter().all(|seat| is_near(seat.result, share_of_win(end, seat.seat))));
    }
}

#[test]
fn luck_and_skill_of_an_unfinished_game_add_up() {
    let (record, _) = random_record(Players::new(3).unwrap(), 4);
    for length in [0, 1, 7, 22] {
        let mut cut = record.clone();
        cut.actions.truncate(length);
        let analysis = analysis_of(&cut);
        assert!(!analysis.complete && analysis.outcome.is_none());
        check_sums(&analysis);
        check_decisions(&analysis, &cut);
        assert_eq!(analysis.round_ends().count(), length / 4, "a finished round has four actions");
        // The game is not over, so the playouts end differently, and the standard error is positive.
        assert!(analysis.moments.last().unwrap().chances.iter().all(|chance| chance.error > 0.0));
    }
}

#[test]
fn the_same_record_and_seed_give_the_same_numbers_on_any_number_of_threads() {
    let (mut record, _) = random_record(Players::new(4).unwrap(), 5);
    record.actions.truncate(17);
    let one = analyse(&record, &plan(3, 1), &UNWATCHED).unwrap();
    assert_eq!(one, analyse(&record, &plan(3, 5), &UNWATCHED).unwrap());
    assert_ne!(one, analyse(&record, &plan(4, 1), &UNWATCHED).unwrap());
}

#[test]
fn analysis_reports_progress_and_can_be_cancelled() {
    let (mut record, _) = random_record(Players::new(2).unwrap(), 5);
    record.actions.truncate(5);
    let (finished_tasks, calls) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let progress = |finished: usize, total: usize| {
        assert!(finished <= total);
        finished_tasks.fetch_max(finished, Ordering::Relaxed);
        calls.fetch_add(1, Ordering::Relaxed);
    };
    analyse(&record, &plan(1, 2), &Watch { progress: &progress, stop: &|| false }).unwrap();
    assert_eq!(finished_tasks.load(Ordering::Relaxed), calls.load(Ordering::Relaxed), "one call for each task");
    // Five decisions, and at least eight positions: start, deal, draw, and one after each decision.
    assert!(finished_tasks.load(Ordering::Relaxed) >= 13);
    let calls = AtomicUsize::new(0);
    let stop = || calls.fetch_add(1, Ordering::Relaxed) > 40;
    let stopped = analyse(&record, &plan(1, 2), &Watch { progress: &|_, _| {}, stop: &stop });
    assert_eq!(stopped, Err(AnalysisError::Stopped));
    // A second offer in the same round is illegal.
    record.actions[1] = record.actions[0];
    assert!(matches!(analyse(&record, &plan(1, 1), &UNWATCHED), Err(AnalysisError::Replay(_))));
}

fn espresso(players: Players) -> Parameters {
    Variant::ESPRESSO.parameters(players).unwrap()
}

#[test]
fn variants_are_analysed_with_jeweller_bots() {
    let (record, games) = random_record_of(espresso(Players::new(3).unwrap()), 3);
    let analysis = analysis_of(&record);
    assert!(analysis.complete && analysis.variant == Variant::ESPRESSO);
    check_sums(&analysis);
    check_decisions(&analysis, &record);
    check_losses(&analysis);
    assert_eq!(analysis.round_ends().count(), 5);
    assert!(analysis.seats.iter().all(|seat| is_near(seat.result, share_of_win(games.last().unwrap(), seat.seat))));
    // The last round is not enumerated, because cards remain in the decks. 768 is 12 batches of 64 tables.
    assert!(analysis.decisions.iter().all(|decision| decision.worlds > 0 && decision.worlds <= 768));
}

#[test]
fn decisions_of_the_longest_variants_play_a_bounded_number_of_rounds() {
    let longest = Variant { copies: Some(2), rounds: Some(8), cushions: Some(2), ..Variant::default() };
    let bonus = BonusTable::new(&[[2, 9], [7, 30]]);
    for variant in [longest, Variant { bonus, ..longest }, Variant { stages: Some(1), ..longest }] {
        let parameters = variant.parameters(Players::new(5).unwrap()).unwrap();
        let (mut record, _) = random_record_of(parameters, 3);
        record.actions.truncate(2);
        let calls = AtomicUsize::new(0);
        // Fails with `Stopped`, instead of running for minutes, if the number of rounds is not limited.
        let stop = || calls.fetch_add(1, Ordering::Relaxed) > 10_000;
        let analysis = analyse(&record, &plan(1, 2), &Watch { progress: &|_, _| {}, stop: &stop }).unwrap();
        check_sums(&analysis);
        check_decisions(&analysis, &record);
        for decision in &analysis.decisions {
            let options = u32::try_from(decision.options.len()).unwrap();
            let played_rounds = options * decision.worlds * u32::from(parameters.rounds());
            assert!(played_rounds <= 30_000 && decision.worlds >= 12, "{played_rounds} rounds, {}", decision.worlds);
        }
    }
}

/// The share of a seat in the win of a finished game.
fn share_of_win(game: &Game, seat: Seat) -> f64 {
    game.outcome().unwrap().share(seat)
}

#[test]
fn hint_for_the_last_card_of_a_game_equals_the_result_of_each_option() {
    let mut decided_by_last_card = 0;
    // In this variant, all cards are in hand from the start.
    let few_cards = Variant { cards: Some(5), ..Variant::ESPRESSO };
    let games = [Variant::default(), few_cards].into_iter().flat_map(|variant| {
        let parameters_for = move |players| variant.parameters(Players::new(players).unwrap()).unwrap();
        (3..=5).flat_map(move |players| (0..40).map(move |seed| (parameters_for(players), seed)))
    });
    for (parameters, seed) in games {
        let moments = Script::random_with(parameters, Screens::Closed, seed).moments();
        let before = &moments[..moments.len() - 1];
        let game = before.last().unwrap().game;
        let seat = game.to_act().unwrap();
        let (view, recall) = knowledge(before, seat);
        // All cards are revealed or in the bidder's hand, so each option has a single result.
        let hint = hint(&view, &recall, seed, &|| false).unwrap();
        for option in &hint.options {
            let mut end = game;
            end.play(option.action).unwrap();
            assert!((option.win.value - share_of_win(&end, seat)).abs() < 1e-6, "{}\n{option:?}", view_text(&view));
            let chance_to_win_jewel = option.take.unwrap();
            assert!(is_near(chance_to_win_jewel, 0.0) || is_near(chance_to_win_jewel, 1.0), "{option:?}");
            assert!(option.win.error == 0.0, "{option:?}");
        }
        let wins: Vec<f64> = hint.options.iter().map(|option| option.win.value).collect();
        let (highest, lowest) = (wins.iter().copied().fold(0.0, f64::max), wins.iter().copied().fold(1.0, f64::min));
        if highest > lowest + 0.4 {
            decided_by_last_card += 1;
            assert!(is_near(hint.options[hint.best].win.value, highest), "{hint:?}");
        }
    }
    assert!(decided_by_last_card >= 10, "only {decided_by_last_card} of 240 games were decided by the last card");
}

/// Checks the alternative of a hint: the other option that the strong bot plays most often, or if it plays no other
/// option, the option with the best winning chance. The hint has a reason if and only if the best option has a higher
/// winning chance than the alternative.
fn check_alternative(hint: &Hint) {
    let best = hint.options[hint.best];
    let others = || hint.options.iter().enumerate().filter(|&(index, _)| index != hint.best).map(|(_, option)| option);
    let Some(instead) = hint.instead.map(|index| hint.options[index]) else {
        assert_eq!((others().count(), hint.reason), (0, None));
        return;
    };
    assert!(others().all(|option| option.share <= best.share), "{hint:?}");
    if others().any(|option| option.share >= 0.05) {
        assert!(others().all(|option| option.share <= instead.share), "{hint:?}");
    } else {
        assert!(others().all(|option| option.win.value <= instead.win.value), "{hint:?}");
    }
    assert_eq!(hint.reason.is_some(), best.win.value > instead.win.value, "{hint:?}");
}

#[test]
fn hints_in_the_last_round_have_no_error_and_do_not_depend_on_the_seed() {
    let (mut hints_with_equal_options, mut hints_with_reason) = (0, 0);
    for players in Players::ALL {
        let moments = Script::random(players, Screens::Closed, 3).moments();
        // The draw, the offer, and the bids.
        let inputs_per_round = usize::from(moments[0].game.parameters().bids_per_round()) + 2;
        for index in moments.len() - inputs_per_round..moments.len() - 1 {
            let Some(seat) = moments[index].game.to_act() else { continue };
            let (view, recall) = knowledge(&moments[..=index], seat);
            let advice = hint(&view, &recall, 1, &|| false).unwrap();
            assert!(advice.options.iter().all(|option| option.win.error == 0.0));
            check_alternative(&advice);
            let win = |option: usize| advice.options[option].win.value;
            let has_equal_options = advice.instead.is_some_and(|instead| win(advice.best) - win(instead) == 0.0);
            hints_with_equal_options += usize::from(has_equal_options);
            hints_with_reason += usize::from(advice.reason.is_some());
            assert_eq!(hint(&view, &recall, 2, &|| false), Some(advice), "another seed gives another hint");
        }
    }
    assert!(hints_with_equal_options > 0 && hints_with_reason > 0, "{hints_with_equal_options} {hints_with_reason}");
}

/// Everything that the coach says to a player with this view and recall.
fn advice_for((view, recall): &(View, Recall)) -> (Option<Hint>, Vec<MayHold>) {
    (hint(view, recall, 9, &|| false), may_hold(view, recall, 9, &|| false))
}

#[test]
fn coach_gives_the_same_advice_in_games_that_look_the_same_to_the_seat() {
    let published =
        Players::ALL.into_iter().flat_map(|players| (0..4).map(move |seed| (Parameters::of(players), seed)));
    let variants = Players::ALL.into_iter().map(|players| (espresso(players), 4));
    for (parameters, seed) in published.chain(variants) {
        let script = Script::random_with(parameters, Screens::Closed, seed);
        let moments = script.moments();
        let with_turn: Vec<usize> =
            (0..moments.len()).filter(|&index| moments[index].game.to_act().is_some()).collect();
        let mut rng = FastRng::new(!seed);
        let index = with_turn[rng.below(u32::try_from(with_turn.len()).unwrap()) as usize];
        let seat = moments[index].game.to_act().unwrap();
        let real = knowledge(&moments[..=index], seat);
        // Two games that look the same to the seat: a real game with other hidden cards, and an imagined game.
        let other = indistinguishable_script(&script, index, Observer::Seat(seat), &mut rng).moments();
        let imagined = imagine(&real.0, &real.1, &mut rng).unwrap();
        let imagined = (imagined.view(Observer::Seat(seat)), real.1.clone());
        let advice = advice_for(&real);
        assert_eq!(
            advice,
            advice_for(&knowledge(&other[..=index], seat)),
            "{parameters:?}, seed {seed}: {}",
            view_text(&real.0)
        );
        assert_eq!(advice, advice_for(&imagined), "{parameters:?}, seed {seed}: {}", view_text(&real.0));
    }
}

#[test]
fn chances_that_cards_are_in_hand_add_up_to_the_size_of_the_hand() {
    let mut uncertain_cards = 0;
    for players in Players::ALL {
        let moments = Script::random(players, Screens::Open, 8).moments();
        for index in (0..moments.len() - 1).step_by(5) {
            let game = moments[index].game;
            let (view, recall) = knowledge(&moments[..=index], Seat::default());
            let all = may_hold(&view, &recall, 1, &|| false);
            assert_eq!(all.len(), usize::from(players.count()) - 1);
            for held in all {
                let hand_size = f64::from(game.hand(held.seat).len());
                let sum: f64 = held.cards.iter().map(|card| card.chance).sum();
                // With two players a hand may have two cards of the same value, which share a single chance.
                let is_enough = players.count() == 2 || sum >= hand_size - 1e-3;
                assert!(sum <= hand_size + 1e-3 && is_enough, "{held:?}");
                uncertain_cards += held.cards.iter().filter(|card| card.chance > 0.1 && card.chance < 0.9).count();
                let is_listed = |card| held.cards.iter().any(|held_card| held_card.card == card);
                assert!(game.hand(held.seat).values().all(is_listed), "a card in hand is not listed: {held:?}");
            }
            // If the coach is stopped at once, it has one guess of each hand, so every chance is 0 or 1.
            let guessed = may_hold(&view, &recall, 1, &|| true);
            assert_eq!(guessed.len(), usize::from(players.count()) - 1);
            let mut cards = guessed.iter().flat_map(|held| &held.cards);
            assert!(cards.all(|card| is_near(card.chance, 0.0) || is_near(card.chance, 1.0)), "{guessed:?}");
        }
        let view_at_the_end = moments.last().unwrap().game.view(Observer::Seat(Seat::default()));
        assert!(may_hold(&view_at_the_end, &Recall::default(), 1, &|| false).is_empty());
    }
    assert!(uncertain_cards > 100, "only {uncertain_cards} chances are uncertain, as if each hand was guessed once");
}

#[test]
fn hint_requires_a_turn_and_time() {
    let moments = Script::random(Players::new(4).unwrap(), Screens::Closed, 2).moments();
    // After the first draw an offer is due.
    let seat = moments[1].game.to_act().unwrap();
    let (view, recall) = knowledge(&moments[..2], seat);
    let advice = hint(&view, &recall, 1, &|| false).unwrap();
    assert!(advice.options.iter().all(|option| matches!(option.action, Action::Offer(_)) && option.take.is_none()));
    assert!(advice.options.iter().all(|option| option.win.error <= 0.01 && option.win.error > 0.0));
    assert_ne!(advice.instead, Some(advice.best));
    assert_eq!(hint(&view, &recall, 1, &|| true), None);
    let (other, recall) = knowledge(&moments[..2], seat.left_neighbour(Players::new(4).unwrap()));
    assert_eq!(hint(&other, &recall, 1, &|| false), None, "it is not the turn of this seat");
}

#[test]
fn hint_stopped_early_is_missing_or_has_standard_errors() {
    let moments = Script::random(Players::new(4).unwrap(), Screens::Closed, 2).moments();
    let (view, recall) = knowledge(&moments[..2], moments[1].game.to_act().unwrap());
    let (mut without_hint, mut with_hint) = (0, 0);
    for call_limit in (0..400).step_by(20) {
        let calls = AtomicUsize::new(0);
        match hint(&view, &recall, 1, &|| calls.fetch_add(1, Ordering::Relaxed) >= call_limit) {
            None => without_hint += 1,
            Some(hint) => {
                with_hint += 1;
                assert!(hint.options.iter().all(|option| option.win.error > 0.0), "{call_limit} calls: {hint:?}");
            }
        }
    }
    // `stop` is called once per table. A batch has 64 tables, and a hint needs two batches.
    assert!(without_hint >= 6 && with_hint >= 6, "{without_hint} without hint, {with_hint} with a hint");
}

#[test]
fn hint_can_be_cancelled_in_the_last_round() {
    for players in Players::ALL {
        let moments = Script::random(players, Screens::Closed, 3).moments();
        // The offer and the bids of the last round.
        let last_actions = usize::from(moments[0].game.parameters().bids_per_round()) + 1;
        // The last position is the end of the game; one position before it for each of these actions.
        let before_offer = moments.len() - 1 - last_actions;
        let seat = moments[before_offer].game.to_act().unwrap();
        let (view, recall) = knowledge(&moments[..=before_offer], seat);
        assert_eq!(hint(&view, &recall, 1, &|| true), None);
        let calls = AtomicUsize::new(0);
        let stop = || calls.fetch_add(1, Ordering::Relaxed) >= 9;
        assert_eq!(hint(&view, &recall, 1, &stop), None);
        assert!(calls.load(Ordering::Relaxed) <= 12, "`hint` did not return soon after `stop` returned true");
        assert!(hint(&view, &recall, 1, &|| false).is_some());
    }
}
