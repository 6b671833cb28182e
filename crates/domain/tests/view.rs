//! The exact JSON and text of views, and the errors for invalid views.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::{Value, json};
use sultan_domain::{
    Cushion, FaceDownBid, Jewel, Kind, Legal, Observer, Offer, Person, PlacedBid, Players, PlayingTable, Screens, Seat,
    SharedJson, TableView, View, ViewError, ViewPhase,
};
use sultan_testkit::view_text;

/// The view of seat 2 in a game of four players with closed screens, after two bids of the second round, one its own.
const BID_VIEW: &str = concat!(
    r#"{"format":"sultan-view","version":1,"players":4,"seat":2,"screens":"closed","phase":"bid","at":8,"#,
    r#""stage":1,"round":2,"first_seat":1,"to_act":3,"drawn":["B","B","R","Y"],"cushions":["#,
    r#"{"jewel":"B","bids":[{"seat":2,"order":2,"card":1}]},{"jewel":"R","bids":[{"seat":1,"order":1}]},"#,
    r#"{"jewel":"Y","bids":[]}],"hand":[3,4,5],"seats":["#,
    r#"{"seat":0,"name":"Ana","colour":"violet","kind":"human","hand":4,"deck":10,"collection":null,"played":null,"#,
    r#""deadline":null},"#,
    r#"{"seat":1,"name":"Bo \"B\"","colour":"gold","kind":"open","hand":3,"deck":10,"collection":null,"played":null,"#,
    r#""deadline":null},"#,
    r#"{"seat":2,"name":"Cy","colour":"blue","kind":"human","hand":3,"deck":10,"#,
    r#""collection":{"W":10,"R":0,"Y":0,"G":2,"B":0},"played":[2],"deadline":null},"#,
    r#"{"seat":3,"name":"merchant","colour":"red","kind":"bot:merchant","hand":4,"deck":10,"collection":null,"#,
    r#""played":null,"deadline":"2026-01-02T03:04:05.678Z"}],"#,
    r#""last_round":{"stage":1,"round":1,"first_seat":0,"drawn":["W","R","Y","G"],"offer":["R","Y","G"],"#,
    r#""put_back":"W","bids":[{"seat":0,"card":5,"cushion":1},{"seat":1,"card":1,"cushion":3},"#,
    r#"{"seat":2,"card":2,"cushion":1},{"seat":3,"card":4,"cushion":1}],"winners":[0,null,1]},"#,
    r#""legal":[],"final":null}"#,
);

/// The view of seat 0 in a game of two players with open screens, before it places its second card of the first round.
const TWO_PLAYER_VIEW: &str = concat!(
    r#"{"format":"sultan-view","version":1,"players":2,"seat":0,"screens":"open","phase":"bid","at":3,"#,
    r#""stage":1,"round":1,"first_seat":0,"to_act":0,"drawn":["W","R","Y","G"],"cushions":["#,
    r#"{"jewel":"W","bids":[]},{"jewel":"R","bids":[{"seat":0,"order":1,"card":12},{"seat":1,"order":2}]},"#,
    r#"{"jewel":"Y","bids":[]}],"hand":[1,3,3,9,10,11,12],"seats":["#,
    r#"{"seat":0,"name":"","colour":"violet","kind":"human","hand":7,"deck":16,"#,
    r#""collection":{"W":0,"R":0,"Y":0,"G":0,"B":0},"played":[],"deadline":null},"#,
    r#"{"seat":1,"name":"","colour":"green","kind":"human","hand":7,"deck":16,"#,
    r#""collection":{"W":0,"R":0,"Y":0,"G":0,"B":0},"played":[],"deadline":null}],"last_round":null,"#,
    r#""legal":["1@1","1@3","3@1","3@3","9@1","9@3","10@1","10@3","11@1","11@3","12@1","12@3"],"final":null}"#,
);

