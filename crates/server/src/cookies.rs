//! The signed cookie that identifies a browser (a visitor).

use axum::http::{HeaderMap, HeaderValue, header};
use axum_extra::extract::cookie::{Cookie, SameSite, SignedCookieJar};
use sultan_table::Visitor;

use crate::state::AppState;

pub(crate) const VISITOR_COOKIE: &str = "sultan";

/// The visitor in the cookie of a request, if the cookie has a valid signature.
#[must_use]
pub fn visitor(headers: &HeaderMap, state: &AppState) -> Option<Visitor> {
    if !headers.contains_key(header::COOKIE) {
        return None;
    }
    let jar = SignedCookieJar::from_headers(headers, state.0.key.clone());
    jar.get(VISITOR_COOKIE)?.value().parse().ok()
}

/// The cookie that identifies a visitor. Add it to a response.
pub fn visitor_cookie(state: &AppState, headers: &HeaderMap, visitor: &Visitor) -> SignedCookieJar {
    let cookie = Cookie::build((VISITOR_COOKIE, visitor.reveal()))
        .http_only(true)
        .same_site(SameSite::Lax)
        .path("/")
        .secure(is_https(state, headers))
        .permanent();
    SignedCookieJar::new(state.0.key.clone()).add(cookie)
}

/// Returns whether the browser used https, according to a trusted proxy.
#[must_use]
pub fn is_https(state: &AppState, headers: &HeaderMap) -> bool {
    let is_https = |scheme: &HeaderValue| scheme.as_bytes().eq_ignore_ascii_case(b"https");
    state.config().trust_proxy && headers.get("x-forwarded-proto").is_some_and(is_https)
}
