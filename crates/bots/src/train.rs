//! Training: nets that learn by playing against themselves.
//!
//! The same seed trains the same nets, bit for bit, whatever the number of threads: every step plays a fixed number of
//! games in fixed shards, and what the shards learnt is added up in their order. `lesson` is what is learnt from one
//! game, `adam` how the nets move.

mod adam;
mod against;
mod lesson;

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use sultan_domain::{Chance, Numbers, Players};
use sultan_rules::Quick;

use adam::{Adam, Step};
use against::Match;
use lesson::{Lesson, School};

use crate::Bot;
use crate::net::brain::{Brain, SCORE, even};
use crate::net::weights::Nets;
use crate::net::layers::{NARROW, Net, OUT, WIDE};

/// How to train.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What all chance comes from.
    pub seed: u64,
    /// How many steps.
    pub steps: u32,
    /// Games in each step.
    pub games: u32,
    /// Length of the first step; it shrinks to a tenth.
    pub rate: f32,
    /// How strongly the nets are held close to an earlier copy of themselves.
    pub close: f32,
    /// How strongly they are kept from playing one action only.
    pub mixed: f32,
    /// How often, in steps, the copy is taken anew.
    pub refresh: u32,
    /// How often they play blindly, to see more of the game.
    pub blind: f32,
    /// How far the value net looks: 1 to the end of the game, 0 only to the next round.
    pub far: f32,
    /// even
    pub even: f32,
    /// How much of each step's nets goes into the average that is kept in the end; 1 keeps the last.
    pub average: f32,
    /// start
    pub start: f32,
    /// guests
    pub guests: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            steps: 3000,
            games: 32,
            rate: 1.5e-3,
            close: 0.04,
            mixed: 0.005,
            refresh: 300,
            blind: 0.02,
            far: 0.7,
            even: 0.0,
            guests: 0.0,
            start: 2.0,
            average: 1.0,
        }
    }
}

/// How far a training has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Steps done.
    pub step: u32,
    /// Root of the mean squared error of the win chance.
    pub error: f64,
    /// Mean entropy of the bids.
    pub entropy: f64,
    /// How much the best bid gains over the mix, mean; mostly noise of one continuation.
    pub gain: f64,
}

/// Shards of a step; more threads than this have nothing to do.
const SHARDS: usize = 8;

/// Trains nets for so many players.
#[must_use]
pub fn train(players: Players, settings: &Settings, jobs: NonZeroUsize, mut tell: impl FnMut(Progress)) -> Nets {
    let numbers = Numbers::of(players);
    let mut chance = Quick::new(settings.seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ u64::from(players.count()));
    let mut brain = Brain::zero(&numbers);
    brain.nets_mut().into_iter().for_each(|net| scatter(net, &mut chance));
    // The first bids are the jeweller's, with a looser hand.
    *brain.bid.bias_mut(SCORE) = settings.start;
    let mut anchor = brain.clone();
    let mut average = brain.clone();
    let mut adams = brain.nets().map(|net| Adam::new(net, usize::from(players.count())));
    let shards = new_shards(&numbers, &mut chance);
    let mut sums = [0.0; 4];
    for step in 1..=settings.steps {
        learn(School { brain: &brain, anchor: &anchor, settings, guests: [false; 5] }, &numbers, &shards, jobs);
        let done = f64::from(step) / f64::from(settings.steps);
        #[expect(clippy::cast_possible_truncation, reason = "a rate needs few digits")]
        let rate = settings.rate * (1.0 - 0.95 * done) as f32;
        let seen = apply(&mut brain, &mut adams, &shards, Step::new(rate, step));
        sums.iter_mut().zip(seen).for_each(|(sum, seen)| *sum += seen);
        if step.is_multiple_of(settings.refresh) {
            anchor = brain.clone();
        }
        for (average, net) in average.nets_mut().into_iter().zip(brain.nets()) {
            let numbers = average.numbers.iter_mut().zip(&net.numbers);
            numbers.for_each(|(average, number)| *average += settings.average * (number - *average));
        }
        if step.is_multiple_of(50) || step == settings.steps {
            let [values, bids] = [sums[3].max(1.0), sums[3].max(1.0)];
            let error = (sums[0] / values).sqrt();
            tell(Progress { step, error, entropy: sums[1] / bids, gain: sums[2] / bids });
            sums = [0.0; 4];
        }
    }
    Nets::new(players, average)
}

/// How a best response is trained.
#[derive(Clone, Debug)]
pub struct Response {
    /// What all chance comes from.
    pub seed: u64,
    /// Games in each step.
    pub games: u32,
    /// Length of the steps.
    pub rate: f32,
    /// How strongly the learner is kept from playing one action only.
    pub mixed: f32,
    /// How far the value net looks.
    pub far: f32,
}

