//! The state that all requests share.

use std::net::IpAddr;
use std::sync::Arc;

use axum::http::{Extensions, HeaderMap, HeaderValue};
use axum_extra::extract::cookie::Key;
use sultan_table::{Service, ServiceError};

use crate::config::Config;
use crate::error::WebError;
use crate::limit::Limits;
use crate::middleware::client_address;

/// The state that all requests share. Clones share it too.
#[derive(Clone)]
pub struct AppState(pub(crate) Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) service: Service,
    pub(crate) config: Config,
    pub(crate) limits: Option<Limits>,
    /// Signs cookies.
    pub(crate) key: Key,
}

impl AppState {
    /// The state for a service.
    ///
    /// # Errors
    /// [`ServiceError::Store`] if the secret for signing cookies cannot be read.
    pub async fn new(service: Service, config: Config) -> Result<Self, ServiceError> {
        let key = Key::from(&service.cookie_secret().await?);
        let limits = config.rate_limits.as_ref().map(Limits::new);
        Ok(Self(Arc::new(Shared { service, config, limits, key })))
    }

    /// The service that has the tables.
    #[must_use]
    pub fn service(&self) -> &Service {
        &self.0.service
    }

    /// Settings of the server.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Counts a request from an address, with this `Authorization` header. Returns error 429 if a rate limit is
    /// exceeded.
    pub(crate) fn limit_request(&self, address: IpAddr, token: Option<&HeaderValue>) -> Result<(), WebError> {
        self.0.limits.as_ref().map_or(Ok(()), |limits| limits.count_request(address, token))
    }

    /// Counts a request that opens a table or stores a commitment.
    ///
    /// # Errors
    /// 429 if this client has sent too many such requests.
    pub fn limit_opening(&self, extensions: &Extensions, headers: &HeaderMap) -> Result<(), WebError> {
        let Some(limits) = &self.0.limits else { return Ok(()) };
        limits.count_opening(client_address(self, extensions, headers))
    }
}
