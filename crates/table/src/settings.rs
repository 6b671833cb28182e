//! How the service works, and where it has its time and its secrets from.

use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sultan_bots::analysis::Plan;

use crate::token::fresh;

/// What is over when some time has come.
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// How the service works.
#[derive(Clone)]
pub struct Settings {
    /// How long bots pause before they act, on average.
    pub bot_pause: Duration,
    /// How many tables are kept in memory while nobody watches them.
    pub cached_tables: NonZeroUsize,
    /// How many tables may be open at once: waiting for players, or in play.
    pub most_tables: u32,
    /// How often a finished game is played on from each of its moments when it is analysed.
    pub playouts: u32,
    /// What time it is, in milliseconds since 1970.
    pub now_ms: Arc<dyn Fn() -> i64 + Send + Sync>,
    /// Takes in what time it is for all nodes that share a database.
    pub told_time: Arc<dyn Fn(i64) + Send + Sync>,
    /// Waits until then, in milliseconds since 1970.
    pub sleep_until: Arc<dyn Fn(i64) -> Sleep + Send + Sync>,
    /// Where secrets and names come from: bytes that nobody can foresee.
    pub fresh: Arc<dyn Fn() -> [u8; 32] + Send + Sync>,
}

/// What time it is: by the machine's clock, until a database that all nodes share has told another time. From then on the
/// machine's clock may be wrong, or set anew, and it does no harm.
#[derive(Default)]
struct Clock(Mutex<Option<(Instant, i64)>>);

impl Clock {
    fn told(&self) -> MutexGuard<'_, Option<(Instant, i64)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now_ms(&self) -> i64 {
        let (since, from_ms) = match *self.told() {
            Some((told, ms)) => (told.elapsed(), ms),
            None => (SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(), 0),
        };
        from_ms.saturating_add(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

impl Default for Settings {
    fn default() -> Self {
        let clock = Arc::new(Clock::default());
        let (told, waiting) = (Arc::clone(&clock), Arc::clone(&clock));
        Self {
            bot_pause: Duration::from_millis(900),
            cached_tables: NonZeroUsize::new(10_000).expect("not zero"),
            most_tables: 1_000_000,
            playouts: Plan::PLAYOUTS,
            now_ms: Arc::new(move || clock.now_ms()),
            told_time: Arc::new(move |ms| *told.told() = Some((Instant::now(), ms))),
            sleep_until: Arc::new(move |ms| {
                let wait = Duration::from_millis(u64::try_from(ms - waiting.now_ms()).unwrap_or(0));
                Box::pin(tokio::time::sleep(wait))
            }),
            fresh: Arc::new(fresh),
        }
    }
}
