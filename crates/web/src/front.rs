//! What every request meets first, and every answer last: limits, counts, and the headers that keep browsers safe.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;

use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::error::WebError;
use crate::guest::Guest;
use crate::measure;
use crate::routes::pages;
use crate::serve::Peer;
use crate::state::AppState;

/// On every answer, unless the route says otherwise.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'")),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// One function instead of many layers: this is on the way of every move.
pub(crate) async fn front(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let watched = state.config().metrics || tracing::enabled!(tracing::Level::DEBUG);
    // The route and not the path: there may be a token in the path.
    let seen = watched.then(|| {
        let route = request.extensions().get::<MatchedPath>().cloned();
        (route, request.method().clone(), Instant::now())
    });
    let limited = match &state.0.limits {
        Some(limits) => limits.request(address(&state, request.extensions(), request.headers()), request.headers()),
        None => Ok(()),
    };
    let mut response = match limited {
        Ok(()) => next.run(request).await,
        Err(error) => limited_answer(&state, request, error).await,
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(value);
    }
    if let Some((route, method, begun)) = seen {
        let route = route.as_ref().map_or("none", MatchedPath::as_str);
        let (status, took) = (response.status(), begun.elapsed());
        tracing::debug!(%method, route, status = status.as_u16(), ?took, "request");
        if state.config().metrics {
            measure::request(&method, route, status, took);
        }
    }
    response
}

/// Why a request is not answered, to whoever asked: people are told in their language.
async fn limited_answer(state: &AppState, request: Request, error: WebError) -> Response {
    let (mut parts, _) = request.into_parts();
    let Ok(guest) = Guest::from_request_parts(&mut parts, state).await;
    // Not compressed: those who ask too often shall not cost more than others.
    parts.headers.remove(header::ACCEPT_ENCODING);
    pages::told(guest, parts.headers, error)
}

/// Where a request comes from.
pub(crate) fn address(state: &AppState, extensions: &Extensions, headers: &HeaderMap) -> IpAddr {
    let forwarded = || {
        let all = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        // The proxy in front of us has added the last; whatever stands before it, anybody can write.
        all.rsplit(',').next()?.trim().parse().ok()
    };
    let said = if state.config().trust_proxy { forwarded() } else { None };
    let peer = || extensions.get::<Peer>().map(|peer| peer.0);
    said.or_else(peer).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))
}
