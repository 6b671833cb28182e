use std::net::SocketAddr;

use rustls::RootCertStore;
use sultan_testkit::tls::{Authority, Identity, TlsProxy};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::Event;

const TIME_LIMIT: Duration = Duration::from_secs(20);

impl Client {
    /// A client that trusts only these certificate authorities.
    fn trusting(origin: Origin, roots: RootCertStore) -> Self {
        let tls = origin.is_secure().then(|| roots::connector(roots));
        Self { origin, tls }
    }
}

/// Starts a server that answers every request with the same bytes and closes the connection. `{request}` in the
/// response is replaced by the request.
async fn start_server(response: impl Into<Vec<u8>>) -> SocketAddr {
    let (listener, response) = (TcpListener::bind("127.0.0.1:0").await.unwrap(), response.into());
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let response = response.clone();
            tokio::spawn(async move {
                let mut request = vec![0; 4096];
                let length = stream.read(&mut request).await.unwrap();
                let request = String::from_utf8_lossy(&request[..length]);
                let response = String::from_utf8_lossy(&response).replace("{request}", &request);
                stream.write_all(response.as_bytes()).await
            });
        }
    });
    address
}

fn get(path: &str) -> Request<String> {
    Request::get(path).body(String::new()).unwrap()
}

/// Requests `/readyz`. Returns the status and the body of the response, or the error message.
async fn fetch_status_and_body(client: &Client) -> Result<(u16, String), String> {
    let response = client.fetch(get("/readyz"), TIME_LIMIT).await.map_err(|error| error.to_string())?;
    Ok((response.status().as_u16(), String::from_utf8(response.into_body().into()).unwrap()))
}

const READY_RESPONSE: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nready";

/// Fetches from a server on `localhost` that shows this certificate, with a client that trusts only this authority.
async fn fetch_over_tls(trusted_authority: &Authority, server_certificate: &Identity) -> Result<(u16, String), String> {
    let proxy = TlsProxy::start(server_certificate, start_server(READY_RESPONSE).await).await;
    let origin = format!("https://localhost:{}", proxy.address.port()).parse().unwrap();
    fetch_status_and_body(&Client::trusting(origin, trusted_authority.roots())).await
}

#[tokio::test]
async fn requests_name_the_host_and_carry_their_headers_and_body() {
    // The server replaces `{request}` by the request it got.
    let address = start_server("HTTP/1.1 201 Created\r\nx-a: b\r\n\r\n{request}").await;
    let request = Request::post("/x?y=1").header("authorization", "Bearer z").body("{}".to_owned()).unwrap();
    let response = Client::new(address.into()).unwrap().fetch(request, TIME_LIMIT).await.unwrap();
    assert_eq!((response.status().as_u16(), &response.headers()["x-a"]), (201, &"b".parse().unwrap()));
    let request = String::from_utf8(response.into_body().into()).unwrap();
    let expected =
        format!("POST /x?y=1 HTTP/1.1\r\nauthorization: Bearer z\r\nhost: {address}\r\ncontent-length: 2\r\n\r\n{{}}");
    assert_eq!(request, expected);
}

#[tokio::test]
async fn a_connection_serves_several_requests_over_tls() {
    let authority = Authority::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = TlsProxy::start(&authority.sign(&["localhost"]), listener.local_addr().unwrap()).await;
    let origin = format!("https://localhost:{}", proxy.address.port()).parse().unwrap();
    let serve_three_requests = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        for _ in 0..3 {
            assert!(stream.read(&mut [0; 4096]).await.unwrap() > 0);
            stream.write_all(READY_RESPONSE.as_bytes()).await.unwrap();
        }
    };
    let send_three_requests = async {
        let mut connection = Client::trusting(origin, authority.roots()).connect(TIME_LIMIT).await.unwrap();
        for _ in 0..3 {
            let response = connection.fetch(get("/"), TIME_LIMIT).await.unwrap();
            assert_eq!(&response.into_body()[..], b"ready");
        }
    };
    tokio::join!(serve_three_requests, send_three_requests);
}

#[tokio::test]
async fn a_certificate_is_accepted_from_a_trusted_authority_for_the_right_name() {
    let authority = Authority::new();
    let ready = Ok((200, "ready".to_owned()));
    assert_eq!(fetch_over_tls(&authority, &authority.sign(&["localhost"])).await, ready);
    let proxy = TlsProxy::start(&authority.sign(&["127.0.0.1"]), start_server(READY_RESPONSE).await).await;
    let origin = format!("https://{}", proxy.address).parse().unwrap();
    assert_eq!(fetch_status_and_body(&Client::trusting(origin, authority.roots())).await, ready);
}

