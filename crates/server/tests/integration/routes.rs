//! Every route of the API, without a socket: laid out as the paths are.

mod actions;
mod api;
mod bodies;
mod commitments;
mod events;
mod games;
mod health;
mod limits;
mod rematch;
mod seats;
mod tables;
