//! `/healthz` and `/readyz`: for those who look after the server.

use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;

use crate::error::{Problem, WebError};
use crate::state::AppState;

fn text(text: &'static str) -> Response {
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

/// Is the program up?
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "operating",
    responses((status = 200, description = "It is", body = String, content_type = "text/plain"))
)]
pub(crate) async fn health() -> Response {
    text("ok\n")
}

/// Does the database answer?
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "operating",
    responses(
        (status = 200, description = "It does", body = String, content_type = "text/plain"),
        (status = 503, description = "It does not", body = Problem),
    )
)]
pub(crate) async fn ready(State(state): State<AppState>) -> Result<Response, WebError> {
    const LONGEST: Duration = Duration::from_secs(2);
    tokio::time::timeout(LONGEST, state.service().ready()).await.map_err(|_| WebError::not_ready())??;
    Ok(text("ready\n"))
}
