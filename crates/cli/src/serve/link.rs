//! The link that is shown at the start.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

use crate::{Out, shown};

/// The page to begin with.
const START: &str = "/api";

/// Shows where the server is; for other devices also as a QR code.
pub(crate) fn show(out: Out, address: SocketAddr, lan: bool) -> anyhow::Result<()> {
    let ip = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        _ if lan => own_address().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        _ => IpAddr::V4(Ipv4Addr::LOCALHOST),
    };
    let link = format!("http://{}{START}", SocketAddr::new(ip, address.port()));
    writeln!(out, "{} {link}", shown::heading("Sultan is at"))?;
    if lan {
        writeln!(out, "Other devices in your network can open this link, or read it here:\n\n{}\n", code(&link)?)?;
    }
    Ok(())
}

/// A QR code for terminals, which are dark more often than not.
fn code(text: &str) -> anyhow::Result<String> {
    let code = QrCode::new(text)?;
    Ok(code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build())
}

/// The address by which others in the network reach this machine. Nothing is sent.
fn own_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address that only stands in documents.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip()).filter(|ip| !ip.is_unspecified())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_link_says_where_the_server_is() {
        let said = |address: &str, lan| {
            let mut out = Vec::new();
            show(&mut out, address.parse().unwrap(), lan).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(said("127.0.0.1:8081", false).contains("http://127.0.0.1:8081/api"));
        assert!(said("0.0.0.0:80", false).contains("http://127.0.0.1:80/api"));
        assert!(said("[::1]:8080", false).contains("http://[::1]:8080/api"));
        let lan = said("0.0.0.0:8080", true);
        assert!(lan.contains(":8080/api") && lan.contains('█') && lan.lines().count() > 10, "{lan}");
    }
}
