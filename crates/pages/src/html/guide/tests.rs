//! Tests of the guide in whole guided games, and in single situations. The learner has seat 0.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use sultan_domain::{
    Cushion, FaceDownBid, Observer, Offer, Parameters, PlacedBid, PlayingTable, Round, RoundRecord, Stage, TableView,
    View, ViewPhase,
};
use sultan_table::{NewPlayer, NewTable};
use sultan_testkit::{Backend, FakeTime, FastRng, TestService, in_time};
use sultan_text::{Lang, Text};

use super::*;

/// Plays a guided game of the learner and two bots, with random actions of the learner. Returns the learner's view of
/// every position.
async fn guided_game(seed: u64) -> Vec<PlayingTable> {
    let backend = Backend::sqlite();
    let service = TestService::start(&backend, &FakeTime::default(), 1).await;
    let host = NewPlayer { name: "Ana".to_owned(), ..NewPlayer::default() };
    let (table, players) = service.open_table(NewTable::guided(host)).await;
    let mut watch = service.watch(table, players[0].caller()).await;
    let mut rng = FastRng::new(seed);
    let mut positions = Vec::new();
    loop {
        let view = in_time(watch.next_snapshot()).await.unwrap().view();
        let TableView::Playing(playing) = view else { panic!("a guided game starts at once") };
        let (is_over, is_own_turn) =
            (playing.view.outcome.is_some(), playing.view.to_act == playing.view.observer.seat());
        positions.push(*playing);
        if is_over {
            return positions;
        }
        if is_own_turn {
            service.play_random_action(table, &players[0], &mut rng).await.unwrap();
        }
    }
}

/// The keys of the guide's messages.
fn keys(view: &View) -> Vec<&'static str> {
    advice::advice(view, Seat::default()).iter().map(|message| message.key).collect()
}

/// Counts the sentences of a text.
fn count_sentences(text: &str) -> usize {
    let characters: Vec<char> = text.chars().collect();
    let ends_sentence = |index: usize| {
        let next = characters[index + 1..].iter().find(|character| !character.is_whitespace());
        matches!(characters[index], '.' | '!' | '?') && next.is_none_or(|character| character.is_uppercase())
    };
    (0..characters.len()).filter(|&index| ends_sentence(index)).count()
}

#[tokio::test]
async fn guide_has_a_short_text_for_each_step_and_language() {
    let mut keys_seen = BTreeSet::new();
    for seed in 0..6 {
        for playing in guided_game(seed).await {
            let view = &playing.view;
            let messages = advice::advice(view, Seat::default());
            keys_seen.extend(messages.iter().map(|message| message.key));
            // In the first stage the guide always has a message with advice.
            if view.stage.0 == 1 {
                assert!(messages.iter().all(|message| message.key != "guide-quiet"));
            }
            let mut lang_by_text = BTreeMap::new();
            for lang in Lang::ALL {
                let context = PageContext { text: Text::of(lang), playing: &playing, query: "" };
                let texts: Vec<String> = messages.iter().map(|message| message.to_text(context)).collect();
                assert!(!texts.is_empty());
                let count: usize = texts.iter().map(|text| count_sentences(text)).sum();
                assert!((1..=3).contains(&count), "{}: {texts:?}", lang.code());
                let Section { id, html } = guide(context).unwrap();
                assert!(id == "guide" && html.contains("<section id=\"guide\"") && html.contains("<details open"));
                for (message, text) in messages.iter().zip(texts) {
                    let (key, lang) = (message.key, lang.code());
                    let other_lang = lang_by_text.insert((key, text), lang);
                    assert_eq!(other_lang, None, "{key} has the same text in {lang}");
                }
            }
        }
    }
    for key in ["guide-won", "guide-lost", "guide-set", "guide-tip-memory", "guide-quiet", "guide-over-count"] {
        assert!(keys_seen.contains(key), "{key} is never shown: {keys_seen:?}");
    }
}

