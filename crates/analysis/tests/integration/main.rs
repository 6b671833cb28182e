//! The results of an analysis are correct for known answers, add up, and depend only on the knowledge of each seat.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use sultan_analysis::{AnalysisError, Plan, Watch, analyse, hint, may_hold};
use sultan_domain::{
    Action, Analysis, BonusTable, Hint, MayHold, Observer, Parameters, Players, Recall, Record, Screens, Seat, Variant,
    View,
};
use sultan_rules::{Chance, Game, Quick, imagine};
use sultan_testkit::{Moment, Script, indistinguishable_script, random_record, random_record_of, recall};

fn plan(seed: u64, jobs: usize) -> Plan {
    Plan { playouts: 12, ..Plan::new(seed, NonZeroUsize::new(jobs).unwrap()) }
}

const UNWATCHED: Watch = Watch { progress: &|_, _| {}, stop: &|| false };

fn analysed(record: &Record) -> Analysis {
    analyse(record, &plan(1, 2), &UNWATCHED).unwrap()
}

fn is_near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-9
}

/// The view and recall of a seat at the last of these positions.
fn knowledge(moments: &[Moment], seat: Seat) -> (View, Recall) {
    let observer = Observer::Seat(seat);
    let game = moments.last().unwrap().game;
    (game.view(observer), recall(moments, observer))
}

fn check_sums(analysis: &Analysis) {
    let even = 1.0 / f64::from(analysis.players.count());
    for seat in &analysis.seats {
        let parts = seat.deal.value + seat.others.value + seat.own.value;
        assert!(is_near(parts, seat.result - even), "{seat:?}");
        assert!((0.0..=100.001).contains(&seat.accuracy) && seat.worst.len() <= 3 && seat.mean_loss.value >= 0.0);
    }
    // Luck and choices only move winning chances between players, so they add up to 0.
    let sum = |part: fn(&sultan_domain::SeatAnalysis) -> f64| analysis.seats.iter().map(part).sum::<f64>();
    assert!(is_near(sum(|seat| seat.deal.value), 0.0));
    assert!(is_near(sum(|seat| seat.own.value + seat.others.value), 0.0));
    for moment in &analysis.moments {
        assert!(is_near(moment.chances.iter().map(|chance| chance.value).sum(), 1.0), "{moment:?}");
    }
}

/// Checks that random play has losses, and that the worst decisions are listed first.
fn check_losses(analysis: &Analysis) {
    for seat in &analysis.seats {
        let own = || analysis.decisions.iter().filter(|decision| decision.seat == seat.seat);
        let mut losses: Vec<f64> = own().map(|decision| decision.loss).filter(|&loss| loss > 0.0).collect();
        losses.sort_by(|a, b| b.total_cmp(a));
        losses.truncate(3);
        assert!(!losses.is_empty() && seat.accuracy < 90.0, "{seat:?}");
        assert!(analysis.worst_decisions(seat.seat).map(|decision| decision.loss).eq(losses), "{seat:?}");
        assert!(
            analysis.worst_decisions(seat.seat).all(|decision| decision.seat == seat.seat && decision.reason.is_some())
        );
        let choices = own().filter(|decision| decision.options.len() > 1);
        assert_eq!(usize::try_from(seat.decisions).unwrap(), choices.clone().count());
        let mean = choices.map(|decision| decision.loss).sum::<f64>() / f64::from(seat.decisions);
        assert!(is_near(seat.mean_loss.value, mean) && mean > 0.0);
    }
    let reasons: BTreeSet<String> = analysis
        .decisions
        .iter()
        .filter_map(|decision| decision.reason)
        .map(|reason| format!("{reason:?}").split(' ').next().unwrap_or_default().to_owned())
        .collect();
    assert!(reasons.len() >= 3, "one reason does not fit all: {reasons:?}");
}

fn check_decisions(analysis: &Analysis, record: &Record) {
    assert!(analysis.decisions.iter().map(|decision| decision.action).eq(record.actions.iter().copied()));
    for decision in &analysis.decisions {
        assert!((decision.options.iter().map(|option| option.share).sum::<f64>() - 1.0).abs() < 1e-5);
        assert!(decision.loss >= 0.0 && decision.gap.error >= 0.0, "{decision:?}");
        assert!(decision.loss == 0.0 || (decision.loss > 2.0 * decision.gap.error && decision.taken != decision.best));
        assert_eq!(decision.reason.is_some(), decision.loss > 0.0, "every loss has a reason: {decision:?}");
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
        let analysis = analysed(&record);
        check_sums(&analysis);
        check_decisions(&analysis, &record);
        check_losses(&analysis);
        assert_eq!(analysis.round_ends().count(), usize::from(games[0].parameters().rounds()));
        let end = games.last().unwrap();
        assert!(analysis.seats.iter().all(|seat| is_near(seat.result, share_of(end, seat.seat))));
    }
}

