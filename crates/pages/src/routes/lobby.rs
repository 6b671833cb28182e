//! The lobby: the page `/t/{id}` while the table waits for players.

use std::net::IpAddr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use sultan_domain::{TableId, WaitingTable};
use sultan_server::AppState;
use sultan_server::cookies::is_https;
use sultan_table::ServiceError;

use crate::browser::Browser;
use crate::html;
use crate::html::lobby::{Invitation, LobbyExtras};
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
    let invitation = invitation(state, &browser.headers, waiting.table);
    Ok(browser.page_with(status, html::lobby::lobby(&browser.display(), version, waiting, &extras, &invitation)))
}

/// The link that invites other players. It has the host name that this browser used. Other devices cannot reach a
/// loopback address, so the link has this machine's network address instead, if it is known.
fn invitation(state: &AppState, headers: &HeaderMap, table: TableId) -> Invitation {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let is_local = is_loopback(host);
    if let Some(network) = state.config().lan_address.filter(|_| is_local) {
        return Invitation { link: format!("http://{network}/t/{table}"), is_local: false };
    }
    let scheme = if is_https(state, headers) { "https" } else { "http" };
    Invitation { link: format!("{scheme}://{host}/t/{table}"), is_local }
}

/// Returns whether a `Host` header, with or without a port, is a loopback address or `localhost`.
fn is_loopback(host: &str) -> bool {
    let authority = host.parse::<Authority>();
    let name = authority.as_ref().map_or("", Authority::host).trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost") || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn localhost_and_loopback_addresses_are_loopback_hosts() {
        for local in ["localhost", "LOCALHOST:8080", "127.0.0.1:8080", "127.1.2.3", "[::1]:8080", "[::1]"] {
            assert!(is_loopback(local), "{local}");
        }
        for other in ["", "sultan.example", "192.168.1.2:8080", "localhost.example", "[2001:db8::1]:80", "127.0.0.1.x"]
        {
            assert!(!is_loopback(other), "{other}");
        }
    }
}
