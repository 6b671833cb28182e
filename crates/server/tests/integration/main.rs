//! The API from outside: every route without a socket, and real connections of every kind.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod connections;
mod races;
mod routes;
mod site;
mod socket;
