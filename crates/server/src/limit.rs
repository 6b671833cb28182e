//! Rate limits (throttling) per address and token. The default limits are in `config`.
//!
//! A hash with a random key assigns every address and every token to one of a fixed number of buckets, each of which
//! counts requests. So an attacker with many addresses or tokens cannot use up the memory. Two clients in one bucket
//! share its limit: it is unlikely that a client shares its bucket with an attacker, and a restart assigns all clients
//! to other buckets.

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
/// Memory of unused buckets is freed only if more buckets than this are in memory. A bucket is unused once its whole
/// burst is allowed again.
const MAX_IDLE_BUCKETS: usize = 1 << 14;

type Buckets = RateLimiter<u16, HashMapStateStore<u16>, DefaultClock>;

pub(crate) struct Limits {
    addresses: Buckets,
    tokens: Buckets,
    opening_tables: Buckets,
    hash: RandomState,
}

fn buckets(rate: Rate) -> Buckets {
    // `with_period` returns `None` for an interval of zero.
    let quota = Quota::with_period(rate.interval).unwrap_or(Quota::per_second(rate.burst));
    RateLimiter::hashmap(quota.allow_burst(rate.burst))
}

impl Limits {
    pub(crate) fn new(rates: &RateLimits) -> Self {
        Self {
            addresses: buckets(rates.per_address),
            tokens: buckets(rates.per_token),
            opening_tables: buckets(rates.opening_tables),
            hash: RandomState::new(),
        }
    }

    /// Counts a request, under its address and under its token, if it has one.
    pub(crate) fn count_request(&self, address: IpAddr, token: Option<&HeaderValue>) -> Result<(), WebError> {
        self.count(&self.addresses, network(address))?;
        token.map_or(Ok(()), |token| self.count(&self.tokens, token.as_bytes()))
    }

    /// Counts a request that opens a table (by any route) or stores a commitment.
    pub(crate) fn count_opening(&self, address: IpAddr) -> Result<(), WebError> {
        self.count(&self.opening_tables, network(address))
    }

    fn count(&self, buckets: &Buckets, key: impl Hash) -> Result<(), WebError> {
        let bucket = u16::try_from(self.hash.hash_one(key) % BUCKETS).unwrap_or_default();
        let check = buckets.check_key(&bucket);
        check.map_err(|exceeded| WebError::too_many(exceeded.wait_time_from(buckets.clock().now())))
    }

    /// Frees the memory of unused buckets.
    pub(crate) fn drop_idle_buckets(&self) {
        for buckets in [&self.addresses, &self.tokens, &self.opening_tables] {
            if buckets.len() > MAX_IDLE_BUCKETS {
                buckets.retain_recent();
                buckets.shrink_to_fit();
            }
        }
    }
}

/// The unit that counts as one address: for IPv6 the first 64 bits, which a provider usually assigns to one customer.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() & !u128::from(u64::MAX)).into()),
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::time::Duration;

    use super::*;

    #[test]
    fn requests_after_the_burst_are_rejected_for_each_limit() {
        let rate = |burst| Rate { burst: NonZeroU32::new(burst).unwrap(), interval: Duration::from_mins(1) };
        let limits = Limits::new(&RateLimits { per_address: rate(3), per_token: rate(2), opening_tables: rate(1) });
        let ana = IpAddr::from([10, 0, 0, 1]);
        assert!((0..3).all(|_| limits.count_request(ana, None).is_ok()));
        assert_eq!(limits.count_request(ana, None).unwrap_err().status(), 429);
        assert!(limits.count_opening(ana).is_ok());
        assert!(limits.count_opening(ana).is_err());
        // The limit of a token counts requests from different addresses.
        let token = HeaderValue::from_static("Bearer x");
        let address = |last_byte| IpAddr::from([10, 0, 1, last_byte]);
        assert!((0..2).all(|last_byte| limits.count_request(address(last_byte), Some(&token)).is_ok()));
        assert!(limits.count_request(address(3), Some(&token)).is_err());
    }

    #[test]
    fn requests_from_many_addresses_use_at_most_the_fixed_number_of_buckets() {
        let limits = Limits::new(&RateLimits::default());
        for number in 0..300_000_u32 {
            let _ = limits.count_request(IpAddr::from(number.to_be_bytes()), None);
        }
        assert!(limits.addresses.len() as u64 <= BUCKETS);
    }

    #[test]
    fn buckets_of_idle_clients_are_dropped() {
        let rate = Rate { burst: NonZeroU32::MAX, interval: Duration::from_nanos(1) };
        let limits = Limits::new(&RateLimits { per_address: rate, per_token: rate, opening_tables: rate });
        for number in 0..300_000_u32 {
            limits.count_request(IpAddr::from(number.to_be_bytes()), None).unwrap();
        }
        assert!(limits.addresses.len() > MAX_IDLE_BUCKETS);
        // With this rate, a bucket is unused one nanosecond after its last request.
        std::thread::sleep(Duration::from_millis(5));
        limits.drop_idle_buckets();
        assert_eq!(limits.addresses.len(), 0);
    }

    #[test]
    fn addresses_of_one_ipv6_network_share_a_limit() {
        let share_a_limit = |left: &str, right: &str| network(left.parse().unwrap()) == network(right.parse().unwrap());
        assert!(share_a_limit("2001:db8::1", "2001:db8::ffff:1"));
        assert!(!share_a_limit("2001:db8::1", "2001:db8:0:1::1"));
        assert!(share_a_limit("::ffff:10.0.0.1", "10.0.0.1"));
        assert!(!share_a_limit("10.0.0.2", "10.0.0.1"));
    }
}
