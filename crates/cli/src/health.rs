//! `sultan health`: asks a server whether it and its database answer. For containers that have no other program in them.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, bail};

use crate::Out;
use crate::args::HealthArgs;

/// The server itself waits 2 seconds for its database.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &HealthArgs, out: Out) -> anyhow::Result<()> {
    let address = here(args.bind);
    let status = ask(address).with_context(|| format!("{address} does not answer"))?;
    if status != "200" {
        bail!("{address} is not ready: it answers with status {status}");
    }
    Ok(writeln!(out, "{address} is ready")?)
}

/// Where a server that listens everywhere is reached from its own machine.
fn here(bind: SocketAddr) -> SocketAddr {
    let ip = match bind.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, bind.port())
}

/// The status of `/readyz`.
fn ask(address: SocketAddr) -> anyhow::Result<String> {
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    write!(stream, "GET /readyz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")?;
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    let head = String::from_utf8_lossy(&head).into_owned();
    let status = head.strip_prefix("HTTP/1.1 ").context("that is not HTTP")?;
    Ok(status.to_owned())
}
