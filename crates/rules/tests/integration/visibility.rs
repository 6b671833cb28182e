//! Compares the views of all observers with the complete game, in every position of random games: one test per row of
//! the table in section 7 of docs/rules.md.

use sultan_rules::Game;
use sultan_rules::domain::{Cards, Observer, PlacedBid, Players, RoundRecord, Screens, Seat, View, ViewPhase};
use sultan_testkit::{Moment, Script, random_moments};

/// Calls `check` with the complete game and the view of every observer, in every position of some random games.
fn for_every_view(check: impl Fn(&Game, Observer, &View)) {
    for players in Players::ALL {
        for (screens, seed) in [(Screens::Closed, 1), (Screens::Closed, 2), (Screens::Open, 3)] {
            for Moment { game, .. } in Script::random(players, screens, seed).moments() {
                for observer in Observer::all(players) {
                    check(&game, observer, &game.view(observer));
                }
            }
        }
    }
}

#[test]
fn rule_7_1_hands_and_face_down_values_are_visible_to_their_owner_only() {
    for_every_view(|game, observer, view| {
        assert_eq!(view.hand, observer.seat().map_or(Cards::NONE, |seat| game.hand(seat)));
        for (placed, bid) in view.bids.iter().zip(game.bids()) {
            let is_own = observer == Observer::Seat(bid.seat);
            match placed {
                PlacedBid::Own(own) => assert!(is_own && *own == bid),
                PlacedBid::FaceDown(_) => assert!(!is_own),
            }
        }
    });
}

#[test]
fn rule_7_2_hand_sizes_are_public() {
    for_every_view(|game, _, view| {
        for seat_view in &view.seats {
            assert_eq!(u32::from(seat_view.hand), game.hand(seat_view.seat).len());
            assert_eq!(usize::from(seat_view.deck), game.deck(seat_view.seat).len());
        }
    });
}

#[test]
fn rule_7_3_cushion_owner_and_order_of_bids_are_public() {
    for_every_view(|game, _, view| {
        assert_eq!(view.bids.len(), game.bids().len());
        for (placed, bid) in view.bids.iter().zip(game.bids()) {
            assert_eq!((placed.seat(), placed.cushion()), (bid.seat, bid.cushion));
        }
    });
}

#[test]
fn rule_7_4_drawn_and_offered_jewels_are_public() {
    for_every_view(|game, _, view| {
        assert_eq!(view.drawn, game.drawn());
        assert_eq!(view.offer, game.offer());
        let is_offered = !game.offer().is_empty();
        assert_eq!(
            view.put_back().is_some(),
            is_offered,
            "the jewel put back follows from the drawn and offered jewels"
        );
    });
}

#[test]
fn rule_7_5_last_finished_round_is_public_until_the_next_is_finished() {
    for players in Players::ALL {
        let mut last_round: Option<RoundRecord> = None;
        let mut finished_rounds = 0;
        for Moment { game, .. } in Script::random(players, Screens::Closed, 4).moments() {
            if game.finished_rounds() > finished_rounds {
                finished_rounds += 1;
                let round = game.last_round().unwrap();
                assert_eq!(
                    round.bids.len(),
                    usize::from(game.parameters().bids_per_round()),
                    "all cards are turned up"
                );
                assert_eq!(round.winners.unwrap().len(), usize::from(game.parameters().cushions));
                last_round = Some(round);
            }
            assert!(Observer::all(players).all(|observer| game.view(observer).last_round == last_round));
        }
        assert!(last_round.is_some());
    }
}

#[test]
fn rule_7_6_and_7_7_collections_and_played_cards_depend_on_screens() {
    for_every_view(|game, observer, view| {
        for seat_view in &view.seats {
            let is_own = observer == Observer::Seat(seat_view.seat);
            let is_visible = is_own || view.screens == Screens::Open || view.phase == ViewPhase::Over;
            assert_eq!(seat_view.collection, is_visible.then(|| game.collection(seat_view.seat)));
            assert_eq!(seat_view.played, is_visible.then(|| game.played(seat_view.seat)));
        }
    });
}

#[test]
fn rule_7_8_view_has_no_field_for_the_pouch_or_the_decks() {
    // After the first draw.
    let game = random_moments(Players::new(4).unwrap(), 1)[1].game;
    let json =
        serde_json::from_str::<serde_json::Value>(&game.view(Observer::Seat(Seat::default())).to_json(&[], None))
            .unwrap();
    let mut keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    keys.sort();
    let wanted = [
        "at",
        "cushions",
        "drawn",
        "final",
        "first_seat",
        "format",
        "hand",
        "last_round",
        "legal",
        "phase",
        "players",
        "round",
        "screens",
        "seat",
        "seats",
        "stage",
        "to_act",
        "version",
    ];
    assert_eq!(keys, wanted);
    assert!(json["seats"][0]["deck"].is_u64() && json["seats"][0]["hand"].is_u64());
}

#[test]
fn rule_7_10_finished_game_is_fully_visible() {
    for players in Players::ALL {
        let game = random_moments(players, 2).last().unwrap().game;
        for observer in Observer::all(players) {
            let view = game.view(observer);
            assert!(view.seats.iter().all(|seat_view| seat_view.collection.is_some() && seat_view.played.is_some()));
            assert!(view.outcome.is_some() && view.to_act.is_none());
            assert!(view.drawn.is_empty() && view.offer.is_empty() && view.hand == Cards::NONE);
            assert_eq!((view.stage.0, view.round.0), (3, game.parameters().rounds_per_stage));
        }
    }
}
