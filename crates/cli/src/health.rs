//! `sultan health`: checks whether a server and its database respond. For containers that have no other HTTP client.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, bail};
use sultan_client::{Client, Request};

use crate::Out;
use crate::args::hosting::HealthArgs;
use crate::serve::link;

/// Time limit of the whole check. The server itself waits 2 seconds for its database.
const TIME_LIMIT: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &HealthArgs, out: Out) -> anyhow::Result<()> {
    let address = link::local_address(args.bind);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let status = runtime.block_on(readiness_status(address, TIME_LIMIT));
    let status = status.with_context(|| format!("{address} does not answer"))?;
    if status != 200 {
        bail!("{address} is not ready: it answers with status {status}");
    }
    Ok(writeln!(out, "{address} is ready")?)
}

/// Requests `/readyz` and returns the HTTP status.
async fn readiness_status(address: SocketAddr, time_limit: Duration) -> anyhow::Result<u16> {
    let request = Request::get("/readyz").body(String::new())?;
    Ok(Client::new(address.into())?.fetch(request, time_limit).await?.status().as_u16())
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};

    use super::*;

    /// Starts a server that handles one connection with `answer`, and checks its readiness with a time limit of one
    /// second. Returns the HTTP status or the error message.
    async fn readiness_of_server(answer: impl AsyncFnOnce(TcpStream)) -> Result<u16, String> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serve = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            assert!(stream.read(&mut [0; 1024]).await.unwrap() > 0);
            answer(stream).await;
            // The server must not end, so that only `readiness_status` can end the `select!`.
            std::future::pending::<()>().await;
        };
        tokio::select! {
            status = readiness_status(address, Duration::from_secs(1)) => {
                status.map_err(|error| format!("{error:#}"))
            }
            () = serve => unreachable!("the server does not end"),
        }
    }

    #[tokio::test]
    async fn a_server_that_hangs_up_or_answers_503_is_not_ready() {
        assert!(readiness_of_server(async |stream| drop(stream)).await.is_err());
        let unavailable = async |mut stream: TcpStream| {
            let _ = stream.write_all(b"HTTP/1.1 503 Service Unavailable\r\n\r\n").await;
        };
        assert_eq!(readiness_of_server(unavailable).await, Ok(503));
    }

    #[tokio::test]
    async fn the_time_limit_holds_for_a_server_that_answers_byte_by_byte() {
        let start = Instant::now();
        let status = readiness_of_server(async |mut stream| {
            // 12 bytes in 3.6 seconds: each comes within the time limit of one second, all of them together do not.
            for byte in b"HTTP/1.1 200" {
                tokio::time::sleep(Duration::from_millis(300)).await;
                let _ = stream.write_all(&[*byte]).await;
            }
        });
        assert_eq!(status.await, Err("no response within 1 seconds".to_owned()));
        assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    }
}
