use std::net::SocketAddr;

use sultan_testkit::tls::{Authority, Identity, TlsProxy};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::Event;

const TIME_LIMIT: Duration = Duration::from_secs(20);

/// A server that answers every request with the same bytes and closes the connection.
async fn server(response: impl Into<Vec<u8>>) -> SocketAddr {
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

async fn fetch(client: &Client) -> Result<(u16, String), String> {
    let response = client.fetch(get("/readyz"), TIME_LIMIT).await.map_err(|error| error.to_string())?;
    Ok((response.status().as_u16(), String::from_utf8(response.into_body().into()).unwrap()))
}

const READY: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nready";

/// The result of a client that trusts an authority, from a server on `localhost` with a certificate.
async fn fetch_from(trusted: &Authority, shown: &Identity) -> Result<(u16, String), String> {
    let proxy = TlsProxy::start(shown, server(READY).await).await;
    let origin = format!("https://localhost:{}", proxy.address.port()).parse().unwrap();
    fetch(&Client::trusting(origin, trusted.roots())).await
}

#[tokio::test]
async fn requests_name_the_host_and_carry_their_headers_and_body() {
    let address = server("HTTP/1.1 201 Created\r\nx-a: b\r\n\r\n{request}").await;
    let request = Request::post("/x?y=1").header("authorization", "Bearer z").body("{}".to_owned()).unwrap();
    let response = Client::new(address.into()).unwrap().fetch(request, TIME_LIMIT).await.unwrap();
    assert_eq!((response.status().as_u16(), &response.headers()["x-a"]), (201, &"b".parse().unwrap()));
    let request = String::from_utf8(response.into_body().into()).unwrap();
    let head =
        format!("POST /x?y=1 HTTP/1.1\r\nauthorization: Bearer z\r\nhost: {address}\r\ncontent-length: 2\r\n\r\n{{}}");
    assert_eq!(request, head);
}

#[tokio::test]
async fn a_connection_serves_several_requests_over_tls() {
    let authority = Authority::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy = TlsProxy::start(&authority.sign(&["localhost"]), listener.local_addr().unwrap()).await;
    let origin = format!("https://localhost:{}", proxy.address.port()).parse().unwrap();
    let serve = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        for _ in 0..3 {
            assert!(stream.read(&mut [0; 4096]).await.unwrap() > 0);
            stream.write_all(READY.as_bytes()).await.unwrap();
        }
    };
    let ask = async {
        let mut connection = Client::trusting(origin, authority.roots()).connect(TIME_LIMIT).await.unwrap();
        for _ in 0..3 {
            let response = connection.fetch(get("/"), TIME_LIMIT).await.unwrap();
            assert_eq!(&response.into_body()[..], b"ready");
        }
    };
    tokio::join!(serve, ask);
}

#[tokio::test]
async fn a_certificate_is_accepted_from_a_trusted_authority_for_the_right_name() {
    let authority = Authority::new();
    let ready = Ok((200, "ready".to_owned()));
    assert_eq!(fetch_from(&authority, &authority.sign(&["localhost"])).await, ready);
    let proxy = TlsProxy::start(&authority.sign(&["127.0.0.1"]), server(READY).await).await;
    let origin = format!("https://{}", proxy.address).parse().unwrap();
    assert_eq!(fetch(&Client::trusting(origin, authority.roots())).await, ready);
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
        let refused = fetch_from(&authority, &certificate).await.unwrap_err();
        assert!(refused.starts_with(&format!("the certificate is not accepted: {reason}")), "{refused}");
    }
}

#[tokio::test]
async fn a_server_without_tls_is_recognised() {
    let origin = format!("https://{}", server("HTTP/1.1 400 Bad Request\r\n\r\n").await).parse().unwrap();
    let refused = fetch(&Client::trusting(origin, Authority::new().roots())).await.unwrap_err();
    assert_eq!(refused, "no TLS connection: the server does not speak TLS on this port; try http://");
}

#[tokio::test]
async fn responses_that_are_not_http_or_too_large_are_refused() {
    let ask = async |response: Vec<u8>| fetch(&Client::new(server(response).await.into()).unwrap()).await;
    assert!(ask(b"SSH-2.0-x\r\n\r\n".to_vec()).await.is_err());
    assert!(ask(Vec::new()).await.is_err());
    let cut_off = b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nready".to_vec();
    assert!(ask(cut_off).await.is_err());
    let mut large = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    large.resize(large.len() + 4 * 1024 * 1024, b' ');
    assert_eq!(ask(large.clone()).await.map(|(status, _)| status), Ok(200));
    large.push(b' ');
    assert_eq!(ask(large).await, Err("the response is too large".to_owned()));
}

#[tokio::test]
async fn waiting_for_a_silent_server_is_bounded() {
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = silent.local_addr().unwrap();
    let limit = Duration::from_millis(50);
    let plain = Client::new(address.into()).unwrap();
    let secure = Client::trusting(format!("https://{address}").parse().unwrap(), Authority::new().roots());
    for client in [plain, secure] {
        assert!(matches!(client.fetch(get("/"), limit).await, Err(Error::TimedOut(_))));
        assert!(matches!(client.events(get("/"), limit).await, Err(Error::TimedOut(_))));
    }
}

#[tokio::test]
async fn events_are_read_piece_by_piece_and_comments_are_skipped() {
    let stream = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\
        3\r\n:\n\n\r\n9\r\nid: 7\ndat\r\nb\r\na: {\"x\":1}\n\r\n1\r\n\n\r\n11\r\ndata: two\r\n\r\nid: \r\n0\r\n\r\n";
    let client = Client::new(server(stream).await.into()).unwrap();
    let mut events = client.events(get("/events"), TIME_LIMIT).await.unwrap().unwrap();
    let mut all = Vec::new();
    while let Some(event) = events.next(TIME_LIMIT).await.unwrap() {
        all.push(event);
    }
    let event = |id, data: &str| Event { id, data: data.to_owned() };
    assert_eq!(all, [event(Some(7), "{\"x\":1}"), event(None, "two")]);
}

#[tokio::test]
async fn a_stream_that_is_refused_gives_the_response() {
    let client = Client::new(server("HTTP/1.1 404 Not Found\r\n\r\nnone").await.into()).unwrap();
    let refused = client.events(get("/events"), TIME_LIMIT).await.unwrap().err().unwrap();
    assert_eq!((refused.status().as_u16(), &refused.into_body()[..]), (404, &b"none"[..]));
}

#[tokio::test]
async fn a_silent_stream_is_given_up() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = Client::new(listener.local_addr().unwrap().into()).unwrap();
    let serve = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        assert!(stream.read(&mut [0; 4096]).await.unwrap() > 0);
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n: here\n\n").await.unwrap();
        stream
    };
    let (opened, _stream) = tokio::join!(client.events(get("/"), TIME_LIMIT), serve);
    let next = opened.unwrap().unwrap().next(Duration::from_millis(50)).await;
    assert!(matches!(next, Err(Error::TimedOut(_))), "{next:?}");
}
