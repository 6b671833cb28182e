//! Estimates the chance to win with each option of one decision, from what the deciding seat knows.
//!
//! Imagines tables that look to the seat like the real one, as the bot `sultan` does, and tries every option at each
//! of them with the same luck. The value net judges the position at the end of the round. Close to the end of the
//! game, and always in a variant, which the nets do not know, games are played to their end instead (`playout`). The
//! last round is counted out (`ends`). Tables come in batches with fresh guesses, so the spread between batches gives an
//! honest standard error (`spread`).

use sultan_bots::search::net::{Appraisal, Worth};
use sultan_bots::search::{Found, Imagined, Known, Policy, Public, Search, World, calm, policy, shifted};
use sultan_domain::{Action, Estimate, OptionValue, Parameters, Recall, Seat, View};
use sultan_rules::{Chance, Quick, winners};

use super::playout::{Luck, play_out};
use super::spread::estimate;

mod last_round;

use last_round::counted_out;

/// Hands that are guessed for each other seat in a batch, and tables that are imagined from them.
const GUESSES: usize = 48;
const WORLDS: u32 = 64;
/// How many batches there are at least and at most.
const FEWEST: usize = 12;
const MOST: usize = 128;
/// A standard error that is small enough, for the chance to win with every option and for what it lies below the best.
const ENOUGH: f64 = 0.009;
/// Where at most so many rounds are left after this one, the game is played to its end. Further ahead the net's
/// judgement costs far less than the noise of whole games would.
const PLAYED_OUT: u8 = 2;
/// How many rounds are played for a decision of a variant, over all tables and options. This bounds the time it takes,
/// however long the game is.
const VARIANT_ROUNDS: usize = 30_000;
/// How much better an option of a variant must look to be played e times as often: so few tables leave more noise than
/// the bots' own [`calm`] would even out.
const VARIANT_CALM: f32 = 0.05;

/// How much is tried for one decision.
struct Effort {
    /// How many tables are imagined in a batch.
    worlds: u32,
    /// How many batches there are at most.
    batches: usize,
    /// Where at most so many rounds are left after this one, the game is played to its end.
    played_out: u8,
    /// How much better an option must look to be played e times as often.
    calm: f32,
}

impl Effort {
    fn of(public: &Public, options: usize) -> Self {
        let players = public.parameters.players;
        if public.parameters == Parameters::of(players) {
            return Self { worlds: WORLDS, batches: MOST, played_out: PLAYED_OUT, calm: calm(players) };
        }
        let rounds = usize::from(public.parameters.rounds() - public.round_index);
        let worlds = u32::try_from(VARIANT_ROUNDS / (FEWEST * options * rounds)).unwrap_or(WORLDS);
        let worlds = worlds.clamp(1, WORLDS);
        Self { worlds, batches: FEWEST, played_out: Parameters::MOST_ROUNDS, calm: VARIANT_CALM }
    }
}

/// By cushion and seat, how often each takes the jewel.
pub(super) type Takers = [[f64; 5]; 3];

/// What was found out about an option in a batch: sums, or means once it is finished.
#[derive(Clone, Copy, Default)]
struct Sum {
    win: f64,
    utility: f64,
    takers: Takers,
    /// How much all tables count together.
    chance: f64,
}

impl Sum {
    fn add(&mut self, worth: Worth, takers: &Takers, chance: f64) {
        self.win += f64::from(worth.win) * chance;
        self.utility += f64::from(worth.utility()) * chance;
        self.chance += chance;
        for (sum, taken) in self.takers.iter_mut().flatten().zip(takers.iter().flatten()) {
            *sum += taken * chance;
        }
    }
}

/// One decision with all that was found out about its options.
pub(super) struct Considered {
    pub(super) known: Known,
    pub(super) options: Vec<OptionValue>,
    pub(super) takers: Vec<Takers>,
    /// How many tables were imagined; none where everything was counted out.
    pub(super) worlds: u32,
    /// The chance to win with each option, batch by batch.
    wins: Vec<Vec<f64>>,
}

impl Considered {
    /// The option with the highest chance to win.
    pub(super) fn best(&self) -> usize {
        self.most(|option| option.win.value)
    }

    /// The option that the strong bot plays most often.
    pub(super) fn likeliest(&self) -> usize {
        self.most(|option| option.share)
    }

    fn most(&self, of: impl Fn(&OptionValue) -> f64) -> usize {
        let better = |best: usize, place: usize| of(&self.options[place]) > of(&self.options[best]);
        (0..self.options.len()).fold(0, |best, place| if better(best, place) { place } else { best })
    }

