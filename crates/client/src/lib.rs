//! A small HTTP/1.1 client for one server, over TCP or TLS. Used by `sultan play`, `sultan health` and the tests.
//!
//! A [`Client`] has the [`Origin`] (the address) of its server and the certificate authorities to trust (`roots`). It
//! sends single requests, each on its own connection, and opens [`Events`] streams; a [`Connection`] stays open for
//! many requests. HTTP is implemented by hyper, TLS by rustls. Proxies are not supported, and redirects are not
//! followed: the caller gets a response with status 3xx like any other.

mod client;
mod connection;
mod error;
mod events;
mod origin;
mod roots;

pub use client::Client;
pub use connection::Connection;
pub use error::Error;
pub use events::{Event, Events};
pub use hyper::body::Bytes;
pub use hyper::http::request::Builder as RequestBuilder;
pub use hyper::{HeaderMap, Request, Response, header};
pub use origin::{InvalidOrigin, Origin};
