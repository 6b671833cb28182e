//! The pages: one file for each, and what they share.

pub(crate) mod analysis;
pub(crate) mod branch;
pub(crate) mod coach;
pub(crate) mod end;
pub(crate) mod home;
pub(crate) mod learn;
pub(crate) mod live;
pub(crate) mod lobby;
pub(crate) mod open;
pub(crate) mod record_file;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod seats;
pub(crate) mod settings;
pub(crate) mod shared;
pub(crate) mod table;
pub(crate) mod visit;
pub(crate) mod well_known;

use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sultan_text::Text;

use super::json;
use crate::error::WebError;
use crate::extract::{is_live, wants_page};
use crate::guest::Guest;
use crate::html;

/// Why a page is not what was asked for: told in the reader's language.
pub(crate) struct PageError(Box<(Guest, HeaderMap, WebError)>);

impl PageError {
    pub(crate) fn new(guest: Guest, headers: HeaderMap, error: impl Into<WebError>) -> Self {
        Self(Box::new((guest, headers, error.into())))
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let (guest, headers, error) = *self.0;
        let mut response = html::layout::answer(error.status(), &headers, html::problem::problem(&guest, &error));
        error.mark(response.headers_mut());
        response
    }
}

/// What is wrong where anybody may ask, in whatever way: a page for browsers, a sentence for their scripts, a problem for programs.
pub(crate) fn told(guest: Guest, headers: HeaderMap, error: WebError) -> Response {
    if is_live(&headers) {
        told_to_script(guest.text, &error)
    } else if wants_page(&headers) {
        PageError::new(guest, headers, error).into_response()
    } else {
        error.into_response()
    }
}

/// What is wrong, for a page's script: the sentence that it shows.
fn told_to_script(text: Text, error: &WebError) -> Response {
    #[derive(Serialize)]
    struct Problem<'a> {
        code: &'a str,
        sentence: String,
    }
    let problem = Problem { code: error.code(), sentence: html::problem::sentence(text, error) };
    let mut response = json(error.status(), &problem);
    error.mark(response.headers_mut());
    response
}
