//! Plays all games of an arena on several threads.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use sultan_bots::run_in_order;

use super::{Arena, ArenaError, Played};

/// The number of games that a thread plays per task: several, so that threads rarely wait for each other.
const GAMES_PER_BATCH: u64 = 16;

/// Plays all games on `jobs` threads and passes each finished game to `on_game`, in the order of the game numbers,
/// until `on_game` returns `Break`.
///
/// # Errors
/// The first [`ArenaError`] in the order of the games.
pub fn run(
    arena: &Arena,
    jobs: NonZeroUsize,
    mut on_game: impl FnMut(Played) -> ControlFlow<()>,
) -> Result<(), ArenaError> {
    arena.players()?;
    let play_batch = |batch: u64| -> Result<Vec<Played>, ArenaError> {
        let first_game = batch * GAMES_PER_BATCH;
        (first_game..arena.games().min(first_game + GAMES_PER_BATCH)).map(|game| arena.play(game)).collect()
    };
    let mut result = Ok(());
    let on_batch = |batch: Result<Vec<Played>, ArenaError>| match batch {
        Ok(games) => games.into_iter().try_for_each(&mut on_game),
        Err(error) => {
            result = Err(error);
            ControlFlow::Break(())
        }
    };
    run_in_order(arena.games().div_ceil(GAMES_PER_BATCH), jobs, play_batch, on_batch)
        .map_err(|_| ArenaError::NoThread)?;
    result
}
