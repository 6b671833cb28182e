//! Accepts connections and serves their requests, with limits on the number and the duration of connections.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future;
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

use crate::config::ConnectionLimits;
use crate::deadline_stream::DeadlineStream;
use crate::error::WebError;
use crate::limit::network;
use crate::measure::{self, CONNECTIONS, OpenGauge};
use crate::state::AppState;

/// Listens for TCP connections at an address.
///
/// # Errors
/// The address cannot be used, for example because another program listens there.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // After a restart, connections of the previous run may still be in the state `TIME_WAIT`, and the port counts as
    // used without this option. On other systems the option would share the port with other programs.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(4096)
}

/// The address of the client of a connection, as an extension of its requests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The stages of a shutdown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shutdown {
    Serving,
    /// Running requests are finished, and no new ones are accepted.
    Drain,
    /// Everything that still runs is aborted.
    Abort,
}

/// Serves requests until `stop` is ready. Then finishes running requests, ends all streams, and returns.
pub async fn serve(listener: TcpListener, app: Router, state: &AppState, stop: impl Future<Output = ()>) {
    let config = state.config();
    // Behind a proxy all clients share one address.
    let max_per_address = config.connection_limits.max_per_address.filter(|_| !config.trust_proxy);
    let limits = ConnectionLimits { max_per_address, ..config.connection_limits };
    let (stage, shutdown) = watch::channel(Shutdown::Serving);
    let server = Server { app, limits, shutdown, counts: Arc::default() };
    tokio::select! {
        () = server.accept(&listener) => {}
        () = drop_idle_buckets(state) => {}
        () = stop => {}
    }
    // Closes the listener, so that no connection is accepted from now on. `stage` closes with the last connection,
    // because every connection has a receiver of it.
    drop((listener, server));
    let _ = stage.send(Shutdown::Drain);
    state.service().end_watches();
    if timeout(limits.shutdown_timeout, stage.closed()).await.is_err() {
        let _ = stage.send(Shutdown::Abort);
        let _ = timeout(Duration::from_millis(500), stage.closed()).await;
    }
}

/// Frees the memory of unused rate-limit buckets once a minute. Never returns.
async fn drop_idle_buckets(state: &AppState) {
    loop {
        sleep(Duration::from_mins(1)).await;
        if let Some(limits) = &state.0.limits {
            limits.drop_idle_buckets();
        }
    }
}

/// The numbers of open connections.
#[derive(Debug, Default, PartialEq, Eq)]
struct OpenCounts {
    total: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// An open connection in the counts. Dropping it removes it from them.
struct CountedConnection {
    counts: Arc<Mutex<OpenCounts>>,
    address: IpAddr,
}

impl CountedConnection {
    /// Counts a new connection; `None` if a limit is reached.
    fn new(counts: &Arc<Mutex<OpenCounts>>, address: IpAddr, limits: &ConnectionLimits) -> Option<Self> {
        let address = network(address);
        let mut open = counts.lock().unwrap_or_else(PoisonError::into_inner);
        let from_address = open.by_address.get(&address).copied().unwrap_or(0);
        if open.total >= limits.max_total || limits.max_per_address.is_some_and(|max| from_address >= max) {
            return None;
        }
        open.total += 1;
        open.by_address.insert(address, from_address + 1);
        Some(Self { counts: Arc::clone(counts), address })
    }
}

impl Drop for CountedConnection {
    fn drop(&mut self) {
        let mut open = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        open.total -= 1;
        if let Some(from_address) = open.by_address.get_mut(&self.address) {
            *from_address -= 1;
            if *from_address == 0 {
                open.by_address.remove(&self.address);
            }
        }
    }
}

/// Counts a connection as open until the last clone is dropped. Requests get a clone as an extension: a WebSocket,
/// which continues after its request, keeps it. At shutdown, [`serve`] waits until all receivers of the stage are
/// dropped.
#[derive(Clone)]
pub(crate) struct ConnectionGuard(
    #[expect(dead_code, reason = "keeps the counts while it exists")]
    Arc<(CountedConnection, OpenGauge, watch::Receiver<Shutdown>)>,
);

/// Everything that a connection needs. Clones share the counts.
#[derive(Clone)]
struct Server {
    app: Router,
    limits: ConnectionLimits,
    shutdown: watch::Receiver<Shutdown>,
    counts: Arc<Mutex<OpenCounts>>,
}

impl Server {
    /// Accepts connections, and serves each in its own task. Never returns.
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
            if let Some(counted) = CountedConnection::new(&self.counts, address.ip(), &self.limits) {
                tokio::spawn(self.clone().serve_connection(socket, address.ip(), counted));
            } else {
                measure::count_refusal();
                if let Ok(permit) = Arc::clone(&refusals).try_acquire_owned() {
                    tokio::spawn(send_refusal(socket, self.limits, permit));
                }
            }
        }
    }

    /// Answers the requests of one connection until it ends.
    async fn serve_connection(self, socket: TcpStream, address: IpAddr, counted: CountedConnection) {
        let Self { app, limits, mut shutdown, counts: _ } = self;
        let guard = ConnectionGuard(Arc::new((counted, OpenGauge::new(CONNECTIONS), shutdown.clone())));
        let answer = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(Peer(address));
            request.extensions_mut().insert(guard.clone());
            app.clone().oneshot(request)
        });
        let io = TokioIo::new(DeadlineStream::new(socket, limits.write_timeout, limits.drain_timeout));
        let mut connection = pin!(http(&limits).serve_connection(io, answer).with_upgrades());
        loop {
            tokio::select! {
                biased;
                ended = connection.as_mut() => {
                    if let Err(error) = ended {
                        tracing::debug!(%error, "a connection failed");
                    }
                    return;
                }
                changed = shutdown.changed() => {
                    let stage = *shutdown.borrow_and_update();
                    if changed.is_err() || stage == Shutdown::Abort {
                        return;
                    }
                    connection.as_mut().graceful_shutdown();
                }
            }
        }
    }
}

