//! Extracts caller, table and body from a request. Every error is a [`WebError`].

use std::convert::Infallible;
use std::str::FromStr;

use axum::body::Body;
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, FromRequest, FromRequestParts, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use serde::de::{DeserializeOwned, IgnoredAny};
use sultan_domain::{Seat, TableId};
use sultan_table::{Caller, Rejection, Visitor};

use crate::cookies::visitor;
use crate::error::WebError;
use crate::state::AppState;

/// A request about a table, with its caller.
pub struct TableRequest {
    /// The table in the path.
    pub table: TableId,
    /// The caller, from the token if the request has a token, otherwise from the cookie.
    pub caller: Result<Caller, WebError>,
    /// The browser identified by the cookie, even if a token was sent too.
    pub visitor: Option<Visitor>,
    /// The seat in `?seat=n`, for a browser that has several seats at the table.
    pub seat: Option<Seat>,
}

impl TableRequest {
    /// The caller, for routes that need no seat.
    ///
    /// # Errors
    /// The token or cookie is not accepted. If the table is unknown too, the error is about the table.
    pub async fn caller_or_spectator(&self, state: &AppState) -> Result<Caller, WebError> {
        match self.caller.clone() {
            Ok(caller) => Ok(caller),
            Err(error) => Err(self.first_error(state, error).await),
        }
    }

    /// The caller and the body, for routes that need a seat.
    ///
    /// # Errors
    /// The first error in the order of the API contract: the table, then the caller, then the body.
    pub async fn caller_and_body<T>(
        &self,
        state: &AppState,
        body: Result<T, WebError>,
    ) -> Result<(Caller, T), WebError> {
        match (self.caller_with_seat(), body) {
            (Ok(caller), Ok(body)) => Ok((caller, body)),
            (Err(error), _) | (_, Err(error)) => Err(self.first_error(state, error).await),
        }
    }

    /// The caller; an error for a spectator.
    fn caller_with_seat(&self) -> Result<Caller, WebError> {
        match self.caller.clone()? {
            Caller::Spectator => Err(Rejection::NoToken.into()),
            caller => Ok(caller),
        }
    }

    /// The first error of this request in the order of the API contract; `error` if the table and the caller are
    /// accepted.
    async fn first_error(&self, state: &AppState, error: WebError) -> WebError {
        let service = state.service();
        if let Err(table_error) = service.observe(self.table, &Caller::Spectator).await {
            return table_error.into();
        }
        match self.caller_with_seat() {
            Ok(caller) => service.observe(self.table, &caller).await.map_or_else(WebError::from, |_| error),
            Err(caller_error) => caller_error,
        }
    }
}

impl FromRequestParts<AppState> for TableRequest {
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, WebError> {
        let table = path_param(parts, "id").await.ok_or(Rejection::NoSuchTable)?;
        let visitor = visitor(&parts.headers, state);
        let seat = requested_seat(&parts.uri);
        let caller = caller(parts, visitor, seat.clone());
        // A number that is not a seat is an error of a caller that the cookie identifies. Other callers do not need it.
        Ok(Self { table, caller, visitor, seat: seat.unwrap_or_default() })
    }
}

/// A request about a seat of a table.
pub(crate) struct SeatRequest {
    pub(crate) table: TableRequest,
    /// The seat in the path; an error if no table has a seat with this number.
    pub(crate) seat: Result<Seat, WebError>,
}

impl FromRequestParts<AppState> for SeatRequest {
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, WebError> {
        let seat = path_param(parts, "n").await.and_then(Seat::new).ok_or(Rejection::NoSuchSeat.into());
        Ok(Self { table: TableRequest::from_request_parts(parts, state).await?, seat })
    }
}

/// The browser (visitor) that has sent the request, if its cookie is valid. A request with a cookie that a page of
/// another site may have sent is rejected.
pub(crate) struct Browser(pub(crate) Option<Visitor>);

impl FromRequestParts<AppState> for Browser {
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, WebError> {
        let visitor = visitor(&parts.headers, state);
        if visitor.is_some() && !is_read_or_same_origin(parts) {
            return Err(WebError::cross_site());
        }
        Ok(Self(visitor))
    }
}

