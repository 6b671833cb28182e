//! The site under test, without limits unless a test sets them.

use std::time::Duration;

use axum::Router;
use sultan_server::{AppState, Config};
use sultan_table::Settings;
pub(crate) use sultan_testkit::site::{Answer, Own, Site};

/// The API alone.
pub(crate) fn app(state: AppState) -> Router {
    sultan_server::app(sultan_server::api().0, state)
}

/// A site with bots that act at once.
pub(crate) async fn new() -> Site {
    with(Config { rates: None, ..Config::default() }).await
}

pub(crate) async fn with(config: Config) -> Site {
    on(Settings { bot_pause: Duration::ZERO, ..Settings::default() }, config).await
}

pub(crate) async fn on(settings: Settings, config: Config) -> Site {
    Site::start(settings, async |service| app(AppState::new(service, config).await.unwrap())).await
}
