//! Plays all games of an arena on several threads, and returns them in order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::Builder;

use super::{Arena, ArenaError, Played};

/// The number of games that a thread plays per message.
const BATCH: u64 = 16;

/// The maximum number of threads.
const MOST_THREADS: usize = 256;

type Batch = (u64, Result<Vec<Played>, ArenaError>);

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
    let batches = usize::try_from(arena.games().div_ceil(BATCH)).unwrap_or(usize::MAX);
    let jobs = jobs.get().min(batches).min(MOST_THREADS);
    let next = AtomicU64::new(0);
    let stopped = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel::<Batch>(4 * jobs.max(1));
        let (next, stopped) = (&next, &stopped);
        for thread in 0..jobs {
            let sender = sender.clone();
            let spawned = Builder::new().spawn_scoped(scope, move || work(arena, next, stopped, &sender));
            // Some threads are enough, but at least one is needed.
            if spawned.is_err() && thread == 0 {
                return Err(ArenaError::NoThread);
            }
        }
        drop(sender);
        // Batches arrive out of order; early ones are kept here.
        let mut early = BTreeMap::new();
        let mut due = 0;
        let mut result = Ok(());
        for (first, batch) in receiver {
            early.insert(first, batch);
            while let Some(batch) = early.remove(&due) {
                due += BATCH;
                let go_on = match batch {
                    Ok(games) => games.into_iter().try_for_each(&mut take),
                    Err(error) => {
                        result = Err(error);
                        ControlFlow::Break(())
                    }
                };
                if go_on.is_break() {
                    stopped.store(true, Ordering::Relaxed);
                    return result;
                }
            }
        }
        result
    })
}

fn work(arena: &Arena, next: &AtomicU64, stopped: &AtomicBool, sender: &SyncSender<Batch>) {
    while !stopped.load(Ordering::Relaxed) {
        let first = next.fetch_add(BATCH, Ordering::Relaxed);
        if first >= arena.games() {
            break;
        }
        let games = (first..arena.games().min(first + BATCH)).map(|game| arena.play(game)).collect();
        // The receiver is gone after a break.
        if sender.send((first, games)).is_err() {
            break;
        }
    }
}
