//! Tables with a coach.

use std::time::{Duration, Instant};

use sultan_table::domain::{Observer, Screens, TableView};
use sultan_table::{Caller, NewTable, Rejection};
use sultan_testkit::in_time;

use crate::{node, players, quick, rejection, with_options};

#[tokio::test]
async fn coach_answers_only_if_the_option_is_set() {
    let (_backend, node) = node().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    assert_eq!(rejection(node.service.advice(table, &seated[0].caller()).await), Rejection::NoCoach);
    assert!(node.view(table, &Caller::Spectator).await.get("coach").is_none());
    let opened =
        node.service.open(with_options(NewTable::plain(players(3)), |options| options.coach = true)).await.unwrap();
    assert_eq!(node.view(opened.table, &Caller::Spectator).await["options"]["coach"], true);
    let host = Caller::Token(opened.token);
    assert_eq!(rejection(node.service.advice(opened.table, &host).await), Rejection::NotStarted);
    for _ in 0..2 {
        node.take_seat(opened.table, "").await;
    }
    assert_eq!(node.view(opened.table, &Caller::Spectator).await["coach"], true);
    assert_eq!(rejection(node.service.advice(opened.table, &Caller::Spectator).await), Rejection::NoToken);
}

#[tokio::test]
async fn coach_rates_every_legal_action() {
    let (_backend, node) = node().await;
    for screens in [Screens::Closed, Screens::Open] {
        let (table, seated) = node
            .open_table(with_options(NewTable::plain(players(4)), |options| {
                options.coach = true;
                options.screens = screens;
            }))
            .await;
        node.play_random_actions(table, &seated, &mut quick(), 7).await;
        let player = node.player_to_act(table, &seated).await.unwrap();
        let other = seated.iter().find(|other| other.seat != player.seat).unwrap();
        let wrong = rejection(node.service.advice(table, &other.caller()).await);
        assert_eq!(wrong, Rejection::NotYourTurn(player.seat));
        let advice = node.service.advice(table, &player.caller()).await.unwrap();
        let TableView::Playing(playing) = node.service.observe(table, &player.caller()).await.unwrap().view() else {
            panic!()
        };
        assert_eq!(advice.view.observer, Observer::Seat(player.seat));
        assert_eq!(advice.view, playing.view);
        let shares: f64 = advice.hint.options.iter().map(|option| option.share).sum();
        assert!((shares - 1.0).abs() < 1e-6, "{shares}");
        // The cards that other players may hold are available at any time if screens are open.
        for player in &seated {
            match (screens, node.service.may_hold(table, &player.caller()).await) {
                (Screens::Open, holds) => {
                    let holds = holds.unwrap();
                    assert_eq!(holds.len(), 3);
                    for other in &holds {
                        assert!(other.seat != player.seat && other.cards.len() >= 10);
                        let in_hand: f64 = other.cards.iter().map(|card| card.chance).sum();
                        let hand = f64::from(playing.view.seats[other.seat.index()].hand);
                        assert!((in_hand - hand).abs() < 1e-6, "{in_hand} of {hand}");
                    }
                }
                (Screens::Closed, holds) => assert_eq!(rejection(holds), Rejection::NoCoach),
            }
        }
        node.play_out(table, &seated, &mut quick()).await;
        assert_eq!(rejection(node.service.advice(table, &player.caller()).await), Rejection::Over);
    }
}

/// With an even pace, the coach uses no hidden action, not even the fact that it was played.
#[tokio::test]
async fn coach_ignores_hidden_actions() {
    let (_backend, node) = node().await;
    let new = with_options(NewTable::plain(players(3)), |options| {
        options.coach = true;
        options.even_pace = true;
        options.screens = Screens::Open;
    });
    let (table, seated) = node.open_table(new).await;
    let (mut chance, mut compared) = (quick(), 0);
    let mut watch = node.watch(table, Caller::Spectator).await;
    in_time(watch.next()).await.unwrap();
    for _ in 0..8 {
        let actor = node.player_to_act(table, &seated).await.unwrap();
        let others: Vec<_> = seated.iter().filter(|other| other.seat != actor.seat).collect();
        let answers = async || {
            let (started, mut answers) = (Instant::now(), Vec::new());
            for other in &others {
                let advice = rejection(node.service.advice(table, &other.caller()).await);
                assert_eq!(advice, Rejection::NotYourTurn(actor.seat));
                answers.push(format!("{:?}", node.service.may_hold(table, &other.caller()).await.unwrap()));
            }
            // If the coach runs out of time, its answer may vary.
            (started.elapsed() < Duration::from_millis(500)).then_some(answers)
        };
        let before = answers().await;
        node.play_random_action(table, &actor, &mut chance).await.unwrap();
        if let (Some(before), Some(after)) = (before, answers().await) {
            assert_eq!(after, before);
            compared += 1;
        }
        node.time.advance(5000);
        in_time(watch.next()).await.unwrap();
    }
    assert!(compared > 0, "the coach always ran out of time");
}

/// The coach uses only the view of the seat: its answer does not depend on other hands and decks.
#[tokio::test]
async fn coach_uses_only_the_view_of_the_seat() {
    use sultan_table::analysis::hint;
    use sultan_table::domain::Recall;
    let (_backend, node) = node().await;
    let (table, seated) =
        node.open_table(with_options(NewTable::plain(players(3)), |options| options.coach = true)).await;
    node.play_random_actions(table, &seated, &mut quick(), 14).await;
    let player = node.player_to_act(table, &seated).await.unwrap();
    let started = Instant::now();
    let advice = node.service.advice(table, &player.caller()).await.unwrap();
    let in_time = started.elapsed() < Duration::from_secs(1);
    // From the view that the seat received, and the public rounds.
    let mut rounds = Vec::new();
    let TableView::Playing(playing) = node.service.observe(table, &player.caller()).await.unwrap().view() else {
        panic!()
    };
    node.play_out(table, &seated, &mut quick()).await;
    let replay = node.service.replay(table).await.unwrap();
    for moment in 0..=usize::from(playing.view.at) {
        let round = replay.view_at(moment, Observer::Seat(player.seat)).view.last_round;
        if round != rounds.last().copied() {
            rounds.extend(round);
        }
    }
    let again = hint(&playing.view, &Recall::of(rounds).unwrap(), 1, &|| false).unwrap();
    let actions =
        |hint: &sultan_table::domain::Hint| hint.options.iter().map(|option| option.action).collect::<Vec<_>>();
    assert_eq!(actions(&advice.hint), actions(&again));
    assert!(!in_time || advice.hint == again, "the same answer unless the coach ran out of time");
}
