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
    /// The maximum number of unwatched tables in memory.
    pub cached_tables: NonZeroUsize,
    /// The maximum number of open tables: waiting for players, or in play.
    pub max_open_tables: u32,
    /// Playouts from each position of a game that is analysed.
    pub playouts: u32,
    /// How often the tables in memory are compared with a shared database.
    pub compare_interval: Duration,
    /// If a shared database is down (does not answer) for this long, the node may be outdated and stops serving clients.
    pub cut_off_after: Duration,
    /// The time in milliseconds since 1970.
    pub now_ms: Arc<dyn Fn() -> i64 + Send + Sync>,
    /// Sets the clock to the time of the database, which all nodes share.
    pub set_time: Arc<dyn Fn(i64) + Send + Sync>,
    /// Waits until a time in milliseconds since 1970.
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

/// The clock of the machine, until a shared database sets the time. After that, errors and jumps of the machine's clock
/// have no effect.
///
/// Without a shared database the clock follows the machine's clock even if that jumps. A monotonic clock would be wrong
/// after a laptop has slept, since it does not advance during sleep: players would see deadlines of hours ago.
#[derive(Default)]
struct Clock(Mutex<Option<(Instant, i64)>>);

impl Clock {
    fn now_ms(&self) -> i64 {
        let (since, from_ms) = match *locked(&self.0) {
            Some((when, ms)) => (when.elapsed(), ms),
            None => (SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(), 0),
        };
        from_ms.saturating_add(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    /// Waits until a time. Checks the clock periodically, since the database may have set it.
    async fn sleep_until(&self, ms: i64) {
        while let Some(left) = u64::try_from(ms - self.now_ms()).ok().filter(|&left| left > 0) {
            tokio::time::sleep(CLOCK_CHECK_INTERVAL.min(Duration::from_millis(left))).await;
        }
    }
}

/// How often a sleeping task checks the clock.
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
        let machine = (settings.now_ms)();
        assert!(machine > 1_700_000_000_000, "milliseconds since 1970");
        let hour = 3_600_000;
        let sleeping = tokio::spawn((settings.sleep_until)(machine + hour));
        tokio::task::yield_now().await;
        (settings.set_time)(machine + 2 * hour);
        assert!((machine + 2 * hour..machine + 2 * hour + 60_000).contains(&(settings.now_ms)()));
        let woken = tokio::time::timeout(Duration::from_mins(1), sleeping).await;
        woken.expect("the time of the sleep has passed").unwrap();
        // A past time returns at once, a future time is waited for.
        (settings.sleep_until)(machine).await;
        let before = Instant::now();
        (settings.sleep_until)((settings.now_ms)() + 20).await;
        assert!(before.elapsed() >= Duration::from_millis(19), "{:?}", before.elapsed());
    }
}
