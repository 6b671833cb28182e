//! `/t/{id}/branch`: opens a branch, which is a new table that plays on from a position of a finished game.

use axum::extract::State;
use axum::response::Response;
use sultan_domain::Seat;
use sultan_server::{AppState, WebError};
use sultan_table::{BranchRequest, Rejection};

use super::open::redirect_to_table;
use crate::html::replay::branch::IMAGINED;
use crate::post::Post;

/// Opens the new table and redirects to it.
pub(crate) async fn open(State(state): State<AppState>, post: Post) -> Result<Response, WebError> {
    let table = post.table()?;
    state.limit_opening(&post.extensions, &post.browser.headers)?;
    let fields = &post.fields;
    let branch = BranchRequest {
        at: fields.parse("at").ok_or(Rejection::BadTable("the position must be a number of actions"))?,
        seat: fields.parse("seat").and_then(Seat::new).ok_or(Rejection::NoSuchSeat)?,
        imagined: fields.get("hidden") == IMAGINED,
        bot: fields.get("level").to_owned(),
        coach: fields.get("coach") == "yes",
        host: post.remembered_player(),
    };
    let opened = state.service().branch(table, branch).await.map_err(WebError::secret_until_over)?;
    Ok(redirect_to_table(&state, &post, opened.table))
}
