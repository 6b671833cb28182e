//! Analyses a whole game on several threads.
//!
//! [`analyse`] replays the record once and makes a list of tasks. `consider` evaluates each decision from the view and
//! recall of its seat. `open` estimates the winning chances at each position with all cards open. `split` computes luck
//! and skill from the results.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use sultan_bots::run_in_order;
use sultan_bots::search::{Knowledge, World};
use sultan_domain::{
    Action, Analysis, BySeat, Cards, ChanceMoment, ChanceStep, Decision, Observer, Recall, Record, Seat, Stage, View,
};
use sultan_rules::{FastRng, ReplayError, ReplayStep, SeededGame, replay_with};
use thiserror::Error;

use super::consider::{Considered, consider};
use super::open::{Chances, chances_by_playout, equal_chances, mean_chances};
use super::reason::find_reason;
use super::{rng_for, split};

/// The reason why an analysis failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AnalysisError {
    /// An action of the record is illegal, or no game can start with its parameters and first seat.
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
    /// Called on the calling thread after each task, with the number of finished tasks and the number of all tasks.
    pub progress: &'a (dyn Fn(usize, usize) + Sync),
    /// Returns whether to stop. Called about every millisecond, on several threads. The callback may block for a short
    /// time, to give other work priority.
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

/// One unit of work. A decision is judged without the real game, so a task never has both a view and a world.
enum Task {
    /// Judge a decision, from the view and recall of its seat.
    Decision { view: Box<View>, recall: Recall, seat: Seat, action: Action },
    /// Estimate the winning chances at a position, with all cards open. The field `chances` of `moment` is empty until
    /// then.
    Moment { world: Box<World>, moment: ChanceMoment },
}

/// The result of a task.
enum TaskResult {
    Decision(Box<Decision>),
    /// The position with its chances, and the winning chances of all seats in each playout.
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
    let results = run_tasks(&tasks, plan, watch)?;
    let mut analysis = Analysis::of(record.players, record.names.clone(), plan.seed);
    analysis.variant = record.variant;
    analysis.outcome = game.game().outcome();
    analysis.complete = analysis.outcome.is_some();
    let mut all_chances = Vec::new();
    for result in results {
        match result {
            TaskResult::Decision(decision) => analysis.decisions.push(*decision),
            TaskResult::Moment(moment, chances) => {
                analysis.moments.push(moment);
                all_chances.push(chances);
            }
        }
    }
    analysis.seats = record.players.seats().map(|seat| split::summary(&analysis, &all_chances, seat)).collect();
    Ok(analysis)
}

/// Runs all tasks on several threads, and returns their results in order.
fn run_tasks(tasks: &[Task], plan: &Plan, watch: &Watch) -> Result<Vec<TaskResult>, AnalysisError> {
    let run = |number: u64| {
        let task = usize::try_from(number).ok().and_then(|number| tasks.get(number));
        task.filter(|_| !(watch.stop)()).and_then(|task| run_task(task, plan, number, watch.stop))
    };
    let mut results = Vec::with_capacity(tasks.len());
    let collect = |result: Option<TaskResult>| {
        // A task without a result was stopped.
        let Some(result) = result else { return ControlFlow::Break(()) };
        results.push(result);
        (watch.progress)(results.len(), tasks.len());
        ControlFlow::Continue(())
    };
    run_in_order(tasks.len() as u64, plan.jobs, run, collect).map_err(|_| AnalysisError::NoThread)?;
    // If `stop` has returned `true` during the last task, the result of this task may be incomplete.
    if results.len() < tasks.len() || (watch.stop)() { Err(AnalysisError::Stopped) } else { Ok(results) }
}

/// Runs one task. `None` if `stop` returned `true`; but a position may then also have incomplete chances.
fn run_task(task: &Task, plan: &Plan, number: u64, stop: &dyn Fn() -> bool) -> Option<TaskResult> {
    match task {
        Task::Decision { view, recall, seat, action } => {
            let considered = consider(view, recall, &mut rng_for(plan.seed, number), stop)?;
            Some(TaskResult::Decision(Box::new(judge_decision(view, *seat, *action, considered)?)))
        }
        Task::Moment { world, moment } => {
            let players = world.public.players();
            let is_start = moment.step == ChanceStep::Start;
            let chances = if is_start { equal_chances(players, plan) } else { chances_by_playout(world, plan, stop) };
            let moment = ChanceMoment { chances: mean_chances(&chances, players), ..moment.clone() };
            Some(TaskResult::Moment(moment, chances))
        }
    }
}

