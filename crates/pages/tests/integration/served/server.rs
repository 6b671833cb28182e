//! The whole server in this process, on a port of its own.

use std::net::SocketAddr;
use std::time::Duration;

use sultan_pages::app;
use sultan_server::{AppState, Config, Connections, listen, serve};
use sultan_table::{Service, Settings};
use sultan_testkit::Backend;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A server over an empty database; its bots and clocks are attended to.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) service: Service,
    stop: oneshot::Sender<()>,
    running: JoinHandle<()>,
    attending: JoinHandle<()>,
    _backend: Backend,
}

/// No limits, and nothing that depends on how long a test takes.
pub(crate) fn unlimited() -> Config {
    let connections = Connections { per_address: None, stop_time: Duration::from_secs(10), ..Connections::default() };
    Config { rates: None, keep_alive: Duration::from_hours(1), connections, ..Config::default() }
}

impl Served {
    pub(crate) async fn start(settings: Settings, config: Config) -> Self {
        let backend = Backend::sqlite();
        let store = backend.open().await;
        // Cookies are signed with what is there already.
        store.secret([7; 64]).await.unwrap();
        Self::on(backend, Service::new(store, settings), config).await
    }

    /// The same, for a service that is there already.
    pub(crate) async fn on(backend: Backend, service: Service, config: Config) -> Self {
        let state = AppState::new(service.clone(), config).await.unwrap();
        let listener = listen(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(async move {
            let stopped = async {
                let _ = stopped.await;
            };
            serve(listener, app(state.clone()), &state, stopped).await;
        });
        let attended = service.clone();
        let attending = tokio::spawn(async move { attended.run().await });
        Self { address, service, stop, running, attending, _backend: backend }
    }

    /// Ends all streams, and the server.
    pub(crate) async fn stop(self) {
        let _ = self.stop.send(());
        self.running.await.unwrap();
        self.attending.abort();
        self.service.close().await;
    }
}
