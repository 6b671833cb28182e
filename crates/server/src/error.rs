//! The error type of all routes. Its response is `application/problem+json` (RFC 9457).
//!
//! [`WebError::from`] converts a [`ServiceError`] or [`Rejection`] of `sultan-table`; the constructors here are for
//! errors of the request itself. Internal causes are logged here, once, and never sent.

use std::borrow::Cow;
use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sultan_table::{Rejection, ServiceError};
use utoipa::ToSchema;

/// The reader of an error. A layer of `sultan-pages` renders errors for people as pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Audience {
    /// A program: the error stays `application/problem+json`.
    #[default]
    Program,
    /// A person looking at a page.
    Person,
    /// A program or a person: the request's headers decide.
    Anyone,
}

/// An error of a request.
///
/// Its response is `application/problem+json`, with the error itself in the response's extensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebError {
    audience: Audience,
    status: StatusCode,
    code: &'static str,
    detail: Cow<'static, str>,
    /// The number of the rule in docs/rules.md that an illegal action breaks.
    rule: Option<&'static str>,
    /// Seconds until a retry may succeed.
    retry_after: Option<u64>,
}

/// The JSON of an error in the format of RFC 9457.
#[derive(Serialize, ToSchema)]
pub(crate) struct Problem<'a> {
    /// Always `about:blank`: `code` identifies the problem.
    #[serde(rename = "type")]
    kind: &'a str,
    /// The status in words.
    title: &'a str,
    /// The status.
    #[schema(example = 409)]
    status: u16,
    /// The stable code of the problem.
    #[schema(example = "action/not-now")]
    code: &'a str,
    /// The problem in a sentence.
    detail: &'a str,
    /// The number of the rule that an illegal action breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    /// Seconds until a retry, as in `Retry-After`.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after: Option<u64>,
}

impl WebError {
    /// An error with a code for programs and a detail for people.
    pub fn new(status: StatusCode, code: &'static str, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { audience: Audience::Program, status, code, detail: detail.into(), rule: None, retry_after: None }
    }

    /// Unknown path.
    #[must_use]
    pub fn path_not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "path/not-found", "there is nothing at this path")
    }

    /// The path exists, but not for this method.
    pub(crate) fn method_not_allowed() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method/not-allowed", "this path does not support this method")
    }

    /// The `Authorization` header is not a token.
    pub(crate) fn malformed_token() -> Self {
        let detail = "a token is sent as “Authorization: Bearer TOKEN”, and has 64 hexadecimal digits";
        Self::new(StatusCode::UNAUTHORIZED, "token/ill-formed", detail)
    }

    /// The request has a cookie, and a page of another site may have sent it.
    #[must_use]
    pub fn cross_site() -> Self {
        let detail = "with a cookie, only pages of this site may send this request; programs use a seat's token";
        Self::new(StatusCode::FORBIDDEN, "request/cross-site", detail)
    }

    /// Rate limit exceeded.
    pub(crate) fn too_many(wait: Duration) -> Self {
        // Rounded up to a whole second.
        let seconds = wait.as_secs() + 1;
        let detail = format!("too many requests; try again in {seconds} s");
        Self::new(StatusCode::TOO_MANY_REQUESTS, "request/too-many", detail).retry_after(seconds)
    }

    /// The database is down: it does not answer in time.
    pub(crate) fn not_ready() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "server/not-ready", "the database does not answer").retry_after(1)
    }

    /// Too many connections.
    pub(crate) fn too_many_connections() -> Self {
        let detail = "there are too many connections; try again";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "server/connections", detail).retry_after(10)
    }

    /// The error of a request for a record, or for data derived from it. A record contains the server's seed, so before
    /// the end of the game it is forbidden (403), not just a conflict (409).
    #[must_use]
    pub fn secret_until_over(error: ServiceError) -> Self {
        match error {
            ServiceError::Rejected(Rejection::NotOver) => Self { status: StatusCode::FORBIDDEN, ..error.into() },
            error => error.into(),
        }
    }

    /// The error of a request to open a table. If something was not found (a bot, for example), the body of the request
    /// names it and not the path, so the status is 422 instead of 404.
    #[must_use]
    pub fn on_opening(error: ServiceError) -> Self {
        match Self::from(error) {
            error if error.status == StatusCode::NOT_FOUND => {
                Self { status: StatusCode::UNPROCESSABLE_ENTITY, ..error }
            }
            error => error,
        }
    }

    fn retry_after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// The same error for a person looking at a page.
    #[must_use]
    pub fn for_person(self) -> Self {
        Self { audience: Audience::Person, ..self }
    }

    /// The same error for a reader that the request's headers decide.
    #[must_use]
    pub fn for_anyone(self) -> Self {
        Self { audience: Audience::Anyone, ..self }
    }

    /// The reader of the error.
    #[must_use]
    pub fn audience(&self) -> Audience {
        self.audience
    }

    /// The stable code of the problem, as in the API.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The status of the response.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.status
    }
}

