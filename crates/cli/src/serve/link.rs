//! The link printed at the start, and the link opened in the browser.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

use crate::{Out, format};

/// The address under which this machine reaches a server that listens on `address`. For an unspecified address that is
/// localhost, which browsers trust more than an address in the network.
pub(crate) fn here(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// The address under which other devices in the network reach a server that listens on all interfaces.
pub(crate) fn network(address: SocketAddr) -> Option<SocketAddr> {
    Some(SocketAddr::new(own_address()?, address.port()))
}

/// The link of the home page.
pub(crate) fn home(address: SocketAddr) -> String {
    format!("http://{address}/")
}

/// Prints the link of the server; for other devices also as a QR code.
pub(crate) fn show(out: Out, address: SocketAddr, network: Option<SocketAddr>) -> anyhow::Result<()> {
    let link = home(network.unwrap_or_else(|| here(address)));
    writeln!(out, "{} {link}", format::heading("Sultan is at"))?;
    if network.is_some() {
        writeln!(out, "Other devices in your network can open this link, or read it here:\n\n{}\n", code(&link)?)?;
    }
    Ok(())
}

/// A QR code with colours for dark terminals, the more common ones.
fn code(text: &str) -> anyhow::Result<String> {
    let code = QrCode::new(text)?;
    Ok(code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build())
}

/// This machine's address in the local network. Sends no packet.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address reserved for documentation (TEST-NET-1).
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_unspecified())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_contains_the_server_address() {
        let message = |address: &str, network: Option<&str>| {
            let mut out = Vec::new();
            show(&mut out, address.parse().unwrap(), network.map(|at| at.parse().unwrap())).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(message("127.0.0.1:8081", None).contains("http://127.0.0.1:8081/\n"));
        assert!(message("0.0.0.0:80", None).contains("http://127.0.0.1:80/\n"));
        assert!(message("[::1]:8080", None).contains("http://[::1]:8080/\n"));
        let lan = message("0.0.0.0:8080", Some("192.168.1.20:8080"));
        assert!(lan.contains("http://192.168.1.20:8080/\n") && lan.contains('█') && lan.lines().count() > 10, "{lan}");
        for (bound, reached) in
            [("0.0.0.0:80", "127.0.0.1:80"), ("[::]:80", "[::1]:80"), ("10.0.0.2:80", "10.0.0.2:80")]
        {
            assert_eq!(here(bound.parse().unwrap()), reached.parse().unwrap());
        }
    }
}
