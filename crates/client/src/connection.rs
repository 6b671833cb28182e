//! One connection to a server, for any number of requests.

use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{HOST, HeaderValue};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::error::handshake_error;
use crate::{Error, Origin};

/// Maximum size of the head of a response (the status line and the headers).
const MAX_HEAD_BYTES: usize = 64 * 1024;
/// Maximum size of a body that is read into memory. The largest response of the API, an analysis, is far below this.
const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// An open connection. Dropping it closes the connection.
#[derive(Debug)]
pub struct Connection {
    sender: SendRequest<String>,
    /// The value of the `host` header of all requests.
    host: HeaderValue,
}

impl Connection {
    /// Connects to a server, over TLS if `tls` has a connector.
    pub(crate) async fn open(origin: &Origin, tls: Option<&TlsConnector>) -> Result<Self, Error> {
        let stream = TcpStream::connect((origin.host(), origin.port())).await.map_err(Error::Connect)?;
        stream.set_nodelay(true).map_err(Error::Connect)?;
        let host = HeaderValue::from_str(origin.authority()).map_err(hyper::http::Error::from)?;
        let sender = match tls {
            None => init_http(stream).await?,
            Some(tls) => {
                let host_name = ServerName::try_from(origin.host().to_owned())
                    .map_err(|_| Error::Tls("the server's name is not a valid host name".to_owned()))?;
                init_http(tls.connect(host_name, stream).await.map_err(handshake_error)?).await?
            }
        };
        Ok(Self { sender, host })
    }

    /// Sends a request and waits for the head of the response.
    pub(crate) async fn send(&mut self, mut request: Request<String>) -> Result<Response<Incoming>, Error> {
        request.headers_mut().entry(HOST).or_insert_with(|| self.host.clone());
        self.sender.ready().await?;
        Ok(self.sender.send_request(request).await?)
    }

    /// Sends a request and waits for the whole response. The request's URI is a path.
    ///
    /// # Errors
    /// [`Error`] if the response is invalid, too large, or not complete in time; the connection is unusable then.
    pub async fn fetch(&mut self, request: Request<String>, time_limit: Duration) -> Result<Response<Bytes>, Error> {
        timeout(time_limit, async { read_to_end(self.send(request).await?).await }).await
    }
}

/// Starts HTTP/1.1 on a stream.
async fn init_http(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Result<SendRequest<String>, Error> {
    let (sender, driver) = http1::Builder::new().max_buf_size(MAX_HEAD_BYTES).handshake(TokioIo::new(stream)).await?;
    // The driver reads and writes the stream until the sender is dropped. Its result is not needed, because an error
    // also reaches the caller that waits for a response.
    tokio::spawn(driver);
    Ok(sender)
}

/// Reads the whole body of a response.
pub(crate) async fn read_to_end(response: Response<Incoming>) -> Result<Response<Bytes>, Error> {
    let (head, body) = response.into_parts();
    match Limited::new(body, MAX_BODY_BYTES).collect().await {
        Ok(body) => Ok(Response::from_parts(head, body.to_bytes())),
        // The error is from hyper, or from `Limited` because of the size.
        Err(error) => Err(match error.downcast::<hyper::Error>() {
            Ok(error) => Error::Http(*error),
            Err(error) => {
                debug_assert!(error.is::<LengthLimitError>(), "{error}");
                Error::TooLarge
            }
        }),
    }
}

/// Waits for the result of this work. Fails with [`Error::TimedOut`] after the limit.
pub(crate) async fn timeout<T>(limit: Duration, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    tokio::time::timeout(limit, work).await.unwrap_or(Err(Error::TimedOut(limit)))
}
