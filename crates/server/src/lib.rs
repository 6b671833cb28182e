//! Sultan over HTTP: connections, limits, authentication, metrics and the API. HTML is made by `sultan-pages`.
//!
//! [`api`] returns the routes of the API over a [`sultan_table::Service`], [`app()`] adds the layers for all requests
//! (rate limits, headers, metrics, errors for unknown paths), [`serve()`] accepts connections for the result. Read in
//! this order: `app`, `middleware`, [`extract`] (the caller and the table of a request), `routes` (one file for each
//! part of the paths), `error`, `openapi`, then `serve`, `deadline_stream` and [`socket`] (connections).
//!
//! A route that fails returns a [`WebError`]. Its response is `application/problem+json` and carries the error in its
//! extensions, so that a layer around the application can show it to people in another form ([`Audience`]).
//!
//! This crate cannot name a game or a stored event: all responses are built from views that `sultan-table` made for one
//! observer.

mod app;
mod config;
pub mod cookies;
mod error;
pub mod extract;
mod limit;
mod middleware;
pub mod response;
mod routes;
mod state;

// The OpenAPI description.
mod openapi;

// Connections.
mod deadline_stream;
mod measure;
mod serve;
pub mod socket;

pub use app::{api, app};
pub use config::{Config, ConnectionLimits, Rate, RateLimits};
pub use error::{Audience, WebError};
pub use measure::{Metrics, MetricsError};
pub use serve::{listen, serve};
pub use state::AppState;
