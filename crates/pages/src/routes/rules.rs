//! `/rules`: the rules, in pictures and a few words.

use axum::response::Response;

use crate::browser::Browser;
use crate::html;

/// The rules.
pub(crate) async fn show(browser: Browser) -> Response {
    browser.page(html::rules::rules(&browser.display()))
}
