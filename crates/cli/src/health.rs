//! `sultan health`: asks a server whether it and its database answer. For containers that have no other program in them.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::Out;
use crate::args::HealthArgs;
use crate::serve::link;

/// For everything together. The server itself waits 2 seconds for its database.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &HealthArgs, out: Out) -> anyhow::Result<()> {
    let address = link::here(args.bind);
    let status = ask(address, Instant::now() + PATIENCE).with_context(|| format!("{address} does not answer"))?;
    if status != "200" {
        bail!("{address} is not ready: it answers with status {status}");
    }
    Ok(writeln!(out, "{address} is ready")?)
}

/// The status of `/readyz`.
fn ask(address: SocketAddr, until: Instant) -> anyhow::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, left(until)?)?;
    stream.set_write_timeout(Some(left(until)?))?;
    let question = format!("GET /readyz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(question.as_bytes()).map_err(in_words)?;
    let (mut head, mut read) = ([0; 12], 0);
    while read < head.len() {
        // Each piece may come at the last moment, but all must be there in time.
        stream.set_read_timeout(Some(left(until)?))?;
        match stream.read(&mut head[read..]) {
            Ok(0) => bail!("it hangs up without an answer"),
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(in_words(error).into()),
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let status = head.strip_prefix("HTTP/1.1 ").context("that is not HTTP")?;
    Ok(status.to_owned())
}

/// How much time is left.
fn left(until: Instant) -> io::Result<Duration> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
}

/// A socket whose time is up says that it would block.
fn in_words(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::WouldBlock { io::ErrorKind::TimedOut.into() } else { error }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// What comes of asking a server that answers like this, in a second.
    fn answered(by: impl FnOnce(TcpStream) + Send + 'static) -> Result<String, String> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || by(listener.accept().unwrap().0));
        ask(address, Instant::now() + Duration::from_secs(1)).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn a_server_that_hangs_up_is_not_well() {
        assert!(answered(drop).is_err());
        let status = answered(|mut stream| drop(stream.write_all(b"HTTP/1.1 503 Service Unavailable\r\n\r\n")));
        assert_eq!(status, Ok("503".to_owned()));
    }

    #[test]
    fn time_is_up_for_a_server_that_answers_drop_by_drop() {
        let begun = Instant::now();
        let answer = answered(|mut stream| {
            for byte in b"HTTP/1.1 200" {
                std::thread::sleep(Duration::from_millis(300));
                if stream.write_all(&[*byte]).is_err() {
                    return;
                }
            }
        });
        assert_eq!(answer, Err("timed out".to_owned()));
        assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    }
}
