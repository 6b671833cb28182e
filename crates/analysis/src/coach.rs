//! Advice during a game: the best action, and the possible cards of other seats.
//!
//! Both use only the knowledge of one seat. [`hint`] uses `consider`, like the analysis of a finished game;
//! [`may_hold`] uses the bots' [`Belief`](sultan_bots::search::Belief).

use sultan_bots::search::{Knowledge, Search, policy};
use sultan_domain::{HeldCard, Hint, MayHold, MoneyCard, Recall, View};

use super::consider::consider;
use super::{reason, rng_for};

/// The number of sampled hands per other seat for [`may_hold`].
const GUESSES: usize = 400;
/// The minimum share of an alternative option in the strong bot's mix.
const MIN_ALTERNATIVE_SHARE: f64 = 0.05;

/// The strong bot's choice and its evaluation of all options. `None` if there is no decision, or if it was stopped
/// before the first estimate; if stopped later, the estimates so far.
#[must_use]
pub fn hint(view: &View, recall: &Recall, seed: u64, stop: &dyn Fn() -> bool) -> Option<Hint> {
    let considered = consider(view, recall, &mut rng_for(seed, view.at.into()), stop)?;
    let best = considered.likeliest();
    let options = considered.options.iter().enumerate();
    let others = options.filter(|&(index, option)| index != best && option.share >= MIN_ALTERNATIVE_SHARE);
    let alternative = others.max_by(|a, b| a.1.share.total_cmp(&b.1.share)).map(|(index, _)| index);
    // If the strong bot plays no alternative, compare with the option that has the next best winning chance.
    let compared = alternative.or_else(|| {
        let others = considered.options.iter().enumerate().filter(|&(index, _)| index != best);
        others.max_by(|a, b| a.1.win.value.total_cmp(&b.1.win.value)).map(|(index, _)| index)
    });
    let is_better = |index: &usize| considered.options[best].win.value > considered.options[*index].win.value;
    let reason = compared.filter(is_better).and_then(|index| reason::better(&considered, index, best));
    Some(Hint { best, instead: compared, reason, options: considered.options })
}

/// The possible cards of each other seat, estimated from its revealed cards and its bids. Empty if the view is not a
/// seat's.
#[must_use]
pub fn may_hold(view: &View, recall: &Recall, seed: u64, stop: &dyn Fn() -> bool) -> Vec<MayHold> {
    let mut rng = rng_for(seed, view.at.into());
    let Some(knowledge) = Knowledge::new(view, recall, &mut rng).filter(|knowledge| !knowledge.public.is_over()) else {
        return Vec::new();
    };
    let mut search = Search::new(policy(&view.parameters), &knowledge, recall, stop);
    let mut all = Vec::new();
    for belief in &mut search.beliefs {
        let left = knowledge.public.left[belief.seat];
        for guessed in 0..GUESSES {
            // Even if stopped, sample one hand, so that there is a result.
            if guessed > 0 && stop() {
                break;
            }
            belief.guess(&search.history, &mut rng);
        }
        let in_hand = |card: MoneyCard| {
            belief.guesses().filter(|(guess, _)| guess.hand.has(card)).map(|(_, chance)| chance).sum::<f64>()
        };
        let held = |card| HeldCard { card, left: left.count(card), chance: in_hand(card).clamp(0.0, 1.0) };
        all.push(MayHold { seat: belief.seat, cards: left.values().map(held).collect() });
    }
    all
}
