//! The pages without a socket, in one file for each path.

mod analysis;
mod api;
mod branch;
mod browsers;
mod coach;
mod errors;
mod file;
mod headers;
mod home;
mod learning;
mod lobby;
mod pages_end;
mod replay;
mod settings;
mod stand_in;
