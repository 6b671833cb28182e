//! Tables with a coach.

use std::time::{Duration, Instant};

use sultan_table::analysis::hint;
use sultan_table::domain::{Hint, Observer, Recall, Screens, TableView};
use sultan_table::{Caller, NewTable, Rejection};
use sultan_testkit::in_time;

use crate::{new_rng, players, rejection, start_node, with_options};

#[tokio::test]
async fn coach_answers_only_if_the_option_is_set() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    assert_eq!(rejection(node.service.advice(table, &seated[0].caller()).await), Rejection::NoCoach);
    assert!(node.view(table, &Caller::Spectator).await.get("coach").is_none());
    let with_coach =
        node.service.open(with_options(NewTable::plain(players(3)), |options| options.coach = true)).await.unwrap();
    assert_eq!(node.view(with_coach.table, &Caller::Spectator).await["options"]["coach"], true);
    let host = Caller::Token(with_coach.token);
    assert_eq!(rejection(node.service.advice(with_coach.table, &host).await), Rejection::NotStarted);
    for _ in 0..2 {
        node.take_seat(with_coach.table, "").await;
    }
    assert_eq!(node.view(with_coach.table, &Caller::Spectator).await["coach"], true);
    assert_eq!(rejection(node.service.advice(with_coach.table, &Caller::Spectator).await), Rejection::NoToken);
}

#[tokio::test]
async fn coach_rates_every_legal_action() {
    let (_backend, node) = start_node().await;
    for screens in [Screens::Closed, Screens::Open] {
        let (table, seated) = node
            .open_table(with_options(NewTable::plain(players(4)), |options| {
                options.coach = true;
                options.screens = screens;
            }))
            .await;
        node.play_random_actions(table, &seated, &mut new_rng(), 7).await;
        let player = node.player_to_act(table, &seated).await.unwrap();
        let other = seated.iter().find(|other| other.seat != player.seat).unwrap();
        let rejected = rejection(node.service.advice(table, &other.caller()).await);
        assert_eq!(rejected, Rejection::NotYourTurn(player.seat));
        let advice = node.service.advice(table, &player.caller()).await.unwrap();
        let TableView::Playing(playing) = node.service.observe(table, &player.caller()).await.unwrap().view() else {
            panic!("the game has not started")
        };
        assert_eq!(advice.view.observer, Observer::Seat(player.seat));
        assert_eq!(advice.view, playing.view);
        let shares: f64 = advice.hint.options.iter().map(|option| option.share).sum();
        assert!((shares - 1.0).abs() < 1e-6, "the shares of all actions add up to {shares}, not to 1");
        // With open screens each player may at any time request the coach's estimate of the other players' cards.
        for player in &seated {
            let estimate = node.service.may_hold(table, &player.caller()).await;
            if screens == Screens::Closed {
                assert_eq!(rejection(estimate), Rejection::NoCoach);
                continue;
            }
            let estimate = estimate.unwrap();
            assert_eq!(estimate.len(), 3);
            for other in &estimate {
                // After seven actions, any hand may still hold at least ten different cards.
                assert!(other.seat != player.seat && other.cards.len() >= 10);
                let expected_cards: f64 = other.cards.iter().map(|card| card.chance).sum();
                let cards_in_hand = f64::from(playing.view.seats[other.seat.index()].hand);
                assert!(
                    (expected_cards - cards_in_hand).abs() < 1e-6,
                    "the chances add up to {expected_cards} cards, but the hand has {cards_in_hand}"
                );
            }
        }
        node.play_out(table, &seated, &mut new_rng()).await;
        assert_eq!(rejection(node.service.advice(table, &player.caller()).await), Rejection::Over);
    }
}

/// With an even pace, the coach's answers to the other players stay the same after an action that is hidden from them.
#[tokio::test]
async fn coach_ignores_hidden_actions() {
    let (_backend, node) = start_node().await;
    let new = with_options(NewTable::plain(players(3)), |options| {
        options.coach = true;
        options.even_pace = true;
        options.screens = Screens::Open;
    });
    let (table, seated) = node.open_table(new).await;
    let (mut rng, mut compared) = (new_rng(), 0);
    let mut watch = node.watch(table, Caller::Spectator).await;
    in_time(watch.next()).await.unwrap();
    for _ in 0..8 {
        let actor = node.player_to_act(table, &seated).await.unwrap();
        let others: Vec<_> = seated.iter().filter(|other| other.seat != actor.seat).collect();
        // `None` if the coach may have run out of time, since then its answer may vary.
        let coach_answers = async || {
            let (started, mut answers) = (Instant::now(), Vec::new());
            for other in &others {
                let rejected = rejection(node.service.advice(table, &other.caller()).await);
                assert_eq!(rejected, Rejection::NotYourTurn(actor.seat));
                answers.push(format!("{:?}", node.service.may_hold(table, &other.caller()).await.unwrap()));
            }
            (started.elapsed() < Duration::from_millis(500)).then_some(answers)
        };
        let before = coach_answers().await;
        node.play_random_action(table, &actor, &mut rng).await.unwrap();
        if let (Some(before), Some(after)) = (before, coach_answers().await) {
            assert_eq!(after, before);
            compared += 1;
        }
        node.time.advance(5000);
        in_time(watch.next()).await.unwrap();
    }
    assert!(compared > 0, "the coach always ran out of time");
}

/// The coach's answer does not depend on other hands and decks: an analysis of only the seat's view and memory, which
/// this test collects itself, gives the same answer.
#[tokio::test]
async fn coach_uses_only_the_view_of_the_seat() {
    let (_backend, node) = start_node().await;
    let (table, seated) =
        node.open_table(with_options(NewTable::plain(players(3)), |options| options.coach = true)).await;
    node.play_random_actions(table, &seated, &mut new_rng(), 14).await;
    let player = node.player_to_act(table, &seated).await.unwrap();
    let started = Instant::now();
    let advice = node.service.advice(table, &player.caller()).await.unwrap();
    let is_within_time_limit = started.elapsed() < Duration::from_secs(1);
    let TableView::Playing(playing) = node.service.observe(table, &player.caller()).await.unwrap().view() else {
        panic!("the game has not started")
    };
    // The memory: all rounds that the seat has seen as `last_round`.
    let mut rounds = Vec::new();
    node.play_out(table, &seated, &mut new_rng()).await;
    let replay = node.service.replay(table).await.unwrap();
    for moment in 0..=usize::from(playing.view.action_count) {
        let last_round = replay.view_at(moment, Observer::Seat(player.seat)).view.last_round;
        if last_round != rounds.last().copied() {
            rounds.extend(last_round);
        }
    }
    let expected = hint(&playing.view, &Recall::of(rounds).unwrap(), 1, &|| false).unwrap();
    let actions = |hint: &Hint| hint.options.iter().map(|option| option.action).collect::<Vec<_>>();
    assert_eq!(actions(&advice.hint), actions(&expected));
    // A coach that runs out of time may give another answer.
    assert!(!is_within_time_limit || advice.hint == expected, "the coach used more than the view and the memory");
}