/// A parameter of the path, if it can be parsed.
pub async fn path_param<T: FromStr>(parts: &mut Parts, name: &str) -> Option<T> {
    let params = RawPathParams::from_request_parts(parts, &()).await.ok()?;
    params.iter().find(|(key, _)| *key == name)?.1.parse().ok()
}

/// The caller, identified by the token, else by the cookie with the requested `seat`, else a spectator.
fn caller(parts: &Parts, visitor: Option<Visitor>, seat: Result<Option<Seat>, WebError>) -> Result<Caller, WebError> {
    if let Some(value) = parts.headers.get(header::AUTHORIZATION) {
        let token = value.to_str().ok().and_then(bearer).and_then(|token| token.parse().ok());
        return token.map(Caller::Token).ok_or_else(WebError::malformed_token);
    }
    let Some(visitor) = visitor else { return Ok(Caller::Spectator) };
    if !is_read_or_same_origin(parts) {
        return Err(WebError::cross_site());
    }
    Ok(Caller::Visitor { visitor, seat: seat? })
}

/// The token in an `Authorization` header.
fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// The seat in `?seat=n`.
///
/// # Errors
/// A number that is not a seat.
pub fn requested_seat(uri: &Uri) -> Result<Option<Seat>, WebError> {
    let query = uri.query().unwrap_or_default();
    let Some(number) = query.split('&').find_map(|pair| pair.strip_prefix("seat=")) else { return Ok(None) };
    let seat = number.parse().ok().and_then(Seat::new);
    Ok(Some(seat.ok_or(Rejection::WrongToken)?))
}

/// Returns whether a browser's request only reads, or was sent by a page of this site.
///
/// Browsers send cookies also with requests that pages of other sites cause. The header `Sec-Fetch-Site` shows whether
/// the page belongs to this site; older browsers send only the page's address in `Origin`.
#[must_use]
pub fn is_read_or_same_origin(parts: &Parts) -> bool {
    if matches!(parts.method, Method::GET | Method::HEAD) {
        return true;
    }
    if let Some(site) = parts.headers.get("sec-fetch-site") {
        return site == "same-origin";
    }
    is_own_origin(&parts.headers)
}

/// Returns whether a page of this site has sent the request, according to the headers `Origin` and `Host`.
#[must_use]
pub fn is_own_origin(headers: &HeaderMap) -> bool {
    let header_text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let (Some(origin), Some(host)) = (header_text(header::ORIGIN), header_text(header::HOST)) else { return false };
    origin.split_once("://").is_some_and(|(_scheme, address)| address.eq_ignore_ascii_case(host))
}

/// The body of a request, parsed from JSON, or the error to answer with. An empty body counts as `{}`.
pub(crate) struct JsonBody<T>(pub(crate) Result<T, WebError>);

impl<T: DeserializeOwned> FromRequest<AppState> for JsonBody<T> {
    type Rejection = Infallible;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Infallible> {
        Ok(Self(read_json_body(request, state).await))
    }
}

async fn read_json_body<T: DeserializeOwned>(request: Request, state: &AppState) -> Result<T, WebError> {
    let (parts, body) = request.into_parts();
    let bytes = read_body(&parts.headers, body, state).await?;
    if bytes.is_empty() {
        return parse_json(b"{}");
    }
    if !is_json(&parts.headers) {
        let detail = "the body must be JSON, sent as “Content-Type: application/json”";
        return Err(WebError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "body/not-json", detail));
    }
    parse_json(&bytes)
}

/// Reads a whole body.
///
/// # Errors
/// The body is too long, arrives too slowly, or is incomplete.
pub async fn read_body(headers: &HeaderMap, body: Body, state: &AppState) -> Result<Bytes, WebError> {
    let limit = state.config().max_body_bytes;
    let too_long = || {
        let detail = format!("a body may have at most {limit} bytes");
        WebError::new(StatusCode::PAYLOAD_TOO_LARGE, "body/too-long", detail)
    };
    let declared_length =
        headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if declared_length.is_some_and(|bytes| bytes > limit as u64) {
        return Err(too_long());
    }
    match tokio::time::timeout(state.config().body_timeout, Limited::new(body, limit).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => Err(too_long()),
        Ok(Err(_)) => Err(WebError::new(StatusCode::BAD_REQUEST, "body/broken", "the body could not be read")),
        Err(_) => Err(WebError::new(StatusCode::REQUEST_TIMEOUT, "body/too-slow", "the body arrived too slowly")),
    }
}

