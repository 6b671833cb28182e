//! Server seeds and bids that differ only in what an observer cannot know.

use sultan_domain::{Action, Cards, ClientSeed, Observer, Parameters, Players, Screens, Seat, ServerSeed, View};
use sultan_rules::{Chance, GameSeed, SeededGame};

/// What an observer sees at the start of a game with this seed.
fn opening(seeds: &[ClientSeed], players: Players, server_seed: &ServerSeed, observer: Observer) -> View {
    let seed = GameSeed::new(server_seed, seeds);
    let game = SeededGame::from_seed(Parameters::of(players), Seat::default(), Screens::Closed, seed);
    let mut game = game.expect("seeds give full decks");
    game.draw().expect("a seed draws from the pouch");
    game.game().view(observer)
}

/// Two server seeds that give everybody other cards, but look the same to the observer until the first cards are turned up,
/// where the players gave these seeds and the first seat begins.
///
/// # Panics
/// Where there are no such seeds.
#[must_use]
pub fn alike(players: Players, client_seeds: &[ClientSeed], observer: Observer) -> [ServerSeed; 2] {
    let numbered = |number: u32| {
        let mut bytes = [7; 32];
        bytes[..4].copy_from_slice(&number.to_le_bytes());
        ServerSeed(bytes)
    };
    let wanted = opening(client_seeds, players, &numbered(0), observer);
    // The own hand first, which is quick to tell.
    let hand = |server_seed: &ServerSeed| {
        let seed = GameSeed::new(server_seed, client_seeds);
        let parameters = Parameters::of(players);
        observer.seat().map(|seat| {
            let deck = seed.deck(&parameters, seat);
            deck.iter().take(parameters.hand().into()).copied().collect::<Cards>()
        })
    };
    let held = hand(&numbered(0));
    let same = |other: &ServerSeed| hand(other) == held && opening(client_seeds, players, other, observer) == wanted;
    [numbered(0), (1..u32::MAX).map(numbered).find(same).expect("chance repeats itself")]
}

/// The same bid with another card, if there is one that is legal.
#[must_use]
pub fn other_card(action: Action, legal: &[Action], chance: &mut impl Chance) -> Action {
    let Action::Bid { card, cushion } = action else { return action };
    let differs =
        |other: &&Action| matches!(other, Action::Bid { card: c, cushion: to } if *to == cushion && *c != card);
    let others: Vec<&Action> = legal.iter().filter(differs).collect();
    let Ok(count @ 1..) = u32::try_from(others.len()) else { return action };
    *others[chance.below(count) as usize]
}
