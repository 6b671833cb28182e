//! The JSON of views of real games. `tests/view.rs` of `sultan-domain` tests invalid views.

use serde_json::{Value, json};
use sultan_rules::domain::{
    Attendance, BranchOrigin, BySeat, CardsInOrder, Commitment, Drawn, Jewel, Kind, Observer, Parameters, Person,
    PlayerColour, Players, PlayingTable, Screens, Seat, TableId, TableInfo, TableView, TurnClock, View,
};
use sultan_rules::{Game, Setup};

/// A game of four players with sorted decks, after one whole round and the draw, the offer and two bids of the next.
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
    game().view(Observer::Seat(Seat::new(2).unwrap()))
}

/// Three humans, and a bot in seat 3.
fn people() -> Vec<Person> {
    let people = ["Ana", "Bo", "Cy", "merchant"].into_iter().zip(PlayerColour::ALL).map(|(name, colour)| {
        let kind = if name == "merchant" { Kind::Bot(name.to_owned()) } else { Kind::Human };
        Person { name: name.to_owned(), colour, kind }
    });
    people.collect()
}

#[test]
fn view_json_matches_the_golden_text() {
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
    assert_eq!(view().to_json(&people(), None), golden);
    assert_eq!(serde_json::from_str::<View>(golden).unwrap(), view());
}

#[test]
fn only_the_seat_to_act_has_legal_actions() {
    let legal_in_json =
        |observer| serde_json::from_str::<Value>(&game().view(observer).to_json(&[], None)).unwrap()["legal"].clone();
    let legal = legal_in_json(Observer::Seat(Seat::new(3).unwrap()));
    assert_eq!(legal.as_array().unwrap().len(), 4 * 3, "four cards on three cushions");
    assert_eq!((&legal[0], &legal[3]), (&json!("1@1"), &json!("2@1")));
    assert_eq!(legal_in_json(Observer::Public), json!([]));
}

/// The code that writes views is written by hand, and the code that reads them is derived, so this test compares both.
#[test]
fn every_written_view_reads_back_as_the_same_view() {
    for (players, seed) in (2..=5).flat_map(|count| (0..4).map(move |seed| (Players::new(count).unwrap(), seed))) {
        for screens in [Screens::Closed, Screens::Open] {
            for moment in sultan_testkit::Script::random(players, screens, seed).moments() {
                for observer in Observer::all(players) {
                    let playing = table(moment.game.view(observer), seed);
                    let written = TableView::Playing(Box::new(playing.clone()));
                    let json = written.to_json();
                    assert_eq!(serde_json::from_str::<TableView>(&json).unwrap(), written);
                    assert_eq!(serde_json::from_str::<View>(&json).unwrap(), playing.view);
                    let value: Value = serde_json::from_str(&json).unwrap();
                    let legal: Vec<String> = playing.view.legal().iter().map(|action| action.to_string()).collect();
                    assert_eq!(value["legal"], json!(legal));
                }
            }
        }
    }
}

/// A table with this game, all kinds of occupants, and table data that differ from seed to seed.
fn table(view: View, seed: u64) -> PlayingTable {
    let odd = seed % 2 == 1;
    let branch = BranchOrigin { table: TableId::new(7), at: 9, imagined: odd };
    let info = TableInfo {
        table: TableId::new(seed),
        commitment: Commitment([7; 32]),
        host: Seat::new(1).unwrap(),
        ended: false,
        paused: seed.is_multiple_of(5),
        rematch: odd.then_some(TableId::new(9)),
        guided: odd,
        coach: seed.is_multiple_of(3),
        branch: seed.is_multiple_of(4).then_some(branch),
    };
    PlayingTable {
        people: sultan_testkit::sample_people(view.parameters.players).into(),
        clock: TurnClock {
            deadline: view.to_act.filter(|_| odd).map(|_| "2026-01-02T03:04:05.678Z".to_owned()),
            stand_in_from: None,
            stand_in: if odd { "jeweller".to_owned() } else { String::new() },
            timed_out: BySeat([None, odd.then_some(12), None, None, None]),
        },
        view,
        info,
        replayed: false,
        attendance: Attendance::default(),
    }
}
