//! The HTML of the pages, rendered from the view of one observer. Each file is a page or a part of one; `layout` has
//! the frame of all pages.

pub(crate) mod analysis;
pub(crate) mod api;
pub(crate) mod art;
pub(crate) mod bots;
pub(crate) mod coach;
pub(crate) mod curtain;
pub(crate) mod end;
pub(crate) mod fields;
pub(crate) mod game_forms;
pub(crate) mod guide;
pub(crate) mod home;
pub(crate) mod layout;
pub(crate) mod learn;
pub(crate) mod lobby;
pub(crate) mod narration;
pub(crate) mod problem;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod section;
pub(crate) mod table;
pub(crate) mod time_limit;
pub(crate) mod verify;
