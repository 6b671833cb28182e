//! Estimates the winning chance of each option of one decision, from the knowledge of the deciding seat.
//!
//! Imagines tables that look to the seat like the real one, as the bot `sultan` does, and tries every option (legal
//! action) at each of them with the same random numbers. The value net evaluates the table at the end of the round.
//! Close to the end of the game, and always in a variant (variants have no nets), games are played to their end instead
//! (`playout`). In the last round all continuations are enumerated (`ends`). Tables are evaluated in batches, each with
//! newly sampled hands, so the differences between batches give an unbiased standard error (`estimate`).

use sultan_bots::search::net::SeatValue;
use sultan_bots::search::{
    EvaluatedOption, Knowledge, PublicState, Search, World, policy, shifted_to_better, temperature,
};
use sultan_domain::{Action, Estimate, OptionValue, Parameters, Recall, View};
use sultan_rules::{Chance, FastRng, winners};

use super::estimate::estimate;
use super::playout::{Luck, play_out};

mod last_round;

use last_round::enumerated;

/// The number of hands sampled for each other seat in a batch.
const GUESSES: usize = 48;
/// The number of tables imagined per batch.
const TABLES_PER_BATCH: u32 = 64;
/// The minimum number of batches.
const MIN_BATCHES: usize = 12;
/// The maximum number of batches. Fewer are enough if the results have the [`TARGET_ERROR`].
const MAX_BATCHES: usize = 128;
/// The target standard error of each option's winning chance, and of its difference from the best option.
const TARGET_ERROR: f64 = 0.009;
/// Games are played to their end if at most this many rounds follow. With more rounds, the error of the value net is
/// far smaller than the random error of playing on.
const PLAYED_OUT_ROUNDS: u8 = 2;
/// The number of rounds played per decision of a variant, over all tables and options. Limits the time, however long
/// the game is.
const VARIANT_ROUNDS: usize = 30_000;
/// Like [`temperature`], for a variant. Higher, because fewer tables give less precise results.
const VARIANT_TEMPERATURE: f32 = 0.05;

/// The amount of work for one decision.
struct Effort {
    tables_per_batch: u32,
    max_batches: usize,
    /// See [`PLAYED_OUT_ROUNDS`].
    played_out_rounds: u8,
    /// The difference in utility that makes an option e times more frequent.
    temperature: f32,
}

impl Effort {
    fn of(public: &PublicState, option_count: usize) -> Self {
        let players = public.parameters.players;
        let (max_batches, temperature) = (MAX_BATCHES, temperature(players));
        let is_published = public.parameters == Parameters::of(players);
        if is_published {
            let (tables_per_batch, played_out_rounds) = (TABLES_PER_BATCH, PLAYED_OUT_ROUNDS);
            return Self { tables_per_batch, max_batches, played_out_rounds, temperature };
        }
        let rounds = usize::from(public.parameters.rounds() - public.round_index);
        // Each option is played to the end of the game at each table.
        let tables = u32::try_from(VARIANT_ROUNDS / (MIN_BATCHES * option_count * rounds)).unwrap_or(TABLES_PER_BATCH);
        Self {
            tables_per_batch: tables.clamp(1, TABLES_PER_BATCH),
            max_batches: MIN_BATCHES,
            // As many as any game has, so games are always played to their end.
            played_out_rounds: Parameters::MAX_ROUNDS,
            temperature: VARIANT_TEMPERATURE,
        }
    }
}

/// The chance of each seat to win the jewel on each cushion, by cushion and seat.
pub(super) type JewelChances = [[f64; 5]; 3];

/// The results of one option at the tables of a batch: weighted sums, or means after [`OptionResult::mean`].
#[derive(Clone, Copy, Default)]
struct OptionResult {
    win: f64,
    /// The winning chance plus half the margin, which the bot `sultan` maximizes ([`SeatValue::utility`]).
    utility: f64,
    jewel_chances: JewelChances,
    /// The sum of the weights of all tables.
    weight: f64,
}

impl OptionResult {
    /// Adds the result at one table.
    fn add(&mut self, value: SeatValue, jewel_chances: &JewelChances, weight: f64) {
        self.win += f64::from(value.win) * weight;
        self.utility += f64::from(value.utility()) * weight;
        self.weight += weight;
        for (sum, chance) in self.jewel_chances.iter_mut().flatten().zip(jewel_chances.iter().flatten()) {
            *sum += chance * weight;
        }
    }

    /// Divides the weighted sums by the sum of the weights.
    fn mean(&self) -> Self {
        let factor = 1.0 / self.weight;
        let jewel_chances = self.jewel_chances.map(|by_seat| by_seat.map(|sum| sum * factor));
        Self { win: self.win * factor, utility: self.utility * factor, jewel_chances, weight: self.weight * factor }
    }
}

