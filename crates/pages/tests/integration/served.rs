//! A whole server in this process, for tests that need real connections.

mod line;
mod plan;
mod server;
mod world;

pub(crate) use plan::Plan;
pub(crate) use server::{Served, unlimited};
pub(crate) use world::World;
