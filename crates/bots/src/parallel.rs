//! Runs numbered tasks on several threads. Used by `sultan-analysis` and `sultan-lab`; bots themselves use one thread.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread::{self, Builder};

/// The maximum number of threads.
const MAX_THREADS: usize = 256;

/// Runs the tasks from 0 to `count` on at most `jobs` threads. Passes their results to `take` on the calling thread, in
/// the order of the tasks, until it returns `Break`.
///
/// # Errors
/// If no thread could be started.
pub fn run_in_order<T: Send>(
    count: u64,
    jobs: NonZeroUsize,
    task: impl Fn(u64) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) -> io::Result<()> {
    let threads = jobs.get().min(MAX_THREADS).min(usize::try_from(count).unwrap_or(usize::MAX));
    let (next, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let (sender, receiver) = sync_channel(4 * threads.max(1));
        for thread in 0..threads {
            let (sender, task, next, stopped) = (sender.clone(), &task, &next, &stopped);
            let work = move || {
                while !stopped.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    // The receiver is gone after a break.
                    if number >= count || sender.send((number, task(number))).is_err() {
                        break;
                    }
                }
            };
            // Some threads are enough, but at least one is needed.
            match Builder::new().spawn_scoped(scope, work) {
                Err(error) if thread == 0 => return Err(error),
                _ => {}
            }
        }
        drop(sender);
        // Results arrive out of order; early ones are kept here.
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (number, result) in receiver {
            early.insert(number, result);
            while let Some(result) = early.remove(&due) {
                due += 1;
                if take(result).is_break() {
                    stopped.store(true, Ordering::Relaxed);
                    return Ok(());
                }
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_on_any_number_of_threads() {
        for jobs in [1, 3, 1000] {
            let mut squares = Vec::new();
            let take = |square| {
                squares.push(square);
                if squares.len() == 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            run_in_order(80, NonZeroUsize::new(jobs).unwrap(), |number| number * number, take).unwrap();
            assert!(squares.iter().copied().eq((0..50).map(|number| number * number)), "{squares:?}");
        }
        run_in_order(0, NonZeroUsize::MIN, |_| (), |()| unreachable!("there is no task")).unwrap();
    }
}
