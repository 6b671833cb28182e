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
        let (now, later) = (self.clone(), self.clone());
        Settings {
            bot_pause: Duration::ZERO,
            now_ms: Arc::new(move || now.now_ms()),
            // The clock of the database is ignored: only the test advances the time.
            set_time: Arc::new(|_| {}),
            sleep_until: Arc::new(move |ms| {
                let mut time = later.0.subscribe();
                Box::pin(async move {
                    // The sender was dropped: the clock stands still, so this future is never ready.
                    if time.wait_for(|&now| now >= ms).await.is_err() {
                        std::future::pending::<()>().await;
                    }
                })
            }),
            random_bytes: deterministic_bytes(seed),
            ..Settings::default()
        }
    }
}

/// A generator of pseudo-random bytes that are the same in every run.
#[must_use]
pub fn deterministic_bytes(seed: u8) -> Arc<dyn Fn() -> [u8; 32] + Send + Sync> {
    let count = AtomicU64::new(0);
    Arc::new(move || {
        let number = count.fetch_add(1, Ordering::Relaxed);
        let mut bytes = [seed; 32];
        for (byte, place) in bytes.iter_mut().zip(0_u64..) {
            *byte =
                byte.wrapping_add((number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (8 * (place % 8))).to_le_bytes()[0]);
        }
        bytes[31] ^= number.to_le_bytes()[0];
        bytes
    })
}
