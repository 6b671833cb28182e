//! Shows errors to people: a page for browsers, one sentence for the page's own script, both in the reader's language.
//!
//! Routes return a [`WebError`], and [`mark_error_for_people`] marks the errors of pages. [`render_errors`] is the
//! outermost layer. It takes the error out of the response's extensions and, if a person reads the response, replaces
//! the `application/problem+json` body.

use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use serde_json::json;
use sultan_server::{Audience, WebError, response};

use crate::browser::{Browser, is_from_script};
use crate::html::problem::{problem, sentence};

/// Marks the error in a page's response, if there is one, as read by people.
pub(crate) async fn mark_error_for_people(mut response: Response) -> Response {
    if let Some(error) = response.extensions_mut().remove::<WebError>() {
        response.extensions_mut().insert(error.for_person());
    }
    response
}

/// Replaces an error that a person reads: by an error page, or for the page's script by a sentence. If both people and
/// programs may read it (`Audience::Anyone`), the client gets a page if it accepts HTML.
pub(crate) async fn render_errors(request: Request, next: Next) -> Response {
    let (is_from_script, accepts_html) = (is_from_script(request.headers()), accepts_html(request.headers()));
    // API clients get no page. Skip the work below for them: each of their requests passes through this layer.
    if request.uri().path().starts_with("/api/") && !is_from_script && !accepts_html {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    // Error pages do not depend on the visitor.
    let browser = Browser::new(&parts, None);
    let mut response = next.run(Request::from_parts(parts, body)).await;
    let Some(error) = response.extensions_mut().remove::<WebError>() else { return response };
    match error.audience() {
        Audience::Program => response,
        Audience::Person | Audience::Anyone if is_from_script => {
            with_headers_of(response, sentence_for_script(&browser, &error))
        }
        Audience::Anyone if !accepts_html => response,
        Audience::Person | Audience::Anyone => with_headers_of(response, error_page(browser, &error)),
    }
}

/// The page that shows an error to people.
fn error_page(mut browser: Browser, error: &WebError) -> Response {
    if error.status() == StatusCode::TOO_MANY_REQUESTS {
        // Compression costs CPU time, which a client over the rate limit must not use up.
        browser.headers.remove(header::ACCEPT_ENCODING);
    }
    browser.page_with(error.status(), problem(&browser.display(), error))
}

/// The error as JSON for the page's script, with a sentence to show.
fn sentence_for_script(browser: &Browser, error: &WebError) -> Response {
    let sentence = sentence(browser.display().text, error);
    response::json(error.status(), &json!({"code": error.code(), "sentence": sentence}))
}

/// Adds the headers of the original response to its replacement. If both have a header, the replacement keeps its own.
fn with_headers_of(original: Response, mut replacement: Response) -> Response {
    let (mut parts, _) = original.into_parts();
    // `WWW-Authenticate` tells programs how to authenticate. People follow the links of the page instead.
    parts.headers.remove(header::WWW_AUTHENTICATE);
    parts.headers.extend(std::mem::take(replacement.headers_mut()));
    *replacement.headers_mut() = parts.headers;
    replacement
}

/// Returns whether the client accepts HTML, as browsers do.
fn accepts_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted
        .flat_map(|value| value.split(','))
        .any(|range| range.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/html"))
}
