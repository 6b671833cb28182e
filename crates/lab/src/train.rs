//! Training: nets that learn by self-play, or to beat one bot.
//!
//! The same seed trains the same nets, bit for bit, for any number of threads: every step plays a fixed number of games
//! in fixed shards, and the gradients of the shards are added up in order.
//!
//! Read `batch` (gradients from self-play), `fixed_opponent` (gradients from games against one bot), `gradient`
//! (backpropagation) and `adam` (the optimiser).

mod adam;
mod batch;
mod fixed_opponent;
mod gradient;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;

use sultan_bots::search::Character;
use sultan_bots::search::math::{random_unit, split_rng};
use sultan_bots::search::net::{JEWELLER_SCORE, Net, NetSet};
use sultan_bots::{Bot, Nets, run_in_order};
use sultan_domain::{Parameters, Players};
use sultan_rules::Quick;

use adam::{Adam, Step};
use batch::{GameBatch, Trainer};
use fixed_opponent::FixedOpponent;

/// The settings of a training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The random seed.
    pub seed: u64,
    /// The number of steps.
    pub steps: u32,
    /// The number of games per step, rounded up to a multiple of the eight shards.
    pub games: u32,
    /// The learning rate of the first step; it decreases linearly to a twentieth.
    pub rate: f32,
    /// The weight of the divergence from an earlier copy of the nets.
    pub anchor_weight: f32,
    /// The weight of the entropy, which keeps the nets from playing a single action.
    pub entropy_weight: f32,
    /// The number of steps between updates of that copy.
    pub refresh: u32,
    /// The probability of a uniformly random action, for exploration.
    pub exploration_rate: f32,
    /// The horizon of the value net: 1 for the end of the game, 0 for the next round.
    pub horizon: f32,
    /// The fraction of games in which levels written by hand have some of the seats.
    pub guest_rate: f32,
}

impl Settings {
    /// The settings of the shipped nets.
    ///
    /// With two players opponents are the most predictable, so the nets must mix more, and learn more from self-play.
    #[must_use]
    pub const fn of(players: Players) -> Self {
        let settings = Self {
            seed: 1,
            steps: 8000,
            games: 32,
            rate: 3e-3,
            anchor_weight: 0.1,
            entropy_weight: 0.01,
            refresh: 300,
            exploration_rate: 0.02,
            horizon: 0.7,
            guest_rate: 0.7,
        };
        match players.count() {
            2 => Self { steps: 7000, entropy_weight: 0.04, guest_rate: 0.15, ..settings },
            3 => Self { steps: 12_000, ..settings },
            4 => Self { steps: 10_000, ..settings },
            _ => settings,
        }
    }
}

/// The progress of a training.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The number of finished steps.
    pub step: u32,
    /// The root mean square error of the value net's winning chances.
    pub error: f64,
    /// The mean entropy of the bids: 0 for a single bid, higher for more mixed bids.
    pub entropy: f64,
}

/// The number of shards of a step, and so the maximum number of threads.
const SHARDS: u32 = 8;
/// The number of steps between two reports.
const STEPS_PER_REPORT: u32 = 50;
/// Spreads small seeds over all bits. An odd factor, so that different seeds stay different.
const SEED_FACTOR: u64 = 0x2545_f491_4f6c_dd1d;
/// The shift of the seeds of shards; see [`split_rng`].
const SHARD_BITS: u32 = 20;

type Shards = Vec<Mutex<(GameBatch, Quick)>>;

/// Trains nets for this number of players. `report` is called regularly, and can stop the training.
#[must_use]
pub fn train(
    players: Players,
    settings: &Settings,
    jobs: NonZeroUsize,
    mut report: impl FnMut(Progress) -> ControlFlow<()>,
) -> Nets {
    let parameters = Parameters::of(players);
    let mut rng = Quick::new(settings.seed.wrapping_mul(SEED_FACTOR) ^ u64::from(players.count()));
    let mut net_set = NetSet::zero(&parameters);
    net_set.nets_mut().into_iter().for_each(|net| randomize_weights(net, &mut rng));
    // The first bids are the jeweller's, but more random.
    *net_set.bid.bias_mut(JEWELLER_SCORE) = 2.0;
    let mut anchor = net_set.clone();
    let mut optimizers = net_set.nets().map(|net| Adam::new(net, usize::from(players.count())));
    let shards = new_shards(&parameters, &mut rng);
    let mut sums = [0.0; 2];
    for step in 1..=settings.steps {
        let trainer = Trainer { net_set: &net_set, anchor: &anchor, settings, players: [Character::Nets; 5] };
        play_shards(&shards, jobs, settings.games, |batch, rng| batch.play(trainer, &parameters, rng));
        let statistics = update_nets(&mut net_set, &mut optimizers, &shards, Step::new(rate(settings, step), step));
        sums.iter_mut().zip(statistics).for_each(|(sum, value)| *sum += value / f64::from(STEPS_PER_REPORT));
        if step.is_multiple_of(settings.refresh) {
            anchor = net_set.clone();
        }
        if step.is_multiple_of(STEPS_PER_REPORT) {
            if report(Progress { step, error: sums[0].sqrt(), entropy: sums[1] }).is_break() {
                break;
            }
            sums = [0.0; 2];
        }
    }
    Nets::new(players, net_set)
}

