//! Actions of players: order of rejections, repetition.

use sultan_table::domain::{Action, TableId};
use sultan_table::{Caller, Rejection};
use sultan_testkit::parse_view;

use crate::{node, players, quick, rejection, slow_node};

#[tokio::test]
async fn error_precedence_follows_the_api_contract() {
    let (_backend, node) = node().await;
    let service = &node.service;
    let nonsense: Action = "WWW".parse().unwrap();
    let stranger = node.open_human_table(players(2)).await.1[0].caller();
    let no_table = TableId::new(5);
    assert_eq!(rejection(service.act(no_table, &Caller::Spectator, nonsense, 9).await), Rejection::NoSuchTable);
    let waiting = service.open(sultan_table::NewTable::plain(players(2))).await.unwrap();
    let host = Caller::Token(waiting.token);
    assert_eq!(rejection(service.act(waiting.table, &host, nonsense, 0).await), Rejection::NotStarted);

    let (table, seated) = node.open_human_table(players(3)).await;
    let act = async |caller: Caller, action, at| service.act(table, &caller, action, at).await;
    assert_eq!(rejection(act(Caller::Spectator, nonsense, 9).await), Rejection::NoToken);
    assert_eq!(rejection(act(stranger, nonsense, 9).await), Rejection::WrongToken);
    let first = node.player_to_act(table, &seated).await.unwrap();
    let other = seated.iter().find(|player| player.seat != first.seat).unwrap();
    assert_eq!(rejection(act(other.caller(), nonsense, 9).await), Rejection::NotNow { now: 0, given: 9 });
    assert_eq!(rejection(act(other.caller(), nonsense, 0).await), Rejection::NotYourTurn(first.seat));
    assert_eq!(rejection(act(first.caller(), nonsense, 1).await), Rejection::NotNow { now: 0, given: 1 });
    let before = node.json_view(table, &first.caller()).await;
    for illegal in ["WWW", "W", "15@3", "1@1"] {
        let refusal = rejection(act(first.caller(), illegal.parse().unwrap(), 0).await);
        assert!(matches!(refusal, Rejection::Illegal(_)), "{illegal}: {refusal}");
        assert!(refusal.to_string().contains("rule"), "{refusal}");
    }
    let after = node.json_view(table, &first.caller()).await;
    assert_eq!((before.version, before.json), (after.version, after.json));
}

#[tokio::test]
async fn unreadable_action_is_rejected_last_with_its_rule() {
    let (_backend, node) = node().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    let first = node.player_to_act(table, &seated).await.unwrap();
    let other = seated.iter().find(|player| player.seat != first.seat).unwrap();
    let act =
        async |caller: Caller, text: &str, at| rejection(node.service.act_as_text(table, &caller, text, at).await);
    assert_eq!(act(Caller::Spectator, "dance", 9).await, Rejection::NoToken);
    assert_eq!(act(other.caller(), "dance", 9).await, Rejection::NotNow { now: 0, given: 9 });
    assert_eq!(act(other.caller(), "dance", 0).await, Rejection::NotYourTurn(first.seat));
    let wrong =
        [("dance", "4.1-4.3"), ("", "4.1-4.3"), ("99@1", "1.2"), ("1@9", "1.3"), ("WRYG", "4.1"), ("1@1", "4.1")];
    for (text, rule) in wrong {
        let refusal = act(first.caller(), text, 0).await;
        assert_eq!(refusal.rule(), Some(rule), "{text}: {refusal:?}");
        assert!(matches!(refusal, Rejection::NoAction(_)) == (text != "1@1"), "{text}: {refusal:?}");
    }
    assert_eq!(Rejection::Over.rule(), None);
    // A readable action is played.
    let (action, at) = node.random_action(table, &first, &mut quick()).await;
    let acted = node.service.act_as_text(table, &first.caller(), &action.to_string(), at).await.unwrap().json();
    assert_eq!(parse_view(&acted)["at"], 1);
}

#[tokio::test]
async fn repeated_action_is_applied_once() {
    let (_backend, node) = node().await;
    let service = &node.service;
    let (table, seated) = node.open_human_table(players(3)).await;
    let mut chance = quick();
    let mut done = Vec::new();
    while let Some(player) = node.player_to_act(table, &seated).await {
        let (action, at) = node.random_action(table, &player, &mut chance).await;
        let once = service.act(table, &player.caller(), action, at).await.unwrap().json();
        let twice = service.act(table, &player.caller(), action, at).await.unwrap().json();
        assert_eq!((once.version, &once.json), (twice.version, &twice.json));
        assert_eq!(parse_view(&once)["at"], at + 1);
        done.push((player, action, at));
    }
    let end = node.json_view(table, &Caller::Spectator).await;
    // A repeated action is accepted however late it is; a different action is rejected as too late.
    for &(player, action, at) in &done {
        let again = service.act(table, &player.caller(), action, at).await.unwrap().json();
        assert_eq!(again.version, end.version);
        let other = seated.iter().find(|other| other.seat != player.seat).unwrap();
        assert_eq!(rejection(service.act(table, &other.caller(), action, at).await), Rejection::Over);
    }
    let (player, action, at) = done[0];
    assert_eq!(rejection(service.act(table, &player.caller(), action, at + 1).await), Rejection::Over);
    let record = service.record(table).await.unwrap();
    assert_eq!(record.actions, done.iter().map(|&(_, action, _)| action).collect::<Vec<_>>());
}

#[tokio::test]
async fn different_action_at_the_same_number_is_rejected() {
    let (_backend, node) = node().await;
    let (table, seated) = node.open_human_table(players(2)).await;
    let mut chance = quick();
    for _ in 0..20 {
        let player = node.player_to_act(table, &seated).await.unwrap();
        let legal = node.view(table, &player.caller()).await["legal"].clone();
        let (action, at) = node.random_action(table, &player, &mut chance).await;
        node.service.act(table, &player.caller(), action, at).await.unwrap();
        let others = legal.as_array().unwrap().iter().filter_map(|text| text.as_str()?.parse::<Action>().ok());
        for other in others.filter(|other| *other != action) {
            let refusal = rejection(node.service.act(table, &player.caller(), other, at).await);
            assert_eq!(refusal, Rejection::NotNow { now: at + 1, given: at });
        }
    }
}

#[tokio::test]
async fn action_of_a_player_who_left_is_rejected_until_return() {
    let (_backend, node) = slow_node().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    let player = node.player_to_act(table, &seated).await.unwrap();
    let (action, at) = node.random_action(table, &player, &mut quick()).await;
    node.service.leave(table, &player.caller()).await.unwrap();
    let act = async || node.service.act(table, &player.caller(), action, at).await;
    assert_eq!(rejection(act().await), Rejection::Away);
    node.service.end_stand_in(table, &player.caller(), player.seat).await.unwrap();
    act().await.unwrap();
}
