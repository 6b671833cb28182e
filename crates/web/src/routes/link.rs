//! `/t/{id}/in/{token}`: a seat's own link. Its path is a secret and is never logged.

use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sultan_domain::TableId;
use sultan_table::{Refused, SeatToken, Visitor};

use crate::cookies::known_as;
use crate::error::WebError;
use crate::extract::{param, visitor};
use crate::state::AppState;

/// Remembers that a browser has a seat, and goes to the table.
pub(crate) async fn enter(State(state): State<AppState>, request: Request) -> Result<Response, WebError> {
    let (mut parts, _) = request.into_parts();
    let table: TableId = param(&mut parts, "id").await.ok_or(Refused::NoSuchTable)?;
    let token: SeatToken = param(&mut parts, "token").await.ok_or(Refused::WrongToken)?;
    let known = visitor(&parts.headers, &state);
    let browser = known.unwrap_or_else(Visitor::fresh);
    state.service().link(table, token, &browser).await?;
    let jar = known_as(&state, &parts.headers, &browser);
    let mut response = (StatusCode::SEE_OTHER, jar).into_response();
    let there = HeaderValue::try_from(format!("/t/{table}")).expect("a table's name is letters and digits");
    response.headers_mut().insert(header::LOCATION, there);
    Ok(response)
}
