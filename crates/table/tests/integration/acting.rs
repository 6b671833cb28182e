//! Actions of players: which rejection comes first, and repeated requests.

use sultan_table::domain::{Action, TableId};
use sultan_table::{Caller, Rejection};
use sultan_testkit::parse_view;

use crate::{new_rng, players, rejection, start_node, start_node_with_slow_bots};

/// Most of these requests have several faults: the reported fault is the first in the order of `docs/api.md`.
#[tokio::test]
async fn error_precedence_follows_the_api_contract() {
    let (_backend, node) = start_node().await;
    let service = &node.service;
    // An action that is never legal, since no three jewels of a colour are drawn at the start of these games.
    let illegal_offer: Action = "WWW".parse().unwrap();
    // A player of another table.
    let stranger = node.open_human_table(players(2)).await.1[0].caller();
    let no_table = TableId::new(5);
    assert_eq!(rejection(service.act(no_table, &Caller::Spectator, illegal_offer, 9).await), Rejection::NoSuchTable);
    let waiting = service.open(sultan_table::NewTable::plain(players(2))).await.unwrap();
    let host = Caller::Token(waiting.token);
    assert_eq!(rejection(service.act(waiting.table, &host, illegal_offer, 0).await), Rejection::NotStarted);

    let (table, seated) = node.open_human_table(players(3)).await;
    let act = async |caller: Caller, action, at| service.act(table, &caller, action, at).await;
    assert_eq!(rejection(act(Caller::Spectator, illegal_offer, 9).await), Rejection::NoToken);
    assert_eq!(rejection(act(stranger, illegal_offer, 9).await), Rejection::WrongToken);
    let first = node.player_to_act(table, &seated).await.unwrap();
    let other = seated.iter().find(|player| player.seat != first.seat).unwrap();
    assert_eq!(rejection(act(other.caller(), illegal_offer, 9).await), Rejection::NotNow { now: 0, given: 9 });
    assert_eq!(rejection(act(other.caller(), illegal_offer, 0).await), Rejection::NotYourTurn(first.seat));
    assert_eq!(rejection(act(first.caller(), illegal_offer, 1).await), Rejection::NotNow { now: 0, given: 1 });
    let before = node.json_view(table, &first.caller()).await;
    // Jewels that are not drawn, too few jewels, and two bids before the offer.
    for illegal in ["WWW", "W", "15@3", "1@1"] {
        let rejection = rejection(act(first.caller(), illegal.parse().unwrap(), 0).await);
        assert!(matches!(rejection, Rejection::Illegal(_)), "{illegal}: {rejection}");
        assert!(rejection.to_string().contains("rule"), "the message names no rule: {rejection}");
    }
    let after = node.json_view(table, &first.caller()).await;
    assert_eq!((before.version, before.json), (after.version, after.json));
}

#[tokio::test]
async fn unreadable_action_is_rejected_last_with_its_rule() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    let first = node.player_to_act(table, &seated).await.unwrap();
    let other = seated.iter().find(|player| player.seat != first.seat).unwrap();
    let rejection_of =
        async |caller: Caller, text: &str, at| rejection(node.service.act_as_text(table, &caller, text, at).await);
    assert_eq!(rejection_of(Caller::Spectator, "dance", 9).await, Rejection::NoToken);
    assert_eq!(rejection_of(other.caller(), "dance", 9).await, Rejection::NotNow { now: 0, given: 9 });
    assert_eq!(rejection_of(other.caller(), "dance", 0).await, Rejection::NotYourTurn(first.seat));
    for (text, rule) in [("dance", "4.1-4.3"), ("", "4.1-4.3"), ("99@1", "1.2"), ("1@9", "1.3"), ("WRYG", "4.1")] {
        let rejection = rejection_of(first.caller(), text, 0).await;
        assert_eq!(rejection.rule(), Some(rule), "{text}: {rejection:?}");
        assert!(matches!(rejection, Rejection::NoAction(_)), "{text}: {rejection:?}");
    }
    // A bid in the offer phase is readable, but illegal.
    let bid_too_early = rejection_of(first.caller(), "1@1", 0).await;
    assert_eq!(bid_too_early.rule(), Some("4.1"));
    assert!(matches!(bid_too_early, Rejection::Illegal(_)), "{bid_too_early:?}");
    assert_eq!(Rejection::Over.rule(), None);
    // A readable action is played.
    let (action, at) = node.random_action(table, &first, &mut new_rng()).await;
    let acted = node.service.act_as_text(table, &first.caller(), &action.to_string(), at).await.unwrap().json();
    assert_eq!(parse_view(&acted)["at"], 1);
}

