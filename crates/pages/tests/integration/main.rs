//! The server from outside: every route without a connection, and real connections of every kind.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod pages;
mod races;
mod routes;
mod secrecy;
mod served;
mod site;
mod sockets;
mod talk;