/// The view of the first player in a game of three players, before the offer of the second round.
const OFFER_VIEW: &str = concat!(
    r#"{"format":"sultan-view","version":1,"players":3,"seat":1,"screens":"closed","phase":"offer","at":4,"#,
    r#""stage":1,"round":2,"first_seat":1,"to_act":1,"drawn":["B","W","B"],"cushions":[],"hand":[2,3,4,15],"seats":["#,
    r#"{"seat":0,"name":"","colour":"violet","kind":"human","hand":4,"deck":10,"collection":null,"played":null,"#,
    r#""deadline":null},"#,
    r#"{"seat":1,"name":"","colour":"gold","kind":"human","hand":4,"deck":10,"#,
    r#""collection":{"W":0,"R":0,"Y":0,"G":1,"B":0},"played":[1],"deadline":null},"#,
    r#"{"seat":2,"name":"","colour":"green","kind":"human","hand":4,"deck":10,"collection":null,"played":null,"#,
    r#""deadline":null}],"last_round":{"stage":1,"round":1,"first_seat":0,"drawn":["G","W","Y"],"offer":["G","W"],"#,
    r#""put_back":"Y","bids":[{"seat":0,"card":3,"cushion":2},{"seat":1,"card":1,"cushion":1},"#,
    r#"{"seat":2,"card":9,"cushion":2}],"winners":[1,2]},"legal":["WB","BB"],"final":null}"#,
);

/// The view of a spectator after a game of three players. The lists of played cards are shortened.
const FINISHED_VIEW: &str = concat!(
    r#"{"format":"sultan-view","version":1,"players":3,"seat":null,"screens":"closed","phase":"over","at":60,"#,
    r#""stage":3,"round":5,"first_seat":2,"to_act":null,"drawn":[],"cushions":[],"hand":[],"seats":["#,
    r#"{"seat":0,"name":"","colour":"violet","kind":"stand-in:page","hand":0,"deck":0,"#,
    r#""collection":{"W":3,"R":5,"Y":0,"G":0,"B":1},"played":[1,15],"deadline":null},"#,
    r#"{"seat":1,"name":"","colour":"gold","kind":"human","hand":0,"deck":0,"#,
    r#""collection":{"W":0,"R":0,"Y":0,"G":0,"B":0},"played":[10],"deadline":null},"#,
    r#"{"seat":2,"name":"","colour":"green","kind":"human","hand":0,"deck":0,"#,
    r#""collection":{"W":0,"R":0,"Y":0,"G":0,"B":0},"played":[3],"deadline":null}],"#,
    r#""last_round":{"stage":3,"round":5,"first_seat":2,"drawn":["G","W","Y"],"offer":["G","W"],"put_back":"Y","#,
    r#""bids":[{"seat":2,"card":3,"cushion":2},{"seat":0,"card":15,"cushion":2},{"seat":1,"card":9,"cushion":2}],"#,
    r#""winners":[null,0]},"legal":[],"final":["#,
    r#"{"seat":0,"jewels":{"W":3,"R":5,"Y":0,"G":0,"B":1},"jewel_points":18,"bonus":12,"points":30,"count":9,"rank":1},"#,
    r#"{"seat":1,"jewels":{"W":0,"R":0,"Y":0,"G":0,"B":0},"jewel_points":0,"bonus":0,"points":0,"count":0,"rank":2},"#,
    r#"{"seat":2,"jewels":{"W":0,"R":0,"Y":0,"G":0,"B":0},"jewel_points":0,"bonus":0,"points":0,"count":0,"rank":2}]}"#,
);

fn view(json: &str) -> View {
    serde_json::from_str(json).unwrap()
}

/// The JSON of a view of a game, with the fields of a table added.
fn with_table_fields(view_json: &str) -> String {
    let fields = r#","table":"000000000007","commitment":"#.to_owned() + &format!("\"{}\"", "07".repeat(32));
    view_json[..view_json.len() - 1].to_owned() + &fields + r#","host":1,"ended":false,"rematch":null}"#
}

