//! Somebody who asks something of a table's page: who, in which language, and how the answer goes back.

use std::convert::Infallible;

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use sultan_domain::Seat;

use super::{PageError, told_to_script};
use crate::error::WebError;
use crate::extract::{Call, form, is_live, wanted_seat};
use crate::guest::Guest;
use crate::routes::{done, see_other};
use crate::state::AppState;

/// Somebody at a table's page.
pub(crate) struct Visit {
    pub(crate) guest: Guest,
    pub(crate) headers: HeaderMap,
    call: Result<Call, WebError>,
    /// The seat named in the address.
    pub(crate) seat: Option<Seat>,
    /// Whether the page's script asks, which needs no page in return.
    pub(crate) live: bool,
}

impl FromRequestParts<AppState> for Visit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let guest = Guest::from_request_parts(parts, state).await?;
        let call = Call::from_request_parts(parts, state).await;
        let live = is_live(&parts.headers);
        let seat = wanted_seat(parts).ok().flatten();
        Ok(Self { guest, headers: parts.headers.clone(), call, seat, live })
    }
}

impl Visit {
    /// What follows the table's address in this browser: which of its seats, where it has several.
    pub(crate) fn query(&self) -> String {
        self.seat.map_or(String::new(), |seat| format!("?seat={seat}"))
    }

    /// Something that was asked is done.
    pub(crate) fn done(&self) -> Response {
        match &self.call {
            Ok(call) if !self.live => see_other(&format!("/t/{}{}", call.table, self.query())),
            _ => done(),
        }
    }

    /// Why something is not done, on a page of its own, or for the script.
    pub(crate) fn refuse(self, error: WebError) -> Response {
        if self.live {
            return told_to_script(self.guest.text, &error);
        }
        PageError::new(self.guest, self.headers, error).into_response()
    }

    /// Which table, and who asks.
    pub(crate) fn call(&self) -> Result<&Call, WebError> {
        self.call.as_ref().map_err(Clone::clone)
    }
}

/// A form that somebody sent from a table's page.
pub(crate) struct Asked<T> {
    pub(crate) visit: Visit,
    pub(crate) form: Result<T, WebError>,
}

impl<T: DeserializeOwned> FromRequest<AppState> for Asked<T> {
    type Rejection = Infallible;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Infallible> {
        let (mut parts, body) = request.into_parts();
        let visit = Visit::from_request_parts(&mut parts, state).await?;
        let form = form(parts, body, state).await;
        Ok(Self { visit, form })
    }
}
