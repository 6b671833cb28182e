//! Training: nets that learn by self-play, or to beat one bot.
//!
//! The same seed trains the same nets, bit for bit, for any number of threads: the games of a step are divided among a
//! fixed number of shards, and the gradients of the shards are added up in order.
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
use sultan_rules::FastRng;

use adam::{Adam, Step};
use batch::{GameBatch, SelfPlay};
use fixed_opponent::FixedOpponent;

/// The settings of training by self-play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfPlaySettings {
    /// The random seed.
    pub seed: u64,
    /// The number of training steps.
    pub steps: u32,
    /// The number of games per step, rounded up to a multiple of the eight shards.
    pub games_per_step: u32,
    /// The learning rate of the first step; it decreases linearly to a twentieth.
    pub learning_rate: f32,
    /// The weight of the divergence from the anchor, an earlier copy of the nets that keeps them from cycling.
    pub anchor_weight: f32,
    /// The number of steps after which the anchor becomes a copy of the current nets.
    pub anchor_interval: u32,
    /// The weight of the entropy, which keeps the nets from always playing the same action.
    pub entropy_weight: f32,
    /// The probability of a uniformly random action, for exploration.
    pub exploration_rate: f32,
    /// The target of the value net: 1 is the result of the game, 0 is its own value of the next round, and a number in
    /// between is a mixture of both.
    pub horizon: f32,
    /// The fraction of games with guests: bots without nets, such as the jeweller, that play some of the seats.
    pub guest_rate: f32,
}

impl SelfPlaySettings {
    /// The settings with which the shipped nets were trained.
    ///
    /// With two players an opponent can exploit predictable play most easily. So the nets must randomise more
    /// (`entropy_weight`), and play more against themselves than against guests (`guest_rate`).
    #[must_use]
    pub const fn of(players: Players) -> Self {
        let settings = Self {
            seed: 1,
            steps: 8000,
            games_per_step: 32,
            learning_rate: 3e-3,
            anchor_weight: 0.1,
            anchor_interval: 300,
            entropy_weight: 0.01,
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
    /// The root mean square error of the value net's winning chances since the last report.
    pub error: f64,
    /// The mean entropy of the bids since the last report: 0 if the nets always make the same bid, higher for more
    /// mixed bids.
    pub entropy: f64,
}

/// The number of shards of a step, and so the maximum number of threads.
const SHARDS: u32 = 8;
/// The number of steps between two reports.
const STEPS_PER_REPORT: u32 = 50;
/// Spreads small seeds over all bits. An odd factor, so that different seeds stay different.
const SEED_FACTOR: u64 = 0x2545_f491_4f6c_dd1d;
/// The shift of the seeds of shards; see [`split_rng`].
const SHARD_SEED_SHIFT: u32 = 20;

/// One part of the games of every step, played by one thread.
struct Shard {
    batch: GameBatch,
    rng: FastRng,
}

/// Trains nets for this number of players by self-play. `report` is called every 50 steps; if it returns `Break`,
/// training ends early.
#[must_use]
pub fn train(
    players: Players,
    settings: &SelfPlaySettings,
    jobs: NonZeroUsize,
    mut report: impl FnMut(Progress) -> ControlFlow<()>,
) -> Nets {
    let parameters = Parameters::of(players);
    // Each number of players gets other random numbers.
    let mut rng = FastRng::new(settings.seed.wrapping_mul(SEED_FACTOR) ^ u64::from(players.count()));
    let mut net_set = NetSet::zero(&parameters);
    net_set.nets_mut().into_iter().for_each(|net| randomize_weights(net, &mut rng));
    // The first bids are like the jeweller's, but more random: the jeweller itself multiplies its score by 5, which is
    // 1 divided by its temperature.
    *net_set.bid.bias_mut(JEWELLER_SCORE) = 2.0;
    let mut anchor = net_set.clone();
    let mut optimizers = net_set.nets().map(|net| Adam::new(net, usize::from(players.count())));
    let shards = new_shards(&parameters, &mut rng);
    let (mut squared_error, mut entropy) = (0.0, 0.0);
    for step in 1..=settings.steps {
        let self_play = SelfPlay { net_set: &net_set, anchor: &anchor, settings, players: [Character::Nets; 5] };
        play_shards(&shards, jobs, settings.games_per_step, |shard| {
            self_play.play(&parameters, &mut shard.rng, &mut shard.batch);
        });
        let learning_rate = learning_rate(settings, step);
        let (step_squared_error, step_entropy) =
            update_nets(&mut net_set, &mut optimizers, &shards, Step::new(learning_rate, step));
        squared_error += step_squared_error / f64::from(STEPS_PER_REPORT);
        entropy += step_entropy / f64::from(STEPS_PER_REPORT);
        if step.is_multiple_of(settings.anchor_interval) {
            anchor = net_set.clone();
        }
        if step.is_multiple_of(STEPS_PER_REPORT) {
            if report(Progress { step, error: squared_error.sqrt(), entropy }).is_break() {
                break;
            }
            (squared_error, entropy) = (0.0, 0.0);
        }
    }
    Nets::new(players, net_set)
}

/// The learning rate of a step; it decreases linearly to a twentieth.
fn learning_rate(settings: &SelfPlaySettings, step: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "steps are few")]
    let finished = step as f32 / settings.steps as f32;
    settings.learning_rate * (1.0 - 0.95 * finished)
}

