//! Estimates the winning chance of each option of one decision, from the knowledge of the deciding seat.
//!
//! Imagines tables that look to the seat like the real one, as the bot `sultan` does, and tries every option at each of
//! them with the same random numbers. The value net judges the position at the end of the round. Close to the end of
//! the game, and always in a variant, for which no nets exist, games are played to their end instead (`playout`). The
//! last round is enumerated (`ends`). Tables are evaluated in batches with newly sampled hands, so the differences
//! between batches give an unbiased standard error (`spread`).

use sultan_bots::search::net::{Appraisal, SeatValue};
use sultan_bots::search::{
    ImaginedTable, Knowledge, Policy, PublicState, ResultSum, Search, World, policy, shifted_to_better, temperature,
};
use sultan_domain::{Action, Estimate, OptionValue, Parameters, Recall, Seat, View};
use sultan_rules::{Chance, Quick, winners};

use super::estimate::estimate;
use super::playout::{Luck, play_out};

mod last_round;

use last_round::enumerated;

/// The number of sampled hands per other seat in a batch, and of tables imagined from them.
const GUESSES: usize = 48;
const WORLDS: u32 = 64;
/// The minimum and maximum number of batches.
const MIN_BATCHES: usize = 12;
const MAX_BATCHES: usize = 128;
/// The target standard error of each option's winning chance, and of its difference from the best option.
const TARGET_ERROR: f64 = 0.009;
/// The maximum number of later rounds for playing the game to its end. With more rounds, the net's error is far smaller
/// than the noise of playouts.
const PLAYED_OUT: u8 = 2;
/// The number of rounds played per decision of a variant, over all tables and options. Limits the time, regardless of
/// the length of the game.
const VARIANT_ROUNDS: usize = 30_000;
/// The difference in utility that makes an option of a variant e times more frequent. Larger than [`temperature`], because
/// fewer tables give noisier results.
const VARIANT_TEMPERATURE: f32 = 0.05;

/// The amount of work for one decision.
struct Effort {
    /// The number of tables per batch.
    worlds: u32,
    /// The maximum number of batches.
    batches: usize,
    /// The maximum number of later rounds for playing the game to its end.
    played_out: u8,
    /// The difference in utility that makes an option e times more frequent.
    temperature: f32,
}

impl Effort {
    fn of(public: &PublicState, options: usize) -> Self {
        let players = public.parameters.players;
        if public.parameters == Parameters::of(players) {
            return Self {
                worlds: WORLDS,
                batches: MAX_BATCHES,
                played_out: PLAYED_OUT,
                temperature: temperature(players),
            };
        }
        let rounds = usize::from(public.parameters.rounds() - public.round_index);
        let worlds = u32::try_from(VARIANT_ROUNDS / (MIN_BATCHES * options * rounds)).unwrap_or(WORLDS);
        let worlds = worlds.clamp(1, WORLDS);
        Self { worlds, batches: MIN_BATCHES, played_out: Parameters::MOST_ROUNDS, temperature: VARIANT_TEMPERATURE }
    }
}

/// The probability of each seat to win the jewel, by cushion and seat.
pub(super) type Takers = [[f64; 5]; 3];

/// The results of an option in a batch: weighted sums, or means once it is finished.
#[derive(Clone, Copy, Default)]
struct Sum {
    win: f64,
    utility: f64,
    takers: Takers,
    /// The total weight of all tables.
    chance: f64,
}

impl Sum {
    fn add(&mut self, worth: SeatValue, takers: &Takers, chance: f64) {
        self.win += f64::from(worth.win) * chance;
        self.utility += f64::from(worth.utility()) * chance;
        self.chance += chance;
        for (sum, taken) in self.takers.iter_mut().flatten().zip(takers.iter().flatten()) {
            *sum += taken * chance;
        }
    }
}

/// One decision with the estimates of its options.
pub(super) struct Considered {
    pub(super) knowledge: Knowledge,
    pub(super) options: Vec<OptionValue>,
    pub(super) takers: Vec<Takers>,
    /// The number of imagined tables; 0 if all continuations were enumerated.
    pub(super) worlds: u32,
    /// The winning chance of each option, by batch.
    wins: Vec<Vec<f64>>,
}

impl Considered {
    /// The option with the highest winning chance.
    pub(super) fn best(&self) -> usize {
        self.highest_by(|option| option.win.value)
    }

    /// The option that the strong bot plays most often.
    pub(super) fn likeliest(&self) -> usize {
        self.highest_by(|option| option.share)
    }

