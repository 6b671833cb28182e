//! `/settings`: a browser's language and theme, kept in cookies.

use axum::extract::Form;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sultan_text::Lang;

use crate::guest::{LANG, THEME, Theme};

#[derive(Deserialize)]
pub(crate) struct Choice {
    /// The page to go back to.
    #[serde(default)]
    to: String,
    lang: Option<String>,
    theme: Option<String>,
}

/// Remembers what was chosen, and goes back.
pub(crate) async fn choose(Form(choice): Form<Choice>) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    let headers = response.headers_mut();
    headers.insert(header::LOCATION, own_path(&choice.to));
    let lang = choice.lang.and_then(|code| code.parse::<Lang>().ok()).map(|lang| (LANG, lang.code()));
    let theme = choice.theme.and_then(|name| Theme::named(&name)).map(|theme| (THEME, theme.name()));
    for (name, value) in lang.into_iter().chain(theme) {
        let cookie = format!("{name}={value}; Path=/; Max-Age=31536000; SameSite=Lax");
        headers.append(header::SET_COOKIE, HeaderValue::try_from(cookie).expect("plain letters"));
    }
    response
}

/// A path of this site: nobody is sent elsewhere.
fn own_path(to: &str) -> HeaderValue {
    let own = to.starts_with('/') && !to.starts_with("//") && !to.contains('\\');
    let path = if own { HeaderValue::try_from(to).ok() } else { None };
    path.unwrap_or(HeaderValue::from_static("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_elsewhere() {
        for (to, path) in [
            ("/t/x?seat=1", "/t/x?seat=1"),
            ("//evil.example", "/"),
            ("https://e", "/"),
            ("/\\e", "/"),
            ("", "/"),
            ("/\n", "/"),
        ] {
            assert_eq!(own_path(to), path, "{to}");
        }
    }
}
