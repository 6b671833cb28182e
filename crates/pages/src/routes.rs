//! The routes of the pages, one file for each page, and shared code.

pub(crate) mod analysis;
pub(crate) mod api;
pub(crate) mod branch;
pub(crate) mod coach;
pub(crate) mod end;
pub(crate) mod home;
pub(crate) mod learn;
pub(crate) mod link;
pub(crate) mod live;
pub(crate) mod lobby;
pub(crate) mod open;
mod page_request;
pub(crate) mod record_file;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod seats;
pub(crate) mod settings;
pub(crate) mod stand_in;
pub(crate) mod table;
mod viewer;
pub(crate) mod well_known;
