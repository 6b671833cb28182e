//! Accepts connections and serves requests, with limits on their number and duration.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::ready;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use socket2::{SockRef, TcpKeepalive};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};
use tower::ServiceExt;

use crate::config::Connections;
use crate::deadline_stream::DeadlineStream;
use crate::error::WebError;
use crate::limit::network;
use crate::measure::{self, CONNECTIONS, OpenGauge};
use crate::state::AppState;

/// Listens at an address.
///
/// # Errors
/// If the address cannot be used, for example because another program listens there.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // After a restart, old connections may still be in `TIME_WAIT`. On other systems this option would share the port.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(4096)
}

/// The address of the client.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The stages of a shutdown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shutdown {
    Serving,
    /// Finish running requests.
    Drain,
    /// Abort everything that still runs.
    Abort,
}

/// Serves requests until shutdown; then finishes running requests, ends all streams, and returns.
pub async fn serve(listener: TcpListener, app: Router, state: &AppState, stop: impl Future<Output = ()>) {
    let config = state.config();
    // Behind a proxy all clients share one address.
    let per_address = config.connections.per_address.filter(|_| !config.trust_proxy);
    let limits = Connections { per_address, ..config.connections };
    let (stage, shutdown) = watch::channel(Shutdown::Serving);
    let server = Server { app, limits, shutdown, counts: Arc::default(), metrics: config.metrics };
    tokio::select! {
        () = server.accept(&listener) => {}
        () = drop_idle_buckets(state) => {}
        () = stop => {}
    }
    // From here on, new connections are not accepted.
    drop((listener, server));
    let _ = stage.send(Shutdown::Drain);
    state.service().end_watches();
    if timeout(limits.stop_time, stage.closed()).await.is_err() {
        let _ = stage.send(Shutdown::Abort);
        let _ = timeout(Duration::from_millis(500), stage.closed()).await;
    }
}

/// Periodically drops refilled rate-limit buckets.
async fn drop_idle_buckets(state: &AppState) {
    loop {
        sleep(Duration::from_mins(1)).await;
        if let Some(limits) = &state.0.limits {
            limits.drop_idle_buckets();
        }
    }
}

/// The open connections.
#[derive(Default)]
struct ConnectionCounts(Mutex<(usize, HashMap<IpAddr, usize>)>);

impl ConnectionCounts {
    /// Counts a new connection, unless a limit is reached.
    fn count_new(self: &Arc<Self>, address: IpAddr, limits: &Connections) -> Option<CountedConnection> {
        let address = network(address);
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (total, by_address) = &mut *counts;
        let count = by_address.get(&address).copied().unwrap_or(0);
        if *total >= limits.all || limits.per_address.is_some_and(|limit| count >= limit) {
            return None;
        }
        *total += 1;
        by_address.insert(address, count + 1);
        Some(CountedConnection { counts: Arc::clone(self), address })
    }
}

/// A counted connection, until it ends.
struct CountedConnection {
    counts: Arc<ConnectionCounts>,
    address: IpAddr,
}

impl Drop for CountedConnection {
    fn drop(&mut self) {
        let mut counts = self.counts.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (total, by_address) = &mut *counts;
        *total -= 1;
        if let Some(count) = by_address.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                by_address.remove(&self.address);
            }
        }
    }
}

/// Counts a connection as open until the last clone is dropped. A WebSocket outlives the requests of its connection, so
/// it keeps a clone.
#[derive(Clone)]
pub(crate) struct ConnectionPermit(
    #[expect(dead_code, reason = "keeps the counts while it exists")]
    Arc<(CountedConnection, OpenGauge, watch::Receiver<Shutdown>)>,
);

struct Server {
    app: Router,
    limits: Connections,
    shutdown: watch::Receiver<Shutdown>,
    counts: Arc<ConnectionCounts>,
    metrics: bool,
}

