//! What browsers and search engines ask for by name.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::assets::ICON;
use crate::browser::Browser;

fn file(kind: &'static str, text: impl Into<String>) -> Response {
    let mut response = text.into().into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    response
}

/// `/manifest.webmanifest`: how the site looks among a device's programs.
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
    let mut response = file("application/manifest+json", manifest.to_string());
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-language, cookie"));
    response
}

/// `/favicon.ico`: browsers ask for it unasked.
pub(crate) async fn favicon() -> Response {
    // Not for good: the icon's name changes with it.
    let mut response = StatusCode::TEMPORARY_REDIRECT.into_response();
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_static(ICON));
    response
}

/// `/robots.txt`: the game may be found, tables may not.
pub(crate) async fn robots() -> Response {
    file(
        "text/plain; charset=utf-8",
        "User-agent: *\nAllow: /$\nAllow: /rules\nAllow: /learn\nAllow: /a/\nDisallow: /\n",
    )
}
