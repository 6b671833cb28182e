//! Every route of the API, called without a network connection. Each module is for one part of the paths.

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
