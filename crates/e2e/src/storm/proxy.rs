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
pub enum Line {
    /// Forwards bytes in both directions.
    Passes,
    /// Delays bytes in both directions. They are forwarded once the behaviour changes.
    Stalls,
    /// Discards all bytes in both directions.
    Swallows,
    /// Forwards bytes from the database to the node; delays the other direction.
    OnlyToNode,
    /// Forwards bytes from the node to the database; delays the other direction.
    OnlyToDatabase,
    /// Closes all connections and refuses new ones.
    Refuses,
}

/// The state that all connections watch: the behaviour, and how many times all connections were reset.
#[derive(Clone, Copy, Debug)]
struct Now {
    line: Line,
    cuts: u64,
}

/// The proxy between one node and the database.
#[derive(Debug)]
pub struct Proxy {
    /// The address for the node to connect to.
    pub address: SocketAddr,
    now: watch::Sender<Now>,
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
        let (now, seen) = watch::channel(Now { line: Line::Passes, cuts: 0 });
        let task = tokio::spawn(accept(listener, address, socket.to_owned(), seen));
        Ok(Self { address, now, task })
    }

    /// Changes the behaviour.
    pub fn set(&self, line: Line) {
        self.now.send_modify(|now| {
            // After discarded bytes a connection is unusable, so it is reset.
            let lost = [now.line, line].contains(&Line::Refuses) || now.line == Line::Swallows;
            now.cuts += u64::from(lost && now.line != line);
            now.line = line;
        });
    }

    /// Resets all connections.
    pub fn cut(&self) {
        self.now.send_modify(|now| now.cuts += 1);
    }
}

async fn accept(listener: TcpListener, address: SocketAddr, socket: PathBuf, mut seen: watch::Receiver<Now>) {
    let mut listener = Some(listener);
    loop {
        let now = *seen.borrow_and_update();
        if now.line == Line::Refuses {
            // Without a listener the kernel refuses connections.
            listener = None;
            if seen.changed().await.is_err() {
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
                Ok((node, _)) => drop(tokio::spawn(carry(node, socket.clone(), seen.clone()))),
                Err(_) => sleep(Duration::from_millis(20)).await,
            },
            changed = seen.changed() => if changed.is_err() { return },
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
async fn carry(mut node: TcpStream, socket: PathBuf, seen: watch::Receiver<Now>) {
    let _ = node.set_nodelay(true);
    let begun = seen.borrow().cuts;
    {
        let carried = async {
            if seen.borrow().line == Line::Swallows {
                return swallow(&mut node).await;
            }
            let database = UnixStream::connect(&socket).await?;
            let (from_node, to_node) = node.split();
            let (from_database, to_database) = database.into_split();
            let there = pass(from_node, to_database, seen.clone(), Line::OnlyToNode);
            let back = pass(from_database, to_node, seen.clone(), Line::OnlyToDatabase);
            // When one direction ends, the other ends too.
            tokio::select! { done = there => done, done = back => done }
        };
        let cut = seen.clone();
        tokio::select! {
            _ = carried => {}
            () = is_cut(cut, begun) => {}
        }
    }
    // Close with a reset (RST) instead of a FIN.
    let _ = node.set_zero_linger();
}

async fn is_cut(mut seen: watch::Receiver<Now>, begun: u64) {
    // An error means that the proxy was dropped; then the connection ends too.
    let _ = seen.wait_for(|now| now.cuts != begun).await;
}

async fn swallow(node: &mut TcpStream) -> io::Result<()> {
    let mut nothing = [0; 4096];
    while node.read(&mut nothing).await? > 0 {}
    Ok(())
}

/// Forwards bytes in one direction, as the behaviour allows.
async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut seen: watch::Receiver<Now>,
    waits: Line,
) -> io::Result<()> {
    let mut bytes = [0; 16 * 1024];
    loop {
        let read = from.read(&mut bytes).await?;
        if read == 0 {
            return Ok(());
        }
        let passed = seen.wait_for(|now| now.line != Line::Stalls && now.line != waits).await.map(|now| now.line);
        match passed {
            Ok(Line::Swallows) => {}
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

    /// A proxy for a server that answers every byte with its successor.
    async fn next_byte() -> (tempfile::TempDir, Proxy) {
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

    async fn is_silent(stream: &mut TcpStream) -> bool {
        timeout(Duration::from_millis(100), stream.read_u8()).await.is_err()
    }

    #[tokio::test]
    async fn stalled_connection_loses_no_bytes() {
        let (_folder, proxy) = next_byte().await;
        let mut stream = TcpStream::connect(proxy.address).await.unwrap();
        stream.write_u8(1).await.unwrap();
        assert_eq!(stream.read_u8().await.unwrap(), 2);
        for line in [Line::Stalls, Line::OnlyToNode, Line::OnlyToDatabase] {
            proxy.set(line);
            stream.write_u8(5).await.unwrap();
            assert!(is_silent(&mut stream).await, "{line:?}");
            proxy.set(Line::Passes);
            assert_eq!(stream.read_u8().await.unwrap(), 6, "{line:?}");
        }
    }

    #[tokio::test]
    async fn connection_is_cut_refused_and_restored() {
        let (_folder, proxy) = next_byte().await;
        let mut stream = TcpStream::connect(proxy.address).await.unwrap();
        stream.write_u8(1).await.unwrap();
        assert_eq!(stream.read_u8().await.unwrap(), 2);
        proxy.cut();
        let error = stream.read_u8().await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
        proxy.set(Line::Refuses);
        let refused = || async {
            while TcpStream::connect(proxy.address).await.is_ok() {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(Duration::from_secs(5), refused()).await.unwrap();
        proxy.set(Line::Passes);
        let back = async {
            loop {
                if let Ok(mut stream) = TcpStream::connect(proxy.address).await {
                    stream.write_u8(1).await.unwrap();
                    return stream.read_u8().await.unwrap();
                }
            }
        };
        assert_eq!(timeout(Duration::from_secs(5), back).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn dropped_bytes_are_never_answered() {
        let (_folder, proxy) = next_byte().await;
        let mut old = TcpStream::connect(proxy.address).await.unwrap();
        old.write_u8(1).await.unwrap();
        assert_eq!(old.read_u8().await.unwrap(), 2);
        proxy.set(Line::Swallows);
        let mut new = TcpStream::connect(proxy.address).await.unwrap();
        for stream in [&mut old, &mut new] {
            stream.write_u8(1).await.unwrap();
            assert!(is_silent(stream).await);
        }
        proxy.set(Line::Passes);
        for mut stream in [old, new] {
            assert!(stream.read_u8().await.is_err());
        }
    }
}
