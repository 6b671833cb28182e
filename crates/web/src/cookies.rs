//! What a browser is asked to remember: which one it is, and what was chosen last.

use axum::http::{HeaderMap, HeaderValue, header};
use axum_extra::extract::cookie::{Cookie, SameSite, SignedCookieJar};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use sultan_table::{DEFAULT_OPPONENT, Level, Visitor};

use crate::extract::COOKIE;
use crate::guest::cookie;
use crate::state::AppState;

/// The cookie with the name somebody used last.
const NAME: &str = "name";
/// The cookie with the bots somebody played against last: how many, and which.
const PLAY: &str = "play";
/// A year, in seconds.
const LONG: u32 = 31_536_000;

/// What a browser is known by from now on, signed.
pub(crate) fn known_as(state: &AppState, headers: &HeaderMap, browser: &Visitor) -> SignedCookieJar {
    let cookie = Cookie::build((COOKIE, browser.reveal()))
        .http_only(true)
        .same_site(SameSite::Lax)
        .path("/")
        .secure(is_https(state, headers))
        .permanent();
    SignedCookieJar::new(state.0.key.clone()).add(cookie)
}

/// Whether the browser asked by https, as far as a proxy says so.
pub(crate) fn is_https(state: &AppState, headers: &HeaderMap) -> bool {
    let said = headers.get("x-forwarded-proto").is_some_and(|scheme| scheme.as_bytes().eq_ignore_ascii_case(b"https"));
    state.config().trust_proxy && said
}

/// A choice, to be remembered.
fn kept(name: &str, value: &str) -> HeaderValue {
    let value = utf8_percent_encode(value, NON_ALPHANUMERIC);
    let cookie = format!("{name}={value}; Path=/; Max-Age={LONG}; SameSite=Lax; HttpOnly");
    HeaderValue::try_from(cookie).expect("letters, digits and percent signs")
}

fn remembered(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = percent_decode_str(cookie(headers, name)?).decode_utf8().ok()?;
    Some(value.into_owned())
}

/// What somebody chose last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Remembered {
    /// The own name; empty where none was given.
    pub(crate) name: String,
    /// How many bots.
    pub(crate) bots: u8,
    /// Which.
    pub(crate) level: String,
}

impl Remembered {
    /// What the browser says; the usual where it says nothing.
    pub(crate) fn from(headers: &HeaderMap) -> Self {
        let mut last = Self { name: String::new(), bots: 3, level: DEFAULT_OPPONENT.to_owned() };
        last.name = remembered(headers, NAME).unwrap_or_default().chars().take(40).collect();
        let play = remembered(headers, PLAY).unwrap_or_default();
        if let Some((bots, level)) = play.split_once('.')
            && let Ok(bots @ 1..=4) = bots.parse()
            && Level::on_pages().any(|name| name == level)
        {
            (last.bots, last.level) = (bots, level.to_owned());
        }
        last
    }

    /// Lets the browser remember a name.
    pub(crate) fn keep_name(headers: &mut HeaderMap, name: &str) {
        let name = name.trim();
        if !name.is_empty() {
            headers.append(header::SET_COOKIE, kept(NAME, name));
        }
    }

    /// Lets the browser remember the bots.
    pub(crate) fn keep_bots(headers: &mut HeaderMap, bots: u8, level: &str) {
        headers.append(header::SET_COOKIE, kept(PLAY, &format!("{bots}.{level}")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(cookies: &str) -> Remembered {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookies.parse().unwrap());
        Remembered::from(&headers)
    }

    #[test]
    fn what_is_kept_can_be_read_again() {
        let mut headers = HeaderMap::new();
        Remembered::keep_name(&mut headers, " Jürgen; = \"<ő>\", 👑 ");
        Remembered::keep_bots(&mut headers, 4, "sultan");
        let cookies: Vec<_> = headers.get_all(header::SET_COOKIE).iter().map(|one| one.to_str().unwrap()).collect();
        let pairs: Vec<_> = cookies.iter().map(|one| one.split(';').next().unwrap()).collect();
        let last = said(&pairs.join("; "));
        assert_eq!(last, Remembered { name: "Jürgen; = \"<ő>\", 👑".to_owned(), bots: 4, level: "sultan".to_owned() });
    }

    #[test]
    fn what_cannot_be_is_not_remembered() {
        let usual = said("a=b");
        for odd in ["play=9.sultan", "play=3.emperor", "play=3", "play=%FF", "name=%FF", "play=0.page"] {
            assert_eq!(said(odd), usual, "{odd}");
        }
        assert_eq!(said(&format!("name={}", "x".repeat(99))).name.len(), 40);
    }
}