/// If the strong bot (`sultan`) plays an action with at least this probability, the action has no loss.
const MIN_SHARE_WITHOUT_LOSS: f64 = 0.05;
/// A gap is significant if it is larger than this number of standard errors.
const SIGNIFICANT_ERRORS: f64 = 2.0;

/// Judges the action that was played at a decision. The loss is the gap, or 0 if the gap is not significant or the
/// strong bot plays the same action sometimes. `None` if the action was not one of the options.
fn judge_decision(view: &View, seat: Seat, action: Action, considered: Considered) -> Option<Decision> {
    let taken = considered.index_of(action)?;
    let best = considered.best();
    let gap = considered.gap(taken);
    let has_no_loss =
        considered.options[taken].share >= MIN_SHARE_WITHOUT_LOSS || gap.value <= SIGNIFICANT_ERRORS * gap.error;
    let loss = if has_no_loss { 0.0 } else { gap.value.max(0.0) };
    let reason = if loss > 0.0 { find_reason(&considered, taken, best) } else { None };
    Some(Decision {
        at: view.action_count,
        stage: view.stage,
        round: view.round,
        seat,
        action,
        drawn: view.drawn,
        offer: Some(considered.knowledge.public.offer).filter(|offer| !offer.is_empty()),
        taken,
        best,
        worlds: considered.tables,
        gap,
        loss,
        reason,
        options: considered.options,
    })
}

/// Replays a record, and makes a task for each decision and each position, in order. Also returns the game after the
/// last action.
fn tasks(record: &Record) -> Result<(SeededGame, Vec<Task>), ReplayError> {
    let mut tasks = Vec::new();
    let mut stage = Stage::default();
    let game = replay_with(record, |game, step| match step {
        ReplayStep::Dealt => {
            tasks.push(moment_task(game, ChanceStep::Start, hands(game)));
            tasks.push(moment_task(game, ChanceStep::Deal, hands(game)));
        }
        ReplayStep::Drawn => tasks.push(moment_task(game, ChanceStep::Draw, hands(game))),
        ReplayStep::Acting(seat, action) => {
            let view = Box::new(game.game().view(Observer::Seat(seat)));
            stage = view.stage;
            tasks.push(Task::Decision { view, recall: game.recall().clone(), seat, action });
        }
        // The last action of a stage is followed by two positions: with empty hands, and with the next hands.
        ReplayStep::Acted(seat, action) => {
            let is_new_stage = game.game().view(Observer::Public).stage != stage;
            let hands_before_deal = if is_new_stage { BySeat::default() } else { hands(game) };
            tasks.push(moment_task(game, ChanceStep::Action { seat, action }, hands_before_deal));
            if is_new_stage {
                tasks.push(moment_task(game, ChanceStep::Deal, hands(game)));
            }
        }
    })?;
    Ok((game, tasks))
}

/// The cards in hand of each seat.
fn hands(game: &SeededGame) -> BySeat<Cards> {
    let mut hands = BySeat::default();
    game.game().parameters().players.seats().for_each(|seat| hands[seat] = game.game().hand(seat));
    hands
}

/// The task to estimate the winning chances in the current state of the game, with these hands. `step` led to this
/// state.
fn moment_task(game: &SeededGame, step: ChanceStep, hands: BySeat<Cards>) -> Task {
    let (recall, game) = (game.recall(), game.game());
    let view = game.view(Observer::Seat(Seat::default()));
    // The recall is complete, so no random numbers are needed.
    let knowledge = Knowledge::new(&view, recall, &mut FastRng::new(0));
    let Knowledge { public, .. } = knowledge.expect("a real game has no contradictions");
    let world = Box::new(World { public, hands, bids: game.bids() });
    let moment =
        ChanceMoment { at: view.action_count, stage: view.stage, round: view.round, step, chances: Vec::new() };
    Task::Moment { world, moment }
}
