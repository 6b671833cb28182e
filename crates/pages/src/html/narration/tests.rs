//! Tests of the sentences about whole games, for all observers.

use sultan_domain::{Observer, PlacedBid, Players, PlayingTable, TableView, ViewPhase};
use sultan_table::{Caller, NewPlayer, NewTable};
use sultan_testkit::{Backend, FakeTime, FastRng, Player, TestService};
use sultan_text::{Lang, Text};

use super::*;

/// The table in play, as a caller sees it.
async fn playing_table(node: &TestService, table: sultan_domain::TableId, caller: &Caller) -> PlayingTable {
    match node.service.observe(table, caller).await.unwrap().view() {
        TableView::Playing(playing) => *playing,
        TableView::Waiting(_) => panic!("the game has not started"),
    }
}

fn context(playing: &PlayingTable, lang: Lang) -> PageContext<'_> {
    PageContext { text: Text::of(lang), playing, query: "" }
}

/// Starts a game of `count` people with names.
async fn open_table(node: &TestService, count: u8) -> (sultan_domain::TableId, Vec<Player>) {
    let names = ["Ana", "Bo", "Cy", "Di", "Eve"];
    let host = NewPlayer { name: names[0].to_owned(), ..NewPlayer::default() };
    let new = NewTable { host, ..NewTable::plain(Players::new(count).unwrap()) };
    let opened = node.service.open(new).await.unwrap();
    let mut players = vec![Player { seat: opened.seat, token: opened.token }];
    for name in &names[1..usize::from(count)] {
        players.push(node.take_seat(opened.table, name).await);
    }
    (opened.table, players)
}

/// An action in a game, as narrated to one observer.
struct NarratedAction {
    observer: Observer,
    /// The table before the action.
    before: PlayingTable,
    /// The table after the action.
    after: PlayingTable,
    sentences: Vec<String>,
}

/// Plays up to `max_actions` random actions in a game of `count` people. Returns the narration of each action for each
/// observer.
async fn narrated_game(count: u8, lang: Lang, max_actions: usize) -> Vec<NarratedAction> {
    let backend = Backend::sqlite();
    let node = TestService::start(&backend, &FakeTime::default(), 1).await;
    let (table, players) = open_table(&node, count).await;
    let callers: Vec<Caller> = players.iter().map(Player::caller).chain([Caller::Spectator]).collect();
    let mut rng = FastRng::new(3);
    let mut narrated = Vec::new();
    for _ in 0..max_actions {
        let mut tables_before = Vec::new();
        for caller in &callers {
            tables_before.push(playing_table(&node, table, caller).await);
        }
        if node.play_random_actions(table, &players, &mut rng, 1).await == 0 {
            break;
        }
        for (caller, before) in callers.iter().zip(tables_before) {
            let after = playing_table(&node, table, caller).await;
            let sentences = narrate(context(&before, lang), context(&after, lang));
            narrated.push(NarratedAction { observer: after.view.observer, before, after, sentences });
        }
    }
    node.shut_down().await;
    narrated
}

#[tokio::test]
async fn every_action_has_a_sentence_for_each_observer_and_language() {
    for (count, lang) in [(2, Lang::En), (3, Lang::De), (4, Lang::Fr), (5, Lang::Nl), (2, Lang::Hu)] {
        let narrated = narrated_game(count, lang, usize::MAX).await;
        for NarratedAction { observer, before, after, sentences } in &narrated {
            assert!(!sentences.is_empty(), "{observer:?} gets no sentence about action {}", after.view.action_count);
            let text = Text::of(lang);
            let has_reveal = sentences.contains(&text.say("event-turned-up"));
            assert_eq!(has_reveal, before.view.last_round != after.view.last_round);
            let notices = [text.say("table-your-turn"), text.say("table-you-open")];
            let has_notice = sentences.iter().any(|sentence| notices.iter().any(|notice| sentence.starts_with(notice)));
            assert_eq!(has_notice, context(after, lang).is_turn());
        }
        let last = narrated.last().unwrap();
        assert!(last.after.view.outcome.is_some() && last.sentences.len() >= 3, "{:?}", last.sentences);
    }
}

