//! Pairs of server seeds, bids and games that look the same to an observer, because they differ only in facts hidden
//! from this observer. Used to test that no output depends on hidden facts.

use std::collections::HashMap;

use sultan_domain::{
    Action, BySeat, Cards, CardsInOrder, ClientSeed, Observer, Parameters, Players, Screens, Seat, ServerSeed, View,
};
use sultan_rules::{Chance, GameSeed, SeededGame, shuffle};

use crate::{Input, Script};

/// The observer's view at the start of a game with this seed.
fn opening_view(seeds: &[ClientSeed], players: Players, server_seed: &ServerSeed, observer: Observer) -> View {
    let seed = GameSeed::new(server_seed, seeds);
    let game = SeededGame::from_seed(Parameters::of(players), Seat::default(), Screens::Closed, seed);
    let mut game = game.expect("seeds give full decks");
    game.draw().expect("a seed draws from the pouch");
    game.game().view(observer)
}

/// Two server seeds with different decks that give `observer` the same view until the first cards are revealed. Seat 0
/// begins, and the players' seeds are `client_seeds`.
///
/// Every new seed is compared with all earlier seeds, so a few hundred are enough to find a pair (the birthday
/// problem).
///
/// # Panics
/// If no such pair exists.
#[must_use]
pub fn indistinguishable_seeds(players: Players, client_seeds: &[ClientSeed], observer: Observer) -> [ServerSeed; 2] {
    let parameters = Parameters::of(players);
    // Grouped by the observer's hand, which is quicker to compute than a whole view.
    let mut seeds_by_hand: HashMap<Option<Cards>, Vec<ServerSeed>> = HashMap::new();
    for number in 0..u32::MAX {
        let mut bytes = [7; 32];
        bytes[..4].copy_from_slice(&number.to_le_bytes());
        let seed = ServerSeed(bytes);
        let game_seed = GameSeed::new(&seed, client_seeds);
        let hand =
            |seat| game_seed.deck(&parameters, seat).iter().take(parameters.hand_size().into()).copied().collect();
        let seeds_with_same_hand = seeds_by_hand.entry(observer.seat().map(hand)).or_default();
        let view = |seed: &ServerSeed| opening_view(client_seeds, players, seed, observer);
        if let Some(other) = seeds_with_same_hand.iter().find(|other| view(other) == view(&seed)) {
            return [*other, seed];
        }
        seeds_with_same_hand.push(seed);
    }
    panic!("no two seeds give {observer:?} the same view")
}

/// The same bid with another legal card, or `action` itself if it is an offer or no other card is legal.
#[must_use]
pub fn with_other_card(action: Action, legal: &[Action], rng: &mut impl Chance) -> Action {
    let Action::Bid { card, cushion } = action else { return action };
    let same_cushion = legal.iter().filter(|other| matches!(other, Action::Bid { cushion: to, .. } if *to == cushion));
    let others: Vec<&Action> = same_cushion.filter(|&&other| other != Action::Bid { card, cushion }).collect();
    let Ok(count @ 1..) = u32::try_from(others.len()) else { return action };
    *others[rng.below(count) as usize]
}

/// Another game with the same view for `observer` after the first `input_count` inputs, and with all hidden facts
/// shuffled: the hands and face-down cards of other seats, and all decks, including the observer's. The returned script
/// ends after these inputs.
///
/// # Panics
/// If the script has fewer inputs.
#[must_use]
pub fn indistinguishable_script(
    script: &Script,
    input_count: usize,
    observer: Observer,
    rng: &mut impl Chance,
) -> Script {
    let game = script.moments()[input_count].game;
    let parameters = script.setup.parameters;
    let mut other = script.clone();
    other.inputs.truncate(input_count);
    let mut new_face_down = BySeat::<Vec<_>>::default();
    for seat in parameters.players.seats() {
        let is_observer = observer == Observer::Seat(seat);
        let played = game.played(seat);
        let face_down: Vec<_> = game.bids().iter().filter(|bid| bid.seat == seat).map(|bid| bid.card).collect();
        // Keep the cards of this seat that the observer has seen, and shuffle the other cards.
        let known: Vec<_> = if is_observer {
            played.iter().copied().chain(face_down.iter().copied()).chain(game.hand(seat).iter()).collect()
        } else {
            played.to_vec()
        };
        let known_set: Cards = known.iter().copied().collect();
        let mut unknown: Vec<_> =
            parameters.full_set().without(known_set).expect("the cards seen are from one set").iter().collect();
        shuffle(&mut unknown, rng);
        if !is_observer {
            new_face_down[seat] = unknown[..face_down.len()].to_vec();
        }
        // The cards of a seat in the order in which it draws them: first the cards already drawn.
        let deck: CardsInOrder = known.into_iter().chain(unknown).collect();
        other.setup.decks[seat] = deck;
    }
    // Replace the cards of the face-down bids, which are the last inputs.
    let first_bid = other.inputs.len() - game.bids().len();
    for input in &mut other.inputs[first_bid..] {
        if let Input::Act(seat, Action::Bid { card, .. }) = input
            && observer != Observer::Seat(*seat)
        {
            *card = new_face_down[*seat].remove(0);
        }
    }
    other
}
