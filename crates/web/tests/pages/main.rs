//! The pages of a table: seen by everybody, played by forms, and told what changes.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod forms;
mod live;
mod page;
mod render;
#[path = "../served/server.rs"]
mod server;
#[path = "../routes/site.rs"]
#[expect(dead_code, reason = "the API's tests need more of it")]
mod site;
mod socket;
