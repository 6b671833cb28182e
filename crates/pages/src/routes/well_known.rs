//! Files that browsers and search engines request by well-known names.

use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use serde_json::json;

use crate::assets::ICON;
use crate::browser::Browser;

/// A response with a text that browsers may cache for an hour.
fn file(content_type: &'static str, text: impl Into<String>) -> Response {
    let headers = [(header::CONTENT_TYPE, content_type), (header::CACHE_CONTROL, "public, max-age=3600")];
    (headers, text.into()).into_response()
}

/// `/manifest.webmanifest`: the web app manifest.
pub(crate) async fn manifest(browser: Browser) -> Response {
    let text = browser.display().text;
    let manifest = json!({
        "name": "Sultan",
        "short_name": "Sultan",
        "description": text.say("home-about"),
        "lang": text.lang().code(),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#0a1030",
        "theme_color": "#0d1533",
        "icons": [{"src": ICON, "type": "image/svg+xml", "sizes": "any", "purpose": "any"}],
    });
    let vary = [(header::VARY, "accept-language, cookie")];
    (vary, file("application/manifest+json", manifest.to_string())).into_response()
}

/// `/favicon.ico`: browsers request it by default.
pub(crate) async fn favicon() -> Redirect {
    // Temporary, because the icon's name changes with its contents.
    Redirect::temporary(ICON)
}

/// `/robots.txt`: allows the home page, the rules and the introduction, but no tables.
pub(crate) async fn robots() -> Response {
    file(
        "text/plain; charset=utf-8",
        "User-agent: *\nAllow: /$\nAllow: /rules\nAllow: /learn\nAllow: /a/\nDisallow: /\n",
    )
}
