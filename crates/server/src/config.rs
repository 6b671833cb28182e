//! What may be set, and what is right for most.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::time::Duration;

/// How the server behaves.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many requests are answered; nothing where there is no limit.
    pub rates: Option<RateLimits>,
    /// Whether a proxy in front says who asks, and whether that was by https.
    pub trust_proxy: bool,
    /// Where other devices of the network reach this server; nothing where they do not, or where nobody knows.
    pub network: Option<SocketAddr>,
    /// Whether requests are counted and timed.
    pub metrics: bool,
    /// The most bytes of a body.
    pub body: usize,
    /// So long a body may take to arrive.
    pub body_time: Duration,
    /// After so long without news, a stream says that it is still there.
    pub keep_alive: Duration,
    /// What connections may do.
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

/// So many at once, and then one more each time.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// How many at once.
    pub burst: NonZeroU32,
    /// How long until one more is allowed.
    pub one_per: Duration,
}

impl Rate {
    const fn new(burst: u32, one_per: Duration) -> Self {
        let burst = NonZeroU32::new(burst).expect("not zero");
        Self { burst, one_per }
    }
}

/// How many requests are answered.
///
/// A family that plays behind one address, each with several pages open, stays far below.
#[derive(Clone, Copy, Debug)]
pub struct RateLimits {
    /// From one address (of the sixth version: from one network).
    pub per_address: Rate,
    /// With one token.
    pub per_token: Rate,
    /// Tables, promises and rematches asked for from one address: these are kept, and so cost more.
    pub opening: Rate,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self {
            per_address: Rate::new(600, Duration::from_millis(10)),
            per_token: Rate::new(200, Duration::from_millis(50)),
            opening: Rate::new(60, Duration::from_secs(3)),
        }
    }
}

/// What connections may do.
#[derive(Clone, Copy, Debug)]
pub struct Connections {
    /// How many there may be.
    pub all: usize,
    /// How many there may be from one address; nothing where there is no limit.
    pub per_address: Option<usize>,
    /// So long the head of a request may take to arrive; an idle connection is closed after as long.
    pub head_time: Duration,
    /// The most bytes of a request's head.
    pub head: usize,
    /// So long a client may take no byte of what it is sent.
    pub write_time: Duration,
    /// So long after the last byte was sent, a client may still be sending what nobody reads.
    pub linger: Duration,
    /// So long connections have to end when the server stops.
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
