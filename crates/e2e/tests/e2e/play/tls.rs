//! `sultan play` on a server behind TLS: accepted certificates, and redirects from plain HTTP.

use std::net::SocketAddr;
use std::path::Path;

use sultan_testkit::server::Server;
use sultan_testkit::tls::{Authority, Identity, TlsProxy};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::terminal::{piped_command, told};
use super::there::{ALONE, serve, table};

/// A server with a table at which it is Ana's turn.
struct World {
    home: TempDir,
    server: Server,
    authority: Authority,
    /// Ana's link without scheme, host and port.
    path: String,
}

impl World {
    async fn new() -> Self {
        let home = TempDir::new().unwrap();
        let server = serve(&home).await;
        let (_, host) = table(&server, ALONE).await;
        let path = host.strip_prefix(&format!("http://{}", server.address)).unwrap().to_owned();
        let authority = Authority::new();
        std::fs::write(home.path().join("authority.pem"), authority.pem()).unwrap();
        Self { home, server, authority, path }
    }

    async fn proxy(&self, identity: &Identity) -> TlsProxy {
        TlsProxy::start(identity, self.server.address).await
    }

    fn link(&self, proxy: &TlsProxy) -> String {
        format!("https://localhost:{}{}", proxy.address.port(), self.path)
    }

    /// Plays in line mode with a link and a file of trusted certificates.
    async fn play(&self, link: &str, trusted: &Path, input: &str) -> (String, Option<i32>) {
        let mut command = piped_command(self.home.path(), &[link]);
        command.env("SSL_CERT_FILE", trusted).env_remove("SSL_CERT_DIR");
        told(command.spawn().unwrap(), input).await
    }

    async fn play_trusting(&self, link: &str, input: &str) -> (String, Option<i32>) {
        self.play(link, &self.home.path().join("authority.pem"), input).await
    }
}

#[tokio::test]
async fn a_game_is_played_over_https() {
    let world = World::new().await;
    let proxy = world.proxy(&world.authority.sign(&["localhost"])).await;
    let link = world.link(&proxy);
    let (said, code) = world.play_trusting(&link, "").await;
    assert!(code == Some(0) && said.contains(&format!("Come back to your seat with: sultan play {link}")), "{said}");
    let (said, code) = world.play_trusting(&link, &"1\n".repeat(80)).await;
    assert!(code == Some(0) && said.contains("points, "), "{said}");
}

#[tokio::test]
async fn a_certificate_that_is_not_accepted_is_reported_in_one_line_with_host_and_reason() {
    let world = World::new().await;
    for (identity, reason) in [
        (world.authority.sign(&["other.example"]), "it is for other.example"),
        (world.authority.sign_expired(&["localhost"]), "it has expired"),
        (Authority::new().sign(&["localhost"]), "no trusted authority has signed it (SSL_CERT_FILE can name a file"),
    ] {
        let proxy = world.proxy(&identity).await;
        let (said, code) = world.play_trusting(&world.link(&proxy), "").await;
        let expected = format!("localhost:{}: the certificate is not accepted: {reason}", proxy.address.port());
        assert!(code == Some(1) && said.contains(&expected) && said.lines().count() == 1, "{said}");
        assert!(!said.contains("/in/"), "the link of the seat is a secret: {said}");
    }
}

#[tokio::test]
async fn a_wrong_ssl_cert_file_is_reported_and_not_ignored() {
    let world = World::new().await;
    let proxy = world.proxy(&world.authority.sign(&["localhost"])).await;
    let nothing = world.home.path().join("nothing.pem");
    for content in [None, Some("no certificate")] {
        if let Some(content) = content {
            std::fs::write(&nothing, content).unwrap();
        }
        let (said, code) = world.play(&world.link(&proxy), &nothing, "").await;
        assert!(code == Some(1) && said.contains("cannot load the certificates to trust: "), "{said}");
        assert!(said.contains("nothing.pem") && said.lines().count() == 1, "{said}");
    }
}

/// A server that redirects every request to this origin, like a proxy that only accepts TLS.
async fn redirecting(to: String) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = vec![0; 4096];
            let length = stream.read(&mut request).await.unwrap();
            let request = String::from_utf8_lossy(&request[..length]);
            let path = request.split(' ').nth(1).unwrap();
            let response = format!("HTTP/1.1 308 Permanent Redirect\r\nlocation: {to}{path}\r\n\r\n");
            stream.write_all(response.as_bytes()).await.unwrap();
        }
    });
    address
}

#[tokio::test]
async fn http_link_follows_a_redirect_to_https() {
    let world = World::new().await;
    let proxy = world.proxy(&world.authority.sign(&["localhost"])).await;
    let plain = redirecting(format!("https://localhost:{}", proxy.address.port())).await;
    let link = format!("http://localhost:{}{}", plain.port(), world.path);
    let (said, code) = world.play_trusting(&link, &"1\n".repeat(3)).await;
    let back = format!("Come back to your seat with: sultan play {}", world.link(&proxy));
    assert!(code == Some(0) && said.contains(&back), "{said}");
}
