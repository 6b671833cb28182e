//! Display settings of a browser: language and theme.

use axum::http::{HeaderMap, Method, Uri, header};
use axum_extra::extract::cookie::{Cookie, CookieJar};
use sultan_server::extract::requested_seat;
use sultan_text::{Lang, Text};

/// The cookie with the chosen language.
pub(crate) const LANGUAGE_COOKIE: &str = "lang";
/// The cookie with the chosen theme.
pub(crate) const THEME_COOKIE: &str = "theme";

/// The theme that follows the setting of the device.
pub(crate) const DEVICE_THEME: &str = "auto";
/// The colour themes, each with the key of its label.
pub(crate) const THEMES: [(&str, &str); 3] =
    [(DEVICE_THEME, "theme-auto"), ("light", "theme-light"), ("dark", "theme-dark")];

/// The colour theme with this name; `None` if there is no such theme.
pub(crate) fn theme_named(name: &str) -> Option<&'static str> {
    THEMES.into_iter().map(|(theme, _)| theme).find(|theme| *theme == name)
}

/// The display settings for one response.
#[derive(Clone, Debug)]
pub(crate) struct DisplaySettings {
    pub(crate) text: Text,
    /// The name of the colour theme.
    pub(crate) theme: &'static str,
    /// The start of absolute links, such as `https://sultan.example`; empty if the page has none.
    pub(crate) origin: String,
    uri: Uri,
    /// Whether the page is the response to a form that was sent with `POST`.
    is_form_response: bool,
}

impl DisplaySettings {
    /// Reads the settings from the cookies. The defaults are a language that the browser accepts and the device's
    /// theme.
    pub(crate) fn new(method: &Method, uri: &Uri, headers: &HeaderMap) -> Self {
        let cookies = CookieJar::from_headers(headers);
        let accepted_language = || {
            let header = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
            Lang::accepted(header.unwrap_or_default())
        };
        let language = cookies.get(LANGUAGE_COOKIE).and_then(|cookie| cookie.value().parse().ok());
        let theme = cookies.get(THEME_COOKIE).map(Cookie::value).and_then(theme_named);
        Self {
            text: Text::of(language.unwrap_or_else(accepted_language)),
            theme: theme.unwrap_or(DEVICE_THEME),
            origin: String::new(),
            uri: uri.clone(),
            is_form_response: !matches!(*method, Method::GET | Method::HEAD),
        }
    }

    /// The address that the browser returns to after the user changed a setting on this page. The response to a form
    /// cannot be loaded again by its address, so the browser returns to the page that has the form.
    pub(crate) fn return_path(&self) -> String {
        let path = self.uri.path();
        if !self.is_form_response {
            return self.uri.path_and_query().map_or(path, |path| path.as_str()).to_owned();
        }
        match path.strip_prefix("/t/").and_then(|table_and_route| table_and_route.split_once('/')) {
            // A form on a table's page: from `/t/{id}/act?seat=1` back to `/t/{id}?seat=1`.
            Some((table, _)) => {
                let seat = requested_seat(&self.uri).ok().flatten();
                let query = seat.map_or(String::new(), |seat| format!("?seat={seat}"));
                format!("/t/{table}{query}")
            }
            // These two forms are sent to the address of their own page, all others are on the home page.
            None if matches!(path, "/learn" | "/replay") => path.to_owned(),
            None => "/".to_owned(),
        }
    }
}
