//! Postgres over TLS: every connection is encrypted, and only a trusted certificate for the server's address is
//! accepted.

use std::net::Ipv4Addr;
use std::sync::{Arc, OnceLock};

use sultan_testkit::tls::Authority;
use sultan_testkit::{Backend, Postgres, loopback_addresses, postgres_or_skip, store_contract_for_nodes};
use tempfile::TempDir;

/// A Postgres server that accepts TCP connections with TLS only. Its certificate is valid for one of its two addresses.
struct TlsServer {
    server: Postgres,
    /// The address in the certificate.
    certified_address: Ipv4Addr,
    uncertified_address: Ipv4Addr,
    /// The certificates of two authorities: `authority.pem` has signed the server's certificate, `other.pem` has not.
    folder: TempDir,
}

impl TlsServer {
    /// The server that all tests of this file share, if Postgres is installed.
    fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<TlsServer> = OnceLock::new();
        let start = |postgres: &Postgres| {
            let [certified_address, uncertified_address] = loopback_addresses();
            let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
            for (name, authority) in [("authority.pem", &authority), ("other.pem", &Authority::new())] {
                std::fs::write(folder.path().join(name), authority.pem()).unwrap();
            }
            let identity = authority.sign(&[&certified_address.to_string()]);
            let addresses = [certified_address, uncertified_address];
            let server = postgres.start_with_tls(addresses, &identity).unwrap();
            TlsServer { server, certified_address, uncertified_address, folder }
        };
        postgres_or_skip().map(|postgres| SHARED.get_or_init(|| start(postgres)))
    }

    /// The URL of a new database on this server, with a password and these options.
    fn database_url(&self, host: Ipv4Addr, options: &str) -> String {
        format!("postgres://postgres:top-secret@{host}/{}?{options}", self.server.new_database())
    }

    /// The URL of a new database, with verification of the server's certificate by the authority in a file.
    fn verifying_url(&self, host: Ipv4Addr, authority_file: &str) -> String {
        let authority = self.folder.path().join(authority_file);
        self.database_url(host, &format!("sslmode=verify-full&sslrootcert={}", authority.display()))
    }
}

macro_rules! over_tls {
    ($($module:ident::$test:ident),* $(,)?) => {
        /// Runs all tests of nodes, because nodes use every kind of connection: the pool, the dedicated connections,
        /// and LISTEN. The tests mostly wait, so they run concurrently.
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn node_contract_holds_over_tls() {
            let Some(server) = TlsServer::shared() else { return };
            let tests = [$({
                let backend = Backend::from_url(server.verifying_url(server.certified_address, "authority.pem"));
                let test = tokio::spawn(sultan_testkit::store_contract::$module::$test(Arc::new(backend)));
                (stringify!($test), test)
            }),*];
            for (name, test) in tests {
                assert!(test.await.is_ok(), "{name}");
            }
        }
    };
}

store_contract_for_nodes!(over_tls);

#[tokio::test]
async fn unverified_server_is_refused_with_the_reason() {
    let Some(server) = TlsServer::shared() else { return };
    let untrusted = "no trusted authority has signed the server's certificate; sslrootcert=FILE names one to trust";
    let unreadable = "cannot read the file that sslrootcert, sslcert or sslkey";
    for (url, reason) in [
        (server.verifying_url(server.certified_address, "other.pem"), untrusted),
        // Without `sslrootcert`, only public authorities are trusted.
        (server.database_url(server.certified_address, "sslmode=verify-full"), untrusted),
        (server.verifying_url(server.uncertified_address, "authority.pem"), "certificate not valid for name"),
        (server.verifying_url(server.certified_address, "missing.pem"), unreadable),
    ] {
        let Err(error) = sultan_store::open(&url.parse().unwrap()).await else { panic!("{url} can be opened") };
        let message = error.to_string();
        assert!(message.starts_with("no TLS connection to the database server: "), "{message}");
        assert!(message.contains(reason), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(!format!("{message}{error:?}").contains("top-secret"), "the password is printed: {error:?}");
    }
}

#[tokio::test]
async fn connections_use_tls_unless_sslmode_disables_it() {
    let Some(server) = TlsServer::shared() else { return };
    // Without `sslmode`, the connection is encrypted, but the certificate is not checked.
    let backend = Backend::from_url(server.database_url(server.uncertified_address, ""));
    backend.open().await.close().await.unwrap();
    let count_encrypted = "SELECT count(*) FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl";
    assert_eq!(backend.query_number(count_encrypted).await, 1);
    // The server refuses a connection without TLS.
    let without_tls = server.database_url(server.certified_address, "sslmode=disable").parse().unwrap();
    let Err(error) = sultan_store::open(&without_tls).await else { panic!("a connection without TLS is accepted") };
    assert!(error.to_string().contains("no encryption"), "{error}");
}

#[tokio::test]
async fn server_without_tls_is_refused_if_tls_is_required() {
    let Some(postgres) = postgres_or_skip() else { return };
    // The tests' usual server is reached by a Unix socket, which never has TLS.
    let location = format!("{}&sslmode=verify-full", postgres.new_database_url()).parse().unwrap();
    let Err(error) = sultan_store::open(&location).await else { panic!("a connection without TLS is accepted") };
    assert_eq!(error.to_string(), "no TLS connection to the database server: server does not support TLS");
}
