//! `sultan play` on a server behind TLS: accepted certificates, and redirects from plain HTTP.

use std::net::SocketAddr;
use std::path::Path;

use sultan_testkit::server::Server;
use sultan_testkit::tls::{Authority, Identity, TlsProxy};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::remote::{TABLE_AGAINST_A_BOT, open_table, start_server};
use super::terminal::{piped_command, run_with_input};

/// A server with a table at which it is Ana's turn.
struct TestSetup {
    home: TempDir,
    server: Server,
    authority: Authority,
    /// Ana's link without scheme, host and port.
    path: String,
}

impl TestSetup {
    async fn new() -> Self {
        let home = TempDir::new().unwrap();
        let server = start_server(&home).await;
        let (_, host) = open_table(&server, TABLE_AGAINST_A_BOT).await;
        let path = host.strip_prefix(&format!("http://{}", server.address)).unwrap().to_owned();
        let authority = Authority::new();
        std::fs::write(home.path().join("authority.pem"), authority.pem()).unwrap();
        Self { home, server, authority, path }
    }

    /// Starts a TLS proxy in front of the server, with this certificate.
    async fn start_proxy(&self, identity: &Identity) -> TlsProxy {
        TlsProxy::start(identity, self.server.address).await
    }

    /// Ana's link through the proxy.
    fn link(&self, proxy: &TlsProxy) -> String {
        format!("https://localhost:{}{}", proxy.address.port(), self.path)
    }

    /// Plays in line mode with a link and a file of trusted certificates.
    async fn play(&self, link: &str, trusted: &Path, input: &str) -> (String, Option<i32>) {
        let mut command = piped_command(self.home.path(), &[link]);
        command.env("SSL_CERT_FILE", trusted).env_remove("SSL_CERT_DIR");
        run_with_input(command.spawn().unwrap(), input).await
    }

    /// Plays in line mode and trusts the certificates of `authority`.
    async fn play_trusting(&self, link: &str, input: &str) -> (String, Option<i32>) {
        self.play(link, &self.home.path().join("authority.pem"), input).await
    }
}

#[tokio::test]
async fn https_game_is_played_to_the_end() {
    let setup = TestSetup::new().await;
    let proxy = setup.start_proxy(&setup.authority.sign(&["localhost"])).await;
    let link = setup.link(&proxy);
    // At the end of the input, the program prints the way back to the game.
    let (output, code) = setup.play_trusting(&link, "").await;
    assert!(
        code == Some(0) && output.contains(&format!("Come back to your seat with: sultan play {link}")),
        "{output}"
    );
    let (output, code) = setup.play_trusting(&link, &"1\n".repeat(80)).await;
    assert!(code == Some(0) && output.contains("points, "), "{output}");
}

#[tokio::test]
async fn rejected_certificate_is_reported_with_host_and_reason() {
    let setup = TestSetup::new().await;
    for (identity, reason) in [
        (setup.authority.sign(&["other.example"]), "it is for other.example"),
        (setup.authority.sign_expired(&["localhost"]), "it has expired"),
        (Authority::new().sign(&["localhost"]), "no trusted authority has signed it (SSL_CERT_FILE can name a file"),
    ] {
        let proxy = setup.start_proxy(&identity).await;
        let (output, code) = setup.play_trusting(&setup.link(&proxy), "").await;
        let expected = format!("localhost:{}: the certificate is not accepted: {reason}", proxy.address.port());
        assert!(code == Some(1) && output.contains(&expected) && output.lines().count() == 1, "{output}");
        assert!(!output.contains("/in/"), "the link of the seat is a secret: {output}");
    }
}

#[tokio::test]
async fn invalid_ssl_cert_file_is_reported() {
    let setup = TestSetup::new().await;
    let proxy = setup.start_proxy(&setup.authority.sign(&["localhost"])).await;
    let invalid = setup.home.path().join("invalid.pem");
    for content in [None, Some("no certificate")] {
        if let Some(content) = content {
            std::fs::write(&invalid, content).unwrap();
        }
        let (output, code) = setup.play(&setup.link(&proxy), &invalid, "").await;
        assert!(code == Some(1) && output.contains("cannot load the certificates to trust: "), "{output}");
        assert!(output.contains("invalid.pem") && output.lines().count() == 1, "{output}");
    }
}

/// A server that redirects every request to this origin, like a proxy that only accepts TLS.
async fn start_redirecting_server(origin: String) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = vec![0; 4096];
            let length = stream.read(&mut request).await.unwrap();
            let request = String::from_utf8_lossy(&request[..length]);
            let path = request.split(' ').nth(1).unwrap();
            let response = format!("HTTP/1.1 308 Permanent Redirect\r\nlocation: {origin}{path}\r\n\r\n");
            stream.write_all(response.as_bytes()).await.unwrap();
        }
    });
    address
}

#[tokio::test]
async fn http_link_follows_a_redirect_to_https() {
    let setup = TestSetup::new().await;
    let proxy = setup.start_proxy(&setup.authority.sign(&["localhost"])).await;
    let plain = start_redirecting_server(format!("https://localhost:{}", proxy.address.port())).await;
    let link = format!("http://localhost:{}{}", plain.port(), setup.path);
    let (output, code) = setup.play_trusting(&link, &"1\n".repeat(3)).await;
    let back = format!("Come back to your seat with: sultan play {}", setup.link(&proxy));
    assert!(code == Some(0) && output.contains(&back), "{output}");
}
