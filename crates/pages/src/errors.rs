//! Shows errors to people: a page for browsers, one sentence for the page's own script, both in the reader's language.
//!
//! Routes return a [`WebError`], and [`address_to_people`] marks those of pages. [`render_errors`] is the outermost
//! layer; it finds the error in the response's extensions and replaces `application/problem+json` if a person reads it.

use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use serde::Serialize;
use sultan_server::response::json;
use sultan_server::{Audience, WebError};

use crate::browser::{Browser, is_script};
use crate::html::problem::{problem, sentence};

/// Marks the error of a page as read by people.
pub(crate) async fn address_to_people(mut response: Response) -> Response {
    if let Some(error) = response.extensions_mut().remove::<WebError>() {
        response.extensions_mut().insert(error.for_person());
    }
    response
}

/// Replaces the errors that people read by pages or sentences.
pub(crate) async fn render_errors(request: Request, next: Next) -> Response {
    let (is_script, accepts_html) = (is_script(request.headers()), accepts_html(request.headers()));
    // API clients get no page. Skip the work below, because every action of such a client passes through here.
    if request.uri().path().starts_with("/api/") && !is_script && !accepts_html {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    // Error pages do not depend on the visitor.
    let browser = Browser::new(&parts, None);
    let mut response = next.run(Request::from_parts(parts, body)).await;
    let Some(error) = response.extensions_mut().remove::<WebError>() else { return response };
    match error.audience() {
        Audience::Program => response,
        Audience::Person | Audience::Anyone if is_script => replace(response, sentence_for_script(&browser, &error)),
        Audience::Anyone if !accepts_html => response,
        Audience::Person | Audience::Anyone => replace(response, error_page(browser, &error)),
    }
}

fn error_page(mut browser: Browser, error: &WebError) -> Response {
    if error.status() == StatusCode::TOO_MANY_REQUESTS {
        // Compression costs CPU time, which a client over the rate limit must not use up.
        browser.headers.remove(header::ACCEPT_ENCODING);
    }
    browser.page_with(error.status(), problem(&browser.display(), error))
}

/// The error as JSON for the page's script, with a sentence to show.
fn sentence_for_script(browser: &Browser, error: &WebError) -> Response {
    #[derive(Serialize)]
    struct Problem<'a> {
        code: &'a str,
        sentence: String,
    }
    let sentence = sentence(browser.display().text, error);
    json(error.status(), &Problem { code: error.code(), sentence })
}

/// Returns the new response, with the headers of the old one added.
fn replace(old: Response, mut new: Response) -> Response {
    let (mut parts, _) = old.into_parts();
    // `WWW-Authenticate` is for programs; people follow the page.
    parts.headers.remove(header::WWW_AUTHENTICATE);
    parts.headers.extend(std::mem::take(new.headers_mut()));
    *new.headers_mut() = parts.headers;
    new
}

/// Returns whether the client accepts HTML, as browsers do.
fn accepts_html(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted
        .flat_map(|value| value.split(','))
        .any(|kind| kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("text/html"))
}