#[tokio::test]
async fn winner_is_addressed_as_you_and_other_players_by_name() {
    let narrated = narrated_game(3, Lang::En, usize::MAX).await;
    let last_action: Vec<_> = narrated.iter().filter(|action| action.after.view.outcome.is_some()).collect();
    assert_eq!(last_action.len(), 4, "the last action is narrated to three players and a spectator");
    let winners: Vec<_> = last_action[0].after.view.outcome.unwrap().winners().collect();
    let [winner] = winners[..] else { panic!("two players share the first place") };
    let name = ["Ana", "Bo", "Cy"][winner.index()];
    for NarratedAction { observer, sentences, .. } in last_action {
        let is_winner = observer.seat() == Some(winner);
        let has_sentence = |start: &str| sentences.iter().any(|sentence| sentence.starts_with(start));
        assert_eq!(has_sentence("You are the sultan’s new treasurer"), is_winner, "{sentences:?}");
        assert_eq!(has_sentence(&format!("{name} is the sultan’s new treasurer")), !is_winner, "{sentences:?}");
    }
}

#[tokio::test]
async fn face_down_cards_are_not_named() {
    for NarratedAction { observer, after, sentences, .. } in narrated_game(4, Lang::En, usize::MAX).await {
        let (Some(bid), ViewPhase::Bid) = (after.view.bids.last(), after.view.phase) else { continue };
        match bid {
            PlacedBid::Own(bid) => {
                assert_eq!(Some(bid.seat), observer.seat());
                assert_eq!(sentences[0], format!("You put {} on cushion {}.", bid.card, bid.cushion));
            }
            PlacedBid::FaceDown(bid) => {
                let name = ["Ana", "Bo", "Cy", "Di"][bid.seat.index()];
                assert_eq!(sentences[0], format!("{name} puts a card on cushion {}.", bid.cushion));
            }
        }
    }
}

#[tokio::test]
async fn first_round_is_narrated_in_order() {
    // An offer and three bids. The game is always the same, because its random numbers have a fixed seed.
    let narrated = narrated_game(3, Lang::En, 4).await;
    let to_bo = narrated.iter().filter(|action| action.observer.seat().is_some_and(|seat| seat.number() == 1));
    let sentences: Vec<&str> = to_bo.flat_map(|action| action.sentences.iter().map(String::as_str)).collect();
    let expected = [
        "Cushion 1: the red jewel.",
        "Cushion 2: the blue jewel.",
        "Back into the pouch: the yellow jewel.",
        "Cy puts a card on cushion 1.",
        "Ana puts a card on cushion 2.",
        "Your turn: one card, face down, on one cushion.",
        "You put 6 on cushion 2.",
        "All cards are turned up.",
        "Cy takes the red jewel with 2.",
        "Ana takes the blue jewel with 12.",
        "Round 2 of stage 1.",
        "Ana draws: green, red, blue.",
    ];
    assert_eq!(sentences, expected);
    let round = narrated.last().unwrap().after.view.last_round.unwrap();
    assert_eq!(round.put_back, Some(sultan_domain::Jewel::Yellow));
}

#[tokio::test]
async fn missed_events_are_narrated_from_the_last_round() {
    // The two views are ten rounds apart (a round has four actions).
    let narrated = narrated_game(3, Lang::En, 40).await;
    let public: Vec<_> = narrated.iter().filter(|action| action.observer == Observer::Public).collect();
    let (first, last) = (&public[0].before, &public.last().unwrap().after);
    let sentences = narrate(context(first, Lang::En), context(last, Lang::En));
    assert_eq!(sentences[0], "All cards are turned up.");
    assert!(sentences.len() > 3, "{sentences:?}");
    assert!(narrate(context(last, Lang::En), context(last, Lang::En)).is_empty());
}

#[tokio::test]
async fn leaving_and_returning_are_announced() {
    let backend = Backend::sqlite();
    let node = TestService::start(&backend, &FakeTime::default(), 1).await;
    let (table, players) = open_table(&node, 3).await;
    let ana = players[0].caller();
    let before = playing_table(&node, table, &ana).await;
    node.service.leave(table, &players[1].caller()).await.unwrap();
    let after_leaving = playing_table(&node, table, &ana).await;
    assert_eq!(narrate(context(&before, Lang::En), context(&after_leaving, Lang::En))[0], "A bot now plays for Bo.");
    node.service.end_stand_in(table, &players[1].caller(), players[1].seat).await.unwrap();
    let after_return = playing_table(&node, table, &ana).await;
    assert_eq!(narrate(context(&after_leaving, Lang::En), context(&after_return, Lang::En))[0], "Bo is back.");
    node.shut_down().await;
}