impl Server {
    async fn accept(&self, listener: &TcpListener) {
        let refusals = Arc::new(Semaphore::new(MAX_CONCURRENT_REFUSALS));
        loop {
            let (socket, address) = match listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) => {
                    wait_after(&error).await;
                    continue;
                }
            };
            set_socket_options(&socket);
            if let Some(counted) = self.counts.count_new(address.ip(), &self.limits) {
                tokio::spawn(self.connection(socket, address.ip(), counted));
            } else {
                measure::count_refusal(self.metrics);
                if let Ok(permit) = Arc::clone(&refusals).try_acquire_owned() {
                    tokio::spawn(send_refusal(socket, self.limits, permit));
                }
            }
        }
    }

    /// Answers the requests of one connection.
    fn connection(
        &self,
        socket: TcpStream,
        address: IpAddr,
        counted: CountedConnection,
    ) -> impl Future<Output = ()> + use<> {
        let limits = self.limits;
        let app = self.app.clone();
        let mut shutdown = self.shutdown.clone();
        let open = OpenGauge::new(self.metrics, CONNECTIONS);
        let permit = ConnectionPermit(Arc::new((counted, open, shutdown.clone())));
        async move {
            let io = TokioIo::new(DeadlineStream::new(socket, limits.write_time, limits.linger));
            let extension = permit.clone();
            let answer = service_fn(move |mut request: hyper::Request<Incoming>| {
                request.extensions_mut().insert(Peer(address));
                request.extensions_mut().insert(extension.clone());
                app.clone().oneshot(request)
            });
            let connection = http(&limits).serve_connection(io, answer).with_upgrades();
            let mut connection = pin!(connection);
            loop {
                tokio::select! {
                    biased;
                    ended = connection.as_mut() => {
                        if let Err(error) = ended {
                            tracing::debug!(%error, "a connection failed");
                        }
                        break;
                    }
                    changed = shutdown.changed() => {
                        let stage = *shutdown.borrow_and_update();
                        if changed.is_err() || stage == Shutdown::Abort {
                            break;
                        }
                        connection.as_mut().graceful_shutdown();
                    }
                }
            }
            drop(permit);
        }
    }
}

fn http(limits: &Connections) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.head_time)
        .max_header_size(limits.head)
        .max_headers(64)
        .max_buf_size(limits.head.max(8192))
        // Messages are short: one write is cheaper for the kernel than three.
        .writev(false)
        .half_close(false);
    http
}

/// Sets socket options that detect silent, vanished or slow clients.
fn set_socket_options(socket: &TcpStream) {
    let socket = SockRef::from(socket);
    let keepalive = TcpKeepalive::new().with_time(Duration::from_mins(1)).with_interval(Duration::from_secs(15));
    // Systems without this option still have our own time limits.
    let _ = socket.set_tcp_nodelay(true);
    let _ = socket.set_tcp_keepalive(&keepalive);
    #[cfg(any(target_os = "android", target_os = "linux"))]
    let _ = socket.set_tcp_user_timeout(Some(Duration::from_mins(1)));
}

/// Waits after an error of `accept`, unless the error concerns only a single connection.
async fn wait_after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::warn!(%error, "cannot accept connections; retrying");
        sleep(Duration::from_millis(100)).await;
    }
}

/// Connections that are refused with a response at once; more are closed without one.
const MAX_CONCURRENT_REFUSALS: usize = 64;
/// Time limit for a refusal, from the request to the end of the connection.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(2);

/// Answers the first request of a connection with an error and closes it. The request is read first, because HTTP
/// clients treat a response before their request as a broken connection.
async fn send_refusal(socket: TcpStream, limits: Connections, _permit: OwnedSemaphorePermit) {
    let io = TokioIo::new(DeadlineStream::new(socket, REFUSAL_TIMEOUT, REFUSAL_TIMEOUT));
    let answer = service_fn(|_| ready(Ok::<_, Infallible>(WebError::too_many_connections().into_response())));
    let _ = timeout(REFUSAL_TIMEOUT, http(&limits).keep_alive(false).serve_connection(io, answer)).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_counted_until_they_end() {
        let counts = Arc::new(ConnectionCounts::default());
        let limits = Connections { all: 3, per_address: Some(2), ..Connections::default() };
        let address = |last: u8| IpAddr::from([10, 0, 0, last]);
        let ana = [counts.count_new(address(1), &limits), counts.count_new(address(1), &limits)];
        assert!(ana.iter().all(Option::is_some));
        assert!(counts.count_new(address(1), &limits).is_none());
        let bo = counts.count_new(address(2), &limits);
        assert!(bo.is_some());
        assert!(counts.count_new(address(3), &limits).is_none());
        drop(ana);
        assert!(counts.count_new(address(3), &limits).is_some());
        drop(bo);
        assert_eq!(*counts.0.lock().unwrap(), (0, HashMap::new()));
    }
}
