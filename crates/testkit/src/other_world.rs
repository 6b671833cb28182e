//! Games that differ only in facts hidden from an observer.

use sultan_domain::{Action, BySeat, Cards, CardsInOrder, Observer};
use sultan_rules::{Chance, shuffle};

use crate::{Input, Script};

/// Another game with the same view for `observer` after `at` inputs, and with all hidden facts shuffled: the hands and
/// face-down bids of other seats, and all decks, including the observer's.
///
/// # Panics
/// If the script has fewer than `at` inputs.
#[must_use]
pub fn other_world(script: &Script, at: usize, observer: Observer, chance: &mut impl Chance) -> Script {
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
