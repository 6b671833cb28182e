//! Sultan's web pages: HTML, assets, forms and live updates, around the API of `sultan-server`.
//!
//! [`app()`] is the whole site: the API and the pages. Read in this order: `app` (all paths), `routes` (one file for each page),
//! `html` (what the pages are made of), `browser` and `display` (who asks, language and theme), `post` (forms), `errors` (how errors are shown to people).
//!
//! Every page works without JavaScript; the script in `assets` only adds to it. Nothing here can name a game or a stored event: pages
//! are made of views from `sultan-table`, each made for one observer.

mod app;
mod assets;
mod browser;
mod display;
mod errors;
mod html;
mod post;
mod remembered;
mod routes;

pub use app::app;
