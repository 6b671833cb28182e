//! Every route, without a socket: laid out as the paths are.

mod actions;
mod analysis;
mod api;
mod bodies;
mod branch;
mod browsers;
mod coach;
mod commitments;
mod events;
mod file;
mod games;
mod headers;
mod home;
mod learning;
mod limits;
mod lobby;
mod pages_end;
mod rematch;
mod replay;
mod seats;
mod settings;
mod tables;
