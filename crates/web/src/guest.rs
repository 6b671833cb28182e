//! Who looks at a page: the browser, its language, its theme.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use sultan_table::Visitor;
use sultan_text::{Lang, Text};

use crate::extract::{visitor, wanted_seat};
use crate::state::AppState;

/// The cookie with a chosen language.
pub(crate) const LANG: &str = "lang";
/// The cookie with a chosen theme.
pub(crate) const THEME: &str = "theme";

/// Whether pages are light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// As the device is set.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
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

/// Who looks at a page.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    pub(crate) text: Text,
    pub(crate) theme: Theme,
    pub(crate) visitor: Option<Visitor>,
    /// Where the page is, so that a change of language comes back to it.
    pub(crate) path: String,
}

impl FromRequestParts<AppState> for Guest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let headers = &parts.headers;
        let accepted = || {
            let said = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
            Lang::accepted(said)
        };
        let chosen = cookie(headers, LANG).and_then(|code| code.parse().ok());
        Ok(Self {
            text: Text::of(chosen.unwrap_or_else(accepted)),
            theme: cookie(headers, THEME).and_then(Theme::named).unwrap_or_default(),
            visitor: visitor(headers, state),
            path: place(parts),
        })
    }
}

/// Where a page is to be found again. What answers a form is at no address of its own: the page that it was sent from is.
fn place(parts: &Parts) -> String {
    let path = parts.uri.path();
    if matches!(parts.method, Method::GET | Method::HEAD) {
        return parts.uri.path_and_query().map_or(path, |path| path.as_str()).to_owned();
    }
    match path.strip_prefix("/t/").and_then(|rest| rest.split_once('/')) {
        Some((table, _)) => {
            let seat = wanted_seat(parts).ok().flatten().map_or(String::new(), |seat| format!("?seat={seat}"));
            format!("/t/{table}{seat}")
        }
        None if matches!(path, "/learn" | "/replay") => path.to_owned(),
        None => "/".to_owned(),
    }
}

/// The value of a cookie that nobody signs.
pub(crate) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(';')).find_map(|pair| {
        let (key, value) = pair.trim().split_once('=')?;
        (key == name).then_some(value)
    })
}
