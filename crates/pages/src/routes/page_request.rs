//! A request to a table's page, and the forms on it.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::Response;
use serde::de::DeserializeOwned;
use sultan_server::extract::{TableRequest, read_form};
use sultan_server::response::{no_content, see_other};
use sultan_server::{AppState, WebError};

use crate::display::DisplaySettings;
use crate::errors::{PageError, is_script};

/// A request to a table's page.
pub(crate) struct PageRequest {
    pub(crate) display: DisplaySettings,
    pub(crate) headers: HeaderMap,
    pub(crate) request: TableRequest,
    /// Whether the page's script asks, which needs no page in return.
    pub(crate) is_script: bool,
}

impl FromRequestParts<AppState> for PageRequest {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, PageError> {
        let request = TableRequest::from_request_parts(parts, state).await?;
        let display = DisplaySettings::new(&parts.method, &parts.uri, &parts.headers);
        let is_script = is_script(&parts.headers);
        Ok(Self { display, headers: parts.headers.clone(), request, is_script })
    }
}

impl PageRequest {
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
