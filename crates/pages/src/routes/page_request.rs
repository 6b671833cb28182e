//! A request to a table's page, and the forms on it.

use std::sync::OnceLock;

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use serde::de::DeserializeOwned;
use sultan_server::extract::{TableRequest, read_form};
use sultan_server::response::{no_content, see_other};
use sultan_server::{AppState, WebError};

use crate::display::DisplaySettings;
use crate::errors::{PageError, is_script};

/// A request to a table's page.
pub(crate) struct PageRequest {
    method: Method,
    uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) request: TableRequest,
    /// Whether the page's script asks, which needs no page in return.
    pub(crate) is_script: bool,
    display: OnceLock<DisplaySettings>,
}

impl FromRequestParts<AppState> for PageRequest {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, PageError> {
        let request = TableRequest::from_request_parts(parts, state).await?;
        let (method, uri, headers) = (parts.method.clone(), parts.uri.clone(), parts.headers.clone());
        let is_script = is_script(&headers);
        Ok(Self { method, uri, headers, request, is_script, display: OnceLock::new() })
    }
}

impl PageRequest {
    /// Language and theme. Most requests of the page's script succeed without them, so they are found out on demand.
    pub(crate) fn display(&self) -> &DisplaySettings {
        self.display.get_or_init(|| DisplaySettings::new(&self.method, &self.uri, &self.headers))
    }

    /// The query of this table's address: which seat, in a browser that has several.
    pub(crate) fn query(&self) -> String {
        self.request.seat.map_or(String::new(), |seat| format!("?seat={seat}"))
    }

    /// The answer to a form that was accepted.
    pub(crate) fn done(&self) -> Response {
        if self.is_script { no_content() } else { see_other(&format!("/t/{}{}", self.request.table, self.query())) }
    }
}

/// A form of a table's page.
pub(crate) struct PageForm<T> {
    pub(crate) page: PageRequest,
    pub(crate) form: Result<T, WebError>,
}

impl<T: DeserializeOwned> FromRequest<AppState> for PageForm<T> {
    type Rejection = PageError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, PageError> {
        let (mut parts, body) = request.into_parts();
        let page = PageRequest::from_request_parts(&mut parts, state).await?;
        let form = read_form(parts, body, state).await;
        Ok(Self { page, form })
    }
}
