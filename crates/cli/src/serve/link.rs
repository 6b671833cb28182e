//! The links to a server: the link printed when it starts, and the link opened in the browser.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

use crate::{Out, format};

/// The address under which this machine reaches a server that listens on `address`. For an unspecified address (all
/// interfaces) that is localhost, which browsers trust more than an address in the network.
pub(crate) fn local_address(address: SocketAddr) -> SocketAddr {
    let localhost: IpAddr = if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
    SocketAddr::new(if address.ip().is_unspecified() { localhost } else { address.ip() }, address.port())
}

/// The address under which other devices in the network reach a server that listens on all interfaces at this port;
/// `None` without a network. Sends no packet.
pub(crate) fn network_address(port: u16) -> Option<SocketAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // Connecting a UDP socket only chooses the interface. The address is reserved for documentation (TEST-NET-1), and
    // any port will do.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let ip = socket.local_addr().ok()?.ip();
    (!ip.is_unspecified()).then_some(SocketAddr::new(ip, port))
}

/// The link of the home page.
pub(crate) fn home_page(address: SocketAddr) -> String {
    format!("http://{address}/")
}

/// Prints the link of the server. With the address for other devices, prints the link with this address, also as a QR
/// code.
pub(crate) fn print(out: Out, address: SocketAddr, network: Option<SocketAddr>) -> anyhow::Result<()> {
    let link = home_page(network.unwrap_or_else(|| local_address(address)));
    writeln!(out, "{} {link}", format::heading("Sultan is at"))?;
    if network.is_some() {
        let code = QrCode::new(&link)?;
        // Light on dark, for terminals with a dark background, which are more common.
        let code = code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
        writeln!(out, "Other devices in your network can open this link, or scan this code:\n\n{code}\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_link_contains_the_server_address() {
        let message = |address: &str, network: Option<&str>| {
            let mut out = Vec::new();
            print(&mut out, address.parse().unwrap(), network.map(|address| address.parse().unwrap())).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert!(message("127.0.0.1:8081", None).contains("http://127.0.0.1:8081/\n"));
        assert!(message("0.0.0.0:80", None).contains("http://127.0.0.1:80/\n"));
        assert!(message("[::1]:8080", None).contains("http://[::1]:8080/\n"));
        let lan = message("0.0.0.0:8080", Some("192.168.1.20:8080"));
        assert!(lan.contains("http://192.168.1.20:8080/\n") && lan.contains('█') && lan.lines().count() > 10, "{lan}");
    }

    #[test]
    fn server_on_all_interfaces_is_reached_at_localhost() {
        for (listening, reached) in
            [("0.0.0.0:80", "127.0.0.1:80"), ("[::]:80", "[::1]:80"), ("10.0.0.2:80", "10.0.0.2:80")]
        {
            assert_eq!(local_address(listening.parse().unwrap()), reached.parse().unwrap());
        }
    }
}