/// The settings of training against one bot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedOpponentSettings {
    /// The random seed.
    pub seed: u64,
    /// The number of games per step, rounded up to a multiple of the eight shards.
    pub games_per_step: u32,
    /// The learning rate, the same in all steps.
    pub learning_rate: f32,
    /// The weight of the entropy, which keeps the learner from always playing the same action.
    pub entropy_weight: f32,
    /// The target of the value net; see [`SelfPlaySettings::horizon`].
    pub horizon: f32,
}

impl Default for FixedOpponentSettings {
    fn default() -> Self {
        Self { seed: 1, games_per_step: 32, learning_rate: 2e-3, entropy_weight: 0.003, horizon: 0.7 }
    }
}

/// Trains nets to beat one bot, starting from these nets, until `should_continue` returns `false`. It is called before
/// each step with the number of finished steps.
#[must_use]
pub fn train_against(
    start: &Nets,
    bot: &dyn Bot,
    settings: &FixedOpponentSettings,
    jobs: NonZeroUsize,
    mut should_continue: impl FnMut(u32) -> bool,
) -> Nets {
    let players = start.players();
    let parameters = Parameters::of(players);
    let mut rng = FastRng::new(settings.seed.wrapping_mul(SEED_FACTOR));
    let mut net_set = start.net_set.clone();
    let mut optimizers = net_set.nets().map(|net| Adam::new(net, usize::from(players.count())));
    let shards = new_shards(&parameters, &mut rng);
    let mut step = 0;
    while should_continue(step) {
        step += 1;
        let games = FixedOpponent { net_set: &net_set, bot, settings };
        play_shards(&shards, jobs, settings.games_per_step, |shard| {
            games.play(parameters, &mut shard.rng, &mut shard.batch);
        });
        update_nets(&mut net_set, &mut optimizers, &shards, Step::new(settings.learning_rate, step));
    }
    Nets::new(players, net_set)
}

/// The shards of a training, each with its own random generator.
fn new_shards(parameters: &Parameters, rng: &mut FastRng) -> Vec<Mutex<Shard>> {
    let mut shard = || Shard { batch: GameBatch::new(parameters), rng: split_rng(rng, SHARD_SEED_SHIFT) };
    (0..SHARDS).map(|_| Mutex::new(shard())).collect()
}

/// Plays the games of a step on `jobs` threads. `play` plays one game and adds its gradients to the batch of the shard.
fn play_shards(shards: &[Mutex<Shard>], jobs: NonZeroUsize, games: u32, play: impl Fn(&mut Shard) + Sync) {
    let play_shard = |number: u64| {
        let shard = usize::try_from(number).ok().and_then(|number| shards.get(number)).expect("one of the shards");
        let mut shard = shard.lock().expect("no thread has panicked");
        shard.batch.clear();
        (0..games.div_ceil(SHARDS)).for_each(|_| play(&mut shard));
    };
    let result = run_in_order(SHARDS.into(), jobs, play_shard, |()| ControlFlow::Continue(()));
    result.expect("a thread can be started");
}

/// Updates the nets with the mean gradient of all shards. Returns the mean squared error of the value net's winning
/// chances, and the mean entropy of the bids.
fn update_nets(net_set: &mut NetSet, optimizers: &mut [Adam; 3], shards: &[Mutex<Shard>], step: Step) -> (f64, f64) {
    let shards: Vec<_> = shards.iter().map(|shard| shard.lock().expect("no thread has panicked")).collect();
    let count = |net_index: usize| shards.iter().map(|shard| shard.batch.counts[net_index]).sum::<f32>().max(1.0);
    for (net_index, (net, optimizer)) in net_set.nets_mut().into_iter().zip(optimizers).enumerate() {
        let mut gradient = vec![0.0; net.numbers.len()];
        for shard in &shards {
            let shard_gradient = shard.batch.gradients.nets()[net_index];
            gradient.iter_mut().zip(&shard_gradient.numbers).for_each(|(sum, number)| *sum += number);
        }
        let factor = 1.0 / count(net_index);
        gradient.iter_mut().for_each(|sum| *sum *= factor);
        optimizer.step(net, &gradient, step);
    }
    let squared_error: f64 = shards.iter().map(|shard| shard.batch.squared_error).sum();
    let entropy: f64 = shards.iter().map(|shard| shard.batch.entropy).sum();
    // The errors belong to the value net (0), the entropy to the bid net (1).
    (squared_error / f64::from(count(0)), entropy / f64::from(count(1)))
}

/// Fills a net with small random numbers, so that its units learn different things.
fn randomize_weights(net: &mut Net, rng: &mut FastRng) {
    // The limits for the weights and biases of the first, the second and the last layer. All biases start at 0.
    for (part, max) in net.shape.parts().into_iter().zip([0.1, 0.0, 0.3, 0.0, 0.05, 0.0]) {
        for number in &mut net.numbers[part] {
            *number = (2.0 * random_unit(rng) - 1.0) * max;
        }
    }
}
