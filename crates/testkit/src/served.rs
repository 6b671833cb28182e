//! A server in this process, on a port of its own.
#![expect(clippy::unwrap_used, missing_docs, reason = "tests may panic, and the names say it")]

use std::net::SocketAddr;

use sultan_table::Service;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::backend::Backend;

/// A running server. Bots and clocks run.
pub struct Served {
    pub address: SocketAddr,
    pub service: Service,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
    running: JoinHandle<()>,
    _backend: Backend,
}

impl Served {
    /// Lets `serve` answer on a listener, until its receiver says stop.
    pub fn start<F>(
        backend: Backend,
        service: Service,
        listener: TcpListener,
        serve: impl FnOnce(TcpListener, oneshot::Receiver<()>) -> F,
    ) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(serve(listener, stopped));
        let runner = service.clone();
        let running = tokio::spawn(async move { runner.run().await });
        Self { address, service, stop, serving, running, _backend: backend }
    }

    /// Ends all streams, and the server.
    pub async fn stop(self) {
        let _ = self.stop.send(());
        self.serving.await.unwrap();
        self.running.abort();
        self.service.close().await;
    }
}
