//! The scheme and host in links that people open on other devices.

use std::net::IpAddr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, header};
use sultan_server::AppState;
use sultan_server::cookies::is_https;

/// The scheme and host in links that people open on other devices.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The start of all links, such as `https://sultan.example`.
    pub(crate) address: String,
    /// Whether the host is a loopback address, which works only on this machine.
    pub(crate) is_local: bool,
}

impl Origin {
    /// The origin with the host name that this browser used. Other devices cannot reach a loopback address, so the
    /// origin has this machine's network address instead, if it is known.
    pub(crate) fn of(state: &AppState, headers: &HeaderMap) -> Self {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let is_local = is_loopback(host);
        if let Some(network) = state.config().lan_address.filter(|_| is_local) {
            return Self { address: format!("http://{network}"), is_local: false };
        }
        let scheme = if is_https(state, headers) { "https" } else { "http" };
        Self { address: format!("{scheme}://{host}"), is_local }
    }
}

/// Returns whether a `Host` header, with or without a port, is a loopback address or `localhost`.
fn is_loopback(host: &str) -> bool {
    let authority = host.parse::<Authority>();
    let name = authority.as_ref().map_or("", Authority::host).trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn localhost_and_loopback_addresses_are_loopback_hosts() {
        for local in ["localhost", "LOCALHOST:8080", "127.0.0.1:8080", "127.1.2.3", "[::1]:8080", "[::1]"] {
            assert!(is_loopback(local), "{local}");
        }
        for other in ["", "sultan.example", "192.168.1.2:8080", "localhost.example", "[2001:db8::1]:80", "127.0.0.1.x"]
        {
            assert!(!is_loopback(other), "{other}");
        }
    }
}
