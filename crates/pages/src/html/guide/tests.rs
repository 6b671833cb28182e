//! Whole guided games from the learner's view, and single situations with a message.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use sultan_domain::{
    Cushion, Observer, Offer, Parameters, PlayingTable, Round, RoundRecord, Stage, TableView, View, ViewPhase,
};
use sultan_table::{NewPlayer, NewTable};
use sultan_testkit::{Backend, FakeTime, Quick, TestService, in_time};
use sultan_text::{Lang, Text};

use super::*;

/// Every position of a guided game, from the learner's view.
async fn guided_game(seed: u64) -> Vec<PlayingTable> {
    let backend = Backend::sqlite();
    let service = TestService::start(&backend, &FakeTime::default(), 1).await;
    let host = NewPlayer { name: "Ana".to_owned(), ..NewPlayer::default() };
    let (table, players) = service.open_table(NewTable::guided(host)).await;
    let mut watch = service.watch(table, players[0].caller()).await;
    let mut chance = Quick::new(seed);
    let mut states = Vec::new();
    loop {
        let view = in_time(watch.next_snapshot()).await.unwrap().view();
        let TableView::Playing(playing) = view else { panic!("a guided game starts at once") };
        let (is_over, is_own_turn) =
            (playing.view.outcome.is_some(), playing.view.to_act == playing.view.observer.seat());
        states.push(*playing);
        if is_over {
            return states;
        }
        if is_own_turn {
            service.play_random_action(table, &players[0], &mut chance).await.unwrap();
        }
    }
}

fn keys(view: &View) -> Vec<&'static str> {
    advice::advice(view, Seat::default()).iter().map(|message| message.key).collect()
}

/// Counts the sentences of a text.
fn sentences(text: &str) -> usize {
    let characters: Vec<char> = text.chars().collect();
    let ends = |at: usize| {
        let next = characters[at + 1..].iter().find(|character| !character.is_whitespace());
        matches!(characters[at], '.' | '!' | '?') && next.is_none_or(|character| character.is_uppercase())
    };
    (0..characters.len()).filter(|&at| ends(at)).count()
}

#[tokio::test]
async fn guide_has_a_short_text_for_each_step_and_language() {
    let mut keys_seen = BTreeSet::new();
    for seed in 0..6 {
        for playing in guided_game(seed).await {
            let view = &playing.view;
            let lines = advice::advice(view, Seat::default());
            keys_seen.extend(lines.iter().map(|line| line.key));
            if view.stage.0 == 1 {
                assert!(lines.iter().all(|line| line.key != "guide-quiet"));
            }
            let mut lang_by_text = BTreeMap::new();
            for lang in Lang::ALL {
                let text = Text::of(lang);
                let texts: Vec<String> =
                    lines.iter().map(|line| line.to_text(PageContext { text, playing: &playing, query: "" })).collect();
                assert!(!texts.is_empty());
                let count: usize = texts.iter().map(|line| sentences(line)).sum();
                assert!((1..=3).contains(&count), "{}: {texts:?}", lang.code());
                let Section { id, html } = guide(PageContext { text, playing: &playing, query: "" }).unwrap();
                assert!(id == "guide" && html.contains("<section id=\"guide\"") && html.contains("<details open"));
                for (line, shown) in lines.iter().zip(texts) {
                    let (key, lang) = (line.key, lang.code());
                    let other = lang_by_text.insert((key, shown), lang);
                    assert_eq!(other, None, "{key} has the same text in {lang}");
                }
            }
        }
    }
    for key in ["guide-won", "guide-lost", "guide-set", "guide-tip-memory", "guide-quiet", "guide-over-count"] {
        assert!(keys_seen.contains(key), "{key} is never shown: {keys_seen:?}");
    }
}

#[tokio::test]
async fn guide_text_follows_the_game() {
    let states = guided_game(1).await;
    assert_eq!(keys(&states[0].view), ["guide-offer-first", "guide-offer-why"]);
    assert_eq!(keys(&states[1].view), ["guide-bid-first", "guide-tip-order"]);
    assert_eq!(keys(&states[2].view), ["guide-wait-placed", "guide-wait-reveal"]);
    let second = states.iter().find(|state| state.view.round.0 == 2).unwrap();
    let shown = keys(&second.view);
    assert_eq!(shown[0], "guide-offer-other");
    // Past events are last, after the next step.
    assert!(shown[1].starts_with("guide-won") || shown[1].starts_with("guide-lost"), "{shown:?}");
    let last = keys(&states.last().unwrap().view);
    assert_eq!((last[0], last[2]), ("guide-over-count", "guide-over-next"));
    // The number of messages decreases from stage to stage.
    let lines = |stage: u8| {
        let of_stage = states.iter().filter(|state| state.view.stage.0 == stage && state.view.outcome.is_none());
        of_stage.map(|state| keys(&state.view).iter().filter(|key| **key != "guide-quiet").count()).sum::<usize>()
    };
    assert!(lines(1) > lines(2) && lines(2) > lines(3), "{} {} {}", lines(1), lines(2), lines(3));
}