/// Reads the fields of a form that a page has sent.
///
/// # Errors
/// As [`read_body`]; also if the body is not a form, or has other fields.
pub async fn read_form<T: DeserializeOwned>(parts: Parts, body: Body, state: &AppState) -> Result<T, WebError> {
    let bytes = read_body(&parts.headers, body, state).await?;
    let request = Request::from_parts(parts, Body::from(bytes));
    let parse_error = |error| match error {
        FormRejection::InvalidFormContentType(_) => {
            WebError::new(StatusCode::BAD_REQUEST, "body/malformed", "the body is not a form")
        }
        error => WebError::new(StatusCode::UNPROCESSABLE_ENTITY, "body/wrong-shape", error.to_string()),
    };
    Form::from_request(request, state).await.map(|Form(form)| form).map_err(parse_error)
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    content_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

pub(crate) fn parse_json<T: DeserializeOwned>(json: &[u8]) -> Result<T, WebError> {
    let wrong_shape = |detail: String| WebError::new(StatusCode::UNPROCESSABLE_ENTITY, "body/wrong-shape", detail);
    let parse_error = |error: serde_json::Error| {
        if error.is_data() {
            return wrong_shape(error.to_string());
        }
        WebError::new(StatusCode::BAD_REQUEST, "body/malformed", format!("the body is not JSON: {error}"))
    };
    if json.trim_ascii_start().starts_with(b"[") {
        // serde would accept a list with the fields of a struct in order.
        return Err(serde_json::from_slice::<IgnoredAny>(json)
            .map_or_else(parse_error, |_| wrong_shape("the body must be an object, not a list".to_owned())));
    }
    serde_json::from_slice(json).map_err(parse_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request to `/x?a=b&seat=3`.
    fn parts(method: &str, headers: &[(&str, &str)]) -> Parts {
        let mut request = Request::builder().method(method).uri("/x?a=b&seat=3");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).unwrap().into_parts().0
    }

    #[test]
    fn post_is_accepted_only_from_a_page_of_this_site() {
        let is_accepted = |headers: &[(&str, &str)]| is_read_or_same_origin(&parts("POST", headers));
        assert!(is_accepted(&[("sec-fetch-site", "same-origin")]));
        assert!(is_accepted(&[("origin", "http://Sultan.example:8080"), ("host", "sultan.example:8080")]));
        for rejected_headers in [
            &[][..],
            &[("host", "sultan.example")],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "same-site"), ("origin", "http://a.b"), ("host", "a.b")],
            &[("sec-fetch-site", "none")],
            &[("origin", "null"), ("host", "a.b")],
            &[("origin", "http://evil.example"), ("host", "a.b")],
            &[("origin", "http://a.b:81"), ("host", "a.b")],
        ] {
            assert!(!is_accepted(rejected_headers), "{rejected_headers:?}");
        }
        assert!(is_read_or_same_origin(&parts("GET", &[])), "a request that only reads is always accepted");
    }

    #[test]
    fn own_origin_has_the_address_of_the_host_header() {
        let has_own_origin = |headers: &[(&str, &str)]| is_own_origin(&parts("GET", headers).headers);
        assert!(has_own_origin(&[("origin", "http://sultan.example:8080"), ("host", "Sultan.example:8080")]));
        for rejected_headers in [
            &[][..],
            &[("host", "a.b")],
            &[("origin", "null"), ("host", "a.b")],
            &[("origin", "http://e.v"), ("host", "a.b")],
        ] {
            assert!(!has_own_origin(rejected_headers), "{rejected_headers:?}");
        }
    }

    #[test]
    fn requested_seat_and_bearer_token_are_parsed() {
        // The query is `a=b&seat=3`.
        assert_eq!(requested_seat(&parts("GET", &[]).uri), Ok(Seat::new(3)));
        assert_eq!(bearer("Bearer abc"), Some("abc"));
        assert_eq!(bearer("bearer  abc "), Some("abc"));
        assert_eq!(bearer("Basic abc"), None);
        assert_eq!(bearer("abc"), None);
    }
}