#[tokio::test]
async fn guide_messages_follow_the_game_and_become_fewer() {
    let positions = guided_game(1).await;
    assert_eq!(keys(&positions[0].view), ["guide-offer-first", "guide-offer-why"]);
    assert_eq!(keys(&positions[1].view), ["guide-bid-first", "guide-tip-order"]);
    assert_eq!(keys(&positions[2].view), ["guide-wait-placed", "guide-wait-reveal"]);
    let second_round = positions.iter().find(|playing| playing.view.round.0 == 2).unwrap();
    let keys_in_second_round = keys(&second_round.view);
    assert_eq!(keys_in_second_round[0], "guide-offer-other");
    // Past events are last, after the next step.
    let past_event = keys_in_second_round[1];
    assert!(past_event.starts_with("guide-won") || past_event.starts_with("guide-lost"), "{keys_in_second_round:?}");
    let keys_at_end = keys(&positions.last().unwrap().view);
    assert_eq!((keys_at_end[0], keys_at_end[2]), ("guide-over-count", "guide-over-next"));
    let message_counts = [1, 2, 3].map(|stage| {
        let of_stage = positions.iter().filter(|playing| playing.view.stage.0 == stage && !playing.is_over());
        of_stage.map(|playing| keys(&playing.view).iter().filter(|key| **key != "guide-quiet").count()).sum::<usize>()
    });
    assert!(message_counts.is_sorted_by(|earlier, later| earlier > later), "messages by stage: {message_counts:?}");
}

#[tokio::test]
async fn each_early_round_has_its_own_tip() {
    let positions = guided_game(1).await;
    let is_own_bid_due = |view: &&View| view.phase == ViewPhase::Bid && view.to_act == Some(Seat::default());
    let mut view = positions.iter().map(|playing| &playing.view).find(is_own_bid_due).unwrap().clone();
    // Remove everything that leads to messages with precedence over tips.
    view.last_round = None;
    view.seats[0].collection = None;
    view.bids.clear();
    let last_round = view.parameters.rounds_per_stage;
    let mut tip = |stage, round| {
        (view.stage, view.round) = (Stage(stage), Round(round));
        keys(&view).into_iter().find(|key| key.starts_with("guide-tip-"))
    };
    let tips = [
        (1, 1, "guide-tip-order"),
        (1, 2, "guide-tip-ties"),
        (1, 3, "guide-tip-sets"),
        (1, 4, "guide-tip-memory"),
        (1, last_round, "guide-tip-last-card"),
        (2, 1, "guide-tip-once"),
        (2, 2, "guide-tip-bluff"),
        (2, 3, "guide-tip-save"),
        (3, 1, "guide-tip-last-stage"),
    ];
    for (stage, round, expected) in tips {
        assert_eq!(tip(stage, round), Some(expected), "stage {stage}, round {round}");
    }
    assert!(tip(2, 4).is_none() && tip(2, last_round).is_none() && tip(3, 2).is_none());
    // The tip to save a card names the highest card in hand.
    (view.stage, view.round) = (Stage(2), Round(3));
    let highest_card = view.hand.iter().map(sultan_domain::MoneyCard::value).max().unwrap();
    let messages = advice::advice(&view, Seat::default());
    assert!(highest_card > 1);
    assert!(messages.iter().any(|message| message.values.contains(&("card", number(highest_card)))));
}

#[tokio::test]
async fn guide_explains_offers_with_strong_and_weak_hands() {
    let positions = guided_game(1).await;
    let is_own_offer_due = |view: &&View| view.phase == ViewPhase::Offer && view.to_act == Some(Seat::default());
    let mut view = positions.iter().map(|playing| &playing.view).find(is_own_offer_due).unwrap().clone();
    view.last_round = None;
    view.seats[0].collection = None;
    assert_eq!(view.parameters.highest_card, 15);
    let mut offer_tip = |stage, best: u8| {
        (view.stage, view.round) = (Stage(stage), Round(2));
        view.hand = serde_json::from_value(json!([1, best])).unwrap();
        keys(&view).into_iter().find(|key| ["guide-offer-strong", "guide-offer-weak"].contains(key))
    };
    let (strong, weak) = (Some("guide-offer-strong"), Some("guide-offer-weak"));
    // Of 15, a card is strong from 12 and weak up to 9.
    assert_eq!([15, 12, 11, 10, 9, 5].map(|best| offer_tip(2, best)), [strong, strong, None, None, weak, weak]);
    assert_eq!([15, 5].map(|best| offer_tip(3, best)), [None; 2], "there are no tips in the last stage");
}

#[tokio::test]
async fn guide_is_shown_only_to_players_of_guided_games() {
    let mut playing = guided_game(2).await.remove(0);
    let text = Text::default();
    assert!(guide(PageContext { text, playing: &playing, query: "" }).is_some());
    playing.info.guided = false;
    assert!(guide(PageContext { text, playing: &playing, query: "" }).is_none());
    playing.info.guided = true;
    playing.view.observer = Observer::Public;
    assert!(guide(PageContext { text, playing: &playing, query: "" }).is_none());
}

