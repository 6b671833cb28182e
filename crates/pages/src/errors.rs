//! Shows errors to people: a page for browsers, one sentence for the page's own script, both in the reader's language.
//!
//! Routes return [`PageError`], or a [`WebError`] if programs use them too. [`render_errors`] is the outermost layer; it finds the
//! error in the response's extensions and replaces `application/problem+json` where a person reads it.

use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sultan_server::response::json;
use sultan_server::{Audience, WebError};
use sultan_table::{Rejection, ServiceError};

use crate::display::DisplaySettings;
use crate::html::layout::answer;
use crate::html::problem::{problem, sentence};

/// An error on a page's route: people read it.
pub(crate) struct PageError(pub(crate) WebError);

impl From<WebError> for PageError {
    fn from(error: WebError) -> Self {
        Self(error)
    }
}

impl From<ServiceError> for PageError {
    fn from(trouble: ServiceError) -> Self {
        Self(trouble.into())
    }
}

impl From<Rejection> for PageError {
    fn from(refused: Rejection) -> Self {
        Self(refused.into())
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        self.0.for_person().into_response()
    }
}

/// The parts of a request that decide how its error is shown.
struct RequestHead {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
}

/// Replaces the errors that people read.
pub(crate) async fn render_errors(request: Request, next: Next) -> Response {
    // Programs that play get no page: this is on the way of every move.
    if request.uri().path().starts_with("/api/") && !is_script(request.headers()) && !accepts_html(request.headers()) {
        return next.run(request).await;
    }
    let head = RequestHead {
        method: request.method().clone(),
        uri: request.uri().clone(),
        headers: request.headers().clone(),
    };
    let mut response = next.run(request).await;
    let Some(error) = response.extensions_mut().remove::<WebError>() else { return response };
    match error.audience() {
        Audience::Program => response,
        Audience::Person | Audience::Anyone if is_script(&head.headers) => {
            replace(response, sentence_for_script(&head, &error))
        }
        Audience::Anyone if !accepts_html(&head.headers) => response,
        Audience::Person | Audience::Anyone => replace(response, error_page(head, &error)),
    }
}

fn error_page(mut head: RequestHead, error: &WebError) -> Response {
    let display = DisplaySettings::new(&head.method, &head.uri, &head.headers);
    if error.status() == StatusCode::TOO_MANY_REQUESTS {
        // Compression costs time: those who ask too often shall not cost more than others.
        head.headers.remove(header::ACCEPT_ENCODING);
    }
    answer(error.status(), &head.headers, problem(&display, error))
}

/// What the page's script shows.
fn sentence_for_script(head: &RequestHead, error: &WebError) -> Response {
    #[derive(Serialize)]
    struct Problem<'a> {
        code: &'a str,
        sentence: String,
    }
    let text = DisplaySettings::new(&head.method, &head.uri, &head.headers).text;
    json(error.status(), &Problem { code: error.code(), sentence: sentence(text, error) })
}

/// The new response, with the other headers of the old one.
fn replace(old: Response, mut new: Response) -> Response {
    let (mut parts, _) = old.into_parts();
    // It tells programs how to authenticate; people follow the page.
    parts.headers.remove(header::WWW_AUTHENTICATE);
    parts.headers.extend(std::mem::take(new.headers_mut()));
    *new.headers_mut() = parts.headers;
    new
}

/// Whether the page's script asks, which needs no page in return.
pub(crate) fn is_script(headers: &HeaderMap) -> bool {
    headers.get("x-sultan").is_some_and(|value| value == "live")
}

/// Whether the client wants a page, as browsers do.
fn accepts_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted
        .flat_map(|value| value.split(','))
        .any(|kind| kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/html"))
}
