//! `/t/{id}/in/{token}`: a seat's own link. Its path is a secret and is never logged.

use axum::extract::{Request, State};
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use sultan_domain::TableId;
use sultan_server::cookies::{visitor, visitor_cookie};
use sultan_server::extract::path_param;
use sultan_server::response::see_other;
use sultan_server::{AppState, WebError};
use sultan_table::{Rejection, SeatToken, Visitor};

/// Remembers that a browser has a seat, and goes to the table. Programs may follow such a link, too.
pub(crate) async fn enter(State(state): State<AppState>, request: Request) -> Result<Response, WebError> {
    link_browser(&state, request.into_parts().0).await.map_err(WebError::for_anyone)
}

async fn link_browser(state: &AppState, mut parts: Parts) -> Result<Response, WebError> {
    let table: TableId = path_param(&mut parts, "id").await.ok_or(Rejection::NoSuchTable)?;
    let token: SeatToken = path_param(&mut parts, "token").await.ok_or(Rejection::WrongToken)?;
    let there = see_other(&format!("/t/{table}"));
    // A program that only checks the link, as messengers do for a preview, takes none of the seat's places for browsers.
    if parts.method == Method::HEAD {
        return Ok(there);
    }
    let browser = visitor(&parts.headers, state).unwrap_or_else(Visitor::random);
    state.service().link(table, token, &browser).await?;
    Ok((visitor_cookie(state, &parts.headers, &browser), there).into_response())
}
