//! Sultan over HTTP: the API, the pages, their live streams, and the server that carries them.
//!
//! [`app`] is all routes over a [`sultan_table::Service`]; [`serve`] puts them on a socket. Read in this order: `app` (what
//! there is), `front` (what every request meets first), `extract` (who asks, and what), `routes` (one file for each part of
//! the paths), `html` (what pages are made of), `error` (what is said when something is not done), `openapi` (how the API is
//! described), `serve`, `line` and `socket` (connections).
//!
//! Nothing here can name a game or a stored event: whatever is sent comes from `sultan-table`, made for one observer.

mod app;
mod config;
mod error;
mod extract;
mod front;
mod limit;
mod routes;
mod state;

// Pages.
mod assets;
mod cookies;
mod guest;
mod html;
mod post;

// How the API is described.
mod openapi;
mod shapes;

// Connections.
mod line;
mod measure;
mod serve;
mod socket;

pub use app::app;
pub use config::{Config, Connections, Rate, RateLimits};
pub use measure::{Metrics, MetricsError};
pub use serve::{listen, serve};
pub use state::AppState;
