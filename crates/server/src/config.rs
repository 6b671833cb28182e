//! Settings of the server, with defaults. The rate limits are set in [`RateLimits::default`].

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

/// Settings of the server.
#[derive(Clone, Debug)]
pub struct Config {
    /// Rate limits of requests (throttling); `None` for no limit.
    pub rate_limits: Option<RateLimits>,
    /// Whether a proxy is trusted, which reports the client's address and https in the headers of a request.
    pub trust_proxy: bool,
    /// The server's address in the local network (LAN), for links that open on other devices.
    pub lan_address: Option<SocketAddr>,
    /// Whether requests are counted and timed.
    pub metrics_enabled: bool,
    /// The maximum size of a request body.
    pub max_body_bytes: usize,
    /// Time limit for receiving a request body.
    pub body_timeout: Duration,
    /// Interval of keep-alive messages on idle event streams.
    pub keep_alive_interval: Duration,
    /// Limits on connections.
    pub connection_limits: ConnectionLimits,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            rate_limits: Some(RateLimits::default()),
            trust_proxy: false,
            lan_address: None,
            metrics_enabled: false,
            max_body_bytes: 16 * 1024,
            body_timeout: Duration::from_secs(10),
            keep_alive_interval: Duration::from_secs(15),
            connection_limits: ConnectionLimits::default(),
        }
    }
}

/// A rate limit: a burst of requests, then one more request per interval.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// The number of requests that are allowed at once.
    pub burst: NonZeroU32,
    /// The interval after which one more request is allowed.
    pub interval: Duration,
}

impl Rate {
    const fn new(burst: u32, interval: Duration) -> Self {
        let burst = NonZeroU32::new(burst).expect("a burst has at least one request");
        Self { burst, interval }
    }
}

/// The rate limits of requests (throttling). A client over a limit gets the error 429.
///
/// A family that plays behind one address, with several open pages each, stays far below the default limits.
#[derive(Clone, Copy, Debug)]
pub struct RateLimits {
    /// All requests from one address (IPv6: from one network).
    pub per_address: Rate,
    /// All requests with one token.
    pub per_token: Rate,
    /// Requests from one address for tables, commitments and rematches. These are stored, so they cost more.
    pub opening_tables: Rate,
}

impl Default for RateLimits {
    /// The default rate limits, for example 600 requests at once per address, and then 100 requests per second.
    fn default() -> Self {
        Self {
            per_address: Rate::new(600, Duration::from_millis(10)),
            per_token: Rate::new(200, Duration::from_millis(50)),
            opening_tables: Rate::new(60, Duration::from_secs(3)),
        }
    }
}

/// Limits on connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// The maximum number of connections.
    pub max_total: usize,
    /// The maximum number of connections from one address; `None` for no limit.
    pub max_per_address: Option<usize>,
    /// Time limit for receiving the head of a request. An idle connection is closed after this time.
    pub head_timeout: Duration,
    /// The maximum size of the head of a request.
    pub max_head_bytes: usize,
    /// A client that does not read for this long is disconnected.
    pub write_timeout: Duration,
    /// After the last response on a connection, the client's unread data is read and dropped for at most this long.
    pub drain_timeout: Duration,
    /// At shutdown, connections that have not ended after this time are aborted.
    pub shutdown_timeout: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            max_total: 20_000,
            max_per_address: Some(500),
            head_timeout: Duration::from_secs(30),
            max_head_bytes: 16 * 1024,
            write_timeout: Duration::from_secs(30),
            drain_timeout: Duration::from_secs(5),
            shutdown_timeout: Duration::from_secs(3),
        }
    }
}
