//! The browser that sends a request, and page responses for it.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;
use maud::Markup;
use sultan_server::AppState;
use sultan_server::cookies::visitor;
use sultan_table::Visitor;

use crate::display::DisplaySettings;
use crate::html::layout::answer;

/// The browser that sends a request.
pub(crate) struct Browser {
    method: Method,
    uri: Uri,
    pub(crate) headers: HeaderMap,
    /// The visitor identified by the cookie, if it has a valid one.
    pub(crate) visitor: Option<Visitor>,
}

impl Browser {
    pub(crate) fn new(parts: &Parts, visitor: Option<Visitor>) -> Self {
        Self { method: parts.method.clone(), uri: parts.uri.clone(), headers: parts.headers.clone(), visitor }
    }

    /// Language and theme. Computed on demand: most requests of the page's script do not need them.
    pub(crate) fn display(&self) -> DisplaySettings {
        DisplaySettings::new(&self.method, &self.uri, &self.headers)
    }

    pub(crate) fn is_script(&self) -> bool {
        is_script(&self.headers)
    }

    /// A response with this page.
    pub(crate) fn page(&self, html: Markup) -> Response {
        self.page_with(StatusCode::OK, html)
    }

    pub(crate) fn page_with(&self, status: StatusCode, html: Markup) -> Response {
        answer(status, &self.headers, html)
    }
}

/// Returns whether the page's script sent the request. It needs no whole page in response.
pub(crate) fn is_script(headers: &HeaderMap) -> bool {
    headers.get("x-sultan").is_some_and(|value| value == "live")
}

impl FromRequestParts<AppState> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        Ok(Self::new(parts, visitor(&parts.headers, state)))
    }
}
