//! A proxy between a node and its database that can inject network faults.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// The behaviour of the proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyMode {
    /// Forwards bytes in both directions.
    Forward,
    /// Delays bytes in both directions. They are forwarded once the behaviour changes.
    Stall,
    /// Discards all bytes in both directions.
    Discard,
    /// Forwards bytes from the database to the node; delays the other direction.
    OnlyToNode,
    /// Forwards bytes from the node to the database; delays the other direction.
    OnlyToDatabase,
    /// Closes all connections and refuses new ones.
    Refuse,
}

/// The state that all connections watch.
#[derive(Clone, Copy, Debug)]
struct ProxyState {
    mode: ProxyMode,
    /// The number of resets of all connections. A connection ends when this number changes.
    resets: u64,
}

/// The proxy between one node and the database.
#[derive(Debug)]
pub struct Proxy {
    /// The address for the node to connect to.
    pub address: SocketAddr,
    state: watch::Sender<ProxyState>,
    task: JoinHandle<()>,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Proxy {
    /// Starts a proxy for a database server that listens on a Unix socket.
    ///
    /// # Errors
    /// If no port is free.
    pub async fn start(socket: &Path) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (state, state_changes) = watch::channel(ProxyState { mode: ProxyMode::Forward, resets: 0 });
        let task = tokio::spawn(accept(listener, address, socket.to_owned(), state_changes));
        Ok(Self { address, state, task })
    }

    /// Changes the behaviour of all connections.
    pub fn set_mode(&self, mode: ProxyMode) {
        self.state.send_modify(|state| {
            // Refusing closes all connections, and a connection that has lost bytes is unusable.
            let must_reset = [state.mode, mode].contains(&ProxyMode::Refuse) || state.mode == ProxyMode::Discard;
            state.resets += u64::from(must_reset && state.mode != mode);
            state.mode = mode;
        });
    }

    /// Resets all connections.
    pub fn reset_connections(&self) {
        self.state.send_modify(|state| state.resets += 1);
    }
}

/// Accepts connections from the node, except while the proxy refuses them.
async fn accept(
    listener: TcpListener,
    address: SocketAddr,
    socket: PathBuf,
    mut state_changes: watch::Receiver<ProxyState>,
) {
    let mut listener = Some(listener);
    loop {
        let state = *state_changes.borrow_and_update();
        if state.mode == ProxyMode::Refuse {
            // Without a listener the kernel refuses connections.
            listener = None;
            if state_changes.changed().await.is_err() {
                return;
            }
            continue;
        }
        let Some(open) = &listener else {
            listener = listen(address).ok();
            if listener.is_none() {
                sleep(Duration::from_millis(20)).await;
            }
            continue;
        };
        tokio::select! {
            accepted = open.accept() => match accepted {
                Ok((node, _)) => drop(tokio::spawn(forward_connection(node, socket.clone(), state_changes.clone()))),
                Err(_) => sleep(Duration::from_millis(20)).await,
            },
            changed = state_changes.changed() => if changed.is_err() { return },
        }
    }
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    // Reset connections may still occupy the port.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(128)
}

/// Forwards one connection until it ends or is reset.
async fn forward_connection(mut node: TcpStream, socket: PathBuf, state_changes: watch::Receiver<ProxyState>) {
    let _ = node.set_nodelay(true);
    let resets_at_start = state_changes.borrow().resets;
    {
        let forwarding = async {
            if state_changes.borrow().mode == ProxyMode::Discard {
                return discard(&mut node).await;
            }
            let database = UnixStream::connect(&socket).await?;
            let (from_node, to_node) = node.split();
            let (from_database, to_database) = database.into_split();
            let to_server = forward(from_node, to_database, state_changes.clone(), ProxyMode::OnlyToNode);
            let from_server = forward(from_database, to_node, state_changes.clone(), ProxyMode::OnlyToDatabase);
            // When one direction ends, the other ends too.
            tokio::select! { done = to_server => done, done = from_server => done }
        };
        let reset = state_changes.clone();
        tokio::select! {
            _ = forwarding => {}
            () = wait_for_reset(reset, resets_at_start) => {}
        }
    }
    // Close with a reset (RST) instead of a FIN.
    let _ = node.set_zero_linger();
}

/// Waits until all connections are reset again.
async fn wait_for_reset(mut state_changes: watch::Receiver<ProxyState>, resets_at_start: u64) {
    // An error means that the proxy was dropped; then the connection ends too.
    let _ = state_changes.wait_for(|state| state.resets != resets_at_start).await;
}

