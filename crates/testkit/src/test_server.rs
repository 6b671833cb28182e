//! A server in the test process, on a free port.
#![expect(clippy::unwrap_used, missing_docs, reason = "tests may panic, and names suffice")]

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use sultan_server::{AppState, Config, ConnectionLimits, listen};
use sultan_table::{Service, Settings};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::backend::Backend;
use crate::site::database;

/// A configuration without rate limits, without a limit per address, and without keep-alive messages during a test.
#[must_use]
pub fn unlimited_config() -> Config {
    let connection_limits = ConnectionLimits {
        max_per_address: None,
        shutdown_timeout: Duration::from_secs(10),
        ..ConnectionLimits::default()
    };
    Config { rate_limits: None, keep_alive_interval: Duration::from_hours(1), connection_limits, ..Config::default() }
}

/// A running server. Bots and clocks run.
pub struct TestServer {
    pub address: SocketAddr,
    pub service: Service,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
    running: JoinHandle<()>,
    _backend: Backend,
}

impl TestServer {
    /// Serves the routes of `app` on an empty database.
    pub async fn start(settings: Settings, config: Config, app: fn(AppState) -> Router) -> Self {
        let (backend, store) = database().await;
        Self::serve(backend, Service::new(store, settings), config, app).await
    }

    /// Serves the routes of `app` on an existing service.
    pub async fn serve(backend: Backend, service: Service, config: Config, app: fn(AppState) -> Router) -> Self {
        let state = AppState::new(service.clone(), config).await.unwrap();
        let listener = listen(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async {
            let _ = stopped.await;
        };
        let serving =
            tokio::spawn(async move { sultan_server::serve(listener, app(state.clone()), &state, stopped).await });
        let runner = service.clone();
        let running = tokio::spawn(async move { runner.run().await });
        Self { address, service, stop, serving, running, _backend: backend }
    }

    /// Stops the server and ends all streams.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        self.serving.await.unwrap();
        self.running.abort();
        self.service.close().await;
    }
}
