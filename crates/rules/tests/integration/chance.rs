//! Known answers for chance, computed by another program: `chance/known_answers.py`.

use serde::Deserialize;
use sultan_rules::domain::{
    Action, ClientSeed, Cushion, Drawn, Offer, Parameters, Players, Screens, Seat, ServerSeed, Variant,
};
use sultan_rules::{Game, GameSeed, Pending, Setup, commitment};

#[derive(Deserialize)]
struct Answer {
    players: u8,
    #[serde(default)]
    parameters: Variant,
    server_seed: String,
    client_seeds: Vec<String>,
    commitment: String,
    first_seat: u8,
    decks: Vec<Vec<u8>>,
    draws: Vec<String>,
    pouch_at_end: [u8; 5],
}

fn answers() -> Vec<Answer> {
    serde_json::from_str(include_str!("../chance/known_answers.json")).unwrap()
}

fn parameters(answer: &Answer) -> Parameters {
    answer.parameters.parameters(Players::new(answer.players).unwrap()).unwrap()
}

fn seed(answer: &Answer) -> (ServerSeed, GameSeed) {
    let server: ServerSeed = answer.server_seed.parse().unwrap();
    let clients: Vec<ClientSeed> =
        answer.client_seeds.iter().cloned().map(|text| ClientSeed::try_from(text).unwrap()).collect();
    (server, GameSeed::new(&server, &clients))
}

#[test]
fn at_least_three_seeds_per_number_of_players() {
    for players in 2..=5 {
        assert!(answers().iter().filter(|answer| answer.players == players).count() >= 3);
    }
}

#[test]
fn commitments_first_seats_and_decks_match_known_answers() {
    for answer in answers() {
        let players = Players::new(answer.players).unwrap();
        let (server, game_seed) = seed(&answer);
        assert_eq!(commitment(&server).to_string(), answer.commitment);
        assert_eq!(game_seed.first_seat(players).number(), answer.first_seat);
        for (seat, deck) in players.seats().zip(&answer.decks) {
            let dealt: Vec<u8> = game_seed.deck(&parameters(&answer), seat).iter().map(|card| card.value()).collect();
            assert_eq!(&dealt, deck);
        }
    }
}

/// The cushion of a bid, by the index of the round and of the bid, as in the script.
fn cushion_of(parameters: &Parameters, index: u8, turn: u8) -> Cushion {
    let cushion = if parameters.players.count() == 2 { index + turn / 2 } else { index * (turn + 1) };
    Cushion::new(cushion % parameters.cushions + 1).unwrap()
}

#[test]
fn draws_of_a_whole_game_match_known_answers() {
    for answer in answers() {
        let parameters = parameters(&answer);
        let (_, game_seed) = seed(&answer);
        let first = Seat::new(answer.first_seat).unwrap();
        let mut game = Game::new(&Setup::seeded(parameters, first, Screens::Closed, &game_seed)).unwrap();
        for (index, wanted) in (0..).zip(&answer.draws) {
            let Pending::Chance(draw) = game.pending() else { panic!("a draw is due") };
            let drawn: Drawn = game_seed.draw(&draw);
            assert_eq!(&drawn.to_string(), wanted, "round {index} of {} players", answer.players);
            game.draw(drawn).unwrap();
            let row: Vec<_> = drawn.iter().take(usize::from(parameters.cushions)).collect();
            game.play(Action::Offer(Offer::new(&row).unwrap())).unwrap();
            for turn in 0..parameters.bids() {
                let card = game.hand(game.to_act().unwrap()).nth_value(0).unwrap();
                game.play(Action::Bid { card, cushion: cushion_of(&parameters, index, turn) }).unwrap();
            }
        }
        assert!(matches!(game.pending(), Pending::Over(_)));
        assert_eq!(game.pouch().counts().0, answer.pouch_at_end);
    }
}
