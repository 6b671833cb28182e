//! Compares decks, draws and first seats with known answers, which a Python program computed from the same seeds:
//! `tests/chance/known_answers.py`.

use serde::Deserialize;
use sultan_rules::domain::{
    Action, ClientSeed, Cushion, Drawn, Offer, Parameters, Players, Screens, Seat, ServerSeed, Variant,
};
use sultan_rules::{Game, GameSeed, Pending, Setup, commitment};

/// The seeds of one game, and everything that follows from them.
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

fn server_seed(answer: &Answer) -> ServerSeed {
    answer.server_seed.parse().unwrap()
}

fn game_seed(answer: &Answer) -> GameSeed {
    let clients: Vec<ClientSeed> =
        answer.client_seeds.iter().cloned().map(|text| ClientSeed::try_from(text).unwrap()).collect();
    GameSeed::new(&server_seed(answer), &clients)
}

#[test]
fn known_answers_include_at_least_three_per_number_of_players() {
    for players in 2..=5 {
        assert!(answers().iter().filter(|answer| answer.players == players).count() >= 3);
    }
}

#[test]
fn commitments_first_seats_and_decks_match_known_answers() {
    for answer in answers() {
        let players = Players::new(answer.players).unwrap();
        let game_seed = game_seed(&answer);
        assert_eq!(commitment(&server_seed(&answer)).to_string(), answer.commitment);
        assert_eq!(game_seed.first_seat(players).number(), answer.first_seat);
        for (seat, deck) in players.seats().zip(&answer.decks) {
            let dealt: Vec<u8> = game_seed.deck(&parameters(&answer), seat).iter().map(|card| card.value()).collect();
            assert_eq!(&dealt, deck);
        }
    }
}

/// The cushion of a bid, computed from the index of the round and of the bid within the round, as in the Python
/// program.
fn cushion_of(parameters: &Parameters, round_index: u8, bid_index: u8) -> Cushion {
    let two_players = parameters.players.count() == 2;
    let number = if two_players { round_index + bid_index / 2 } else { round_index * (bid_index + 1) };
    Cushion::new(number % parameters.cushions + 1).unwrap()
}

#[test]
fn draws_of_a_whole_game_match_known_answers() {
    for answer in answers() {
        let (parameters, game_seed) = (parameters(&answer), game_seed(&answer));
        let first_seat = Seat::new(answer.first_seat).unwrap();
        let mut game = Game::new(&Setup::seeded(parameters, first_seat, Screens::Closed, &game_seed)).unwrap();
        for (round_index, expected) in (0..).zip(&answer.draws) {
            let Pending::Chance(draw) = game.pending() else { panic!("a draw is due") };
            let drawn: Drawn = game_seed.draw(&draw);
            assert_eq!(&drawn.to_string(), expected, "round {round_index} of {} players", answer.players);
            game.draw(drawn).unwrap();
            let offered: Vec<_> = drawn.iter().take(usize::from(parameters.cushions)).collect();
            game.play(Action::Offer(Offer::new(&offered).unwrap())).unwrap();
            for bid_index in 0..parameters.bids_per_round() {
                let card = game.hand(game.to_act().unwrap()).nth_value(0).unwrap();
                game.play(Action::Bid { card, cushion: cushion_of(&parameters, round_index, bid_index) }).unwrap();
            }
        }
        assert!(matches!(game.pending(), Pending::Over(_)));
        assert_eq!(game.pouch().counts().0, answer.pouch_at_end);
    }
}
