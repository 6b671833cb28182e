//! Runs around every route: rate limits, metrics, and the headers that keep browsers safe.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::measure;
use crate::serve::Peer;
use crate::state::AppState;

/// Headers of every response, unless the route sets another value.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'")),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// Checks the rate limit of a request, measures it, and sets the headers of its response. One function instead of
/// several layers, because that is faster, and every action of a player passes through here.
pub(crate) async fn middleware(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let is_measured = state.config().metrics_enabled || tracing::enabled!(tracing::Level::DEBUG);
    // The log and the metrics name the route, and not the path, which may contain a token.
    let route_method_and_start = is_measured.then(|| {
        let route = request.extensions().get::<MatchedPath>().cloned();
        (route, request.method().clone(), Instant::now())
    });
    let address = client_address(&state, request.extensions(), request.headers());
    let within_limit = state.limit_request(address, request.headers().get(header::AUTHORIZATION));
    let mut response = match within_limit {
        Ok(()) => next.run(request).await,
        Err(error) => error.for_anyone().into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(value);
    }
    if let Some((route, method, started)) = route_method_and_start {
        let route = route.as_ref().map_or("none", MatchedPath::as_str);
        let (status, took) = (response.status(), started.elapsed());
        tracing::debug!(%method, route, status = status.as_u16(), ?took, "request");
        if state.config().metrics_enabled {
            measure::count_request(&method, route, status, took);
        }
    }
    response
}

/// The client's address for rate limits: the address that a trusted proxy reports, otherwise the address of the
/// connection.
pub(crate) fn client_address(state: &AppState, extensions: &Extensions, headers: &HeaderMap) -> IpAddr {
    let forwarded = || {
        let addresses = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        // The trusted proxy has appended the last address. A client can forge the addresses before it.
        addresses.rsplit(',').next()?.trim().parse().ok()
    };
    let forwarded = if state.config().trust_proxy { forwarded() } else { None };
    let peer = || extensions.get::<Peer>().map(|peer| peer.0);
    // Requests of tests may have no connection.
    forwarded.or_else(peer).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}
