//! Analyses a whole game on several threads.
//!
//! [`analyse`] replays the record once and makes a list of tasks: `consider` judges each decision from the view and
//! recall of its seat, `open` each position with all cards open. `split` computes luck and skill from the results.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use sultan_bots::run_in_order;
use sultan_bots::search::{Knowledge, World};
use sultan_domain::{
    Action, Analysis, BySeat, Cards, ChanceMoment, ChanceStep, Decision, Observer, Recall, Record, Seat, Stage, View,
};
use sultan_rules::{Quick, ReplayError, ReplayStep, SeededGame, replay_with};
use thiserror::Error;

use super::consider::{Considered, consider};
use super::open::{self, Chances};
use super::{reason, rng_for, split};

/// The reason why an analysis failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnalysisError {
    /// The record is not a valid game.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The record ends before the game, and the plan requires finished games.
    #[error("the record ends before the game is over")]
    Unfinished,
    /// `stop` returned `true`.
    #[error("the analysis was stopped")]
    Stopped,
    /// No thread could be started.
    #[error("no thread can be started")]
    NoThread,
}

/// Callbacks for progress and cancellation.
pub struct Watch<'a> {
    /// Called with the number of finished tasks and of all tasks, on the calling thread.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
    /// Returns whether to stop. Called about every millisecond, on several threads. It may block for a short time, to
    /// give other work priority.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// The settings of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The random seed.
    pub seed: u64,
    /// The number of threads; it does not affect the results.
    pub jobs: NonZeroUsize,
    /// The number of playouts per position.
    pub playouts: u32,
    /// Whether to accept an unfinished game, and analyse its actions so far.
    pub unfinished: bool,
}

impl Plan {
    /// The default number of playouts.
    pub const PLAYOUTS: u32 = 1600;

    /// The default plan with this seed and number of threads.
    #[must_use]
    pub const fn new(seed: u64, jobs: NonZeroUsize) -> Self {
        Self { seed, jobs, playouts: Self::PLAYOUTS, unfinished: true }
    }
}

/// One unit of work. The knowledge of a seat and the real game are never mixed.
enum Task {
    /// A decision, with the view and recall of its seat.
    Decision { view: Box<View>, recall: Recall, seat: Seat, action: Action },
    /// A position, with all cards open.
    Moment { world: Box<World>, moment: ChanceMoment },
}

/// The result of a task.
enum Finding {
    Decision(Box<Decision>),
    /// With the winning chances in each playout.
    Moment(ChanceMoment, Vec<Chances>),
}

/// Analyses a game up to the end of its record. The same record and seed give the same numbers, for any number of
/// threads.
///
/// # Errors
/// [`AnalysisError`] if the record is invalid, or if the analysis was stopped.
pub fn analyse(record: &Record, plan: &Plan, watch: &Watch) -> Result<Analysis, AnalysisError> {
    let (game, tasks) = tasks(record)?;
    if game.game().outcome().is_none() && !plan.unfinished {
        return Err(AnalysisError::Unfinished);
    }
    let findings = run_tasks(&tasks, plan, watch)?;
    let mut analysis = Analysis::of(record.players, record.names.clone(), plan.seed);
    analysis.variant = record.variant;
    analysis.outcome = game.game().outcome();
    analysis.complete = analysis.outcome.is_some();
    let mut samples = Vec::new();
    for finding in findings {
        match finding {
            Finding::Decision(decision) => analysis.decisions.push(*decision),
            Finding::Moment(moment, samples_of_moment) => {
                analysis.moments.push(moment);
                samples.push(samples_of_moment);
            }
        }
    }
    analysis.seats = split::seats(&analysis, &samples);
    Ok(analysis)
}

fn run_tasks(tasks: &[Task], plan: &Plan, watch: &Watch) -> Result<Vec<Finding>, AnalysisError> {
    let run = |number: u64| {
        let task = usize::try_from(number).ok().and_then(|number| tasks.get(number));
        task.filter(|_| !(watch.stop)()).and_then(|task| run_task(task, plan, number, watch.stop))
    };
    let mut all = Vec::with_capacity(tasks.len());
    let take = |found: Option<Finding>| {
        let Some(found) = found else { return ControlFlow::Break(()) };
        all.push(found);
        (watch.progress)(all.len(), tasks.len());
        ControlFlow::Continue(())
    };
    run_in_order(tasks.len() as u64, plan.jobs, run, take).map_err(|_| AnalysisError::NoThread)?;
    // Results computed during a stop may be incomplete.
    if all.len() < tasks.len() || (watch.stop)() { Err(AnalysisError::Stopped) } else { Ok(all) }
}

