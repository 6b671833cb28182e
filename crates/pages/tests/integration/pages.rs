//! The pages of a table: seen by everybody, played by forms, and told what changes.

mod forms;
mod live;
mod page;
mod render;
mod socket;
