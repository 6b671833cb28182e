//! The pages of a table: rendered for all observers, played by forms, and updated live.

mod forms;
mod live;
mod page;
mod render;
mod socket;
