//! Integration tests of the whole site: pages without a socket, and live pages on real connections.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod pages;
mod routes;
mod secrecy;
mod site;
