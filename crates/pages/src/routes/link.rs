//! `/t/{id}/in/{token}`: a seat's secret link. Its path is never logged.

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

/// Links the browser to the seat and redirects to the table. Programs may follow such a link, too.
pub(crate) async fn enter(State(state): State<AppState>, request: Request) -> Result<Response, WebError> {
    link_browser(&state, request.into_parts().0).await.map_err(WebError::for_anyone)
}

async fn link_browser(state: &AppState, mut parts: Parts) -> Result<Response, WebError> {
    let table: TableId = path_param(&mut parts, "id").await.ok_or(Rejection::NoSuchTable)?;
    let token: SeatToken = path_param(&mut parts, "token").await.ok_or(Rejection::WrongToken)?;
    let redirect = see_other(&format!("/t/{table}"));
    // A `HEAD` request only checks the link, as messengers do for a preview. It must not use up one of the browsers
    // that a seat can be linked to.
    if parts.method == Method::HEAD {
        return Ok(redirect);
    }
    let browser = visitor(&parts.headers, state).unwrap_or_else(Visitor::random);
    state.service().link(table, token, &browser).await?;
    Ok((visitor_cookie(state, &parts.headers, &browser), redirect).into_response())
}