    /// The chance to win with the strong bot's mix, less that with one option. The error is that of the difference:
    /// what is luck for all options alike is not in it.
    pub(super) fn gap(&self, taken: usize) -> Estimate {
        let mean = |wins: &[f64]| self.options.iter().zip(wins).map(|(option, win)| option.share * win).sum::<f64>();
        let shares: f64 = self.options.iter().map(|option| option.share).sum();
        estimate(self.wins.iter().map(|wins| mean(wins) / shares - wins[taken]))
    }

    /// Where an action stands among the options.
    pub(super) fn place_of(&self, action: Action) -> Option<usize> {
        self.options.iter().position(|option| is_same(option.action, action))
    }
}

#[cfg(test)]
impl Considered {
    /// These options, each with its chance to take its jewel and with who takes which then.
    pub(super) fn found(known: Known, options: Vec<(Action, Option<f64>, Takers)>) -> Self {
        let takers = options.iter().map(|&(_, _, takers)| takers).collect();
        let option = |(action, take, _)| OptionValue { action, share: 0.5, win: Estimate::default(), take };
        Self { known, options: options.into_iter().map(option).collect(), takers, worlds: 0, wins: Vec::new() }
    }
}

/// In which order jewels lie does not matter.
fn is_same(one: Action, other: Action) -> bool {
    match (one, other) {
        (Action::Offer(one), Action::Offer(other)) => one.jewels() == other.jewels(),
        _ => one == other,
    }
}

/// Considers the decision of a seat. Nothing where there is nothing to decide, or where it was stopped before anything
/// could be said.
pub(super) fn consider(
    view: &View,
    recall: &Recall,
    chance: &mut Quick,
    stop: &dyn Fn() -> bool,
) -> Option<Considered> {
    let legal = view.legal();
    if legal.is_empty() {
        return None;
    }
    let known = Known::new(view, recall, chance)?;
    let mut search = Search::new(policy(&view.parameters), &known, recall, stop);
    let actions: Vec<Action> = legal.iter().collect();
    let public = &known.public;
    let effort = Effort::of(public, actions.len());
    let all_seen = recall.is_whole(&public.parameters, public.round_index);
    let is_last = public.round_index + 1 == public.parameters.rounds();
    // In a variant cards may stay in the decks to the end.
    let all_drawn = known.others().all(|seat| public.out_of_deck(seat) == public.left[seat].len());
    let (batches, worlds) = if is_last && all_seen && all_drawn {
        (vec![counted_out(&mut search, &actions)?], 0)
    } else {
        sampled(&mut search, &actions, &effort, chance)?
    };
    let shares = shares(&search, &actions, &batches, effort.calm);
    Some(told(known, &actions, &shares, &batches, worlds))
}

fn told(known: Known, actions: &[Action], shares: &[f64], batches: &[Vec<Sum>], worlds: u32) -> Considered {
    let mut options = Vec::with_capacity(actions.len());
    let mut all_takers = Vec::with_capacity(actions.len());
    for (place, (&action, &share)) in actions.iter().zip(shares).enumerate() {
        let takers = mean_takers(batches.iter().map(|batch| &batch[place].takers));
        let win = estimate(batches.iter().map(|batch| batch[place].win));
        let take = match action {
            Action::Bid { cushion, .. } => Some(takers[cushion.index()][known.seat.index()].clamp(0.0, 1.0)),
            Action::Offer(_) => None,
        };
        options.push(OptionValue { action, share, win, take });
        all_takers.push(takers);
    }
    let wins = batches.iter().map(|batch| batch.iter().map(|sum| sum.win).collect()).collect();
    Considered { known, options, takers: all_takers, worlds, wins }
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

/// How often the strong bot would play each option, had it looked at all these tables.
fn shares(search: &Search, actions: &[Action], batches: &[Vec<Sum>], calm: f32) -> Vec<f64> {
    let known = search.known;
    let first_sight: Vec<f32> = if known.public.offer.is_empty() {
        let mix = search.policy.offers(known);
        let share = |action: &Action| match *action {
            Action::Offer(offer) => known.public.drawn.put_back(offer.jewels()).map_or(0.0, |jewel| mix.share(jewel)),
            Action::Bid { .. } => 0.0,
        };
        actions.iter().map(share).collect()
    } else {
        let mix = search.policy.bids(known, &search.trunk, &search.history.outlook);
        let share = |action: &Action| match *action {
            Action::Bid { card, cushion } => mix.share(card, cushion),
            Action::Offer(_) => 0.0,
        };
        actions.iter().map(share).collect()
    };
    #[expect(clippy::cast_possible_truncation, reason = "the bot counts in short numbers")]
    let found = |place: usize| {
        let mean = |of: fn(&Sum) -> f64| estimate(batches.iter().map(|batch| of(&batch[place]))).value as f32;
        Found { win: mean(|sum| sum.win), utility: mean(|sum| sum.utility) }
    };
    let each = actions.iter().zip(first_sight).enumerate();
    let all: Vec<_> = each.map(|(place, (&action, share))| (action, share, found(place))).collect();
    shifted(&all, 1, calm).iter().map(|weighed| weighed.share).collect()
}

/// Tries all options at imagined tables, batch by batch, until it is known well enough. Also says at how many tables.
/// Nothing where it was stopped before the second batch: one alone does not show how far it can be trusted.
fn sampled(
    search: &mut Search,
    actions: &[Action],
    effort: &Effort,
    chance: &mut Quick,
) -> Option<(Vec<Vec<Sum>>, u32)> {
    let mut batches: Vec<Vec<Sum>> = Vec::new();
    let mut worlds = 0;
    let (policy, seat) = (search.policy, search.known.seat);
    let mut trial = Trial { policy, seat, played_out: effort.played_out, appraisal: policy.appraisal() };
    'batches: while batches.len() < effort.batches && !(batches.len() >= FEWEST && is_enough(&batches)) {
        for belief in &mut search.beliefs {
            belief.forget();
            (0..GUESSES).for_each(|_| belief.guess(&search.history, chance));
        }
        let mut sums = vec![Sum::default(); actions.len()];
        for _ in 0..effort.worlds {
            if (search.stop)() {
                break 'batches;
            }
            let imagined = search.imagine(chance);
            trial.look(&imagined, actions, &mut sums);
        }
        batches.push(sums.iter().map(|sum| scaled(sum, 1.0 / sum.chance)).collect());
        worlds += effort.worlds;
    }
    (batches.len() >= 2).then_some((batches, worlds))
}

