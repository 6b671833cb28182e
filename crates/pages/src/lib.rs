//! Sultan's web pages: HTML, assets, forms and live updates, around the API of `sultan-server`.
//!
//! [`app()`] is the whole site: the API and the pages. Read in this order: `app` (all paths), `routes` (one file for
//! each page), `html` (the HTML of the pages), `browser` and `display` (the browser of a request, language and theme),
//! `post` (forms), `errors` (error pages).
//!
//! Every page works without JavaScript; the script in `assets` only adds to it. This crate cannot name a game or a
//! stored event: pages are rendered from views of `sultan-table`, each made for one observer.

mod app;
mod assets;
mod browser;
mod display;
mod errors;
mod html;
mod origin;
mod post;
mod remembered;
mod routes;

pub use app::app;
