//! A clock that a test advances, and deterministic secrets.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sultan_table::Settings;
use tokio::sync::watch;

/// A clock that advances only by [`FakeTime::advance`]. Clones share the same clock.
#[derive(Clone, Debug)]
pub struct FakeTime(Arc<watch::Sender<i64>>);

impl Default for FakeTime {
    fn default() -> Self {
        // A time in January 2027.
        Self(Arc::new(watch::Sender::new(1_800_000_000_000)))
    }
}

impl FakeTime {
    /// The current time in milliseconds since 1970.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        *self.0.borrow()
    }

    /// Advances the clock.
    pub fn advance(&self, ms: i64) {
        self.0.send_modify(|now| *now += ms);
    }

    /// Settings for a service with this clock, without pauses of bots, and with secrets derived from `seed`.
    #[must_use]
    pub fn settings(&self, seed: u8) -> Settings {
        let (clock, sleep_clock) = (self.clone(), self.clone());
        Settings {
            bot_pause: Duration::ZERO,
            now_ms: Arc::new(move || clock.now_ms()),
            // A service adjusts its time to the clock of the database. Here only the test may change the time.
            set_time: Arc::new(|_| {}),
            sleep_until: Arc::new(move |wake_ms| {
                let mut now_ms = sleep_clock.0.subscribe();
                Box::pin(async move {
                    // If all clones of the clock are dropped, the future is never ready.
                    if now_ms.wait_for(|&now_ms| now_ms >= wake_ms).await.is_err() {
                        std::future::pending::<()>().await;
                    }
                })
            }),
            random_bytes: deterministic_bytes(seed),
            ..Settings::default()
        }
    }
}

/// A replacement for secure random bytes. Every call returns other bytes, but they are the same in every run.
#[must_use]
pub fn deterministic_bytes(seed: u8) -> Arc<dyn Fn() -> [u8; 32] + Send + Sync> {
    let calls = AtomicU64::new(0);
    Arc::new(move || {
        let call = calls.fetch_add(1, Ordering::Relaxed);
        // Spreads the number of the call over eight bytes, which are added to the seed again and again.
        let spread = call.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
        let mut bytes: [u8; 32] = std::array::from_fn(|index| seed.wrapping_add(spread[index % 8]));
        bytes[31] ^= call.to_le_bytes()[0];
        bytes
    })
}