impl From<Rejection> for WebError {
    fn from(rejection: Rejection) -> Self {
        let status = match &rejection {
            Rejection::NoSuchTable | Rejection::NoSuchSeat => StatusCode::NOT_FOUND,
            Rejection::NoToken => StatusCode::UNAUTHORIZED,
            Rejection::WrongToken | Rejection::NotHost | Rejection::NoCoach | Rejection::Branch => {
                StatusCode::FORBIDDEN
            }
            Rejection::NotNow { .. }
            | Rejection::NotStarted
            | Rejection::Started
            | Rejection::Over
            | Rejection::NotOver
            | Rejection::NotYourTurn(_)
            | Rejection::Away
            | Rejection::NoSeatFree
            | Rejection::ColourTaken
            | Rejection::SeatEmpty
            | Rejection::NotAbsent(_)
            | Rejection::TooManyLinks
            | Rejection::NoSuchCommitment => StatusCode::CONFLICT,
            Rejection::Illegal(_)
            | Rejection::NoAction(_)
            | Rejection::NoSuchBot(_)
            | Rejection::BadTable(_)
            | Rejection::BadParameters(_)
            | Rejection::BadName(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Rejection::Full | Rejection::CoachBusy => StatusCode::SERVICE_UNAVAILABLE,
        };
        let rule = rejection.rule();
        let retry_after = match rejection {
            Rejection::Full => Some(60),
            Rejection::CoachBusy => Some(1),
            _ => None,
        };
        let error = Self::new(status, rejection.code(), rejection.to_string());
        Self { rule, retry_after, ..error }
    }
}

impl From<ServiceError> for WebError {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Rejected(rejection) => rejection.into(),
            // For example, the database is down.
            ServiceError::Store(error) => {
                tracing::error!(%error, "a request failed");
                let detail = "the server could not do this now; try again (an action at a table is applied only once)";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "server/failed", detail).retry_after(1)
            }
        }
    }
}

impl WebError {
    /// The problem as JSON.
    pub(crate) fn json(&self) -> Vec<u8> {
        let problem = Problem {
            kind: "about:blank",
            title: self.status.canonical_reason().unwrap_or_default(),
            status: self.status.as_u16(),
            code: self.code,
            detail: &self.detail,
            rule: self.rule,
            retry_after: self.retry_after,
        };
        serde_json::to_vec(&problem).expect("a problem can be written as JSON")
    }
}

impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        let content_type = [(header::CONTENT_TYPE, "application/problem+json")];
        let mut response = (self.status, content_type, self.json()).into_response();
        let headers = response.headers_mut();
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_errors_have_retry_after() {
        let too_many = |wait_ms| WebError::too_many(Duration::from_millis(wait_ms));
        for (error, seconds) in [
            (too_many(300), 1),
            (too_many(1_000), 2),
            (too_many(59_900), 60),
            (WebError::not_ready(), 1),
            (Rejection::Full.into(), 60),
            (Rejection::CoachBusy.into(), 1),
        ] {
            let code = error.code();
            let response = error.into_response();
            assert_eq!(response.headers().get(header::RETRY_AFTER), Some(&HeaderValue::from(seconds)), "{code}");
        }
    }
}
