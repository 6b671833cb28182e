//! TLS for tests: a certificate authority of the test's own, and a proxy that speaks TLS in front of a server that does not.

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

static AUTHORITIES: AtomicU32 = AtomicU32::new(1);

/// A certificate authority that only those trust who are told to.
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
    /// Makes a new authority.
    ///
    /// # Panics
    /// If there is no randomness for its key.
    #[must_use]
    pub fn new() -> Self {
        let mut params = CertificateParams::default();
        // The same name for two authorities would make one look like a forgery of the other.
        let name = format!("test authority {}", AUTHORITIES.fetch_add(1, Ordering::Relaxed));
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("the system provides randomness");
        Self(CertifiedIssuer::self_signed(params, key).expect("the parameters are right"))
    }

    /// The authority's own certificate, for those who are to trust it.
    #[must_use]
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// This authority as the only one that is trusted.
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
    /// If a name cannot stand in a certificate.
    #[must_use]
    pub fn sign(&self, names: &[&str]) -> Identity {
        self.sign_with(&params(names))
    }

    /// Signs a certificate that has expired.
    ///
    /// # Panics
    /// If a name cannot stand in a certificate.
    #[must_use]
    pub fn sign_expired(&self, names: &[&str]) -> Identity {
        let mut params = params(names);
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2002, 1, 1);
        self.sign_with(&params)
    }

    fn sign_with(&self, params: &CertificateParams) -> Identity {
        let key = KeyPair::generate().expect("the system provides randomness");
        let certificate = params.signed_by(&key, &self.0).expect("the parameters are right");
        Identity { certificate: certificate.pem(), key: key.serialize_pem() }
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

fn params(names: &[&str]) -> CertificateParams {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    CertificateParams::new(names).expect("these are names")
}

/// Accepts TLS and passes everything on to a plain server. It ends with this value.
#[derive(Debug)]
pub struct TlsProxy {
    /// Where it listens.
    pub address: SocketAddr,
    accepting: JoinHandle<()>,
}

impl TlsProxy {
    /// Starts a proxy on a free port.
    ///
    /// # Panics
    /// If there is no free port, or the identity cannot be read.
    pub async fn start(identity: &Identity, server: SocketAddr) -> Self {
        let acceptor = acceptor(identity);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("a listener has an address");
        let accepting = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                // A client that does not accept the certificate hangs up: there is nobody to tell.
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

fn acceptor(identity: &Identity) -> TlsAcceptor {
    let certificate = CertificateDer::from_pem_slice(identity.certificate.as_bytes()).expect("a certificate");
    let key = PrivateKeyDer::from_pem_slice(identity.key.as_bytes()).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring supports TLS 1.2 and 1.3")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("certificate and key belong together");
    TlsAcceptor::from(Arc::new(config))
}
