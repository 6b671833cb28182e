//! Explains errors of TLS connections to Postgres.

use std::io::ErrorKind;

use rustls::CertificateError;
use rustls::Error::InvalidCertificate;
use sqlx::Error;
use sqlx::postgres::{PgConnectOptions, PgSslMode};

/// Explains a TLS error; `None` for any other error.
pub(super) fn failure(error: &Error, options: &PgConnectOptions) -> Option<String> {
    let io = match error {
        Error::Tls(error) => return Some(error.to_string()),
        Error::Io(io) => io,
        _ => return None,
    };
    let reason = match io.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        // A recreated authority of the same name has another key, and therefore other signatures.
        Some(InvalidCertificate(CertificateError::UnknownIssuer | CertificateError::BadSignature)) => {
            "no trusted authority has signed the server's certificate; sslrootcert=FILE names one to trust".to_owned()
        }
        Some(error) => error.to_string(),
        None => {
            return unreadable_file(io.kind(), options)
                .then(|| format!("cannot read the file that sslrootcert, sslcert or sslkey names: {io}"));
        }
    };
    // A server that offers TLS in a way that this program cannot use.
    let hint =
        if matches!(options.get_ssl_mode(), PgSslMode::Prefer) { "; sslmode=disable does without TLS" } else { "" };
    Some(reason + hint)
}

/// Returns whether this is the error of a certificate file. A TCP connection never fails like that, but a Unix socket
/// may be missing.
fn unreadable_file(kind: ErrorKind, options: &PgConnectOptions) -> bool {
    let is_tcp = options.get_socket().is_none() && !options.get_host().starts_with('/');
    is_tcp && matches!(kind, ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::IsADirectory)
}