/// One decision with the estimates of its options.
pub(super) struct Considered {
    pub(super) knowledge: Knowledge,
    pub(super) options: Vec<OptionValue>,
    /// The chances to win the jewels if an option is played, by option.
    pub(super) jewel_chances: Vec<JewelChances>,
    /// The number of imagined tables; 0 if all continuations were enumerated.
    pub(super) tables: u32,
    /// The winning chances, by batch and option.
    wins_by_batch: Vec<Vec<f64>>,
}

impl Considered {
    /// The index of the option with the highest winning chance.
    pub(super) fn best(&self) -> usize {
        index_of_highest(self.options.len(), |index| self.options[index].win.value)
    }

    /// The index of the option that the strong bot (`sultan`) plays most often.
    pub(super) fn likeliest(&self) -> usize {
        index_of_highest(self.options.len(), |index| self.options[index].share)
    }

    /// The gap of an option: the mean winning chance of all options, weighted with the probabilities of the strong bot,
    /// minus the winning chance of this option. The standard error is that of the difference, because batches that are
    /// good for one option are often good for all.
    pub(super) fn gap(&self, option: usize) -> Estimate {
        let mean = |wins: &[f64]| self.options.iter().zip(wins).map(|(option, win)| option.share * win).sum::<f64>();
        let share_sum: f64 = self.options.iter().map(|option| option.share).sum();
        estimate(self.wins_by_batch.iter().map(|wins| mean(wins) / share_sum - wins[option]))
    }

    /// The index of an action among the options.
    pub(super) fn index_of(&self, action: Action) -> Option<usize> {
        self.options.iter().position(|option| is_same_action(option.action, action))
    }
}

/// The index below `count` with the highest value; the lowest of several such indices; 0 for a `count` of 0.
fn index_of_highest(count: usize, value: impl Fn(usize) -> f64) -> usize {
    (0..count).fold(0, |best, index| if value(index) > value(best) { index } else { best })
}

/// Whether two actions are equal, apart from the order of offered jewels.
fn is_same_action(one: Action, other: Action) -> bool {
    match (one, other) {
        (Action::Offer(one), Action::Offer(other)) => one.jewels() == other.jewels(),
        _ => one == other,
    }
}

/// Evaluates the decision of the seat that observes the view. `None` if it has no decision to make, if view and recall
/// contradict each other, or if `stop` returned `true` before the first estimate (of an enumerated last round: before
/// its end).
pub(super) fn consider(view: &View, recall: &Recall, rng: &mut FastRng, stop: &dyn Fn() -> bool) -> Option<Considered> {
    let actions: Vec<Action> = view.legal().iter().collect();
    if actions.is_empty() {
        return None;
    }
    let knowledge = Knowledge::new(view, recall, rng)?;
    let mut search = Search::new(policy(&view.parameters), &knowledge, recall, stop);
    let public = &knowledge.public;
    let effort = Effort::of(public, actions.len());
    let is_recall_complete = recall.is_complete_before(&public.parameters, public.round_index);
    let is_last_round = public.round_index + 1 == public.parameters.rounds();
    // In a variant, cards may remain in the decks at the end.
    let are_decks_empty = knowledge.others().all(|seat| public.out_of_deck(seat) == public.left[seat].len());
    let (batches, tables) = if is_last_round && is_recall_complete && are_decks_empty {
        (vec![enumerated(&mut search, &actions)?], 0)
    } else {
        evaluate_in_batches(&mut search, &actions, &effort, rng)?
    };
    let shares = shares(&search, &actions, &batches, effort.temperature);
    let jewel_chances: Vec<_> = (0..actions.len()).map(|index| mean_jewel_chances(&batches, index)).collect();
    let option = |(index, (&action, share)): (usize, (&Action, f64))| {
        let take = match action {
            Action::Bid { cushion, .. } => {
                Some(jewel_chances[index][cushion.index()][knowledge.seat.index()].clamp(0.0, 1.0))
            }
            Action::Offer(_) => None,
        };
        OptionValue { action, share, win: estimate(batches.iter().map(|batch| batch[index].win)), take }
    };
    let options = actions.iter().zip(shares).enumerate().map(option).collect();
    let wins_by_batch = batches.iter().map(|batch| batch.iter().map(|result| result.win).collect()).collect();
    Some(Considered { knowledge, options, jewel_chances, tables, wins_by_batch })
}

