//! Tests of the server through its public interface: the routes called directly, and real connections of every kind.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod connections;
mod races;
mod routes;
mod site;
mod socket;
