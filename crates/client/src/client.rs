//! An HTTP client for one server.

use std::time::Duration;

use hyper::body::Bytes;
use hyper::{Request, Response, StatusCode};
use tokio_rustls::TlsConnector;

use crate::connection::{Connection, read_to_end, timeout};
use crate::{Error, Events, Origin, roots};

/// A client of one server. Clones share TLS sessions, so that only the first handshake is a full one.
#[derive(Clone)]
pub struct Client {
    origin: Origin,
    tls: Option<TlsConnector>,
}

impl Client {
    /// A client that trusts the certificate authorities of the system, or of the file that `SSL_CERT_FILE` names.
    ///
    /// # Errors
    /// [`Error::Roots`] if `SSL_CERT_FILE` names no file with certificates. Only for an origin with TLS.
    pub fn new(origin: Origin) -> Result<Self, Error> {
        let tls = if origin.is_secure() { Some(roots::connector(roots::load()?)) } else { None };
        Ok(Self { origin, tls })
    }

    /// The server.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Opens a connection, without a time limit.
    async fn open(&self) -> Result<Connection, Error> {
        // Boxed, because a TLS handshake would make every future around it large.
        Box::pin(Connection::open(&self.origin, self.tls.as_ref())).await
    }

    /// Opens a connection for several requests.
    ///
    /// # Errors
    /// [`Error`] if connecting fails or times out.
    pub async fn connect(&self, time_limit: Duration) -> Result<Connection, Error> {
        timeout(time_limit, self.open()).await
    }

    /// Sends a request on a new connection, and waits for the whole response. The request's URI is a path.
    ///
    /// Connections are not kept between requests: a player may think for minutes, and if a router has silently dropped
    /// the connection by then, the next request would fail only after its whole time limit.
    ///
    /// # Errors
    /// [`Error`] if connecting fails, or if the response is invalid, too large, or not complete in time. The time limit
    /// includes connecting.
    pub async fn fetch(&self, request: Request<String>, time_limit: Duration) -> Result<Response<Bytes>, Error> {
        timeout(time_limit, async { read_to_end(self.open().await?.send(request).await?).await }).await
    }

    /// Opens a stream of server-sent events. If the status is not 200, the server refuses the stream, and its response
    /// is the inner `Err`.
    ///
    /// # Errors
    /// [`Error`] if connecting fails, or if the response is invalid or does not begin in time.
    pub async fn events(
        &self,
        request: Request<String>,
        time_limit: Duration,
    ) -> Result<Result<Events, Response<Bytes>>, Error> {
        let open = async {
            let response = self.open().await?.send(request).await?;
            let is_stream = response.status() == StatusCode::OK;
            Ok(if is_stream { Ok(Events::new(response)) } else { Err(read_to_end(response).await?) })
        };
        timeout(time_limit, open).await
    }
}

#[cfg(test)]
mod tests;
