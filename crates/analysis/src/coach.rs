//! Advice during a game: which action is best, and which cards the others may hold.
//!
//! Both answers come from what one seat knows. [`hint`] uses `consider`, as the analysis of a finished game does;
//! [`may_hold`] uses the bots' [`Belief`](sultan_bots::search::Belief).

use sultan_bots::search::{Known, Search, policy};
use sultan_domain::{HeldCard, Hint, MayHold, MoneyCard, Recall, View};

use super::consider::consider;
use super::{chance_for, why};

/// How many hands are guessed for each other seat to say what it may hold.
const GUESSES: usize = 400;
/// An option that the strong bot plays more rarely is not worth mentioning.
const COMMON: f64 = 0.05;

/// What the strong bot would do and what it thinks of it. Nothing where there is nothing to decide, or where it was
/// stopped before it could say anything; stopped later, it says what it has found by then.
#[must_use]
pub fn hint(view: &View, recall: &Recall, seed: u64, stop: &dyn Fn() -> bool) -> Option<Hint> {
    let considered = consider(view, recall, &mut chance_for(seed, view.at.into()), stop)?;
    let best = considered.likeliest();
    let options = considered.options.iter().enumerate();
    let others = options.filter(|&(place, option)| place != best && option.share >= COMMON);
    let instead = others.max_by(|a, b| a.1.share.total_cmp(&b.1.share)).map(|(place, _)| place);
    // Without an alternative that is played, the next best by its chance to win shows what is gained.
    let compared = instead.or_else(|| {
        let others = considered.options.iter().enumerate().filter(|&(place, _)| place != best);
        others.max_by(|a, b| a.1.win.value.total_cmp(&b.1.win.value)).map(|(place, _)| place)
    });
    let is_better = |place: &usize| considered.options[best].win.value > considered.options[*place].win.value;
    let reason = compared.filter(is_better).and_then(|place| why::better(&considered, place, best));
    Some(Hint { best, instead: compared, reason, options: considered.options })
}

/// What each other seat may hold now, judged by what was seen of it and by how it bid. Empty where the view is no
/// seat's.
#[must_use]
pub fn may_hold(view: &View, recall: &Recall, seed: u64, stop: &dyn Fn() -> bool) -> Vec<MayHold> {
    let mut chance = chance_for(seed, view.at.into());
    let Some(known) = Known::new(view, recall, &mut chance).filter(|known| !known.public.is_over()) else {
        return Vec::new();
    };
    let mut search = Search::new(policy(&view.parameters), &known, recall, stop);
    let mut all = Vec::new();
    for belief in &mut search.beliefs {
        let left = known.public.left[belief.seat];
        for guessed in 0..GUESSES {
            // One guess at least: without any there is nothing to say.
            if guessed > 0 && stop() {
                break;
            }
            belief.guess(&search.history, &mut chance);
        }
        let in_hand = |card: MoneyCard| {
            belief.guesses().filter(|(guess, _)| guess.hand.has(card)).map(|(_, chance)| chance).sum::<f64>()
        };
        let held = |card| HeldCard { card, left: left.count(card), chance: in_hand(card).clamp(0.0, 1.0) };
        all.push(MayHold { seat: belief.seat, cards: left.values().map(held).collect() });
    }
    all
}