    fn highest_by(&self, measure: impl Fn(&OptionValue) -> f64) -> usize {
        let better = |best: usize, index: usize| measure(&self.options[index]) > measure(&self.options[best]);
        (0..self.options.len()).fold(0, |best, index| if better(best, index) { index } else { best })
    }

    /// The winning chance of the strong bot's mix minus that of one option. The error is that of the difference, so
    /// luck shared by all options cancels out.
    pub(super) fn gap(&self, taken: usize) -> Estimate {
        let mean = |wins: &[f64]| self.options.iter().zip(wins).map(|(option, win)| option.share * win).sum::<f64>();
        let shares: f64 = self.options.iter().map(|option| option.share).sum();
        estimate(self.wins.iter().map(|wins| mean(wins) / shares - wins[taken]))
    }

    /// The index of an action among the options.
    pub(super) fn index_of(&self, action: Action) -> Option<usize> {
        self.options.iter().position(|option| is_same_action(option.action, action))
    }
}

#[cfg(test)]
impl Considered {
    /// A decision with these options, each with its chance to win its jewel and the resulting winners.
    pub(super) fn with_options(knowledge: Knowledge, options: Vec<(Action, Option<f64>, Takers)>) -> Self {
        let takers = options.iter().map(|&(_, _, takers)| takers).collect();
        let option = |(action, take, _)| OptionValue { action, share: 0.5, win: Estimate::default(), take };
        Self { knowledge, options: options.into_iter().map(option).collect(), takers, worlds: 0, wins: Vec::new() }
    }
}

/// Whether two actions are equal, apart from the order of offered jewels.
fn is_same_action(one: Action, other: Action) -> bool {
    match (one, other) {
        (Action::Offer(one), Action::Offer(other)) => one.jewels() == other.jewels(),
        _ => one == other,
    }
}

/// Evaluates the decision of a seat. `None` if there is no decision, or if stopped before the first estimate.
pub(super) fn consider(view: &View, recall: &Recall, rng: &mut Quick, stop: &dyn Fn() -> bool) -> Option<Considered> {
    let legal = view.legal();
    if legal.is_empty() {
        return None;
    }
    let knowledge = Knowledge::new(view, recall, rng)?;
    let mut search = Search::new(policy(&view.parameters), &knowledge, recall, stop);
    let actions: Vec<Action> = legal.iter().collect();
    let public = &knowledge.public;
    let effort = Effort::of(public, actions.len());
    let all_seen = recall.is_complete_before(&public.parameters, public.round_index);
    let is_last = public.round_index + 1 == public.parameters.rounds();
    // In a variant, cards may remain in the decks at the end.
    let all_drawn = knowledge.others().all(|seat| public.out_of_deck(seat) == public.left[seat].len());
    let (batches, worlds) = if is_last && all_seen && all_drawn {
        (vec![enumerated(&mut search, &actions)?], 0)
    } else {
        sampled(&mut search, &actions, &effort, rng)?
    };
    let shares = shares(&search, &actions, &batches, effort.temperature);
    Some(summarize(knowledge, &actions, &shares, &batches, worlds))
}

fn summarize(
    knowledge: Knowledge,
    actions: &[Action],
    shares: &[f64],
    batches: &[Vec<Sum>],
    worlds: u32,
) -> Considered {
    let mut options = Vec::with_capacity(actions.len());
    let mut all_takers = Vec::with_capacity(actions.len());
    for (index, (&action, &share)) in actions.iter().zip(shares).enumerate() {
        let takers = mean_takers(batches.iter().map(|batch| &batch[index].takers));
        let win = estimate(batches.iter().map(|batch| batch[index].win));
        let take = match action {
            Action::Bid { cushion, .. } => Some(takers[cushion.index()][knowledge.seat.index()].clamp(0.0, 1.0)),
            Action::Offer(_) => None,
        };
        options.push(OptionValue { action, share, win, take });
        all_takers.push(takers);
    }
    let wins = batches.iter().map(|batch| batch.iter().map(|sum| sum.win).collect()).collect();
    Considered { knowledge, options, takers: all_takers, worlds, wins }
}

fn mean_takers<'a>(all: impl ExactSizeIterator<Item = &'a Takers>) -> Takers {
    let mut mean = Takers::default();
    let each = 1.0 / f64::from(u32::try_from(all.len()).unwrap_or(u32::MAX)).max(1.0);
    for takers in all {
        for (mean, takers) in mean.iter_mut().flatten().zip(takers.iter().flatten()) {
            *mean += takers * each;
        }
    }
    mean
}

