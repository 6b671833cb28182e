//! A whole server in this process, for tests that need real connections.

mod line;
mod plan;
mod world;

use std::net::SocketAddr;
use std::time::Duration;

use sultan_pages::app;
use sultan_server::{AppState, Config, Connections, listen, serve};
use sultan_table::{Service, Settings};
use sultan_testkit::Backend;
pub(crate) use sultan_testkit::served::Served;
use sultan_testkit::site::database;

pub(crate) use self::plan::Plan;
pub(crate) use self::world::World;

/// No limits, and nothing that depends on how long a test takes.
pub(crate) fn unlimited() -> Config {
    let connections = Connections { per_address: None, stop_time: Duration::from_secs(10), ..Connections::default() };
    Config { rates: None, keep_alive: Duration::from_hours(1), connections, ..Config::default() }
}

pub(crate) async fn start(settings: Settings, config: Config) -> Served {
    let (backend, store) = database().await;
    on(backend, Service::new(store, settings), config).await
}

/// The same, for a service that is there already.
pub(crate) async fn on(backend: Backend, service: Service, config: Config) -> Served {
    let state = AppState::new(service.clone(), config).await.unwrap();
    let listener = listen(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    Served::start(backend, service, listener, async move |listener, stop| {
        let stop = async {
            let _ = stop.await;
        };
        serve(listener, app(state.clone()), &state, stop).await;
    })
}
