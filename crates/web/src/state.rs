//! What all requests share.

use std::sync::Arc;

use axum::http::{Extensions, HeaderMap};
use axum_extra::extract::cookie::Key;
use sultan_table::{Caller, Service, ServiceError};

use crate::config::Config;
use crate::error::WebError;
use crate::extract::Call;
use crate::front::address;
use crate::limit::Limits;

/// What all requests share. Copies are the same.
#[derive(Clone)]
pub struct AppState(pub(crate) Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) service: Service,
    pub(crate) config: Config,
    pub(crate) limits: Option<Limits>,
    /// What cookies are signed with.
    pub(crate) key: Key,
}

impl AppState {
    /// The state over a service.
    ///
    /// # Errors
    /// [`ServiceError::Store`] when the secret that cookies are signed with cannot be read.
    pub async fn new(service: Service, config: Config) -> Result<Self, ServiceError> {
        let key = Key::from(&service.cookie_secret().await?);
        let limits = config.rates.as_ref().map(Limits::new);
        Ok(Self(Arc::new(Shared { service, config, limits, key })))
    }

    /// The tables.
    #[must_use]
    pub fn service(&self) -> &Service {
        &self.0.service
    }

    /// How the server behaves.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Counts a table that somebody asks for, in whatever way, or a promise, if there are limits.
    pub(crate) fn may_open(&self, extensions: &Extensions, headers: &HeaderMap) -> Result<(), WebError> {
        match &self.0.limits {
            Some(limits) => limits.opening(address(self, extensions, headers)),
            None => Ok(()),
        }
    }

    /// What is wrong first, in the order of the contract: the table, then who asks, then what was asked.
    pub(crate) async fn first_wrong(&self, call: &Call, error: WebError) -> WebError {
        let look = |caller| async move { self.service().look(call.table, &caller).await };
        if let Err(trouble) = look(Caller::Nobody).await {
            return trouble.into();
        }
        match call.seated() {
            Err(error) => error,
            Ok(caller) => match look(caller).await {
                Err(trouble) => trouble.into(),
                Ok(_) => error,
            },
        }
    }
}