/// Adds the fields of a table to the JSON of a game's view, and reads the result as the view of a table.
fn playing_table(view_json: &str) -> PlayingTable {
    match serde_json::from_str(&with_table_fields(view_json)).unwrap() {
        TableView::Playing(playing) => *playing,
        TableView::Waiting(_) => panic!("the game has started"),
    }
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

#[test]
fn view_json_round_trips_byte_for_byte() {
    for json in [BID_VIEW, TWO_PLAYER_VIEW, OFFER_VIEW, FINISHED_VIEW] {
        let playing = playing_table(json);
        assert_eq!(playing.to_json(&SharedJson::of(&playing)), with_table_fields(json));
        assert_eq!(playing.view.to_json(&playing.people, playing.clock.deadline.as_deref()), json);
        assert_eq!(playing.view, view(json), "the view of the game is the same without a table");
    }
}

#[test]
fn view_text_contains_every_field() {
    let bid_text = "\
seat 2 of 4, closed, at 8, bid, 1.2 first 1 to act 3
  drawn BBRY | B (2 seat 2 card 1) | R (1 seat 1) | Y | hand 3,4,5
  0: hand 4, deck 10
  1: hand 3, deck 10
  2: hand 3, deck 10, jewels [10, 0, 0, 2, 0], played 2
  3: hand 4, deck 10
  last 1.1 first 0, drawn WRYG, offer RYG back W: 0:5@1 1:1@3 2:2@1 3:4@1, won 0 - 1";
    assert_eq!(view_text(&view(BID_VIEW)), bid_text);
    let two_player_text = "\
seat 0 of 2, open, at 3, bid, 1.1 first 0 to act 0
  drawn WRYG | W | R (1 seat 0 card 12) (2 seat 1) | Y | hand 1,3,3,9,10,11,12
  0: hand 7, deck 16, jewels [0, 0, 0, 0, 0], played \n  1: hand 7, deck 16, jewels [0, 0, 0, 0, 0], played \n  legal 1@1 1@3 3@1 3@3 9@1 9@3 10@1 10@3 11@1 11@3 12@1 12@3";
    assert_eq!(view_text(&view(TWO_PLAYER_VIEW)), two_player_text);
    let finished_text = view_text(&view(FINISHED_VIEW));
    for part in [
        "public of 3, closed, at 60, over, 3.5 first 2\n  drawn  | hand \n",
        "deck 0, jewels [3, 5, 0, 0, 1], played 1,15\n",
        "\n  final 0: rank 1, 18 + 12 = 30 points, 9 jewels [3, 5, 0, 0, 1]\n",
    ] {
        assert!(finished_text.contains(part), "{finished_text}");
    }
    assert!(view_text(&view(OFFER_VIEW)).contains("at 4, offer, 1.2 first 1 to act 1\n  drawn BWB | hand 2,3,4,15\n"));
}

#[test]
fn view_fields_are_read_from_json() {
    let bid = view(BID_VIEW);
    assert_eq!((bid.observer, bid.screens, bid.phase), (Observer::Seat(seat(2)), Screens::Closed, ViewPhase::Bid));
    assert_eq!(bid.observer.seat(), Some(seat(2)));
    let placed: Vec<(u8, u8)> = bid.bids.iter().map(|bid| (bid.seat().number(), bid.cushion().number())).collect();
    assert_eq!(placed, [(1, 2), (2, 1)], "in the order in which they were placed");
    assert!(matches!(bid.bids[0], PlacedBid::FaceDown(_)));
    assert!(matches!(bid.bids[1], PlacedBid::Own(own) if own.card.value() == 1));
    assert_eq!(view(FINISHED_VIEW).observer, Observer::Public);
}

#[test]
fn people_and_deadlines_of_a_table_are_read_from_json() {
    let playing = playing_table(BID_VIEW);
    assert_eq!(playing.person(seat(3)).kind, Kind::Bot("merchant".to_owned()));
    let deadlines = [2, 3].map(|number| playing.deadline_of(seat(number)));
    assert_eq!(deadlines, [None, Some("2026-01-02T03:04:05.678Z")]);
}

#[test]
fn observers_are_all_seats_and_the_public() {
    let observers: Vec<Option<Seat>> = Observer::all(Players::new(2).unwrap()).map(Observer::seat).collect();
    assert_eq!(observers, [Some(seat(0)), Some(seat(1)), None]);
}

#[test]
fn only_the_seat_to_act_has_legal_actions() {
    let actions = |view: &View| view.legal().iter().map(|action| action.to_string()).collect::<Vec<_>>();
    assert_eq!(view(BID_VIEW).legal(), Legal::Nothing);
    assert_eq!(view(FINISHED_VIEW).legal(), Legal::Nothing);
    assert_eq!(actions(&view(OFFER_VIEW)), ["WB", "BB"]);
    assert_eq!(actions(&view(TWO_PLAYER_VIEW)).len(), 12, "six values on two cushions");
    let other_seat_to_act = View { to_act: Some(seat(2)), ..view(OFFER_VIEW) };
    assert_eq!(other_seat_to_act.legal(), Legal::Nothing);
    let own_turn = View { to_act: Some(seat(2)), ..view(BID_VIEW) };
    assert_eq!(own_turn.legal().len(), 3 * 2, "three cards on two cushions");
    assert_eq!(View { phase: ViewPhase::Over, ..own_turn }.legal(), Legal::Nothing);
}

#[test]
fn rule_4_3_bid_of_another_seat_does_not_block_a_cushion() {
    // The bid of the other seat is moved from cushion 2, on which seat 0 has a card too, to cushion 3.
    let mut moved: Value = serde_json::from_str(TWO_PLAYER_VIEW).unwrap();
    let other_bid = moved["cushions"][1]["bids"].as_array_mut().unwrap().pop().unwrap();
    moved["cushions"][2]["bids"] = json!([other_bid]);
    let moved: View = serde_json::from_value(moved).unwrap();
    assert_ne!(moved, view(TWO_PLAYER_VIEW));
    assert_eq!(moved.legal(), view(TWO_PLAYER_VIEW).legal());
}

#[test]
fn people_and_legal_actions_may_be_left_out_and_unknown_fields_are_ignored() {
    let mut json: Value = serde_json::from_str(&with_table_fields(BID_VIEW)).unwrap();
    for seat in json["seats"].as_array_mut().unwrap() {
        for key in ["name", "colour", "kind", "deadline"] {
            seat.as_object_mut().unwrap().remove(key);
        }
    }
    json.as_object_mut().unwrap().remove("legal");
    json["later"] = json!("a field of a later version");
    let read: View = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(read, view(BID_VIEW));
    let TableView::Playing(playing) = serde_json::from_value(json).unwrap() else { panic!("the game has started") };
    assert!(playing.clock.deadline.is_none());
    assert!(read.parameters.players.seats().all(|seat| *playing.person(seat) == Person::nameless(seat)));
}

#[test]
fn abandoned_game_without_a_seat_to_act_is_read_in_any_phase() {
    let views = [(BID_VIEW, ViewPhase::Bid), (TWO_PLAYER_VIEW, ViewPhase::Bid), (OFFER_VIEW, ViewPhase::Offer)];
    for (view_json, phase) in views {
        let mut json: Value = serde_json::from_str(&with_table_fields(view_json)).unwrap();
        json["to_act"] = Value::Null;
        json["legal"] = json!([]);
        assert!(serde_json::from_value::<TableView>(json.clone()).is_err(), "a game that goes on has a seat to act");
        json["ended"] = json!(true);
        let read: TableView = serde_json::from_value(json.clone()).unwrap();
        let playing = read.playing().unwrap();
        assert_eq!((playing.view.phase, playing.view.to_act, read.is_over()), (phase, None, true));
        assert_eq!(serde_json::from_str::<Value>(&read.to_json()).unwrap()["to_act"], Value::Null);
        // All other checks still apply.
        json["to_act"] = json!(0);
        assert!(serde_json::from_value::<TableView>(json.clone()).is_err(), "no seat can act in an abandoned game");
        json["to_act"] = Value::Null;
        json["stage"] = json!(4);
        assert!(serde_json::from_value::<TableView>(json).is_err());
    }
}

#[test]
fn waiting_table_round_trips_through_json() {
    let json = concat!(
        r#"{"phase":"waiting","table":"00000000000a","players":2,"seat":0,"commitment":"#,
        r#""0707070707070707070707070707070707070707070707070707070707070707","host":0,"seats":["#,
        r#"{"seat":0,"name":"Ana","colour":"gold","kind":"human","ready":true},"#,
        r#"{"seat":1,"name":"","colour":"violet","kind":"open","ready":false}],"#,
        r#""options":{"screens":"open","first_seat":1,"seconds_per_action":90,"public":true,"even_pace":true,"#,
        r#""stand_in":"page","rematch_of":null,"guided":false,"coach":true},"ended":false}"#,
    );
    let read: TableView = serde_json::from_str(json).unwrap();
    assert_eq!(read.to_json(), json);
    assert_eq!((read.seat(), read.is_over(), read.playing().is_none()), (Some(seat(0)), false, true));
    assert_eq!(serde_json::from_str::<View>(json).unwrap_err().to_string(), ViewError::Waiting.to_string());
    for field in ["table", "commitment", "host", "options"] {
        let mut json: Value = serde_json::from_str(json).unwrap();
        json.as_object_mut().unwrap().remove(field);
        let error = serde_json::from_value::<TableView>(json).unwrap_err();
        assert_eq!(error.to_string(), format!("missing field `{field}`"));
    }
}

/// The error for a view in which the value at this JSON pointer is replaced.
fn error_after_change(view_json: &str, pointer: &str, value: &Value) -> Option<String> {
    let mut json: Value = serde_json::from_str(view_json).unwrap();
    *json.pointer_mut(pointer).unwrap() = value.clone();
    serde_json::from_value::<View>(json).err().map(|error| error.to_string())
}

#[test]
fn view_with_parameters_has_version_2() {
    // Reads a view with this version and these parameters, and returns its number of stages.
    let stages = |version: u32, parameters: Value| {
        let mut json: Value = serde_json::from_str(BID_VIEW).unwrap();
        json["version"] = json!(version);
        json["parameters"] = parameters;
        serde_json::from_value::<View>(json).map(|view| view.parameters.stages).map_err(|error| error.to_string())
    };
    assert_eq!(stages(2, json!({"stages": 2})), Ok(2));
    assert_eq!(stages(2, Value::Null), Ok(3));
    assert_eq!(stages(1, json!({"stages": 2})), Err(ViewError::VersionOfParameters.to_string()));
    assert!(stages(2, json!([])).unwrap_err().contains("an object of parameters"));
}

#[test]
fn view_with_an_invalid_value_is_rejected() {
    // A view, the JSON pointer of one value, its invalid replacement, and the expected error.
    let changes = [
        (BID_VIEW, "/format", json!("sultan-record"), ViewError::Format),
        (BID_VIEW, "/version", json!(3), ViewError::Format),
        (BID_VIEW, "/seats/0/seat", json!(1), ViewError::Seats),
        (TWO_PLAYER_VIEW, "/seats", json!([]), ViewError::Seats),
        (BID_VIEW, "/players", json!(3), ViewError::NoSuchSeat),
        (BID_VIEW, "/first_seat", json!(4), ViewError::NoSuchSeat),
        (OFFER_VIEW, "/to_act", json!(3), ViewError::NoSuchSeat),
        (OFFER_VIEW, "/seat", json!(3), ViewError::NoSuchSeat),
        (BID_VIEW, "/stage", json!(4), ViewError::StageOrRound),
        (BID_VIEW, "/stage", json!(0), ViewError::StageOrRound),
        (BID_VIEW, "/round", json!(0), ViewError::StageOrRound),
        (TWO_PLAYER_VIEW, "/round", json!(5), ViewError::StageOrRound),
        (BID_VIEW, "/hand", json!([3, 4]), ViewError::Hand),
        (BID_VIEW, "/seats/2/hand", json!(4), ViewError::Hand),
        (FINISHED_VIEW, "/hand", json!([1]), ViewError::Hand),
        (BID_VIEW, "/last_round", Value::Null, ViewError::LastRound),
        (BID_VIEW, "/last_round/winners", Value::Null, ViewError::LastRound),
        (FINISHED_VIEW, "/last_round", Value::Null, ViewError::LastRound),
        (BID_VIEW, "/round", json!(1), ViewError::LastRound),
        (TWO_PLAYER_VIEW, "/round", json!(2), ViewError::LastRound),
        (BID_VIEW, "/screens", json!("open"), ViewError::Visibility),
        (TWO_PLAYER_VIEW, "/screens", json!("closed"), ViewError::Visibility),
        (BID_VIEW, "/seats/2/collection", Value::Null, ViewError::Visibility),
        (BID_VIEW, "/seats/2/played", Value::Null, ViewError::Visibility),
        (BID_VIEW, "/seats/0/played", json!([]), ViewError::Visibility),
        (FINISHED_VIEW, "/seats/1/collection", Value::Null, ViewError::Visibility),
        (BID_VIEW, "/final", json!([]), ViewError::Outcome),
        (FINISHED_VIEW, "/final", Value::Null, ViewError::Outcome),
        (BID_VIEW, "/phase", json!("offer"), ViewError::Jewels),
        (BID_VIEW, "/drawn", json!(["B", "R", "Y"]), ViewError::Jewels),
        (BID_VIEW, "/drawn", json!(["W", "W", "W", "W"]), ViewError::Jewels),
        (BID_VIEW, "/cushions", json!([]), ViewError::Jewels),
        (BID_VIEW, "/cushions/2/jewel", json!("R"), ViewError::Jewels),
        (OFFER_VIEW, "/phase", json!("bid"), ViewError::Jewels),
        (OFFER_VIEW, "/drawn", json!(["B", "W"]), ViewError::Jewels),
        (OFFER_VIEW, "/to_act", Value::Null, ViewError::Jewels),
        (OFFER_VIEW, "/cushions", json!([{"jewel": "B", "bids": []}]), ViewError::Jewels),
        (FINISHED_VIEW, "/drawn", json!(["G", "W", "Y"]), ViewError::Jewels),
        (FINISHED_VIEW, "/cushions", json!([{"jewel": "G", "bids": []}]), ViewError::Jewels),
        (BID_VIEW, "/seat", Value::Null, ViewError::Bids),
        (BID_VIEW, "/first_seat", json!(0), ViewError::Bids),
        (BID_VIEW, "/cushions/0/bids/0/order", json!(3), ViewError::Bids),
        (BID_VIEW, "/cushions/0/bids/0/seat", json!(3), ViewError::Bids),
        (BID_VIEW, "/cushions/0/bids/0", json!({"seat": 2, "order": 2}), ViewError::Bids),
        (BID_VIEW, "/cushions/1/bids/0", json!({"seat": 1, "order": 1, "card": 7}), ViewError::Bids),
        (TWO_PLAYER_VIEW, "/cushions/1/bids/1/order", json!(1), ViewError::Bids),
        (BID_VIEW, "/to_act", json!(2), ViewError::Turn),
        (BID_VIEW, "/to_act", Value::Null, ViewError::Turn),
        (OFFER_VIEW, "/to_act", json!(2), ViewError::Turn),
        (FINISHED_VIEW, "/to_act", json!(0), ViewError::Turn),
    ];
    for (view_json, pointer, value, error) in changes {
        assert_eq!(error_after_change(view_json, pointer, &value), Some(error.to_string()), "{pointer} {value}");
    }
    let error = error_after_change(BID_VIEW, "/phase", &json!("unknown")).unwrap();
    assert!(error.starts_with("unknown variant `unknown`"), "{error}");
}

#[test]
fn rule_4_3_view_with_two_cards_of_a_seat_on_one_cushion_is_rejected() {
    // Seat 0, which has a card on cushion 2, places its second card on this cushion. Returns the number of bids.
    let bids_read = |second_cushion: usize| {
        let mut json: Value = serde_json::from_str(TWO_PLAYER_VIEW).unwrap();
        json["cushions"][1]["bids"] = json!([{"seat": 0, "order": 1, "card": 12}]);
        json["cushions"][2]["bids"] = json!([{"seat": 1, "order": 2}]);
        let bids = json["cushions"][second_cushion - 1]["bids"].as_array_mut().unwrap();
        bids.push(json!({"seat": 0, "order": 3, "card": 11}));
        json["to_act"] = json!(1);
        json["at"] = json!(4);
        json["hand"] = json!([1, 3, 3, 9, 10, 12]);
        json["seats"][0]["hand"] = json!(6);
        serde_json::from_value::<View>(json).map(|view| view.bids.len()).map_err(|error| error.to_string())
    };
    assert_eq!([1, 2, 3].map(bids_read), [Ok(3), Err(ViewError::Bids.to_string()), Ok(3)]);
}

#[test]
fn view_with_too_many_bids_or_cushions_is_rejected_without_a_panic() {
    // With four players a round has four bids. `order` is one byte, so it cannot count higher than 255.
    for count in [5, 255, 256, 300] {
        let bids = (1..=count).map(|order| json!({"seat": 1, "order": order.min(255)})).collect();
        assert_eq!(error_after_change(BID_VIEW, "/cushions/0/bids", &bids), Some(ViewError::Bids.to_string()));
    }
    let four_cushions = json!([{"jewel": "B", "bids": []}, {"jewel": "B", "bids": []}, {"jewel": "B", "bids": []}, {"jewel": "B", "bids": []}]);
    assert_eq!(error_after_change(BID_VIEW, "/cushions", &four_cushions), Some(ViewError::Jewels.to_string()));
}

#[test]
fn view_with_the_bids_of_all_seats_is_rejected() {
    // After the last bid the cards are revealed and the round is settled, so no view shows all bids face down.
    let mut json: Value = serde_json::from_str(BID_VIEW).unwrap();
    json["cushions"][2]["bids"] = json!([{"seat": 3, "order": 3}, {"seat": 0, "order": 4}]);
    json["to_act"] = json!(1);
    assert_eq!(serde_json::from_value::<View>(json).unwrap_err().to_string(), ViewError::Turn.to_string());
}

/// The result of [`View::check`] after a change of a valid view.
fn check_after_change(mut view: View, change: impl Fn(&mut View)) -> Result<(), ViewError> {
    assert_eq!(view.check(), Ok(()));
    change(&mut view);
    view.check()
}

#[test]
fn check_rejects_an_inconsistent_view() {
    let two_jewels = Offer::new(&[Jewel::Blue, Jewel::Red]).unwrap();
    assert_eq!(check_after_change(view(BID_VIEW), |view| view.offer = two_jewels), Err(ViewError::Jewels));
    let bid = PlacedBid::FaceDown(FaceDownBid { seat: seat(2), cushion: Cushion::default() });
    let bid_after_the_end = check_after_change(view(FINISHED_VIEW), |view| view.bids.push(bid));
    assert_eq!(bid_after_the_end, Err(ViewError::Bids));
    let wrong_first_seat = check_after_change(view(OFFER_VIEW), |view| view.first_seat = seat(0));
    assert_eq!(wrong_first_seat, Err(ViewError::Turn));
}

#[test]
fn rule_1_3_check_rejects_a_bid_on_the_third_cushion_with_three_players() {
    let mut json: Value = serde_json::from_str(OFFER_VIEW).unwrap();
    json["phase"] = json!("bid");
    json["cushions"] =
        json!([{"jewel": "B", "bids": [{"seat": 1, "order": 1, "card": 1}]}, {"jewel": "W", "bids": []}]);
    json["to_act"] = json!(2);
    let move_to_third_cushion = |view: &mut View| {
        if let PlacedBid::Own(own) = &mut view.bids[0] {
            own.cushion = Cushion::new(3).unwrap();
        }
    };
    assert_eq!(check_after_change(view(&json.to_string()), move_to_third_cushion), Err(ViewError::Bids));
}