impl Default for Response {
    fn default() -> Self {
        Self { seed: 1, games: 64, rate: 1e-3, mixed: 0.003, far: 0.7 }
    }
}

/// Trains nets to beat one bot, from these nets on, until told to stop; `go_on` is asked with the number of steps done.
#[must_use]
pub fn respond(
    start: &Nets,
    bot: &dyn Bot,
    settings: &Response,
    jobs: NonZeroUsize,
    mut go_on: impl FnMut(u32) -> bool,
) -> Nets {
    let players = start.players();
    let numbers = Numbers::of(players);
    let mut chance = Quick::new(settings.seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut brain = start.brain.clone();
    let mut adams = brain.nets().map(|net| Adam::new(net, usize::from(players.count())));
    let shards = new_shards(&numbers, &mut chance);
    let mut step = 0;
    while go_on(step) {
        step += 1;
        let games = Match { brain: &brain, bot, mixed: settings.mixed, far: settings.far, show: false };
        let each = settings.games.div_ceil(u32::try_from(SHARDS).unwrap_or(1));
        on_shards(&shards, jobs, |lesson, chance| {
            lesson.clear();
            for _ in 0..each {
                let learner = players.seats().nth(chance.below(players.count().into()) as usize).unwrap_or_default();
                games.play(numbers, learner, chance, Some(lesson));
            }
        });
        apply(&mut brain, &mut adams, &shards, Step::new(settings.rate, step));
    }
    Nets::new(players, brain)
}

fn new_shards(numbers: &Numbers, chance: &mut Quick) -> Vec<Mutex<(Lesson, Quick)>> {
    let mut shard = || Mutex::new((Lesson::new(numbers), Quick::new(u64::from(chance.below(u32::MAX)) << 20)));
    (0..SHARDS).map(|_| shard()).collect()
}

/// Works on all shards, on so many threads.
fn on_shards(shards: &[Mutex<(Lesson, Quick)>], jobs: NonZeroUsize, work: impl Fn(&mut Lesson, &mut Quick) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..jobs.get().min(SHARDS) {
            scope.spawn(|| {
                while let Some(shard) = shards.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut shard = shard.lock().expect("no other thread has this shard");
                    let (lesson, chance) = &mut *shard;
                    work(lesson, chance);
                }
            });
        }
    });
}

/// Plays the games of one step.
fn learn(school: School, numbers: &Numbers, shards: &[Mutex<(Lesson, Quick)>], jobs: NonZeroUsize) {
    let games = school.settings.games.div_ceil(u32::try_from(SHARDS).unwrap_or(1));
    on_shards(shards, jobs, |lesson, chance| {
        lesson.clear();
        for _ in 0..games {
            lesson.play(school, numbers, chance);
        }
    });
}

/// Adds up what the shards learnt and moves the nets. Gives sums to look at, and how many moments they are of.
fn apply(brain: &mut Brain, adams: &mut [Adam; 3], shards: &[Mutex<(Lesson, Quick)>], step: Step) -> [f64; 4] {
    let shards: Vec<_> = shards.iter().map(|shard| shard.lock().expect("all threads have ended")).collect();
    let mut seen = [0.0; 4];
    let mut counts = [0.0; 3];
    for shard in &shards {
        let lesson = &shard.0;
        [lesson.values, lesson.bids, lesson.offers].iter().zip(&mut counts).for_each(|(count, sum)| *sum += count);
    }
    let count = |place: usize| f64::from(counts[place]).max(1.0);
    for shard in &shards {
        let lesson = &shard.0;
        seen[0] += lesson.seen[0] / count(0);
        seen[1] += lesson.seen[1] / count(1);
        seen[2] += lesson.seen[2] / count(1);
    }
    seen[3] = 1.0;
    for (place, (net, adam)) in brain.nets_mut().into_iter().zip(adams).enumerate() {
        let mut gradient = vec![0.0; net.numbers.len()];
        for shard in &shards {
            let change = shard.0.change.nets()[place];
            gradient.iter_mut().zip(&change.numbers).for_each(|(sum, by)| *sum += by);
        }
        let share = 1.0 / counts[place].max(1.0);
        gradient.iter_mut().for_each(|sum| *sum *= share);
        adam.step(net, &gradient, step);
    }
    seen
}

/// Fills a net with small numbers, so that its parts can learn different things.
fn scatter(net: &mut Net, chance: &mut Quick) {
    let first = net.shape.facts * WIDE;
    let second = first + WIDE;
    let third = second + WIDE * NARROW;
    let fourth = third + NARROW;
    let fifth = fourth + NARROW * OUT;
    let mut fill = |from: usize, to: usize, most: f32| {
        for number in &mut net.numbers[from..to] {
            *number = (2.0 * even(chance) - 1.0) * most;
        }
    };
    fill(0, first, 0.1);
    fill(second, third, 0.3);
    fill(fourth, fifth, 0.05);
}
