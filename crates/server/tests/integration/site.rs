//! Starts the site under test. (A `Site` calls the routes directly, without a network connection.)

use std::time::Duration;

use axum::Router;
use sultan_server::{AppState, Config};
use sultan_table::Settings;
pub(crate) use sultan_testkit::site::{Answer, SeatedPlayer, Site};

/// The routes of the API, without pages.
pub(crate) fn app(state: AppState) -> Router {
    sultan_server::app(sultan_server::api().0, state)
}

/// A site without rate limits, with bots that act without a pause.
pub(crate) async fn new() -> Site {
    with_config(Config { rate_limits: None, ..Config::default() }).await
}

/// As [`new`], with another configuration.
pub(crate) async fn with_config(config: Config) -> Site {
    with_settings(Settings { bot_pause: Duration::ZERO, ..Settings::default() }, config).await
}

pub(crate) async fn with_settings(settings: Settings, config: Config) -> Site {
    Site::start(settings, async |service| app(AppState::new(service, config).await.unwrap())).await
}
