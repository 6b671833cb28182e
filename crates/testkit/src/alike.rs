//! Server seeds and bids that differ only in facts hidden from an observer.

use std::collections::HashMap;

use sultan_domain::{Action, Cards, ClientSeed, Observer, Parameters, Players, Screens, Seat, ServerSeed, View};
use sultan_rules::{Chance, GameSeed, SeededGame};

/// The observer's view at the start of a game with this seed.
fn opening(seeds: &[ClientSeed], players: Players, server_seed: &ServerSeed, observer: Observer) -> View {
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
pub fn alike(players: Players, client_seeds: &[ClientSeed], observer: Observer) -> [ServerSeed; 2] {
    let parameters = Parameters::of(players);
    // Grouped by the observer's hand, which is quicker to compute than a whole view.
    let mut tried: HashMap<Option<Cards>, Vec<ServerSeed>> = HashMap::new();
    for number in 0..u32::MAX {
        let mut bytes = [7; 32];
        bytes[..4].copy_from_slice(&number.to_le_bytes());
        let seed = ServerSeed(bytes);
        let game_seed = GameSeed::new(&seed, client_seeds);
        let hand = |seat| game_seed.deck(&parameters, seat).iter().take(parameters.hand().into()).copied().collect();
        let same_hand = tried.entry(observer.seat().map(hand)).or_default();
        let seen = |seed: &ServerSeed| opening(client_seeds, players, seed, observer);
        if let Some(other) = same_hand.iter().find(|other| seen(other) == seen(&seed)) {
            return [*other, seed];
        }
        same_hand.push(seed);
    }
    panic!("no two seeds look the same")
}

/// The same bid with another legal card, or `action` itself if it is an offer or no other card is legal.
#[must_use]
pub fn other_card(action: Action, legal: &[Action], chance: &mut impl Chance) -> Action {
    let Action::Bid { card, cushion } = action else { return action };
    let differs =
        |other: &&Action| matches!(other, Action::Bid { card: c, cushion: to } if *to == cushion && *c != card);
    let others: Vec<&Action> = legal.iter().filter(differs).collect();
    let Ok(count @ 1..) = u32::try_from(others.len()) else { return action };
    *others[chance.below(count) as usize]
}