fn rate(settings: &Settings, step: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "steps are few")]
    let done = step as f32 / settings.steps as f32;
    settings.rate * (1.0 - 0.95 * done)
}

/// The settings of training against one bot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// The random seed.
    pub seed: u64,
    /// The number of games per step, rounded up to a multiple of the eight shards.
    pub games: u32,
    /// The learning rate, which is constant.
    pub rate: f32,
    /// The weight of the entropy, which keeps the learner from playing a single action.
    pub entropy_weight: f32,
    /// The horizon of the value net; see [`Settings::horizon`].
    pub horizon: f32,
}

impl Default for Response {
    fn default() -> Self {
        Self { seed: 1, games: 32, rate: 2e-3, entropy_weight: 0.003, horizon: 0.7 }
    }
}

/// Trains nets to beat one bot, starting from these nets. `should_continue` is called before each step with the number of
/// finished steps.
#[must_use]
pub fn respond(
    start: &Nets,
    bot: &dyn Bot,
    settings: &Response,
    jobs: NonZeroUsize,
    mut should_continue: impl FnMut(u32) -> bool,
) -> Nets {
    let players = start.players();
    let parameters = Parameters::of(players);
    let mut rng = Quick::new(settings.seed.wrapping_mul(SEED_FACTOR));
    let mut net_set = start.net_set.clone();
    let mut optimizers = net_set.nets().map(|net| Adam::new(net, usize::from(players.count())));
    let shards = new_shards(&parameters, &mut rng);
    let mut step = 0;
    while should_continue(step) {
        step += 1;
        let games = FixedOpponent { net_set: &net_set, bot, settings };
        play_shards(&shards, jobs, settings.games, |batch, rng| games.play(parameters, rng, batch));
        update_nets(&mut net_set, &mut optimizers, &shards, Step::new(settings.rate, step));
    }
    Nets::new(players, net_set)
}

fn new_shards(parameters: &Parameters, rng: &mut Quick) -> Shards {
    let mut shard = || Mutex::new((GameBatch::new(parameters), split_rng(rng, SHARD_BITS)));
    (0..SHARDS).map(|_| shard()).collect()
}

/// Plays the games of a step on `jobs` threads.
fn play_shards(shards: &Shards, jobs: NonZeroUsize, games: u32, play: impl Fn(&mut GameBatch, &mut Quick) + Sync) {
    let games_per_shard = games.div_ceil(SHARDS);
    let play_shard = |number: u64| {
        let shard = usize::try_from(number).ok().and_then(|number| shards.get(number)).expect("one of the shards");
        let mut shard = shard.lock().expect("no thread has panicked");
        let (batch, chance) = &mut *shard;
        batch.clear();
        (0..games_per_shard).for_each(|_| play(batch, chance));
    };
    let result = run_in_order(SHARDS.into(), jobs, play_shard, |()| ControlFlow::Continue(()));
    result.expect("a thread can be started");
}

/// Adds up the gradients of the shards and updates the nets. Returns the mean squared error and the mean entropy.
fn update_nets(net_set: &mut NetSet, optimizers: &mut [Adam; 3], shards: &Shards, step: Step) -> [f64; 2] {
    let shards: Vec<_> = shards.iter().map(|shard| shard.lock().expect("no thread has panicked")).collect();
    let count = |net_index: usize| shards.iter().map(|shard| shard.0.counts[net_index]).sum::<f32>().max(1.0);
    for (net_index, (net, optimizer)) in net_set.nets_mut().into_iter().zip(optimizers).enumerate() {
        let mut gradient = vec![0.0; net.numbers.len()];
        for shard in &shards {
            let change = shard.0.change.nets()[net_index];
            gradient.iter_mut().zip(&change.numbers).for_each(|(sum, number)| *sum += number);
        }
        let share = 1.0 / count(net_index);
        gradient.iter_mut().for_each(|sum| *sum *= share);
        optimizer.step(net, &gradient, step);
    }
    let mean = |net_index: usize| {
        shards.iter().map(|shard| shard.0.statistics[net_index]).sum::<f64>() / f64::from(count(net_index))
    };
    [mean(0), mean(1)]
}

/// Fills a net with small random numbers, so that its units can specialise.
fn randomize_weights(net: &mut Net, rng: &mut Quick) {
    // The weights and biases of the first, the second and the last layer.
    for (part, most) in net.shape.parts().into_iter().zip([0.1, 0.0, 0.3, 0.0, 0.05, 0.0]) {
        for number in &mut net.numbers[part] {
            *number = (2.0 * random_unit(rng) - 1.0) * most;
        }
    }
}
