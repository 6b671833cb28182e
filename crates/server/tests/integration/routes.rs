//! Every route of the API, without a socket; the modules follow the paths.

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