#[tokio::test]
async fn repeated_action_is_applied_once() {
    let (_backend, node) = start_node().await;
    let service = &node.service;
    let (table, seated) = node.open_human_table(players(3)).await;
    let mut rng = new_rng();
    let mut played = Vec::new();
    while let Some(player) = node.player_to_act(table, &seated).await {
        let (action, at) = node.random_action(table, &player, &mut rng).await;
        let first_answer = service.act(table, &player.caller(), action, at).await.unwrap().json();
        let second_answer = service.act(table, &player.caller(), action, at).await.unwrap().json();
        assert_eq!((first_answer.version, &first_answer.json), (second_answer.version, &second_answer.json));
        assert_eq!(parse_view(&first_answer)["at"], at + 1);
        played.push((player, action, at));
    }
    let end = node.json_view(table, &Caller::Spectator).await;
    // After the end of the game each action can be repeated, but another player's action is rejected.
    for &(player, action, at) in &played {
        let repeated = service.act(table, &player.caller(), action, at).await.unwrap().json();
        assert_eq!(repeated.version, end.version);
        let other = seated.iter().find(|other| other.seat != player.seat).unwrap();
        assert_eq!(rejection(service.act(table, &other.caller(), action, at).await), Rejection::Over);
    }
    let (player, action, at) = played[0];
    assert_eq!(rejection(service.act(table, &player.caller(), action, at + 1).await), Rejection::Over);
    let record = service.record(table).await.unwrap();
    assert_eq!(record.actions, played.iter().map(|&(_, action, _)| action).collect::<Vec<_>>());
}

#[tokio::test]
async fn different_action_with_the_same_at_is_rejected() {
    let (_backend, node) = start_node().await;
    let (table, seated) = node.open_human_table(players(2)).await;
    let mut rng = new_rng();
    for _ in 0..20 {
        let player = node.player_to_act(table, &seated).await.unwrap();
        let legal = node.view(table, &player.caller()).await["legal"].clone();
        let (action, at) = node.random_action(table, &player, &mut rng).await;
        node.service.act(table, &player.caller(), action, at).await.unwrap();
        let others = legal.as_array().unwrap().iter().filter_map(|text| text.as_str()?.parse::<Action>().ok());
        for other in others.filter(|other| *other != action) {
            let rejected = node.service.act(table, &player.caller(), other, at).await;
            assert_eq!(rejection(rejected), Rejection::NotNow { now: at + 1, given: at });
        }
    }
}

#[tokio::test]
async fn action_of_a_player_who_left_is_rejected_until_return() {
    let (_backend, node) = start_node_with_slow_bots().await;
    let (table, seated) = node.open_human_table(players(3)).await;
    let player = node.player_to_act(table, &seated).await.unwrap();
    let (action, at) = node.random_action(table, &player, &mut new_rng()).await;
    node.service.leave(table, &player.caller()).await.unwrap();
    let act = async || node.service.act(table, &player.caller(), action, at).await;
    assert_eq!(rejection(act().await), Rejection::Away);
    node.service.end_stand_in(table, &player.caller(), player.seat).await.unwrap();
    act().await.unwrap();
}
