//! `/rules`: the rules, with pictures and short texts.

use axum::response::Response;

use crate::browser::Browser;
use crate::html;

/// The rules page.
pub(crate) async fn show(browser: Browser) -> Response {
    browser.page(html::rules::rules(&browser.display()))
}
