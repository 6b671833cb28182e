//! Explains errors of TLS connections to Postgres in the words of its connection options (`sslmode`, `sslrootcert`).

use std::io::ErrorKind;

use rustls::CertificateError;
use rustls::Error::InvalidCertificate;
use sqlx::Error;
use sqlx::postgres::{PgConnectOptions, PgSslMode};

/// Explains an error of TLS or of a certificate file; `None` for any other error.
pub(super) fn failure(error: &Error, options: &PgConnectOptions) -> Option<String> {
    let io = match error {
        Error::Tls(error) => return Some(error.to_string()),
        Error::Io(io) => io,
        _ => return None,
    };
    let reason = match io.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
        // `BadSignature`: an authority was created again with the same name and another key.
        Some(InvalidCertificate(CertificateError::UnknownIssuer | CertificateError::BadSignature)) => {
            "no trusted authority has signed the server's certificate; sslrootcert=FILE names one to trust".to_owned()
        }
        Some(error) => error.to_string(),
        None => {
            return is_file_error(io.kind(), options)
                .then(|| format!("cannot read the file that sslrootcert, sslcert or sslkey names: {io}"));
        }
    };
    // With `sslmode=prefer` (the default), TLS was only tried because the server offers it.
    let hint =
        if matches!(options.get_ssl_mode(), PgSslMode::Prefer) { "; sslmode=disable does without TLS" } else { "" };
    Some(reason + hint)
}

/// Returns whether an I/O error comes from reading a certificate file. Connecting by TCP never fails with an error of
/// these kinds. Connecting to a Unix socket can, because its file may be missing.
fn is_file_error(kind: ErrorKind, options: &PgConnectOptions) -> bool {
    let is_tcp = options.get_socket().is_none() && !options.get_host().starts_with('/');
    is_tcp && matches!(kind, ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::IsADirectory)
}
