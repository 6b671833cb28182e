//! The contract of every store, and copies of whole databases.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod databases;
mod tls;
mod transfer;
