//! The coach, which advises a player during a game: [`hint`] recommends an action, [`may_hold`] estimates the cards of
//! the other seats.
//!
//! Both use only the knowledge of the player's seat. `hint` judges the options with `consider`, like the analysis of a
//! finished game. `may_hold` samples hands like the bots ([`Belief`](sultan_bots::search::Belief)).

use sultan_bots::search::{Knowledge, Search, policy};
use sultan_domain::{HeldCard, Hint, MayHold, MoneyCard, Recall, View};

use super::consider::consider;
use super::reason::find_reason;
use super::rng_for;

/// The number of hands that [`may_hold`] samples for each other seat.
const GUESSES: usize = 400;
/// An option is an alternative if the strong bot (`sultan`) plays it with at least this probability.
const MIN_ALTERNATIVE_SHARE: f64 = 0.05;

/// The strong bot's most likely action, an alternative, and the evaluation of all options.
///
/// `None` if the seat has no decision to make, or if view and recall contradict each other. If `stop` returns `true`,
/// the estimates so far; `None` before the first estimate. (A last round that is enumerated has no estimates before its
/// end.)
#[must_use]
pub fn hint(view: &View, recall: &Recall, seed: u64, stop: &dyn Fn() -> bool) -> Option<Hint> {
    let considered = consider(view, recall, &mut rng_for(seed, view.action_count.into()), stop)?;
    let best = considered.likeliest();
    let others = || considered.options.iter().enumerate().filter(|&(index, _)| index != best);
    let alternatives = others().filter(|(_, option)| option.share >= MIN_ALTERNATIVE_SHARE);
    let likeliest_alternative = alternatives.max_by(|a, b| a.1.share.total_cmp(&b.1.share));
    // If the strong bot plays no alternative, compare with the option that has the next best winning chance.
    let compared = likeliest_alternative.or_else(|| others().max_by(|a, b| a.1.win.value.total_cmp(&b.1.win.value)));
    let instead = compared.map(|(index, _)| index);
    // An alternative with the same or a higher winning chance gets no reason.
    let is_worse = |index: &usize| considered.options[*index].win.value < considered.options[best].win.value;
    let reason = instead.filter(is_worse).and_then(|worse| find_reason(&considered, worse, best));
    Some(Hint { best, instead, reason, options: considered.options })
}

/// The unrevealed cards of each other seat, with the chance that each of them is in hand, estimated from the seat's
/// bids. Empty if the view is a spectator's, if it contradicts the recall, or if the game is over. If `stop` returns
/// `true`, fewer hands are sampled.
#[must_use]
pub fn may_hold(view: &View, recall: &Recall, seed: u64, stop: &dyn Fn() -> bool) -> Vec<MayHold> {
    let mut rng = rng_for(seed, view.action_count.into());
    let Some(knowledge) = Knowledge::new(view, recall, &mut rng).filter(|knowledge| !knowledge.public.is_over()) else {
        return Vec::new();
    };
    let mut search = Search::new(policy(&view.parameters), &knowledge, recall, stop);
    let mut all = Vec::new();
    for belief in &mut search.beliefs {
        let unrevealed = knowledge.public.left[belief.seat];
        for guess_count in 0..GUESSES {
            // Even if stopped, sample one hand, so that there is a result.
            if guess_count > 0 && stop() {
                break;
            }
            belief.guess(&search.history, &mut rng);
        }
        let chance_in_hand = |card: MoneyCard| {
            belief.guesses().filter(|(guess, _)| guess.hand.has(card)).map(|(_, probability)| probability).sum::<f64>()
        };
        let held_card =
            |card| HeldCard { card, left: unrevealed.count(card), chance: chance_in_hand(card).clamp(0.0, 1.0) };
        all.push(MayHold { seat: belief.seat, cards: unrevealed.values().map(held_card).collect() });
    }
    all
}