fn scaled(sum: &Sum, by: f64) -> Sum {
    let takers = sum.takers.map(|seats| seats.map(|taken| taken * by));
    Sum { win: sum.win * by, utility: sum.utility * by, takers, chance: sum.chance * by }
}

fn is_enough(batches: &[Vec<Sum>]) -> bool {
    let options = batches.first().map_or(0, Vec::len);
    let wins = |place: usize| estimate(batches.iter().map(move |batch| batch[place].win));
    let best = (0..options).fold(0, |best, place| if wins(place).value > wins(best).value { place } else { best });
    let below = |place: usize| estimate(batches.iter().map(move |batch| batch[best].win - batch[place].win));
    (0..options).all(|place| wins(place).error.max(below(place).error) <= ENOUGH)
}

/// Who takes the jewel of each cushion at a table where all cards are placed.
fn takers_at(world: &World) -> Takers {
    let mut takers = Takers::default();
    for (cushion, taker) in winners(&world.public.parameters, world.public.first, &world.bids).0.iter().enumerate() {
        if let Some(seat) = taker {
            takers[cushion][seat.index()] = 1.0;
        }
    }
    takers
}

/// Tries options at imagined tables.
struct Trial<'a> {
    policy: &'a dyn Policy,
    seat: Seat,
    played_out: u8,
    appraisal: Appraisal,
}

impl Trial<'_> {
    /// Tries all options at one table.
    fn look(&mut self, table: &Imagined, actions: &[Action], sums: &mut [Sum]) {
        let policy = self.policy;
        let luck = Luck::new(table.chance.clone().below(u32::MAX).into());
        if table.world.public.offer.is_empty() {
            for (action, sum) in actions.iter().zip(sums) {
                let Action::Offer(offer) = *action else { continue };
                let mut after = table.world;
                after.public.make_offer(offer);
                let common = after.common(policy);
                after.finish_bids(policy, &common, &mut table.chance.clone());
                let takers = takers_at(&after);
                sum.add(self.worth(&mut after, luck), &takers, 1.0);
            }
            return;
        }
        let finish = |world: &mut World| world.finish_bids(policy, &table.common, &mut table.chance.clone());
        for cushion in table.world.public.open_cushions(self.seat).iter() {
            table.world.after_each_card(cushion, finish, |card, after| {
                let place = actions.iter().position(|&action| action == Action::Bid { card, cushion });
                let takers = takers_at(after);
                let worth = self.worth(after, luck);
                if let Some(place) = place {
                    sums[place].add(worth, &takers, 1.0);
                }
            });
        }
    }

    /// What a table is worth where all cards of the round are placed: turns them up, and plays on where the end is near.
    fn worth(&mut self, world: &mut World, luck: Luck) -> Worth {
        world.settle();
        if world.public.round_index + self.played_out >= world.public.parameters.rounds() {
            play_out(self.policy, world, luck);
        }
        self.policy.worth(&world.public, self.seat, world.hands[self.seat], &mut self.appraisal)
    }
}

#[cfg(test)]
mod tests;