#[tokio::test]
async fn an_unacceptable_certificate_is_refused_with_the_reason() {
    let authority = Authority::new();
    for (certificate, reason) in [
        (Authority::new().sign(&["localhost"]), "no trusted authority has signed it (SSL_CERT_FILE can name"),
        (authority.sign(&["other.example", "10.0.0.1"]), "it is for other.example, 10.0.0.1"),
        (authority.sign(&[]), "it is for no name at all"),
        (authority.sign_expired(&["localhost"]), "it has expired"),
    ] {
        let refused = fetch_over_tls(&authority, &certificate).await.unwrap_err();
        assert!(refused.starts_with(&format!("the certificate is not accepted: {reason}")), "{refused}");
    }
}

#[tokio::test]
async fn error_for_a_server_without_tls_suggests_http() {
    let origin = format!("https://{}", start_server("HTTP/1.1 400 Bad Request\r\n\r\n").await).parse().unwrap();
    let refused = fetch_status_and_body(&Client::trusting(origin, Authority::new().roots())).await.unwrap_err();
    assert_eq!(refused, "no TLS connection: the server does not speak TLS on this port; try http://");
}

#[tokio::test]
async fn responses_that_are_invalid_incomplete_or_too_large_are_errors() {
    let fetch_response = async |response: Vec<u8>| {
        let client = Client::new(start_server(response).await.into()).unwrap();
        fetch_status_and_body(&client).await
    };
    // Not HTTP, no bytes at all, and a body that is shorter than its announced length.
    assert!(fetch_response(b"SSH-2.0-x\r\n\r\n".to_vec()).await.is_err());
    assert!(fetch_response(Vec::new()).await.is_err());
    let incomplete = b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nready".to_vec();
    assert!(fetch_response(incomplete).await.is_err());
    let mut large = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    // A body of the maximum size is accepted, one byte more is not.
    large.resize(large.len() + 4 * 1024 * 1024, b' ');
    assert_eq!(fetch_response(large.clone()).await.map(|(status, _)| status), Ok(200));
    large.push(b' ');
    assert_eq!(fetch_response(large).await, Err("the response is too large".to_owned()));
}

#[tokio::test]
async fn requests_to_a_silent_server_time_out() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = silent.local_addr().unwrap();
    let limit = Duration::from_millis(50);
    // `secure` times out during the TLS handshake, `plain` while it waits for a response.
    let plain = Client::new(address.into()).unwrap();
    let secure = Client::trusting(format!("https://{address}").parse().unwrap(), Authority::new().roots());
    for client in [plain, secure] {
        assert!(matches!(client.fetch(get("/"), limit).await, Err(Error::TimedOut(_))));
        assert!(matches!(client.events(get("/"), limit).await, Err(Error::TimedOut(_))));
    }
}

#[tokio::test]
async fn events_split_over_chunks_are_joined_and_comments_are_skipped() {
    // The chunks have a comment, an event in three parts, an event with `\r\n`, and an event that is cut off by the end
    // of the stream.
    let stream = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\
        3\r\n:\n\n\r\n9\r\nid: 7\ndat\r\nb\r\na: {\"x\":1}\n\r\n1\r\n\n\r\n11\r\ndata: two\r\n\r\nid: \r\n0\r\n\r\n";
    let client = Client::new(start_server(stream).await.into()).unwrap();
    let mut events = client.events(get("/events"), TIME_LIMIT).await.unwrap().unwrap();
    let mut received = Vec::new();
    while let Some(event) = events.next(TIME_LIMIT).await.unwrap() {
        received.push(event);
    }
    let event = |id, data: &str| Event { id, data: data.to_owned() };
    assert_eq!(received, [event(Some(7), "{\"x\":1}"), event(None, "two")]);
}

#[tokio::test]
async fn refused_event_stream_returns_the_response() {
    let client = Client::new(start_server("HTTP/1.1 404 Not Found\r\n\r\nnone").await.into()).unwrap();
    let refused = client.events(get("/events"), TIME_LIMIT).await.unwrap().err().unwrap();
    assert_eq!((refused.status().as_u16(), &refused.into_body()[..]), (404, &b"none"[..]));
}

#[tokio::test]
async fn silent_event_stream_times_out() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = Client::new(listener.local_addr().unwrap().into()).unwrap();
    let send_one_comment = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        assert!(stream.read(&mut [0; 4096]).await.unwrap() > 0);
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n: here\n\n").await.unwrap();
        stream
    };
    // The server's end of the connection is kept open, so that the client sees silence and not the end of the stream.
    let (events, _server_stream) = tokio::join!(client.events(get("/"), TIME_LIMIT), send_one_comment);
    let next_event = events.unwrap().unwrap().next(Duration::from_millis(50)).await;
    assert!(matches!(next_event, Err(Error::TimedOut(_))), "{next_event:?}");
}
