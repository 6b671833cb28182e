//! Display settings of a browser: language and theme.

use axum::http::{HeaderMap, Method, Uri, header};
use axum_extra::extract::cookie::{Cookie, CookieJar};
use sultan_server::extract::requested_seat;
use sultan_text::{Lang, Text};

/// The cookie with the chosen language.
pub(crate) const LANGUAGE_COOKIE: &str = "lang";
/// The cookie with the chosen theme.
pub(crate) const THEME_COOKIE: &str = "theme";

/// The colour theme of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// Follows the setting of the device.
    #[default]
    Auto,
    Light,
    Dark,
}

impl Theme {
    pub(crate) const ALL: [Self; 3] = [Self::Auto, Self::Light, Self::Dark];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }
}

/// The display settings for one response.
#[derive(Clone, Debug)]
pub(crate) struct DisplaySettings {
    pub(crate) text: Text,
    pub(crate) theme: Theme,
    uri: Uri,
    /// Whether the page is the response to a form.
    is_form: bool,
}

impl DisplaySettings {
    /// From the cookies. Without them: a language that the browser accepts, and the theme of the device.
    pub(crate) fn new(method: &Method, uri: &Uri, headers: &HeaderMap) -> Self {
        let cookies = CookieJar::from_headers(headers);
        let accepted = || {
            let said = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
            Lang::accepted(said)
        };
        let language = cookies.get(LANGUAGE_COOKIE).and_then(|cookie| cookie.value().parse().ok());
        let theme = cookies.get(THEME_COOKIE).map(Cookie::value).and_then(Theme::named);
        Self {
            text: Text::of(language.unwrap_or_else(accepted)),
            theme: theme.unwrap_or_default(),
            uri: uri.clone(),
            is_form: !matches!(*method, Method::GET | Method::HEAD),
        }
    }

    /// The address to return to after the settings change. The response to a form has no address that can be loaded
    /// again, so it is the address of the page with the form.
    pub(crate) fn return_path(&self) -> String {
        let path = self.uri.path();
        if !self.is_form {
            return self.uri.path_and_query().map_or(path, |path| path.as_str()).to_owned();
        }
        match path.strip_prefix("/t/").and_then(|rest| rest.split_once('/')) {
            Some((table, _)) => {
                let seat = requested_seat(&self.uri).ok().flatten();
                let query = seat.map_or(String::new(), |seat| format!("?seat={seat}"));
                format!("/t/{table}{query}")
            }
            None if matches!(path, "/learn" | "/replay") => path.to_owned(),
            None => "/".to_owned(),
        }
    }
}