/// The settings of HTTP connections.
fn http(limits: &ConnectionLimits) -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.head_timeout)
        .max_header_size(limits.max_head_bytes)
        .max_headers(64)
        // hyper accepts no smaller buffer than 8192 bytes.
        .max_buf_size(limits.max_head_bytes.max(8192))
        // Messages are short: copying their parts into one buffer is cheaper than a vectored write.
        .writev(false)
        // A client that closes its sending side in the middle of a request has disconnected.
        .half_close(false);
    http
}

/// Sets socket options that detect broken connections and send data without delay.
fn set_socket_options(socket: &TcpStream) {
    let socket = SockRef::from(socket);
    let keepalive = TcpKeepalive::new().with_time(Duration::from_mins(1)).with_interval(Duration::from_secs(15));
    // Errors are ignored: if a system lacks an option, the time limits of this program still apply.
    let _ = socket.set_tcp_nodelay(true);
    let _ = socket.set_tcp_keepalive(&keepalive);
    #[cfg(any(target_os = "android", target_os = "linux"))]
    let _ = socket.set_tcp_user_timeout(Some(Duration::from_mins(1)));
}

/// Waits after an error of `accept`, for example because too many files are open. After an error of a single
/// connection, the next one can be accepted at once.
async fn wait_after(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset) {
        tracing::warn!(%error, "cannot accept connections; retrying");
        sleep(Duration::from_millis(100)).await;
    }
}

/// Number of connections that can be refused with a response at the same time. Further ones are closed without a
/// response.
const MAX_CONCURRENT_REFUSALS: usize = 64;
/// Time limit for a refused connection.
const REFUSAL_TIMEOUT: Duration = Duration::from_secs(2);

/// Answers the first request of a connection with an error and closes it. The request is read first, because HTTP
/// clients treat a response before their request as a broken connection.
async fn send_refusal(socket: TcpStream, limits: ConnectionLimits, _permit: OwnedSemaphorePermit) {
    let io = TokioIo::new(DeadlineStream::new(socket, REFUSAL_TIMEOUT, REFUSAL_TIMEOUT));
    let answer = service_fn(|_| future::ready(Ok::<_, Infallible>(WebError::too_many_connections().into_response())));
    let _ = timeout(REFUSAL_TIMEOUT, http(&limits).keep_alive(false).serve_connection(io, answer)).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_counted_until_they_are_dropped() {
        let counts = Arc::default();
        let limits = ConnectionLimits { max_total: 3, max_per_address: Some(2), ..ConnectionLimits::default() };
        let connect = |last_byte: u8| CountedConnection::new(&counts, IpAddr::from([10, 0, 0, last_byte]), &limits);
        let ana = [connect(1), connect(1)];
        assert!(ana.iter().all(Option::is_some));
        assert!(connect(1).is_none(), "the limit per address is 2");
        let bo = connect(2);
        assert!(bo.is_some());
        assert!(connect(3).is_none(), "the limit is 3 in total");
        drop(ana);
        assert!(connect(3).is_some());
        drop(bo);
        assert_eq!(*counts.lock().unwrap(), OpenCounts::default());
    }
}
