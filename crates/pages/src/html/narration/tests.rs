//! The sentences about whole games, for all observers.

use sultan_domain::{Observer, PlacedBid, Players, PlayingTable, TableView};
use sultan_table::{Caller, NewPlayer, NewTable};
use sultan_testkit::{Backend, FakeTime, Player, Quick, TestService};
use sultan_text::{Lang, Text};

use super::*;

async fn playing_table(node: &TestService, table: sultan_domain::TableId, caller: &Caller) -> PlayingTable {
    match node.service.observe(table, caller).await.unwrap().view() {
        TableView::Playing(playing) => *playing,
        TableView::Waiting(_) => panic!("the game is on"),
    }
}

fn context(playing: &PlayingTable, lang: Lang) -> PageContext<'_> {
    PageContext { text: Text::of(lang), playing, query: "" }
}

/// A table in play with named people.
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

/// Plays `steps` actions and returns the sentences after each for every observer: the observer, the table before and
/// after it, the sentences.
async fn narrated_game(
    count: u8,
    lang: Lang,
    steps: usize,
) -> Vec<(Observer, PlayingTable, PlayingTable, Vec<String>)> {
    let backend = Backend::sqlite();
    let node = TestService::start(&backend, &FakeTime::default(), 1).await;
    let (table, players) = open_table(&node, count).await;
    let callers: Vec<Caller> = players.iter().map(Player::caller).chain([Caller::Spectator]).collect();
    let mut chance = Quick::new(3);
    let mut all = Vec::new();
    for _ in 0..steps {
        let mut before = Vec::new();
        for caller in &callers {
            before.push(playing_table(&node, table, caller).await);
        }
        if node.play_random_actions(table, &players, &mut chance, 1).await == 0 {
            break;
        }
        for (caller, before) in callers.iter().zip(before) {
            let now = playing_table(&node, table, caller).await;
            let sentences = narrate(context(&before, lang), context(&now, lang));
            all.push((now.view.observer, before, now, sentences));
        }
    }
    node.shut_down().await;
    all
}

#[tokio::test]
async fn every_action_has_a_sentence_for_each_observer_and_language() {
    for (count, lang) in [(2, Lang::En), (3, Lang::De), (4, Lang::Fr), (5, Lang::Nl), (2, Lang::Hu)] {
        let all = narrated_game(count, lang, usize::MAX).await;
        for (observer, before, now, sentences) in &all {
            assert!(!sentences.is_empty(), "{observer:?} gets no sentence at {}", now.view.at);
            let text = Text::of(lang);
            let turned_up = sentences.contains(&text.say("event-turned-up"));
            assert_eq!(turned_up, before.view.last_round != now.view.last_round);
            let notices = [text.say("table-your-turn"), text.say("table-you-open")];
            let has_notice = sentences.iter().any(|sentence| notices.iter().any(|notice| sentence.starts_with(notice)));
            assert_eq!(has_notice, context(now, lang).is_turn());
        }
        let last = all.last().unwrap();
        assert!(last.2.view.outcome.is_some() && last.3.len() >= 3, "{:?}", last.3);
    }
}

#[tokio::test]
async fn winner_is_addressed_as_you_and_other_players_by_name() {
    let all = narrated_game(3, Lang::En, usize::MAX).await;
    let end: Vec<_> = all.iter().filter(|(_, _, now, _)| now.view.outcome.is_some()).collect();
    assert_eq!(end.len(), 4);
    let winners: Vec<_> = end[0].2.view.outcome.unwrap().winners().collect();
    let [winner] = winners[..] else { panic!("two players share the first place") };
    let name = ["Ana", "Bo", "Cy"][winner.index()];
    for (observer, _, _, sentences) in end {
        let is_winner = observer.seat() == Some(winner);
        let has_sentence = |start: &str| sentences.iter().any(|sentence| sentence.starts_with(start));
        assert_eq!(has_sentence("You are the sultan’s new treasurer"), is_winner, "{sentences:?}");
        assert_eq!(has_sentence(&format!("{name} is the sultan’s new treasurer")), !is_winner, "{sentences:?}");
    }
}

#[tokio::test]
async fn face_down_cards_are_not_named() {
    for (observer, _, now, sentences) in narrated_game(4, Lang::En, usize::MAX).await {
        let (Some(bid), ViewPhase::Bid) = (now.view.bids.last(), now.view.phase) else { continue };
        let first = &sentences[0];
        match bid {
            PlacedBid::Own(own) => {
                assert_eq!(Some(own.seat), observer.seat());
                assert_eq!(*first, format!("You put {} on cushion {}.", own.card, own.cushion));
            }
            PlacedBid::FaceDown(bid) => {
                let name = ["Ana", "Bo", "Cy", "Di"][bid.seat.index()];
                assert_eq!(*first, format!("{name} puts a card on cushion {}.", bid.cushion));
            }
        }
    }
}

#[tokio::test]
async fn first_round_is_narrated_in_order() {
    let all = narrated_game(3, Lang::En, 4).await;
    let sentences: Vec<&str> = all
        .iter()
        .filter(|(observer, ..)| observer.seat().is_some_and(|seat| seat.number() == 1))
        .flat_map(|(_, _, _, sentences)| sentences.iter().map(String::as_str))
        .collect();
    let wanted = [
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
    assert_eq!(sentences, wanted);
    let round = all.last().unwrap().2.view.last_round.unwrap();
    assert_eq!(round.put_back, Some(sultan_domain::Jewel::Yellow));
}

#[tokio::test]
async fn missed_events_are_narrated_from_the_last_round() {
    let all = narrated_game(3, Lang::En, 40).await;
    let public: Vec<_> = all.iter().filter(|(observer, ..)| *observer == Observer::Public).collect();
    let (first, last) = (&public[0].1, &public.last().unwrap().2);
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
    let now = playing_table(&node, table, &ana).await;
    assert_eq!(narrate(context(&before, Lang::En), context(&now, Lang::En))[0], "A bot now plays for Bo.");
    node.service.end_stand_in(table, &players[1].caller(), players[1].seat).await.unwrap();
    let back = playing_table(&node, table, &ana).await;
    assert_eq!(narrate(context(&now, Lang::En), context(&back, Lang::En))[0], "Bo is back.");
    node.shut_down().await;
}