/// The mean of the jewel chances of one option over all batches.
fn mean_jewel_chances(batches: &[Vec<OptionResult>], option: usize) -> JewelChances {
    let weight = 1.0 / f64::from(u32::try_from(batches.len()).unwrap_or(u32::MAX)).max(1.0);
    let mut mean = OptionResult::default();
    for batch in batches {
        // Only the jewel chances of the sum are read.
        mean.add(SeatValue::default(), &batch[option].jewel_chances, weight);
    }
    mean.jewel_chances
}

/// The probability with which the strong bot plays each option, given these results.
fn shares(search: &Search, actions: &[Action], batches: &[Vec<OptionResult>], temperature: f32) -> Vec<f64> {
    let policy_options = search.policy.options(search.knowledge);
    let share_of =
        |action| policy_options.iter().find(|(option, _)| *option == action).map_or(0.0, |&(_, share)| share);
    #[expect(clippy::cast_possible_truncation, reason = "the bot computes with f32")]
    let evaluated = |(index, &action): (usize, &Action)| {
        let mean = |measure: fn(&OptionResult) -> f64| {
            estimate(batches.iter().map(|batch| measure(&batch[index]))).value as f32
        };
        // The means per table are the sums over one table.
        let (win_sum, utility_sum) = (mean(|result| result.win), mean(|result| result.utility));
        EvaluatedOption { action, share: share_of(action), win_sum, utility_sum }
    };
    let options: Vec<_> = actions.iter().enumerate().map(evaluated).collect();
    // The sums are already means, as if there were a single table.
    shifted_to_better(&options, 1, temperature).iter().map(|weighed| weighed.share).collect()
}

/// Evaluates all options at imagined tables, batch by batch, until the estimates are precise enough. Returns the
/// results of each option in each batch, and the number of tables. `None` if `stop` returned `true` before the second
/// batch was finished, because a single batch gives no standard error.
fn evaluate_in_batches(
    search: &mut Search,
    actions: &[Action],
    effort: &Effort,
    rng: &mut FastRng,
) -> Option<(Vec<Vec<OptionResult>>, u32)> {
    let (policy, seat) = (search.policy, search.knowledge.seat);
    let mut appraisal = policy.appraisal();
    let mut batches: Vec<Vec<OptionResult>> = Vec::new();
    let mut tables = 0;
    'batches: while batches.len() < effort.max_batches && !(batches.len() >= MIN_BATCHES && is_precise_enough(&batches))
    {
        for belief in &mut search.beliefs {
            belief.clear_guesses();
            (0..GUESSES).for_each(|_| belief.guess(&search.history, rng));
        }
        let mut results = vec![OptionResult::default(); actions.len()];
        for _ in 0..effort.tables_per_batch {
            if (search.stop)() {
                break 'batches;
            }
            let imagined = search.imagine(rng);
            // All options at this table are played out with the same luck.
            let luck = Luck(imagined.rng.clone().below(u32::MAX).into());
            // Never stops between two options, so that all of them have the same tables.
            imagined.after_each(policy, actions, &|| false, |index, after| {
                let jewel_chances = jewel_winners(after);
                after.settle();
                if after.public.round_index + effort.played_out_rounds >= after.public.parameters.rounds() {
                    play_out(policy, after, luck);
                }
                let value = policy.seat_value(&after.public, seat, after.hands[seat], &mut appraisal);
                results[index].add(value, &jewel_chances, 1.0);
            });
        }
        batches.push(results.iter().map(OptionResult::mean).collect());
        tables += effort.tables_per_batch;
    }
    (batches.len() >= 2).then_some((batches, tables))
}

/// Whether the winning chance of each option, and its difference from the best option, have the target precision.
fn is_precise_enough(batches: &[Vec<OptionResult>]) -> bool {
    let option_count = batches.first().map_or(0, Vec::len);
    let win = |index: usize| estimate(batches.iter().map(move |batch| batch[index].win));
    let best = index_of_highest(option_count, |index| win(index).value);
    let below_best = |index: usize| estimate(batches.iter().map(move |batch| batch[best].win - batch[index].win));
    (0..option_count).all(|index| win(index).error.max(below_best(index).error) <= TARGET_ERROR)
}

/// The winner of each cushion at a table with all cards of the round placed, as a chance of 1.
fn jewel_winners(world: &World) -> JewelChances {
    let mut jewel_chances = JewelChances::default();
    for (cushion, winner) in winners(&world.public.parameters, world.public.first, &world.bids).0.iter().enumerate() {
        if let Some(seat) = winner {
            jewel_chances[cushion][seat.index()] = 1.0;
        }
    }
    jewel_chances
}

#[cfg(test)]
mod tests;
