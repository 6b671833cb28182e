//! The trusted certificate authorities (“root certificates”).

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use tokio_rustls::TlsConnector;

use crate::Error;

/// The authorities of `SSL_CERT_FILE` or `SSL_CERT_DIR` if one is set, otherwise of the system. A machine without any
/// (a minimal container) gets Mozilla's list, which is compiled in.
pub(crate) fn load() -> Result<RootCertStore, Error> {
    let loaded = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    let (added_count, _invalid_count) = roots.add_parsable_certificates(loaded.certs);
    if added_count > 0 {
        return Ok(roots);
    }
    if let Some(configured_path) = ["SSL_CERT_FILE", "SSL_CERT_DIR"].iter().find_map(std::env::var_os) {
        // Falling back to public authorities would hide that the setting has no effect.
        let reason = loaded.errors.first().map(ToString::to_string);
        return Err(Error::Roots(reason.unwrap_or_else(|| format!("there are none in {}", configured_path.display()))));
    }
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    Ok(roots)
}

/// A connector for TLS 1.2 and 1.3 that trusts these authorities.
pub(crate) fn connector(roots: RootCertStore) -> TlsConnector {
    // If a program contains several cryptography providers, rustls panics unless one is named.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring supports TLS 1.2 and 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    TlsConnector::from(Arc::new(config))
}
