//! The frame of all pages: head, bar, footer.

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::io::Write;
use sultan_text::Lang;

use super::art::draw;
use crate::assets::{ICON, SCRIPT, SPRITE, STYLE, accepts};
use crate::display::{DisplaySettings, Theme};

/// The content of a page.
pub(crate) struct Page {
    /// The title of the browser tab.
    pub(crate) title: String,
    /// The kind of page, for the style sheet and the script.
    pub(crate) kind: &'static str,
    /// The content of the bar, beside the name of the site.
    pub(crate) bar: Markup,
    /// The `main` element.
    pub(crate) body: Markup,
    /// The description in link previews.
    pub(crate) about: String,
}

impl Page {
    /// A page with an empty bar. The title of the tab is this title and the name of the game.
    pub(crate) fn new(kind: &'static str, title: &str, about: String, body: Markup) -> Self {
        Self { title: format!("{title} · Sultan"), kind, bar: html! {}, body, about }
    }
}

/// A table that may be wider than the screen. It can be focused, so that it scrolls with the keyboard too.
pub(crate) fn wide_table(label: &str, heading: &[String], rows: &Markup) -> Markup {
    html! {
        div.wide role="region" aria-label=(label) tabindex="0" {
            table {
                thead { tr { @for cell in heading { th scope="col" { (cell) } } } }
                tbody { (rows) }
            }
        }
    }
}

/// The whole page.
pub(crate) fn page(display: &DisplaySettings, page: &Page) -> Markup {
    let text = display.text;
    html! {
        (DOCTYPE)
        html lang=(text.lang().code()) data-theme=[(display.theme != Theme::Auto).then(|| display.theme.name())] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                title { (page.title) }
                meta name="description" content=(page.about);
                // Forms send their origin to this site; other sites get no referrer.
                meta name="referrer" content="same-origin";
                meta name="theme-color" content="#0d1533";
                meta property="og:title" content=(page.title);
                meta property="og:description" content=(page.about);
                meta property="og:type" content="website";
                link rel="icon" type="image/svg+xml" href=(ICON);
                link rel="apple-touch-icon" href=(ICON);
                link rel="manifest" href="/manifest.webmanifest";
                link rel="stylesheet" href=(STYLE);
                script type="module" src=(SCRIPT) {}
            }
            body.(page.kind) {
                (PreEscaped(SPRITE))
                a.skip href="#main" { (text.say("skip")) }
                header.bar {
                    a.brand href="/" aria-label="Sultan" { (draw("star", "brand-mark")) span { "Sultan" } }
                    (page.bar)
                    (settings(display))
                }
                (page.body)
                p #announce .visually-hidden role="status" aria-live="polite" {}
            }
        }
    }
}

/// Language, theme and sound.
fn settings(display: &DisplaySettings) -> Markup {
    let text = display.text;
    html! {
        details.settings #settings {
            summary {
                (draw("icon-globe", "icon"))
                span.code { (text.lang().code()) }
                span.visually-hidden { (text.labelled("", &text.say("settings"))) }
            }
            form.panel method="post" action="/settings" {
                input type="hidden" name="to" value=(display.return_path());
                fieldset { legend { (text.say("settings-language")) }
                    @for lang in Lang::ALL {
                        button type="submit" name="lang" value=(lang.code()) lang=(lang.code())
                            aria-pressed=(lang == text.lang()) { (lang.name()) }
                    }
                }
                fieldset { legend { (text.say("settings-theme")) }
                    @for theme in Theme::ALL {
                        button type="submit" name="theme" value=(theme.name()) aria-pressed=(theme == display.theme) {
                            @match theme {
                                Theme::Auto => { (text.say("theme-auto")) }
                                Theme::Light => { (text.say("theme-light")) }
                                Theme::Dark => { (text.say("theme-dark")) }
                            }
                        }
                    }
                }
                fieldset.needs-script { legend { (text.say("settings-sound")) }
                    button #sound type="button" data-on=(text.say("sound-on")) data-off=(text.say("sound-off")) {
                        (draw("icon-sound", "icon")) span { (text.say("sound-on")) }
                    }
                }
            }
        }
    }
}

/// The content security policy: no resources from other sites, no inline scripts or styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A page as a response, compressed if the browser accepts gzip.
pub(crate) fn answer(status: StatusCode, headers: &HeaderMap, page: Markup) -> Response {
    let html = page.into_string().into_bytes();
    let gzip = accepts(headers, "gzip").then(|| gzip(&html)).flatten();
    let encoding = gzip.as_ref().map(|_| [(header::CONTENT_ENCODING, "gzip")]);
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::VARY, "accept-encoding, accept-language, cookie"),
    ];
    (status, headers, encoding, Body::from(gzip.unwrap_or(html))).into_response()
}

fn gzip(html: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(html.len() / 4), Compression::new(5));
    encoder.write_all(html).ok()?;
    encoder.finish().ok()
}
