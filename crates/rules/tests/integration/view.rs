//! What a real game looks like as JSON, to the letter. Views that are none are refused in `sultan-domain`'s
//! `tests/view.rs`.

use serde_json::json;
use sultan_rules::Game;
use sultan_rules::Setup;
use sultan_rules::domain::{
    BySeat, CardsInOrder, Drawn, Jewel, Kind, Observer, Parameters, Person, PlayerColour, Players, Screens, Seat, View,
};

/// Four players, every deck from 1 up, seat 0 first; one whole round, then an offer and two bids.
fn game() -> Game {
    let parameters = Parameters::of(Players::new(4).unwrap());
    let deck: CardsInOrder = parameters.full_set().iter().collect();
    let setup = Setup { parameters, first_seat: Seat::default(), screens: Screens::Closed, decks: BySeat([deck; 5]) };
    let mut game = Game::new(&setup).unwrap();
    for word in ["WRYG", "RYG", "5@1", "1@3", "2@1", "4@1", "BBRY", "BRY", "3@2", "1@1"] {
        if game.to_act().is_none() {
            let jewels: Vec<Jewel> = word.chars().filter_map(Jewel::from_letter).collect();
            game.draw(Drawn::new(&jewels).unwrap()).unwrap();
        } else {
            game.play(word.parse().unwrap()).unwrap();
        }
    }
    game
}

fn view() -> View {
    let people = ["Ana", "Bo", "Cy", "merchant"].into_iter().zip(PlayerColour::ALL).map(|(name, colour)| {
        let kind = if name == "merchant" { Kind::Bot(name.to_owned()) } else { Kind::Human };
        Person { name: name.to_owned(), colour, kind }
    });
    game().view(Observer::Seat(Seat::new(2).unwrap())).with_people(people)
}

#[test]
fn the_json_is_as_the_contract_says() {
    let golden = concat!(
        r#"{"format":"sultan-view","version":1,"players":4,"seat":2,"screens":"closed","phase":"bid","at":8,"#,
        r#""stage":1,"round":2,"first_seat":1,"to_act":3,"drawn":["B","B","R","Y"],"#,
        r#""cushions":[{"jewel":"B","bids":[{"seat":2,"order":2,"card":1}]},{"jewel":"R","bids":[{"seat":1,"order":1}]},{"jewel":"Y","bids":[]}],"#,
        r#""hand":[3,4,5],"seats":["#,
        r#"{"seat":0,"name":"Ana","colour":"violet","kind":"human","hand":4,"deck":10,"collection":null,"played":null,"deadline":null},"#,
        r#"{"seat":1,"name":"Bo","colour":"gold","kind":"human","hand":3,"deck":10,"collection":null,"played":null,"deadline":null},"#,
        r#"{"seat":2,"name":"Cy","colour":"green","kind":"human","hand":3,"deck":10,"collection":{"W":0,"R":0,"Y":0,"G":0,"B":0},"played":[2],"deadline":null},"#,
        r#"{"seat":3,"name":"merchant","colour":"red","kind":"bot:merchant","hand":4,"deck":10,"collection":null,"played":null,"deadline":null}],"#,
        r#""last_round":{"stage":1,"round":1,"first_seat":0,"drawn":["W","R","Y","G"],"offer":["R","Y","G"],"put_back":"W","#,
        r#""bids":[{"seat":0,"card":5,"cushion":1},{"seat":1,"card":1,"cushion":3},{"seat":2,"card":2,"cushion":1},{"seat":3,"card":4,"cushion":1}],"#,
        r#""winners":[0,null,1]},"legal":[],"final":null}"#,
    );
    assert_eq!(serde_json::to_string(&view()).unwrap(), golden);
    assert_eq!(serde_json::from_str::<View>(golden).unwrap(), view());
}

#[test]
fn only_the_seat_to_act_has_legal_actions() {
    let json = |observer| serde_json::to_value(game().view(observer)).unwrap()["legal"].clone();
    let to_act = Observer::Seat(Seat::new(3).unwrap());
    assert_eq!(json(to_act).as_array().unwrap().len(), 4 * 3);
    assert_eq!((&json(to_act)[0], &json(to_act)[3]), (&json!("1@1"), &json!("2@1")));
    assert_eq!(json(Observer::Public), json!([]));
}

#[test]
fn the_quick_way_of_writing_a_view_is_the_general_one() {
    for (players, seed) in (2..=5).flat_map(|count| (0..12).map(move |seed| (Players::new(count).unwrap(), seed))) {
        for screens in [Screens::Closed, Screens::Open] {
            for moment in sultan_testkit::Script::random(players, screens, seed).moments() {
                for observer in Observer::all(players) {
                    let mut view = moment.game.view(observer).with_people(sultan_testkit::people(players));
                    if seed % 2 == 0 {
                        view.seats[1].deadline = Some("2026-01-02T03:04:05.678Z".to_owned());
                    }
                    let mut quick = b"before".to_vec();
                    view.write_json(&view.last_round_json(), &mut quick);
                    assert_eq!(
                        String::from_utf8(quick).unwrap(),
                        format!("before{}", serde_json::to_string(&view).unwrap())
                    );
                }
            }
        }
    }
}
