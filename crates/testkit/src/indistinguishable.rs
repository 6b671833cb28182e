//! Server seeds, bids and games that differ only in facts hidden from an observer.

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

/// Two server seeds with different decks that give `observer` the same view until the first cards are turned up. The
/// first seat begins, and the players' seeds are `client_seeds`.
///
/// Every new seed is compared with all earlier ones (the birthday problem), so a few hundred seeds are enough.
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
        let hand = |seat| game_seed.deck(&parameters, seat).iter().take(parameters.hand().into()).copied().collect();
        let same_hand = seeds_by_hand.entry(observer.seat().map(hand)).or_default();
        let view = |seed: &ServerSeed| opening_view(client_seeds, players, seed, observer);
        if let Some(other) = same_hand.iter().find(|other| view(other) == view(&seed)) {
            return [*other, seed];
        }
        same_hand.push(seed);
    }
    panic!("no two seeds give {observer:?} the same view")
}

/// The same bid with another legal card, or `action` itself if it is an offer or no other card is legal.
#[must_use]
pub fn with_other_card(action: Action, legal: &[Action], chance: &mut impl Chance) -> Action {
    let Action::Bid { card, cushion } = action else { return action };
    let differs =
        |other: &&Action| matches!(other, Action::Bid { card: c, cushion: to } if *to == cushion && *c != card);
    let others: Vec<&Action> = legal.iter().filter(differs).collect();
    let Ok(count @ 1..) = u32::try_from(others.len()) else { return action };
    *others[chance.below(count) as usize]
}

/// Another game with the same view for `observer` after `at` inputs, and with all hidden facts shuffled: the hands and
/// face-down bids of other seats, and all decks, including the observer's.
///
/// # Panics
/// If the script has fewer than `at` inputs.
#[must_use]
pub fn indistinguishable_script(script: &Script, at: usize, observer: Observer, chance: &mut impl Chance) -> Script {
    let now = script.moments()[at].game;
    let parameters = script.setup.parameters;
    let mut other = script.clone();
    other.inputs.truncate(at);
    let mut placed = BySeat::<Vec<_>>::default();
    for seat in parameters.players.seats() {
        let own = observer == Observer::Seat(seat);
        let played = now.played(seat);
        let down: Vec<_> = now.bids().iter().filter(|bid| bid.seat == seat).map(|bid| bid.card).collect();
        // Keep the cards of this seat that the observer knows, and shuffle the rest.
        let kept: Vec<_> = if own {
            played.iter().copied().chain(down.iter().copied()).chain(now.hand(seat).iter()).collect()
        } else {
            played.to_vec()
        };
        let known: Cards = kept.iter().copied().collect();
        let mut unknown: Vec<_> =
            parameters.full_set().without(known).expect("all known cards are from one set").iter().collect();
        shuffle(&mut unknown, chance);
        if !own {
            placed[seat] = unknown[..down.len()].to_vec();
        }
        let deck: CardsInOrder = kept.into_iter().chain(unknown).collect();
        other.setup.decks[seat] = deck;
    }
    // Give the face-down bids of this round other values.
    let round = now.bids().len();
    let from = other.inputs.len() - round;
    for input in &mut other.inputs[from..] {
        if let Input::Act(seat, Action::Bid { card, .. }) = input
            && observer != Observer::Seat(*seat)
        {
            *card = placed[*seat].remove(0);
        }
    }
    other
}
