//! The address of a server.

use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

use hyper::http::uri::Authority;
use thiserror::Error;

/// The scheme, host and port of a server, such as `https://sultan.example` or `http://[::1]:8080`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    secure: bool,
    authority: Authority,
}

/// The text is not the origin of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a server's address must be https://HOST or http://HOST:PORT")]
pub struct InvalidOrigin;

impl Origin {
    /// Whether connections use TLS.
    #[must_use]
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    /// The host's name or address; an IPv6 address without its brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        let host = self.authority.host();
        host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
    }

    /// The port, which the scheme implies if the origin does not name it.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.authority.port_u16().unwrap_or(if self.secure { 443 } else { 80 })
    }

    /// Host and port as they were given, for the `host` header.
    #[must_use]
    pub fn authority(&self) -> &str {
        self.authority.as_str()
    }
}

impl FromStr for Origin {
    type Err = InvalidOrigin;

    fn from_str(text: &str) -> Result<Self, InvalidOrigin> {
        let (scheme, authority) = text.split_once("://").ok_or(InvalidOrigin)?;
        let secure = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return Err(InvalidOrigin),
        };
        let authority: Authority = authority.parse().map_err(|_| InvalidOrigin)?;
        // `Authority` accepts `user@host`, `host:` and ports that are not numbers.
        let has_valid_port = match authority.as_str().strip_prefix(authority.host()) {
            // No port: the scheme implies it.
            Some("") => true,
            Some(_) => authority.port_u16().is_some(),
            // The authority begins with a user.
            None => false,
        };
        if authority.host().is_empty() || !has_valid_port {
            return Err(InvalidOrigin);
        }
        Ok(Self { secure, authority })
    }
}

/// A server on plain HTTP.
impl From<SocketAddr> for Origin {
    fn from(address: SocketAddr) -> Self {
        let authority = address.to_string().parse().expect("a socket address is a host and a port");
        Self { secure: false, authority }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.secure { "https" } else { "http" }, self.authority)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scheme_host_and_port_are_parsed() {
        for (text, host, port) in [
            ("https://sultan.example", "sultan.example", 443),
            ("http://sultan.example", "sultan.example", 80),
            ("https://sultan.example:8443", "sultan.example", 8443),
            ("http://[::1]:8080", "::1", 8080),
            ("https://[::1]", "::1", 443),
        ] {
            let origin: Origin = text.parse().unwrap();
            assert_eq!((origin.host(), origin.port()), (host, port), "{text}");
            assert_eq!(origin.to_string(), text);
            assert_eq!(origin.is_secure(), text.starts_with("https"));
        }
        assert_eq!("HTTPS://x".parse::<Origin>().unwrap().to_string(), "https://x");
    }

    #[test]
    fn anything_but_scheme_host_and_port_is_refused() {
        for text in [
            "",
            "x",
            "ftp://x",
            "http://",
            "http://:80",
            "http://x:",
            "http://x:port",
            "http://x:70000",
            "http://x/t",
            "http://ana@x",
            "http://a b",
            "http://x\r\ny",
            "http://[::1",
            "http://x?y",
        ] {
            assert_eq!(text.parse::<Origin>(), Err(InvalidOrigin), "{text:?}");
        }
    }

    #[test]
    fn a_socket_address_is_an_origin_without_tls() {
        for address in ["127.0.0.1:80", "[::1]:8080"] {
            let origin = Origin::from(address.parse::<SocketAddr>().unwrap());
            assert_eq!(origin.to_string(), format!("http://{address}"));
        }
    }
}
