//! Plays all games of an arena on several threads.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use sultan_bots::run_in_order;

use super::{Arena, ArenaError, Played};

/// The number of games that a thread plays per task.
const BATCH: u64 = 16;

/// Plays all games on `jobs` threads and passes each to `take`, in order, until it returns `Break`.
///
/// # Errors
/// The first [`ArenaError`] in the order of the games.
pub fn run(
    arena: &Arena,
    jobs: NonZeroUsize,
    mut take: impl FnMut(Played) -> ControlFlow<()>,
) -> Result<(), ArenaError> {
    arena.players()?;
    let play = |batch: u64| -> Result<Vec<Played>, ArenaError> {
        let first = batch * BATCH;
        (first..arena.games().min(first + BATCH)).map(|game| arena.play(game)).collect()
    };
    let mut result = Ok(());
    let take_batch = |batch: Result<Vec<Played>, ArenaError>| match batch {
        Ok(games) => games.into_iter().try_for_each(&mut take),
        Err(error) => {
            result = Err(error);
            ControlFlow::Break(())
        }
    };
    run_in_order(arena.games().div_ceil(BATCH), jobs, play, take_batch).map_err(|_| ArenaError::NoThread)?;
    result
}
