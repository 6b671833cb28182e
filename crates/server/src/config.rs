//! Settings of the server, with defaults.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

/// Settings of the server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Rate limits of requests (throttling); `None` for no limit.
    pub rates: Option<RateLimits>,
    /// Whether to trust a proxy's headers about the client's address and https.
    pub trust_proxy: bool,
    /// The server's address in the local network, for other devices, if available.
    pub network: Option<SocketAddr>,
    /// Whether requests are counted and timed.
    pub metrics: bool,
    /// The maximum size of a body in bytes.
    pub body: usize,
    /// Time limit for a request body.
    pub body_time: Duration,
    /// Interval of keep-alive messages on idle streams.
    pub keep_alive: Duration,
    /// Limits on connections.
    pub connections: Connections,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            rates: Some(RateLimits::default()),
            trust_proxy: false,
            network: None,
            metrics: false,
            body: 16 * 1024,
            body_time: Duration::from_secs(10),
            keep_alive: Duration::from_secs(15),
            connections: Connections::default(),
        }
    }
}

/// A rate limit: a burst of requests, then one more request per interval.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// The size of a burst.
    pub burst: NonZeroU32,
    /// The interval after which one more request is allowed.
    pub one_per: Duration,
}

impl Rate {
    const fn new(burst: u32, one_per: Duration) -> Self {
        let burst = NonZeroU32::new(burst).expect("not zero");
        Self { burst, one_per }
    }
}

/// The rate limits (throttling) of requests, with their default values in [`RateLimits::default`].
///
/// A family that plays behind one address, with several open pages each, stays far below these limits.
#[derive(Clone, Copy, Debug)]
pub struct RateLimits {
    /// Per address (IPv6: per network).
    pub per_address: Rate,
    /// Per token.
    pub per_token: Rate,
    /// Tables, commitments and rematches per address: these are stored, so they cost more.
    pub opening: Rate,
}

impl Default for RateLimits {
    /// The default rate limits, for example bursts of 600 requests per address and 100 requests per second after that.
    fn default() -> Self {
        Self {
            per_address: Rate::new(600, Duration::from_millis(10)),
            per_token: Rate::new(200, Duration::from_millis(50)),
            opening: Rate::new(60, Duration::from_secs(3)),
        }
    }
}

/// Limits on connections.
#[derive(Clone, Copy, Debug)]
pub struct Connections {
    /// The maximum number of connections in total.
    pub all: usize,
    /// The maximum number of connections from one address; `None` for no limit.
    pub per_address: Option<usize>,
    /// Time limit for a request head, and for an idle connection.
    pub head_time: Duration,
    /// The maximum size of a request's head in bytes.
    pub head: usize,
    /// Time after which a client that does not read is disconnected.
    pub write_time: Duration,
    /// Time for which unread data of a client is drained after the last byte was sent.
    pub linger: Duration,
    /// Time for connections to end at shutdown.
    pub stop_time: Duration,
}

impl Default for Connections {
    fn default() -> Self {
        Self {
            all: 20_000,
            per_address: Some(500),
            head_time: Duration::from_secs(30),
            head: 16 * 1024,
            write_time: Duration::from_secs(30),
            linger: Duration::from_secs(5),
            stop_time: Duration::from_secs(3),
        }
    }
}
