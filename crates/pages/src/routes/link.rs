//! `/t/{id}/in/{token}`: a seat's secret link, which gives a browser the right to play the seat. Its path is never
//! logged, because it contains the secret.

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

/// Links the browser to the seat and redirects to the table. An error is a page only for clients that accept HTML,
/// because programs may follow the link, too.
pub(crate) async fn enter(State(state): State<AppState>, request: Request) -> Result<Response, WebError> {
    link_browser(&state, request.into_parts().0).await.map_err(WebError::for_anyone)
}

/// Links the browser to the seat in the path, except for `HEAD` requests, and redirects to the table.
async fn link_browser(state: &AppState, mut parts: Parts) -> Result<Response, WebError> {
    let table: TableId = path_param(&mut parts, "id").await.ok_or(Rejection::NoSuchTable)?;
    let token: SeatToken = path_param(&mut parts, "token").await.ok_or(Rejection::WrongToken)?;
    let redirect = see_other(&format!("/t/{table}"));
    // Messengers check a link with a `HEAD` request for a preview. This must not link a browser to the seat, because
    // the number of browsers for a seat is limited.
    if parts.method == Method::HEAD {
        return Ok(redirect);
    }
    let visitor = visitor(&parts.headers, state).unwrap_or_else(Visitor::random);
    state.service().link(table, token, &visitor).await?;
    Ok((visitor_cookie(state, &parts.headers, &visitor), redirect).into_response())
}
