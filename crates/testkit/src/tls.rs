//! TLS for tests: a certificate authority, and a TLS proxy for a plain HTTP server.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{RootCertStore, ServerConfig, crypto};

/// The number of the next authority.
static NEXT_AUTHORITY: AtomicU32 = AtomicU32::new(1);

/// A certificate authority for one test. Clients must be configured to trust it.
#[derive(Debug)]
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A server's certificate and its private key, both as PEM.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "names suffice")]
pub struct Identity {
    pub certificate: String,
    pub key: String,
}

impl Authority {
    /// Creates an authority with a new key.
    ///
    /// # Panics
    /// If the system provides no randomness.
    #[must_use]
    pub fn new() -> Self {
        let mut params = CertificateParams::default();
        // Unique, because a certificate signed by another authority with the same name would look forged.
        let name = format!("test authority {}", NEXT_AUTHORITY.fetch_add(1, Ordering::Relaxed));
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("the system provides randomness");
        Self(CertifiedIssuer::self_signed(params, key).expect("the parameters are valid"))
    }

    /// The certificate of the authority as PEM, for clients that trust it.
    #[must_use]
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// A root store that trusts only this authority.
    ///
    /// # Panics
    /// If the certificate cannot be read.
    #[must_use]
    pub fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone()).expect("the certificate can be read");
        roots
    }

    /// Signs a new certificate for a server with these names or addresses.
    ///
    /// # Panics
    /// If a name is not allowed in a certificate.
    #[must_use]
    pub fn sign(&self, names: &[&str]) -> Identity {
        self.sign_with(&params(names))
    }

    /// Signs a certificate that has expired.
    ///
    /// # Panics
    /// If a name is not allowed in a certificate.
    #[must_use]
    pub fn sign_expired(&self, names: &[&str]) -> Identity {
        let mut params = params(names);
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2002, 1, 1);
        self.sign_with(&params)
    }

    /// Signs a certificate with these parameters for a new key.
    fn sign_with(&self, params: &CertificateParams) -> Identity {
        let key = KeyPair::generate().expect("the system provides randomness");
        let certificate = params.signed_by(&key, &self.0).expect("the parameters are valid");
        Identity { certificate: certificate.pem(), key: key.serialize_pem() }
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

/// The parameters of a certificate for a server with these names or addresses.
fn params(names: &[&str]) -> CertificateParams {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    CertificateParams::new(names).expect("the names are allowed in a certificate")
}

/// A proxy that accepts TLS connections and forwards them to a server without TLS. It stops when this is dropped.
#[derive(Debug)]
pub struct TlsProxy {
    /// The address it listens on.
    pub address: SocketAddr,
    accepting: JoinHandle<()>,
}

impl TlsProxy {
    /// Starts a proxy on a free port.
    ///
    /// # Panics
    /// If no port is free, or the identity is not valid PEM.
    pub async fn start(identity: &Identity, server: SocketAddr) -> Self {
        let acceptor = acceptor(identity);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("a listener has an address");
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                // Errors are ignored: a client that rejects the certificate just closes the connection.
                tokio::spawn(async move {
                    let mut client = acceptor.accept(stream).await.ok()?;
                    let mut server = TcpStream::connect(server).await.ok()?;
                    tokio::io::copy_bidirectional(&mut client, &mut server).await.ok()
                });
            }
        });
        Self { address, accepting }
    }
}

impl Drop for TlsProxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Accepts TLS connections with this certificate and key.
fn acceptor(identity: &Identity) -> TlsAcceptor {
    let certificate = CertificateDer::from_pem_slice(identity.certificate.as_bytes()).expect("the certificate is PEM");
    let key = PrivateKeyDer::from_pem_slice(identity.key.as_bytes()).expect("the key is PEM");
    let config = ServerConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring supports TLS 1.2 and 1.3")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("certificate and key belong together");
    TlsAcceptor::from(Arc::new(config))
}
