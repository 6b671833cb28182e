//! The pages: one file for each, and what they share.

pub(crate) mod analysis;
pub(crate) mod branch;
pub(crate) mod coach;
pub(crate) mod end;
pub(crate) mod file;
pub(crate) mod files;
pub(crate) mod home;
pub(crate) mod learn;
pub(crate) mod live;
pub(crate) mod lobby;
pub(crate) mod open;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod seats;
pub(crate) mod settings;
pub(crate) mod shared;
pub(crate) mod table;
pub(crate) mod visit;

use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};

use crate::error::WebError;
use crate::extract::wants_page;
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
        html::layout::answer(error.status(), &headers, html::problem::problem(&guest, &error))
    }
}

/// What is wrong with a path that anybody may have typed: a page for browsers, a problem for programs.
pub(crate) fn told(guest: Guest, headers: HeaderMap, error: WebError) -> Response {
    if wants_page(&headers) { PageError::new(guest, headers, error).into_response() } else { error.into_response() }
}
