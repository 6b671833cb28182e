//! `/t/{id}/in/{token}`: a seat's own link. Its path is a secret and is never logged.

use axum::extract::{FromRequestParts, Request, State};
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use sultan_domain::TableId;
use sultan_table::{Rejection, SeatToken, Visitor};

use super::{pages, see_other};
use crate::cookies::known_as;
use crate::error::WebError;
use crate::extract::param;
use crate::guest::Guest;
use crate::state::AppState;

/// Remembers that a browser has a seat, and goes to the table.
pub(crate) async fn enter(State(state): State<AppState>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let Ok(guest) = Guest::from_request_parts(&mut parts, &state).await;
    match entered(&state, &mut parts, &guest).await {
        Ok(response) => response,
        Err(error) => pages::told(guest, parts.headers, error),
    }
}

async fn entered(state: &AppState, parts: &mut Parts, guest: &Guest) -> Result<Response, WebError> {
    let table: TableId = param(parts, "id").await.ok_or(Rejection::NoSuchTable)?;
    let token: SeatToken = param(parts, "token").await.ok_or(Rejection::WrongToken)?;
    let there = see_other(&format!("/t/{table}"));
    // Whoever only asks what would be there, as programs that look at links do, takes no seat's place among its browsers.
    if parts.method == Method::HEAD {
        return Ok(there);
    }
    let browser = guest.visitor.unwrap_or_else(Visitor::random);
    state.service().link(table, token, &browser).await?;
    Ok((known_as(state, &parts.headers, &browser), there).into_response())
}
