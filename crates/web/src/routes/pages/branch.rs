//! `/t/{id}/branch`: playing on from a moment of a game that is over.

use axum::extract::State;
use axum::response::Response;
use sultan_domain::{Seat, TableId};
use sultan_table::{Branch, Rejection, Sitting, Visitor};

use super::PageError;
use super::open::go;
use crate::error::WebError;
use crate::html::replay::branch::IMAGINED;
use crate::post::{Post, TablePost};
use crate::state::AppState;

/// Opens a table where the game goes on, and goes there.
pub(crate) async fn begin(
    State(state): State<AppState>,
    TablePost { table, post }: TablePost,
) -> Result<Response, PageError> {
    let browser = post.browser();
    match open(&state, &post, browser, table).await {
        Ok(table) => Ok(go(&state, &post, &browser, table)),
        Err(error) => Err(post.problem(error)),
    }
}

async fn open(state: &AppState, post: &Post, browser: Visitor, table: TableId) -> Result<TableId, WebError> {
    state.may_open(&post.extensions, &post.headers)?;
    let fields = &post.fields;
    let branch = Branch {
        at: fields.read("at").ok_or(Rejection::BadTable("a moment is a number of actions"))?,
        seat: fields.read("seat").and_then(Seat::new).ok_or(Rejection::NoSuchSeat)?,
        imagined: fields.get("hidden") == IMAGINED,
        bot: fields.get("level").to_owned(),
        coach: fields.get("coach") == "yes",
        host: Sitting { name: post.known_name(), visitor: Some(browser), ..Sitting::default() },
    };
    Ok(state.service().branch(table, branch).await.map_err(WebError::secret_until_over)?.table)
}