fn run_task(task: &Task, plan: &Plan, number: u64, stop: &dyn Fn() -> bool) -> Option<Finding> {
    match task {
        Task::Decision { view, recall, seat, action } => {
            let considered = consider(view, recall, &mut rng_for(plan.seed, number), stop)?;
            Some(Finding::Decision(Box::new(judge_decision(view, *seat, *action, considered)?)))
        }
        Task::Moment { world, moment } => {
            let mut moment = moment.clone();
            let players = world.public.players();
            let samples = if moment.step == ChanceStep::Start {
                open::even(players, plan)
            } else {
                open::samples(world, plan, stop)
            };
            moment.chances = open::summed(&samples, players);
            Some(Finding::Moment(moment, samples))
        }
    }
}

/// The minimum share in the strong bot's mix for an option without loss.
const IN_THE_MIX: f64 = 0.05;
/// The number of standard errors up to which a gap may be noise.
const NOISE: f64 = 2.0;

fn judge_decision(view: &View, seat: Seat, action: Action, considered: Considered) -> Option<Decision> {
    let taken = considered.index_of(action)?;
    let best = considered.best();
    let gap = considered.gap(taken);
    let is_fine = considered.options[taken].share >= IN_THE_MIX || gap.value <= NOISE * gap.error;
    let loss = if is_fine { 0.0 } else { gap.value.max(0.0) };
    let reason = if loss > 0.0 { reason::better(&considered, taken, best) } else { None };
    Some(Decision {
        at: view.at,
        stage: view.stage,
        round: view.round,
        seat,
        action,
        drawn: view.drawn,
        offer: Some(considered.knowledge.public.offer).filter(|offer| !offer.is_empty()),
        taken,
        best,
        worlds: considered.worlds,
        gap,
        loss,
        reason,
        options: considered.options,
    })
}

/// Replays a record, and lists all decisions and positions in order.
fn tasks(record: &Record) -> Result<(SeededGame, Vec<Task>), ReplayError> {
    let mut tasks = Vec::new();
    let mut stage = Stage::default();
    let game = replay_with(record, |game, step| match step {
        ReplayStep::Dealt => {
            tasks.push(moment(game, ChanceStep::Start, Hands::Dealt));
            tasks.push(moment(game, ChanceStep::Deal, Hands::Dealt));
        }
        ReplayStep::Drawn => tasks.push(moment(game, ChanceStep::Draw, Hands::Dealt)),
        ReplayStep::Acting(seat, action) => {
            let view = Box::new(game.game().view(Observer::Seat(seat)));
            stage = view.stage;
            tasks.push(Task::Decision { view, recall: game.recall().clone(), seat, action });
        }
        // The end of a stage has two positions: before and after the next hands are dealt.
        ReplayStep::Acted(seat, action) => {
            let dealt = game.game().view(Observer::Public).stage != stage;
            let hands = if dealt { Hands::StillInDeck } else { Hands::Dealt };
            tasks.push(moment(game, ChanceStep::Action { seat, action }, hands));
            if dealt {
                tasks.push(moment(game, ChanceStep::Deal, Hands::Dealt));
            }
        }
    })?;
    Ok((game, tasks))
}

/// Whether the hands of a new stage are already dealt in a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hands {
    Dealt,
    StillInDeck,
}

/// The task for the current position, with all cards open.
fn moment(game: &SeededGame, step: ChanceStep, taken: Hands) -> Task {
    let (recall, game) = (game.recall(), game.game());
    let view = game.view(Observer::Seat(Seat::default()));
    let knowledge = Knowledge::new(&view, recall, &mut Quick::new(0));
    let Knowledge { public, .. } = knowledge.expect("a real game has no contradictions");
    let mut hands = BySeat::default();
    for seat in game.parameters().players.seats() {
        hands[seat] = if taken == Hands::Dealt { game.hand(seat) } else { Cards::NONE };
    }
    let world = Box::new(World { public, hands, bids: game.bids() });
    let moment = ChanceMoment { at: view.at, stage: view.stage, round: view.round, step, chances: Vec::new() };
    Task::Moment { world, moment }
}