/// Reads and discards all bytes from the node.
async fn discard(node: &mut TcpStream) -> io::Result<()> {
    let mut buffer = [0; 4096];
    while node.read(&mut buffer).await? > 0 {}
    Ok(())
}

/// Forwards bytes in one direction, as the behaviour allows. `blocked_in` is the behaviour that delays this direction.
async fn forward(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut state_changes: watch::Receiver<ProxyState>,
    blocked_in: ProxyMode,
) -> io::Result<()> {
    let mut bytes = [0; 16 * 1024];
    loop {
        let read = from.read(&mut bytes).await?;
        if read == 0 {
            return Ok(());
        }
        let mode = state_changes
            .wait_for(|state| state.mode != ProxyMode::Stall && state.mode != blocked_in)
            .await
            .map(|state| state.mode);
        match mode {
            Ok(ProxyMode::Discard) => {}
            Ok(_) => to.write_all(&bytes[..read]).await?,
            Err(_) => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::UnixListener;
    use tokio::time::timeout;

    use super::*;

    /// A proxy for a server that answers every byte with the next higher byte. The folder contains the server's socket.
    async fn proxy_of_increment_server() -> (tempfile::TempDir, Proxy) {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let listener = UnixListener::bind(&socket).unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    while let Ok(byte) = stream.read_u8().await {
                        stream.write_u8(byte + 1).await.unwrap();
                    }
                });
            }
        });
        let proxy = Proxy::start(&socket).await.unwrap();
        (folder, proxy)
    }

    /// Returns whether nothing arrives for a short time.
    async fn is_silent(stream: &mut TcpStream) -> bool {
        timeout(Duration::from_millis(100), stream.read_u8()).await.is_err()
    }

    #[tokio::test]
    async fn stalled_connection_loses_no_bytes() {
        let (_folder, proxy) = proxy_of_increment_server().await;
        let mut stream = TcpStream::connect(proxy.address).await.unwrap();
        stream.write_u8(1).await.unwrap();
        assert_eq!(stream.read_u8().await.unwrap(), 2);
        for mode in [ProxyMode::Stall, ProxyMode::OnlyToNode, ProxyMode::OnlyToDatabase] {
            proxy.set_mode(mode);
            stream.write_u8(5).await.unwrap();
            assert!(is_silent(&mut stream).await, "the byte was answered in mode {mode:?}");
            proxy.set_mode(ProxyMode::Forward);
            assert_eq!(stream.read_u8().await.unwrap(), 6, "after mode {mode:?}");
        }
    }

    #[tokio::test]
    async fn connection_can_be_reset_refused_and_restored() {
        let (_folder, proxy) = proxy_of_increment_server().await;
        let mut stream = TcpStream::connect(proxy.address).await.unwrap();
        stream.write_u8(1).await.unwrap();
        assert_eq!(stream.read_u8().await.unwrap(), 2);
        proxy.reset_connections();
        let error = stream.read_u8().await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
        proxy.set_mode(ProxyMode::Refuse);
        let wait_until_refused = || async {
            while TcpStream::connect(proxy.address).await.is_ok() {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(5), wait_until_refused()).await.unwrap();
        proxy.set_mode(ProxyMode::Forward);
        let reconnect = async {
            loop {
                if let Ok(mut stream) = TcpStream::connect(proxy.address).await {
                    stream.write_u8(1).await.unwrap();
                    return stream.read_u8().await.unwrap();
                }
            }
        };
        assert_eq!(timeout(Duration::from_secs(5), reconnect).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn discarded_bytes_get_no_response() {
        let (_folder, proxy) = proxy_of_increment_server().await;
        let mut old = TcpStream::connect(proxy.address).await.unwrap();
        old.write_u8(1).await.unwrap();
        assert_eq!(old.read_u8().await.unwrap(), 2);
        proxy.set_mode(ProxyMode::Discard);
        let mut new = TcpStream::connect(proxy.address).await.unwrap();
        for stream in [&mut old, &mut new] {
            stream.write_u8(1).await.unwrap();
            assert!(is_silent(stream).await);
        }
        proxy.set_mode(ProxyMode::Forward);
        // Connections that have lost bytes are closed.
        for mut stream in [old, new] {
            assert!(stream.read_u8().await.is_err());
        }
    }
}
