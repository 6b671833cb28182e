//! The whole site from outside: every page without a socket, live pages on real connections.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod pages;
mod routes;
mod secrecy;
mod site;
