//! Errors of a request to a server.

use std::io;
use std::time::Duration;

use rustls::CertificateError;
use thiserror::Error;

/// The reason why a request has no response. The messages do not name the server: callers add its name.
#[derive(Debug, Error)]
pub enum Error {
    /// No connection: an unknown name, a refused connection, no route.
    #[error(transparent)]
    Connect(io::Error),
    /// The server has no certificate that this client accepts.
    #[error("the certificate is not accepted: {0}")]
    Certificate(String),
    /// The TLS handshake failed for another reason.
    #[error("no TLS connection: {0}")]
    Tls(String),
    /// The certificates to trust could not be loaded.
    #[error("cannot load the certificates to trust: {0}")]
    Roots(String),
    /// Timed out waiting for a response, an event or a keep-alive.
    #[error("no response within {} seconds", .0.as_secs())]
    TimedOut(Duration),
    /// The response is not HTTP, or ended early.
    #[error(transparent)]
    Http(#[from] hyper::Error),
    /// The response or an event is larger than any that the API has.
    #[error("the response is too large")]
    TooLarge,
    /// The request cannot be sent: its method, path or headers are malformed.
    #[error("the request is malformed: {0}")]
    Request(#[from] hyper::http::Error),
}

/// The error for a failed TLS handshake.
pub(crate) fn handshake_error(error: io::Error) -> Error {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        Some(rustls::Error::InvalidCertificate(reason)) => Error::Certificate(explain_certificate_error(reason)),
        Some(rustls::Error::InvalidMessage(_)) => {
            Error::Tls("the server does not speak TLS on this port; try http://".to_owned())
        }
        Some(other) => Error::Tls(other.to_string()),
        None if error.kind() == io::ErrorKind::UnexpectedEof => Error::Tls("the connection was closed".to_owned()),
        None => Error::Connect(error),
    }
}

/// Why a certificate is not accepted, as the end of the sentence “the certificate is not accepted: …”.
fn explain_certificate_error(reason: &CertificateError) -> String {
    match reason {
        // `BadSignature` occurs if an authority was created again under the same name: its new key does not match the
        // signatures made with the old key.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            "no trusted authority has signed it (SSL_CERT_FILE can name a file with certificates to trust)".to_owned()
        }
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "it has expired".to_owned(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => "it is not valid yet".to_owned(),
        CertificateError::NotValidForName => "it is for another name".to_owned(),
        CertificateError::NotValidForNameContext { presented, .. } if presented.is_empty() => {
            "it is for no name at all".to_owned()
        }
        CertificateError::NotValidForNameContext { presented, .. } => {
            let names: Vec<&str> = presented.iter().map(|debug_name| extract_name(debug_name)).collect();
            format!("it is for {}", names.join(", "))
        }
        other => other.to_string(),
    }
}

/// Extracts `sultan.example` from the debug format of rustls, which is `DnsName("sultan.example")`.
fn extract_name(debug_name: &str) -> &str {
    let inner = debug_name.split_once('(').and_then(|(_, after_bracket)| after_bracket.strip_suffix(')'));
    inner.unwrap_or(debug_name).trim_matches('"')
}
