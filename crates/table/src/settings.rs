//! How the service works, and where it has its time and its secrets from.

use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

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
    /// Waits until then, in milliseconds since 1970.
    pub sleep_until: Arc<dyn Fn(i64) -> Sleep + Send + Sync>,
    /// Where secrets and names come from: bytes that nobody can foresee.
    pub fresh: Arc<dyn Fn() -> [u8; 32] + Send + Sync>,
}

fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            bot_pause: Duration::from_millis(900),
            cached_tables: NonZeroUsize::new(10_000).expect("not zero"),
            most_tables: 1_000_000,
            playouts: Plan::PLAYOUTS,
            now_ms: Arc::new(now_ms),
            sleep_until: Arc::new(|ms| {
                let wait = Duration::from_millis(u64::try_from(ms - now_ms()).unwrap_or(0));
                Box::pin(tokio::time::sleep(wait))
            }),
            fresh: Arc::new(fresh),
        }
    }
}
