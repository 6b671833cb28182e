//! The settings of the service, with the sources of its time and randomness.

use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sultan_analysis::Plan;
use sultan_domain::TableId;

use crate::sync::locked;
use crate::token::{SeatToken, random_bytes};

/// A future that ends at a given time.
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The settings of the service. Tests replace the clock and the randomness, and shorten some intervals.
#[derive(Clone)]
pub struct Settings {
    /// The mean pause of a bot before it acts.
    pub bot_pause: Duration,
    /// The maximum number of unused tables in memory. Above it, the least recently used tables are evicted (default
    /// 10,000). Watched tables always stay in memory.
    pub cached_tables: NonZeroUsize,
    /// The maximum number of open tables: waiting for players, or in play.
    pub max_open_tables: u32,
    /// In the analysis of a game: the number of games that are played to the end from each position.
    pub playouts: u32,
    /// How often the tables in memory are compared with a database that several nodes share.
    pub compare_interval: Duration,
    /// If a shared database does not answer (is down) for this long, the node stops serving clients, since other nodes
    /// may have changed its tables.
    pub cut_off_after: Duration,
    /// The time in milliseconds since 1970.
    pub now_ms: Arc<dyn Fn() -> i64 + Send + Sync>,
    /// Sets the clock to the time of the shared database, so that the clocks of all nodes agree.
    pub set_time: Arc<dyn Fn(i64) + Send + Sync>,
    /// Sleeps until a time in milliseconds since 1970.
    pub sleep_until: Arc<dyn Fn(i64) -> Sleep + Send + Sync>,
    /// Unpredictable bytes for secrets and ids.
    pub random_bytes: Arc<dyn Fn() -> [u8; 32] + Send + Sync>,
}

impl Settings {
    pub(crate) fn now_ms(&self) -> i64 {
        (self.now_ms)()
    }

    pub(crate) fn sleep_until(&self, ms: i64) -> Sleep {
        (self.sleep_until)(ms)
    }

    pub(crate) fn sleep(&self, duration_ms: i64) -> Sleep {
        self.sleep_until(self.now_ms() + duration_ms)
    }

    /// A new secret token for a seat.
    pub(crate) fn random_token(&self) -> SeatToken {
        SeatToken::from_bytes((self.random_bytes)())
    }

    /// A new id for a table.
    pub(crate) fn random_id(&self) -> TableId {
        let bytes = (self.random_bytes)();
        TableId::new(bytes.iter().take(8).fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
    }
}

/// Follows the machine's clock until a shared database sets the time. From then on, measures the time that has passed
/// since, so errors and jumps of the machine's clock have no effect.
///
/// Without a shared database the clock follows the jumps of the machine's clock. A monotonic clock would be wrong after
/// a laptop has slept, since a monotonic clock stands still during sleep: players would see deadlines of hours ago.
///
/// Contains the time that the database has set, in milliseconds since 1970, and when it was set.
#[derive(Default)]
struct Clock(Mutex<Option<(Instant, i64)>>);

impl Clock {
    fn now_ms(&self) -> i64 {
        let (elapsed, start_ms) = match *locked(&self.0) {
            Some((set_at, database_ms)) => (set_at.elapsed(), database_ms),
            None => (SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(), 0),
        };
        start_ms.saturating_add(i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
    }

    /// Waits until a time. Looks at the clock again every [`CLOCK_CHECK_INTERVAL`], since the database may set it.
    async fn sleep_until(&self, ms: i64) {
        while let Some(remaining_ms) = u64::try_from(ms - self.now_ms()).ok().filter(|&remaining_ms| remaining_ms > 0) {
            tokio::time::sleep(CLOCK_CHECK_INTERVAL.min(Duration::from_millis(remaining_ms))).await;
        }
    }
}

/// How often a sleeping task looks at the clock.
const CLOCK_CHECK_INTERVAL: Duration = Duration::from_secs(1);

impl Default for Settings {
    fn default() -> Self {
        let clock = Arc::new(Clock::default());
        let (set_clock, sleep_clock) = (Arc::clone(&clock), Arc::clone(&clock));
        Self {
            bot_pause: Duration::from_millis(900),
            cached_tables: NonZeroUsize::new(10_000).expect("not zero"),
            max_open_tables: 1_000_000,
            playouts: Plan::PLAYOUTS,
            compare_interval: Duration::from_secs(5),
            cut_off_after: Duration::from_secs(5),
            now_ms: Arc::new(move || clock.now_ms()),
            set_time: Arc::new(move |ms| *locked(&set_clock.0) = Some((Instant::now(), ms))),
            sleep_until: Arc::new(move |ms| {
                let clock = Arc::clone(&sleep_clock);
                Box::pin(async move { clock.sleep_until(ms).await })
            }),
            random_bytes: Arc::new(random_bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn setting_the_time_wakes_sleepers() {
        let settings = Settings::default();
        let start_ms = (settings.now_ms)();
        assert!(start_ms > 1_700_000_000_000, "{start_ms} is no present time in milliseconds since 1970");
        let hour_ms = 3_600_000;
        let sleeping = tokio::spawn((settings.sleep_until)(start_ms + hour_ms));
        tokio::task::yield_now().await;
        (settings.set_time)(start_ms + 2 * hour_ms);
        // The clock shows the new time, or up to a minute later on a slow machine.
        assert!((start_ms + 2 * hour_ms..start_ms + 2 * hour_ms + 60_000).contains(&(settings.now_ms)()));
        let woken = tokio::time::timeout(Duration::from_mins(1), sleeping).await;
        woken.expect("the sleep ends after the clock was set").unwrap();
        // Sleeping until a past time returns at once, sleeping until a future time takes time.
        (settings.sleep_until)(start_ms).await;
        let started = Instant::now();
        (settings.sleep_until)((settings.now_ms)() + 20).await;
        assert!(started.elapsed() >= Duration::from_millis(19), "slept for only {:?}", started.elapsed());
    }
}
