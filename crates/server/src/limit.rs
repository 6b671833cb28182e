//! Rate limits (throttling) per address and token. The default limits are in `config`.
//!
//! Addresses and tokens are mapped to a fixed number of buckets by a hash with a random key, so that a flood of
//! different addresses or tokens needs no more memory than the buckets. Two clients in one bucket share its limit;
//! sharing a bucket with a flooder is unlikely, and ends with a restart of the program.

use std::hash::{BuildHasher, Hash, RandomState};
use std::net::IpAddr;

use axum::http::HeaderValue;
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::config::{Rate, RateLimits};
use crate::error::WebError;

/// Buckets per limit.
const BUCKETS: u64 = 1 << 16;
/// If more buckets than this are in use, refilled buckets are dropped.
const MAX_IDLE_BUCKETS: usize = 1 << 14;

type Buckets = RateLimiter<u16, HashMapStateStore<u16>, DefaultClock>;

pub(crate) struct Limits {
    addresses: Buckets,
    tokens: Buckets,
    opening: Buckets,
    hash: RandomState,
    clock: DefaultClock,
}

fn buckets(rate: Rate) -> Buckets {
    let quota = Quota::with_period(rate.one_per).unwrap_or(Quota::per_second(rate.burst));
    RateLimiter::hashmap(quota.allow_burst(rate.burst))
}

impl Limits {
    pub(crate) fn new(rates: &RateLimits) -> Self {
        Self {
            addresses: buckets(rates.per_address),
            tokens: buckets(rates.per_token),
            opening: buckets(rates.opening),
            hash: RandomState::new(),
            clock: DefaultClock::default(),
        }
    }

    /// Counts a request, under its address and under its token, if it has one.
    pub(crate) fn count_request(&self, address: IpAddr, token: Option<&HeaderValue>) -> Result<(), WebError> {
        self.count(&self.addresses, network(address))?;
        token.map_or(Ok(()), |token| self.count(&self.tokens, token.as_bytes()))
    }

    /// Counts a request for a table (by any route) or a commitment.
    pub(crate) fn count_opening(&self, address: IpAddr) -> Result<(), WebError> {
        self.count(&self.opening, network(address))
    }

    fn count(&self, buckets: &Buckets, key: impl Hash) -> Result<(), WebError> {
        let bucket = u16::try_from(self.hash.hash_one(key) % BUCKETS).unwrap_or_default();
        let check = buckets.check_key(&bucket);
        check.map_err(|exceeded| WebError::too_many(exceeded.wait_time_from(self.clock.now())))
    }

    /// Drops buckets that have refilled.
    pub(crate) fn drop_idle_buckets(&self) {
        for buckets in [&self.addresses, &self.tokens, &self.opening] {
            if buckets.len() > MAX_IDLE_BUCKETS {
                buckets.retain_recent();
                buckets.shrink_to_fit();
            }
        }
    }
}

/// The unit that counts as one address: for IPv6 the network usually assigned to one customer.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let network = v6.to_bits() & !u128::from(u64::MAX);
            IpAddr::V6(network.into())
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::time::Duration;

    use super::*;

    #[test]
    fn requests_after_a_burst_are_rejected() {
        let rate = |burst| Rate { burst: NonZeroU32::new(burst).unwrap(), one_per: Duration::from_mins(1) };
        let limits = Limits::new(&RateLimits { per_address: rate(3), per_token: rate(2), opening: rate(1) });
        let ana = IpAddr::from([10, 0, 0, 1]);
        assert!((0..3).all(|_| limits.count_request(ana, None).is_ok()));
        assert_eq!(limits.count_request(ana, None).unwrap_err().status(), 429);
        assert!(limits.count_opening(ana).is_ok());
        assert!(limits.count_opening(ana).is_err());
        let token = HeaderValue::from_static("Bearer x");
        let address = |last| IpAddr::from([10, 0, 1, last]);
        assert!((0..2).all(|last| limits.count_request(address(last), Some(&token)).is_ok()));
        assert!(limits.count_request(address(3), Some(&token)).is_err());
    }

    #[test]
    fn a_flood_of_addresses_takes_bounded_memory() {
        let limits = Limits::new(&RateLimits::default());
        for number in 0..300_000_u32 {
            let _ = limits.count_request(IpAddr::from(number.to_be_bytes()), None);
        }
        assert!(limits.addresses.len() <= 1 << 16);
    }

    #[test]
    fn idle_clients_are_removed_from_the_limiter() {
        let rate = Rate { burst: NonZeroU32::MAX, one_per: Duration::from_nanos(1) };
        let limits = Limits::new(&RateLimits { per_address: rate, per_token: rate, opening: rate });
        for number in 0..300_000_u32 {
            limits.count_request(IpAddr::from(number.to_be_bytes()), None).unwrap();
        }
        assert!(limits.addresses.len() > MAX_IDLE_BUCKETS);
        std::thread::sleep(Duration::from_millis(5));
        limits.drop_idle_buckets();
        assert_eq!(limits.addresses.len(), 0);
    }

    #[test]
    fn addresses_of_one_network_share_a_limit() {
        let same = |left: &str, right: &str| network(left.parse().unwrap()) == network(right.parse().unwrap());
        assert!(same("2001:db8::1", "2001:db8::ffff:1"));
        assert!(!same("2001:db8::1", "2001:db8:0:1::1"));
        assert!(same("::ffff:10.0.0.1", "10.0.0.1"));
        assert!(!same("10.0.0.2", "10.0.0.1"));
    }
}
