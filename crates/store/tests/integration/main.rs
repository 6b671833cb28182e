//! Tests of both stores through the public interface: reading and writing, TLS, and copies of whole databases.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod databases;
mod tls;
mod transfer;
