//! How the service works, and where it has its time and its secrets from.

use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sultan_analysis::Plan;
use sultan_domain::TableId;

use crate::sync::locked;
use crate::token::random_bytes;

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
    pub random_bytes: Arc<dyn Fn() -> [u8; 32] + Send + Sync>,
}

impl Settings {
    pub(crate) fn now_ms(&self) -> i64 {
        (self.now_ms)()
    }

    pub(crate) fn sleep_until(&self, ms: i64) -> Sleep {
        (self.sleep_until)(ms)
    }

    /// A new id for a table.
    pub(crate) fn random_id(&self) -> TableId {
        let bytes = (self.random_bytes)();
        TableId::new(bytes.iter().take(8).fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
    }
}

/// What time it is: by the machine's clock, until a database that all nodes share has told another time. From then on the
/// machine's clock may be wrong, or set anew, and it does no harm.
///
/// Where no database tells the time, the machine's clock is followed even where it jumps. To go on counting from the
/// start instead would be wrong after a laptop has slept, since nothing is counted meanwhile: players would be shown
/// deadlines of hours ago.
#[derive(Default)]
struct Clock(Mutex<Option<(Instant, i64)>>);

impl Clock {
    fn told(&self) -> MutexGuard<'_, Option<(Instant, i64)>> {
        locked(&self.0)
    }

    fn now_ms(&self) -> i64 {
        let (since, from_ms) = match *self.told() {
            Some((told, ms)) => (told.elapsed(), ms),
            None => (SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(), 0),
        };
        from_ms.saturating_add(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// Waits until then. Now and then it is asked again what time it is, since that may have been told anew.
    async fn sleep_until(&self, ms: i64) {
        while let Some(left) = u64::try_from(ms - self.now_ms()).ok().filter(|&left| left > 0) {
            tokio::time::sleep(LOOK_UP.min(Duration::from_millis(left))).await;
        }
    }
}

/// So often whoever sleeps looks what time it is.
const LOOK_UP: Duration = Duration::from_secs(1);

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
                let waiting = Arc::clone(&waiting);
                Box::pin(async move { waiting.sleep_until(ms).await })
            }),
            random_bytes: Arc::new(random_bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_time_is_what_was_told_and_whoever_sleeps_learns_of_it() {
        let settings = Settings::default();
        let machine = (settings.now_ms)();
        assert!(machine > 1_700_000_000_000, "milliseconds since 1970");
        let hour = 3_600_000;
        let sleeping = tokio::spawn((settings.sleep_until)(machine + hour));
        tokio::task::yield_now().await;
        (settings.told_time)(machine + 2 * hour);
        assert!((machine + 2 * hour..machine + 2 * hour + 60_000).contains(&(settings.now_ms)()));
        let woken = tokio::time::timeout(Duration::from_mins(1), sleeping).await;
        woken.expect("it is later than that").unwrap();
        // A time that has passed is not waited for, and one that comes is.
        (settings.sleep_until)(machine).await;
        let before = Instant::now();
        (settings.sleep_until)((settings.now_ms)() + 20).await;
        assert!(before.elapsed() >= Duration::from_millis(19), "{:?}", before.elapsed());
    }
}
