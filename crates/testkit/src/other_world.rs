//! Games that differ only where an observer cannot look.

use sultan_domain::{Action, BySeat, Cards, CardsInOrder, Observer};
use sultan_rules::{Chance, shuffle};

use crate::{Input, Script};

/// Another game that looks the same to the observer up to a moment, and is as different as it can be where the observer
/// cannot look: other hands, the values of cards that lie face down, and all decks, the own one too.
///
/// # Panics
/// Where the script has no such moment.
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
        // What the observer knows of this seat's cards is kept; the rest is dealt anew.
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
    // The cards that lie face down now have other values.
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
