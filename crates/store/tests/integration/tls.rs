//! Postgres over TLS: every connection is encrypted, and only the right certificate is accepted.

use std::net::Ipv4Addr;
use std::sync::{Arc, OnceLock};

use sultan_testkit::tls::Authority;
use sultan_testkit::{Backend, Postgres, loopback_addresses, postgres_or_skip, store_contract_for_nodes};
use tempfile::TempDir;

/// A server that accepts TCP connections with TLS only. Its certificate is for one of its two addresses.
struct TlsServer {
    server: Postgres,
    certified: Ipv4Addr,
    uncertified: Ipv4Addr,
    folder: TempDir,
}

impl TlsServer {
    /// The server that all tests here share, if Postgres is installed.
    fn shared() -> Option<&'static Self> {
        static SHARED: OnceLock<TlsServer> = OnceLock::new();
        let start = |postgres: &Postgres| {
            let [certified, uncertified] = loopback_addresses();
            let (authority, folder) = (Authority::new(), tempfile::tempdir().unwrap());
            for (name, authority) in [("authority.pem", &authority), ("other.pem", &Authority::new())] {
                std::fs::write(folder.path().join(name), authority.pem()).unwrap();
            }
            let identity = authority.sign(&[&certified.to_string()]);
            let server = postgres.start_with_tls([certified, uncertified], &identity).unwrap();
            TlsServer { server, certified, uncertified, folder }
        };
        postgres_or_skip().map(|postgres| SHARED.get_or_init(|| start(postgres)))
    }

    /// The address of a new database, with a password and these options.
    fn address(&self, host: Ipv4Addr, options: &str) -> String {
        format!("postgres://postgres:top-secret@{host}/{}?{options}", self.server.new_database())
    }

    fn verified(&self, host: Ipv4Addr, authority: &str) -> String {
        let authority = self.folder.path().join(authority);
        self.address(host, &format!("sslmode=verify-full&sslrootcert={}", authority.display()))
    }
}

macro_rules! over_tls {
    ($($module:ident::$part:ident),* $(,)?) => {
        /// All tests of nodes, with all kinds of their connections. They mostly wait, so they run concurrently.
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn node_contract_holds_over_tls() {
            let Some(server) = TlsServer::shared() else { return };
            let parts = [$({
                let backend = Backend::from_url(server.verified(server.certified, "authority.pem"));
                let part = tokio::spawn(sultan_testkit::store_contract::$module::$part(Arc::new(backend)));
                (stringify!($part), part)
            }),*];
            for (name, part) in parts {
                assert!(part.await.is_ok(), "{name}");
            }
        }
    };
}

store_contract_for_nodes!(over_tls);

#[tokio::test]
async fn unverified_server_is_refused_with_the_reason() {
    let Some(server) = TlsServer::shared() else { return };
    let unsigned = "no trusted authority has signed the server's certificate; sslrootcert=FILE names one to trust";
    for (address, reason) in [
        (server.verified(server.certified, "other.pem"), unsigned),
        (server.address(server.certified, "sslmode=verify-full"), unsigned),
        (server.verified(server.uncertified, "authority.pem"), "certificate not valid for name"),
        (server.verified(server.certified, "missing.pem"), "cannot read the file that sslrootcert, sslcert or sslkey"),
    ] {
        let Err(error) = sultan_store::open(&address.parse().unwrap()).await else { panic!("{address} opens") };
        let said = error.to_string();
        assert!(said.starts_with("no TLS connection to the database server: ") && said.contains(reason), "{said}");
        assert!(said.lines().count() == 1 && !format!("{said}{error:?}").contains("top-secret"), "{error:?}");
    }
}

#[tokio::test]
async fn tls_is_used_by_default_and_unencrypted_connections_are_refused_by_the_server() {
    let Some(server) = TlsServer::shared() else { return };
    let backend = Backend::from_url(server.address(server.uncertified, ""));
    backend.open().await.close().await.unwrap();
    let encrypted = "SELECT count(*) FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl";
    assert_eq!(backend.query_number(encrypted).await, 1);
    let plain = server.address(server.certified, "sslmode=disable").parse().unwrap();
    let Err(error) = sultan_store::open(&plain).await else { panic!("it opens") };
    assert!(error.to_string().contains("no encryption"), "{error}");
}

#[tokio::test]
async fn server_without_tls_is_refused_if_tls_is_required() {
    let Some(postgres) = postgres_or_skip() else { return };
    // A Unix socket never has TLS.
    let location = format!("{}&sslmode=verify-full", postgres.new_database_url()).parse().unwrap();
    let Err(error) = sultan_store::open(&location).await else { panic!("it opens") };
    assert_eq!(error.to_string(), "no TLS connection to the database server: server does not support TLS");
}
