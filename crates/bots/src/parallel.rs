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

/// Runs `task` for every number from 0 to `count`, 0 included, on at most `jobs` threads. Calls `handle_result` on the
/// calling thread with the results in the order of the numbers, until it returns `Break`.
///
/// # Errors
/// If no thread could be started.
pub fn run_in_order<T: Send>(
    count: u64,
    jobs: NonZeroUsize,
    task: impl Fn(u64) -> T + Sync,
    mut handle_result: impl FnMut(T) -> ControlFlow<()>,
) -> io::Result<()> {
    let threads = jobs.get().min(MAX_THREADS).min(usize::try_from(count).unwrap_or(usize::MAX));
    let (next_number, is_stopped) = (AtomicU64::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        // If the channel is full, threads wait for `handle_result`, so that few results are in memory.
        let (sender, receiver) = sync_channel(4 * threads.max(1));
        for thread in 0..threads {
            let (sender, task, next_number, is_stopped) = (sender.clone(), &task, &next_number, &is_stopped);
            let run_tasks = move || {
                while !is_stopped.load(Ordering::Relaxed) {
                    let number = next_number.fetch_add(1, Ordering::Relaxed);
                    // Sending fails if `handle_result` returned `Break`: the receiver is dropped then.
                    if number >= count || sender.send((number, task(number))).is_err() {
                        break;
                    }
                }
            };
            // With fewer threads than requested the work takes longer, but without any it would never be done.
            if let Err(error) = Builder::new().spawn_scoped(scope, run_tasks)
                && thread == 0
            {
                return Err(error);
            }
        }
        // Now only the threads hold senders, so the loop below ends when the last thread ends.
        drop(sender);
        // Results arrive out of order. Results that cannot be handled yet wait here.
        let mut waiting = BTreeMap::new();
        let mut next_to_handle = 0;
        for (number, result) in receiver {
            waiting.insert(number, result);
            while let Some(result) = waiting.remove(&next_to_handle) {
                next_to_handle += 1;
                if handle_result(result).is_break() {
                    is_stopped.store(true, Ordering::Relaxed);
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
    fn results_are_handled_in_order_until_break_on_any_number_of_threads() {
        for jobs in [1, 3, 1000] {
            let mut squares = Vec::new();
            let collect_50_squares = |square| {
                squares.push(square);
                if squares.len() == 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let square = |number| number * number;
            run_in_order(80, NonZeroUsize::new(jobs).unwrap(), square, collect_50_squares).unwrap();
            assert!(squares.iter().copied().eq((0..50).map(square)), "{jobs} threads: {squares:?}");
        }
        run_in_order(0, NonZeroUsize::MIN, |_| (), |()| unreachable!("there is no task")).unwrap();
    }
}