/// The strong bot's probability of each option, given these results.
fn shares(search: &Search, actions: &[Action], batches: &[Vec<Sum>], temperature: f32) -> Vec<f64> {
    let policy_mix = search.policy.options(search.knowledge);
    let share_of = |action| policy_mix.iter().find(|(option, _)| *option == action).map_or(0.0, |&(_, share)| share);
    #[expect(clippy::cast_possible_truncation, reason = "the bot computes with f32")]
    let mean_result = |index: usize| {
        let mean = |measure: fn(&Sum) -> f64| estimate(batches.iter().map(|batch| measure(&batch[index]))).value as f32;
        ResultSum { win: mean(|sum| sum.win), utility: mean(|sum| sum.utility) }
    };
    let each = actions.iter().enumerate();
    let all: Vec<_> = each.map(|(index, &action)| (action, share_of(action), mean_result(index))).collect();
    shifted_to_better(&all, 1, temperature).iter().map(|weighed| weighed.share).collect()
}

/// Evaluates all options at imagined tables, batch by batch, until the estimates are precise enough. Also returns the
/// number of tables. `None` if stopped before the second batch was finished, because one batch has no error estimate.
fn sampled(search: &mut Search, actions: &[Action], effort: &Effort, rng: &mut Quick) -> Option<(Vec<Vec<Sum>>, u32)> {
    let mut batches: Vec<Vec<Sum>> = Vec::new();
    let mut worlds = 0;
    let (policy, seat) = (search.policy, search.knowledge.seat);
    let mut trial = Trial { policy, seat, played_out: effort.played_out, appraisal: policy.appraisal() };
    'batches: while batches.len() < effort.batches && !(batches.len() >= MIN_BATCHES && is_precise_enough(&batches)) {
        for belief in &mut search.beliefs {
            belief.forget();
            (0..GUESSES).for_each(|_| belief.guess(&search.history, rng));
        }
        let mut sums = vec![Sum::default(); actions.len()];
        for _ in 0..effort.worlds {
            if (search.stop)() {
                break 'batches;
            }
            let imagined = search.imagine(rng);
            trial.evaluate(&imagined, actions, &mut sums);
        }
        batches.push(sums.iter().map(|sum| scaled(sum, 1.0 / sum.chance)).collect());
        worlds += effort.worlds;
    }
    (batches.len() >= 2).then_some((batches, worlds))
}

fn scaled(sum: &Sum, factor: f64) -> Sum {
    let takers = sum.takers.map(|seats| seats.map(|taken| taken * factor));
    Sum { win: sum.win * factor, utility: sum.utility * factor, takers, chance: sum.chance * factor }
}

fn is_precise_enough(batches: &[Vec<Sum>]) -> bool {
    let options = batches.first().map_or(0, Vec::len);
    let wins = |index: usize| estimate(batches.iter().map(move |batch| batch[index].win));
    let best = (0..options).fold(0, |best, index| if wins(index).value > wins(best).value { index } else { best });
    let below = |index: usize| estimate(batches.iter().map(move |batch| batch[best].win - batch[index].win));
    (0..options).all(|index| wins(index).error.max(below(index).error) <= TARGET_ERROR)
}

/// The winner of each cushion at a table where all cards are placed.
fn takers_at(world: &World) -> Takers {
    let mut takers = Takers::default();
    for (cushion, taker) in winners(&world.public.parameters, world.public.first, &world.bids).0.iter().enumerate() {
        if let Some(seat) = taker {
            takers[cushion][seat.index()] = 1.0;
        }
    }
    takers
}

/// Evaluates options at imagined tables.
struct Trial<'a> {
    policy: &'a dyn Policy,
    seat: Seat,
    played_out: u8,
    appraisal: Appraisal,
}

impl Trial<'_> {
    /// Evaluates all options at one table.
    fn evaluate(&mut self, table: &ImaginedTable, actions: &[Action], sums: &mut [Sum]) {
        let luck = Luck::new(table.rng.clone().below(u32::MAX).into());
        table.after_each(self.policy, actions, &|| false, |index, after| {
            let takers = takers_at(after);
            sums[index].add(self.worth(after, luck), &takers, 1.0);
        });
    }

    /// The value of a table where all cards of the round are placed: reveals them, and plays on if the end is near.
    fn worth(&mut self, world: &mut World, luck: Luck) -> SeatValue {
        world.settle();
        if world.public.round_index + self.played_out >= world.public.parameters.rounds() {
            play_out(self.policy, world, luck);
        }
        self.policy.seat_value(&world.public, self.seat, world.hands[self.seat], &mut self.appraisal)
    }
}

#[cfg(test)]
mod tests;
