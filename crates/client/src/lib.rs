//! A small HTTP/1.1 client for one server, over TCP or TLS. Used by `sultan play`, `sultan health` and the tests.
//!
//! A [`Client`] knows an [`Origin`] and whose certificates to trust (`roots`). It sends single requests, each on a connection of
//! its own, and opens [`Events`] streams; a [`Connection`] stays open for many requests. hyper speaks HTTP, rustls speaks TLS. There
//! are no proxies and no redirects: a caller sees status 3xx like any other.

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