#[test]
fn luck_and_skill_of_an_unfinished_game_add_up() {
    let (record, _) = random_record(Players::new(3).unwrap(), 4);
    for length in [0, 1, 7, 22] {
        let mut cut = record.clone();
        cut.actions.truncate(length);
        let analysis = analysed(&cut);
        assert!(!analysis.complete && analysis.outcome.is_none());
        check_sums(&analysis);
        check_decisions(&analysis, &cut);
        assert_eq!(analysis.round_ends().count(), length / 4, "only finished rounds have ended");
        // The game is unfinished, so playouts differ and the error is positive.
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
    let (most, calls) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let progress = |done: usize, total: usize| {
        assert!(done <= total);
        most.fetch_max(done, Ordering::Relaxed);
        calls.fetch_add(1, Ordering::Relaxed);
    };
    analyse(&record, &plan(1, 2), &Watch { progress: &progress, stop: &|| false }).unwrap();
    // Five decisions, and at least eight positions: start, deal, draw, and one after each decision.
    assert_eq!(most.load(Ordering::Relaxed), calls.load(Ordering::Relaxed));
    assert!(most.load(Ordering::Relaxed) >= 13);
    let calls = AtomicUsize::new(0);
    let stop = || calls.fetch_add(1, Ordering::Relaxed) > 40;
    let stopped = analyse(&record, &plan(1, 2), &Watch { progress: &|_, _| {}, stop: &stop });
    assert_eq!(stopped, Err(AnalysisError::Stopped));
    record.actions[1] = record.actions[0];
    assert!(matches!(analyse(&record, &plan(1, 1), &UNWATCHED), Err(AnalysisError::Replay(_))));
}

fn espresso(players: Players) -> Parameters {
    Variant::ESPRESSO.parameters(players).unwrap()
}

#[test]
fn variants_are_analysed_with_jeweller_bots() {
    let (record, games) = random_record_of(espresso(Players::ALL[1]), 3);
    let analysis = analysed(&record);
    assert!(analysis.complete && analysis.variant == Variant::ESPRESSO);
    check_sums(&analysis);
    check_decisions(&analysis, &record);
    check_losses(&analysis);
    assert_eq!(analysis.round_ends().count(), 5);
    assert!(analysis.seats.iter().all(|seat| is_near(seat.result, share_of(games.last().unwrap(), seat.seat))));
    // The last round is not enumerated, because cards remain in the decks.
    assert!(analysis.decisions.iter().all(|decision| decision.worlds > 0 && decision.worlds <= 768));
}

#[test]
fn the_longest_variant_takes_a_bounded_amount_of_work() {
    let longest = Variant { copies: Some(2), rounds: Some(8), cushions: Some(2), ..Variant::default() };
    let bonus = BonusTable::new(&[[2, 9], [7, 30]]);
    for variant in [longest, Variant { bonus, ..longest }, Variant { stages: Some(1), ..longest }] {
        let parameters = variant.parameters(Players::ALL[3]).unwrap();
        let (mut record, _) = random_record_of(parameters, 3);
        record.actions.truncate(2);
        let calls = AtomicUsize::new(0);
        let stop = || calls.fetch_add(1, Ordering::Relaxed) > 10_000;
        let analysis = analyse(&record, &plan(1, 2), &Watch { progress: &|_, _| {}, stop: &stop }).unwrap();
        check_sums(&analysis);
        check_decisions(&analysis, &record);
        let options = |decision: &sultan_domain::Decision| u32::try_from(decision.options.len()).unwrap();
        let rounds = u32::from(parameters.rounds());
        let is_bounded = |decision| options(decision) * decision.worlds * rounds <= 30_000 && decision.worlds >= 12;
        assert!(analysis.decisions.iter().all(is_bounded));
    }
}

fn share_of(game: &Game, seat: Seat) -> f64 {
    game.outcome().unwrap().share(seat)
}

#[test]
fn the_last_card_of_a_game_is_judged_exactly() {
    let mut decided = 0;
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
        // All cards are known, so each option has exactly one end: that of the real game.
        let hint = hint(&view, &recall, seed, &|| false).unwrap();
        for option in &hint.options {
            let mut end = game;
            end.play(option.action).unwrap();
            assert!((option.win.value - share_of(&end, seat)).abs() < 1e-6, "{view}\n{option:?}");
            assert!(option.win.error == 0.0 && [0.0, 1.0].iter().any(|take| is_near(option.take.unwrap(), *take)));
        }
        let wins: Vec<f64> = hint.options.iter().map(|option| option.win.value).collect();
        let (most, least) = (wins.iter().copied().fold(0.0, f64::max), wins.iter().copied().fold(1.0, f64::min));
        if most > least + 0.4 {
            decided += 1;
            assert!(is_near(hint.options[hint.best].win.value, most), "{hint:?}");
        }
    }
    assert!(decided >= 10, "{decided} of 240 games were open until the last card");
}