#[tokio::test]
async fn each_early_round_has_its_own_tip() {
    let states = guided_game(1).await;
    let own_bid = |view: &&View| view.phase == ViewPhase::Bid && view.to_act == Some(Seat::default());
    let mut view = states.iter().map(|state| &state.view).find(own_bid).unwrap().clone();
    // No other message has precedence now.
    view.last_round = None;
    view.seats[0].collection = None;
    view.bids.clear();
    let last = view.parameters.rounds_per_stage;
    let mut tip = |stage, round| {
        (view.stage, view.round) = (Stage(stage), Round(round));
        keys(&view).into_iter().find(|key| key.starts_with("guide-tip-"))
    };
    let tips = [
        (1, 1, "guide-tip-order"),
        (1, 2, "guide-tip-ties"),
        (1, 3, "guide-tip-sets"),
        (1, 4, "guide-tip-memory"),
        (1, last, "guide-tip-last-card"),
        (2, 1, "guide-tip-once"),
        (2, 2, "guide-tip-bluff"),
        (2, 3, "guide-tip-save"),
        (3, 1, "guide-tip-last-stage"),
    ];
    for (stage, round, wanted) in tips {
        assert_eq!(tip(stage, round), Some(wanted), "{stage} {round}");
    }
    assert!(tip(2, 4).is_none() && tip(2, last).is_none() && tip(3, 2).is_none());
    // The card to keep is the strongest of the hand.
    (view.stage, view.round) = (Stage(2), Round(3));
    let best = view.hand.iter().map(sultan_domain::MoneyCard::value).max().unwrap();
    let lines = advice::advice(&view, Seat::default());
    assert!(best > 1 && lines.iter().any(|line| line.values.contains(&("card", number(best)))));
}

#[tokio::test]
async fn guide_explains_offers_with_strong_and_weak_hands() {
    let states = guided_game(1).await;
    let own_offer = |view: &&View| view.phase == ViewPhase::Offer && view.to_act == Some(Seat::default());
    let mut view = states.iter().map(|state| &state.view).find(own_offer).unwrap().clone();
    view.last_round = None;
    view.seats[0].collection = None;
    assert_eq!(view.parameters.highest_card, 15);
    let mut offer_tip = |stage, best: u8| {
        (view.stage, view.round) = (Stage(stage), Round(2));
        view.hand = serde_json::from_value(json!([1, best])).unwrap();
        keys(&view).into_iter().find(|key| ["guide-offer-strong", "guide-offer-weak"].contains(key))
    };
    let (strong, weak) = (Some("guide-offer-strong"), Some("guide-offer-weak"));
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
    let states = guided_game(3).await;
    let own_last = |view: &&View| view.to_act == Some(Seat::default()) && view.bids.len() == 2;
    let mut view = states.iter().map(|state| &state.view).find(own_last).unwrap().clone();
    view.last_round = None;
    view.seats[0].collection = Some("W2".parse().unwrap());
    view.offer = Offer::new(&[Jewel::White, Jewel::Blue]).unwrap();
    let [first, second] = [1, 2].map(|number| Cushion::new(number).unwrap());
    let bid = |cushion| {
        sultan_domain::PlacedBid::FaceDown(sultan_domain::FaceDownBid { cushion, seat: Seat::new(1).unwrap() })
    };
    view.bids[0] = bid(first);
    view.bids[1] = bid(first);
    assert!(keys(&view).contains(&"guide-free"));
    view.bids[1] = bid(second);
    let lines = advice::advice(&view, Seat::default());
    let set = lines.iter().find(|line| line.key == "guide-set").unwrap();
    assert!(set.values.contains(&("count", number(3_u8))) && set.values.contains(&("bonus", number(2_u8))));
}

/// The messages about a round with these bids (seat, card, cushion) and winners by cushion. The learner has seat 0.
fn round_messages(bids: &[(u8, u8, u8)], winners: [Option<u8>; 2]) -> (&'static str, bool, Vec<&'static str>) {
    let bids: Vec<_> =
        bids.iter().map(|(seat, card, cushion)| json!({"seat": seat, "card": card, "cushion": cushion})).collect();
    let round: RoundRecord = serde_json::from_value(json!({
        "stage": 1, "round": 1, "first_seat": 0, "drawn": ["Y", "B", "W"], "offer": ["Y", "B"], "put_back": "W",
        "bids": bids, "winners": winners,
    }))
    .unwrap();
    let parameters = Parameters::of(sultan_domain::Players::new(3).unwrap());
    let own = events::own_bid_result(&round, &parameters, Seat::default()).unwrap();
    let more = [events::unwanted_jewel(&round), events::tie_of_others(&round, &parameters, Seat::default())];
    (own.message.key, own.notable, more.into_iter().flatten().map(|message| message.key).collect())
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
