//! The lobby: the page `/t/{id}` while the table waits for players.

use axum::http::StatusCode;
use axum::response::Response;
use sultan_domain::{TableId, WaitingTable};
use sultan_server::AppState;
use sultan_table::ServiceError;

use crate::browser::Browser;
use crate::html;
use crate::html::lobby::{Invitation, LobbyExtras};
use crate::origin::Origin;
use crate::post::RejectedForm;
use crate::remembered::RememberedChoices;

/// Reads the data of the lobby that is not in the table's view.
pub(super) async fn extras(state: &AppState, browser: &Browser, table: TableId) -> Result<LobbyExtras, ServiceError> {
    let own_seats = match &browser.visitor {
        Some(visitor) => state.service().seats_of(table, visitor).await?,
        None => Vec::new(),
    };
    let remembered_name = RememberedChoices::from_cookies(&browser.headers).name;
    Ok(LobbyExtras { own_seats, remembered_name, rejected: None })
}

/// The lobby, with the rejected form, if any.
pub(super) async fn page(
    state: &AppState,
    browser: &Browser,
    version: u32,
    waiting: &WaitingTable,
    rejected: Option<RejectedForm>,
) -> Result<Response, ServiceError> {
    let status = rejected.as_ref().map_or(StatusCode::OK, |form| form.status);
    let extras = LobbyExtras { rejected, ..extras(state, browser, waiting.table).await? };
    let origin = Origin::of(state, &browser.headers);
    let invitation = Invitation { link: format!("{}/t/{}", origin.address, waiting.table), is_local: origin.is_local };
    Ok(browser.page_with(status, html::lobby::lobby(&browser.display(), version, waiting, &extras, &invitation)))
}