/// Checks the alternative: the most frequent other option in the strong bot's mix, or else the one with the best
/// winning chance. There is a reason if and only if the best option wins more often.
fn check_alternative(hint: &Hint) {
    let best = hint.options[hint.best];
    let rest = || hint.options.iter().enumerate().filter(|&(index, _)| index != hint.best).map(|(_, option)| option);
    let Some(instead) = hint.instead.map(|index| hint.options[index]) else {
        assert_eq!((rest().count(), hint.reason), (0, None));
        return;
    };
    assert!(rest().all(|option| option.share <= best.share), "{hint:?}");
    if rest().any(|option| option.share >= 0.05) {
        assert!(rest().all(|option| option.share <= instead.share), "{hint:?}");
    } else {
        assert!(rest().all(|option| option.win.value <= instead.win.value), "{hint:?}");
    }
    assert_eq!(hint.reason.is_some(), best.win.value > instead.win.value, "{hint:?}");
}

#[test]
fn last_round_is_random_only_in_other_players_choices() {
    let (mut equal_options, mut with_reason) = (0, 0);
    for players in Players::ALL {
        let moments = Script::random(players, Screens::Closed, 3).moments();
        let per_round = usize::from(moments[0].game.parameters().bids()) + 2;
        for at in moments.len() - per_round..moments.len() - 1 {
            let Some(seat) = moments[at].game.to_act() else { continue };
            let (view, recall) = knowledge(&moments[..=at], seat);
            let one = hint(&view, &recall, 1, &|| false).unwrap();
            assert!(one.options.iter().all(|option| option.win.error == 0.0));
            check_alternative(&one);
            let better = |index: usize| one.options[one.best].win.value - one.options[index].win.value;
            equal_options += usize::from(one.instead.is_some_and(|index| better(index) == 0.0));
            with_reason += usize::from(one.reason.is_some());
            assert_eq!(hint(&view, &recall, 2, &|| false), Some(one), "the seed has no effect");
        }
    }
    assert!(equal_options > 0 && with_reason > 0, "{equal_options} {with_reason}");
}

/// The coach's advice for a view and recall.
fn coached((view, recall): &(View, Recall)) -> (Option<Hint>, Vec<MayHold>) {
    (hint(view, recall, 9, &|| false), may_hold(view, recall, 9, &|| false))
}

#[test]
fn indistinguishable_games_get_the_same_analysis() {
    let published =
        Players::ALL.into_iter().flat_map(|players| (0..4).map(move |seed| (Parameters::of(players), seed)));
    let variants = Players::ALL.into_iter().map(|players| (espresso(players), 4));
    for (parameters, seed) in published.chain(variants) {
        let script = Script::random_with(parameters, Screens::Closed, seed);
        let moments = script.moments();
        let acting: Vec<usize> = (0..moments.len()).filter(|&at| moments[at].game.to_act().is_some()).collect();
        let mut rng = Quick::new(!seed);
        let at = acting[rng.below(u32::try_from(acting.len()).unwrap()) as usize];
        let seat = moments[at].game.to_act().unwrap();
        let real = knowledge(&moments[..=at], seat);
        let other = indistinguishable_script(&script, at, Observer::Seat(seat), &mut rng).moments();
        let imagined = imagine(&real.0, &real.1, &mut rng).unwrap();
        let imagined = (imagined.view(Observer::Seat(seat)), real.1.clone());
        let advice = coached(&real);
        assert_eq!(advice, coached(&knowledge(&other[..=at], seat)), "{parameters:?}, seed {seed}: {}", real.0);
        assert_eq!(advice, coached(&imagined), "{parameters:?}, seed {seed}: {}", real.0);
    }
}

