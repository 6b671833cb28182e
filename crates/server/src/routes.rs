//! The routes of the API, one file for each part of the paths.

pub(crate) mod actions;
pub(crate) mod commitments;
pub(crate) mod events;
pub(crate) mod health;
pub(crate) mod my;
pub(crate) mod record;
pub(crate) mod rematch;
pub(crate) mod seats;
pub(crate) mod socket;
pub(crate) mod tables;
