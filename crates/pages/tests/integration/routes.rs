//! Every page, without a socket: laid out as the paths are.

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