#[test]
fn probabilities_of_held_cards_add_up() {
    let mut open = 0;
    for players in Players::ALL {
        let moments = Script::random(players, Screens::Open, 8).moments();
        for at in (0..moments.len() - 1).step_by(5) {
            let game = moments[at].game;
            let seat = Seat::default();
            let (view, recall) = knowledge(&moments[..=at], seat);
            let all = may_hold(&view, &recall, 1, &|| false);
            assert_eq!(all.len(), usize::from(players.count()) - 1);
            for held in all {
                let in_hand = f64::from(game.hand(held.seat).len());
                let sum: f64 = held.cards.iter().map(|card| card.chance).sum();
                assert!(sum <= in_hand + 1e-3 && (players.count() == 2 || sum >= in_hand - 1e-3), "{held:?}");
                // A single guess would have no uncertainty.
                open += held.cards.iter().filter(|card| card.chance > 0.1 && card.chance < 0.9).count();
                // Every card in hand has not been played.
                assert!(game.hand(held.seat).values().all(|card| held.cards.iter().any(|one| one.card == card)));
            }
            // If stopped at once, there is one guess.
            let guessed = may_hold(&view, &recall, 1, &|| true);
            assert_eq!(guessed.len(), usize::from(players.count()) - 1);
            let cards = || guessed.iter().flat_map(|held| &held.cards);
            assert!(cards().all(|card| is_near(card.chance, 0.0) || is_near(card.chance, 1.0)), "{guessed:?}");
        }
        let over = moments.last().unwrap().game.view(Observer::Seat(Seat::default()));
        assert!(may_hold(&over, &Recall::default(), 1, &|| false).is_empty());
    }
    assert!(open > 100, "{open}");
}

#[test]
fn hint_requires_a_decision_and_time() {
    let moments = Script::random(Players::new(4).unwrap(), Screens::Closed, 2).moments();
    let seat = moments[1].game.to_act().unwrap();
    let (view, recall) = knowledge(&moments[..2], seat);
    let advice = hint(&view, &recall, 1, &|| false).unwrap();
    assert!(advice.options.iter().all(|option| matches!(option.action, Action::Offer(_)) && option.take.is_none()));
    assert!(advice.options.iter().all(|option| option.win.error <= 0.01 && option.win.error > 0.0));
    assert_ne!(advice.instead, Some(advice.best));
    assert_eq!(hint(&view, &recall, 1, &|| true), None);
    let (other, recall) = knowledge(&moments[..2], seat.left(Players::new(4).unwrap()));
    assert_eq!(hint(&other, &recall, 1, &|| false), None);
}

#[test]
fn hint_stopped_early_is_not_marked_exact() {
    let moments = Script::random(Players::new(4).unwrap(), Screens::Closed, 2).moments();
    let (view, recall) = knowledge(&moments[..2], moments[1].game.to_act().unwrap());
    let (mut nothing, mut something) = (0, 0);
    for most in (0..400).step_by(20) {
        let calls = AtomicUsize::new(0);
        match hint(&view, &recall, 1, &|| calls.fetch_add(1, Ordering::Relaxed) >= most) {
            None => nothing += 1,
            Some(hint) => {
                something += 1;
                assert!(hint.options.iter().all(|option| option.win.error > 0.0), "{most} calls: {hint:?}");
            }
        }
    }
    // A batch has 64 tables; without a second batch there is no hint.
    assert!(nothing >= 6 && something >= 6, "{nothing} {something}");
}

#[test]
fn hint_can_be_cancelled_in_the_last_round() {
    for players in Players::ALL {
        let moments = Script::random(players, Screens::Closed, 3).moments();
        let per_round = usize::from(moments[0].game.parameters().bids()) + 1;
        let at = moments.len() - 1 - per_round;
        let seat = moments[at].game.to_act().unwrap();
        let (view, recall) = knowledge(&moments[..=at], seat);
        assert_eq!(hint(&view, &recall, 1, &|| true), None);
        let calls = AtomicUsize::new(0);
        let stop = || calls.fetch_add(1, Ordering::Relaxed) >= 9;
        assert_eq!(hint(&view, &recall, 1, &stop), None);
        assert!(calls.load(Ordering::Relaxed) <= 12, "it stops at once");
        assert!(hint(&view, &recall, 1, &|| false).is_some());
    }
}
