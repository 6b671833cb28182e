//! Extracts requests to a table's page, and forms of that page.

use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::Uri;
use axum::http::request::Parts;
use axum::response::Response;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sultan_domain::{PlayingTable, TableId, TableView};
use sultan_server::extract::{TableRequest, read_form};
use sultan_server::response::{no_content, see_other};
use sultan_server::{AppState, WebError};
use sultan_table::{Caller, Rejection};

use crate::browser::Browser;
use crate::html::table::seat_query;

/// A request to a table's page.
pub(crate) struct PageRequest {
    pub(crate) browser: Browser,
    pub(crate) request: TableRequest,
    /// The round in `?after=`, as in [`round_key`](crate::html::table::round_key): the last round that was finished
    /// when the player of the requested seat lifted the curtain. Empty without one.
    pub(crate) after: String,
}

/// The round in `?after=`, such as `1.4`. Empty if there is none, or something else.
fn requested_round(uri: &Uri) -> String {
    #[derive(Default, Deserialize)]
    struct RoundQuery {
        #[serde(default)]
        after: String,
    }
    let Query(query) = Query::<RoundQuery>::try_from_uri(uri).unwrap_or_default();
    let is_round = query.after.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if is_round { query.after } else { String::new() }
}

impl FromRequestParts<AppState> for PageRequest {
    type Rejection = WebError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, WebError> {
        let request = TableRequest::from_request_parts(parts, state).await?;
        let browser = Browser::with_origin(parts, request.visitor, state);
        Ok(Self { browser, request, after: requested_round(&parts.uri) })
    }
}

impl PageRequest {
    /// The query of the table's address: `?seat=n` if the request names a seat, as in a browser with several seats.
    pub(crate) fn query(&self) -> String {
        self.request.seat.map_or(String::new(), |seat| seat_query(seat, &self.after))
    }

    /// The address of the table.
    pub(crate) fn path(&self) -> String {
        format!("/t/{}{}", self.request.table, self.query())
    }

    /// The response to an accepted form: a redirect to the table, or no content for the page's script.
    pub(crate) fn accepted(&self) -> Response {
        if self.browser.is_from_script() { no_content() } else { see_other(&self.path()) }
    }
}

/// A form of a table's page. The form can be malformed; errors of the table and the caller have precedence over that.
pub(crate) struct PageForm<T> {
    pub(crate) page: PageRequest,
    pub(crate) form: Result<T, WebError>,
}

impl<T: DeserializeOwned> FromRequest<AppState> for PageForm<T> {
    type Rejection = WebError;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, WebError> {
        let (mut parts, body) = request.into_parts();
        let page = PageRequest::from_request_parts(&mut parts, state).await?;
        let form = read_form(parts, body, state).await;
        Ok(Self { page, form })
    }
}

/// Returns the version of a table in play and its view for this caller, or an error if the game has not started.
pub(super) async fn playing(
    state: &AppState,
    table: TableId,
    caller: &Caller,
) -> Result<(u32, Box<PlayingTable>), WebError> {
    let snapshot = state.service().observe(table, caller).await?;
    match snapshot.view() {
        TableView::Playing(playing) => Ok((snapshot.version(), playing)),
        TableView::Waiting(_) => Err(Rejection::NotStarted.into()),
    }
}