#[tokio::test]
async fn guide_points_the_last_bidder_to_free_jewels_and_bonuses() {
    let positions = guided_game(3).await;
    // In a game of three, two bids are placed before the last one.
    let is_own_bid_last = |view: &&View| view.to_act == Some(Seat::default()) && view.bids.len() == 2;
    let mut view = positions.iter().map(|playing| &playing.view).find(is_own_bid_last).unwrap().clone();
    view.last_round = None;
    // Two white jewels: a third gives a bonus of 2.
    view.seats[0].collection = Some("W2".parse().unwrap());
    view.offer = Offer::new(&[Jewel::White, Jewel::Blue]).unwrap();
    let [first_cushion, second_cushion] = [1, 2].map(|number| Cushion::new(number).unwrap());
    let face_down_bid = |cushion| PlacedBid::FaceDown(FaceDownBid { cushion, seat: Seat::new(1).unwrap() });
    // Both bids are on the first cushion, so any card wins the second.
    view.bids[0] = face_down_bid(first_cushion);
    view.bids[1] = face_down_bid(first_cushion);
    assert!(keys(&view).contains(&"guide-free"));
    // Without an empty cushion, the guide mentions the bonus instead.
    view.bids[1] = face_down_bid(second_cushion);
    let messages = advice::advice(&view, Seat::default());
    let bonus = messages.iter().find(|message| message.key == "guide-set").unwrap();
    assert!(bonus.values.contains(&("count", number(3_u8))) && bonus.values.contains(&("bonus", number(2_u8))));
}

/// The messages about a round with these bids (seat, card, cushion) and winners by cushion: the key of the message
/// about the learner's bid, whether it is notable, and the keys of other messages.
fn round_messages(bids: &[(u8, u8, u8)], winners: [Option<u8>; 2]) -> (&'static str, bool, Vec<&'static str>) {
    let bids: Vec<_> =
        bids.iter().map(|(seat, card, cushion)| json!({"seat": seat, "card": card, "cushion": cushion})).collect();
    let round: RoundRecord = serde_json::from_value(json!({
        "stage": 1, "round": 1, "first_seat": 0, "drawn": ["Y", "B", "W"], "offer": ["Y", "B"], "put_back": "W",
        "bids": bids, "winners": winners,
    }))
    .unwrap();
    let parameters = Parameters::of(sultan_domain::Players::new(3).unwrap());
    let own_result = events::own_bid_result(&round, &parameters, Seat::default()).unwrap();
    let other_messages = [events::unwanted_jewel(&round), events::tie_of_others(&round, &parameters, Seat::default())];
    let other_keys = other_messages.into_iter().flatten().map(|message| message.key).collect();
    (own_result.message.key, own_result.is_notable, other_keys)
}

#[test]
fn guide_messages_match_the_result_of_the_round() {
    let (seat_1, seat_2) = (Some(1), Some(2));
    assert_eq!(
        round_messages(&[(0, 3, 1), (1, 5, 2), (2, 6, 2)], [Some(0), seat_2]),
        ("guide-won-alone", false, vec![])
    );
    assert_eq!(round_messages(&[(0, 9, 1), (1, 5, 1), (2, 6, 2)], [Some(0), seat_2]), ("guide-won", false, vec![]));
    assert_eq!(round_messages(&[(0, 9, 1), (1, 9, 1), (2, 6, 2)], [Some(0), seat_2]), ("guide-won-tie", true, vec![]));
    assert_eq!(round_messages(&[(1, 9, 1), (0, 9, 1), (2, 6, 2)], [seat_1, seat_2]), ("guide-lost-tie", true, vec![]));
    // With 15 cards, a value of 11 and more is strong.
    assert_eq!(
        round_messages(&[(1, 13, 1), (0, 11, 1), (2, 6, 2)], [seat_1, seat_2]),
        ("guide-lost-high", true, vec![])
    );
    assert_eq!(round_messages(&[(1, 13, 1), (0, 10, 1), (2, 6, 2)], [seat_1, seat_2]), ("guide-lost", false, vec![]));
    assert_eq!(
        round_messages(&[(1, 13, 1), (0, 4, 1), (2, 6, 1)], [seat_1, None]),
        ("guide-lost", false, vec!["guide-unwanted"])
    );
    assert_eq!(
        round_messages(&[(1, 7, 2), (0, 4, 1), (2, 7, 2)], [Some(0), seat_1]),
        ("guide-won-alone", false, vec!["guide-tie-others"])
    );
}
