//! Every route of the API, called without a network connection. There is one module for each part of the paths.

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
