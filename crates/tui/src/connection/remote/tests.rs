use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::super::TableConnection;
use super::*;

/// A table on a server that returns these responses in order. A response is the status line and the body, separated by
/// `|`.
async fn table_with_responses(responses: Vec<&'static str>) -> RemoteTable {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        for response in responses {
            let (mut stream, _) = listener.accept().await.unwrap();
            let _ = stream.read(&mut [0; 4096]).await;
            let (status, body) = response.split_once('|').unwrap();
            let response = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            stream.write_all(response.as_bytes()).await.unwrap();
        }
    });
    let table = "y20cwaaq261c".parse().unwrap();
    RemoteTable { client: Client::new(address.into()).unwrap(), table, token: None, own_seats: Vec::new() }
}

#[tokio::test]
async fn busy_server_is_retried_but_an_unknown_table_is_not() {
    let remote = table_with_responses(vec![
        r#"503 Service Unavailable|{"code":"server/failed","detail":"busy"}"#,
        r#"429 Too Many Requests|{"code":"request/too-many","detail":"too many"}"#,
        "502 Bad Gateway|<html>",
        r#"404 Not Found|{"code":"table/not-found","detail":"no such table"}"#,
    ]);
    let (sender, mut events) = mpsc::channel(16);
    let connection = TableConnection::Remote(remote.await);
    tokio::spawn(connection.watch(sender));
    let mut reported = Vec::new();
    for _ in 0..4 {
        reported.push(match events.recv().await.unwrap() {
            TableEvent::Disconnected(reason) => reason,
            TableEvent::Closed(PlayError::Rejected { code, .. }) => format!("closed: {code}"),
            other => panic!("{other:?}"),
        });
    }
    assert_eq!(reported, ["busy", "too many", "the server answers with status 502", "closed: table/not-found"]);
}

#[tokio::test]
async fn a_redirect_to_another_host_is_reported_and_not_followed() {
    let mut remote = table_with_responses(vec!["301 Moved Permanently\r\nlocation: https://other.example/t/x|"]).await;
    let Err(PlayError::Unreachable(reason)) = remote.first_view().await else { panic!("no error") };
    assert_eq!(
        reason,
        "the server answers with status 301 and points to https://other.example/t/x: play with a link from there"
    );
}

#[test]
fn only_a_redirect_from_plain_http_to_tls_on_the_same_host_is_followed() {
    let target = |from: &str, status: u16, location: &str| {
        let response = Response::builder().status(status).header(LOCATION, location).body(Bytes::new()).unwrap();
        redirect_to_tls(&from.parse().unwrap(), &response).map(|origin| origin.to_string())
    };
    let https = "https://sultan.example/api/v1/tables/y20cwaaq261c";
    for status in [301, 302, 307, 308] {
        assert_eq!(target("http://Sultan.example:8080", status, https).unwrap(), "https://sultan.example");
    }
    assert_eq!(
        target("http://sultan.example", 308, "https://sultan.example:8443").unwrap(),
        "https://sultan.example:8443"
    );
    for (from, status, location) in [
        ("http://sultan.example", 200, https),
        ("https://sultan.example", 308, https),
        ("http://other.example", 308, https),
        ("http://sultan.example", 308, "http://sultan.example/x"),
        ("http://sultan.example", 308, "/x"),
        // Other hosts that only look like the same host.
        ("http://sultan.example", 308, "https://sultan.example@other.example/"),
        ("http://sultan.example", 308, "https://sultan.example.other.example/"),
    ] {
        assert_eq!(target(from, status, location), None, "{from} {status} {location}");
    }
}
