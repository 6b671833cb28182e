//! Choices remembered in cookies: the name, the bots and the variant used last.

use axum::http::HeaderMap;
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use sultan_domain::Variant;
use sultan_table::{DEFAULT_OPPONENT, Level};
use time::Duration;

/// The cookie with the name used last.
const NAME_COOKIE: &str = "name";
/// The cookie with the number and level of the bots played against last, for example `3.merchant`.
const BOTS_COOKIE: &str = "play";
/// The cookie with the name of the variant played last.
const GAME_COOKIE: &str = "game";
const CHOICE_LIFETIME: Duration = Duration::days(365);

/// A cookie that keeps a choice of this browser for a year.
pub(crate) fn choice_cookie(name: &'static str, value: String) -> Cookie<'static> {
    Cookie::build((name, value)).path("/").max_age(CHOICE_LIFETIME).same_site(SameSite::Lax).build()
}

/// The choices that a browser used last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RememberedChoices {
    /// The player's name; empty if the player entered no name.
    pub(crate) name: String,
    /// The number of bots.
    pub(crate) bots: u8,
    /// The level of all bots.
    pub(crate) level: &'static str,
    /// The name of an offered variant.
    pub(crate) game: &'static str,
}

impl RememberedChoices {
    /// Reads the choices from the cookies. A missing or invalid cookie counts as the default.
    pub(crate) fn from_cookies(headers: &HeaderMap) -> Self {
        let cookies = CookieJar::from_headers(headers);
        let value = |name| cookies.get(name).map(Cookie::value).unwrap_or_default();
        let bots_and_level = value(BOTS_COOKIE).split_once('.').and_then(|(bots, level)| {
            let bots = bots.parse().ok().filter(|bots| (1..=4).contains(bots))?;
            Some((bots, Level::on_pages().find(|offered| *offered == level)?))
        });
        let (bots, level) = bots_and_level.unwrap_or((3, DEFAULT_OPPONENT));
        // The name field allows 40 characters too, but cookies can be edited.
        let name = value(NAME_COOKIE).chars().take(40).collect();
        Self { name, bots, level, game: offered_variant_name(value(GAME_COOKIE)) }
    }

    /// Adds the cookie with the name, unless the name is empty.
    pub(crate) fn keep_name(cookies: CookieJar, name: &str) -> CookieJar {
        match name.trim() {
            "" => cookies,
            name => cookies.add(Cookie::build(choice_cookie(NAME_COOKIE, name.to_owned())).http_only(true)),
        }
    }

    /// Adds the cookie with the bots.
    pub(crate) fn keep_bots(cookies: CookieJar, bots: u8, level: &str) -> CookieJar {
        cookies.add(Cookie::build(choice_cookie(BOTS_COOKIE, format!("{bots}.{level}"))).http_only(true))
    }

    /// Adds the cookie with the variant.
    pub(crate) fn keep_game(cookies: CookieJar, game: &str) -> CookieJar {
        cookies.add(Cookie::build(choice_cookie(GAME_COOKIE, offered_variant_name(game).to_owned())).http_only(true))
    }
}

/// The offered variant with this name, or else the published game.
fn offered_variant_name(name: &str) -> &'static str {
    Variant::named(name).and_then(|variant| variant.name()).unwrap_or(Variant::PUBLISHED_NAME)
}

#[cfg(test)]
mod tests {
    use axum::http::header;
    use axum::response::IntoResponse;

    use super::*;

    /// The choices in a `Cookie` header.
    fn remembered(cookies: &str) -> RememberedChoices {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookies.parse().unwrap());
        RememberedChoices::from_cookies(&headers)
    }

    #[test]
    fn choices_in_set_cookies_are_read_back() {
        let cookies = RememberedChoices::keep_name(CookieJar::new(), " Jürgen; = \"<ő>\", 👑 ");
        let cookies = RememberedChoices::keep_bots(cookies, 4, "sultan");
        let response = RememberedChoices::keep_game(cookies, "espresso").into_response();
        let set_cookies = response.headers().get_all(header::SET_COOKIE).iter().map(|cookie| cookie.to_str().unwrap());
        let pairs: Vec<_> = set_cookies
            .map(|cookie| {
                let (pair, attributes) = cookie.split_once("; ").unwrap();
                assert_eq!(attributes, "HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000");
                pair
            })
            .collect();
        let name = "Jürgen; = \"<ő>\", 👑".to_owned();
        let expected = RememberedChoices { name, bots: 4, level: "sultan", game: "espresso" };
        assert_eq!(remembered(&pairs.join("; ")), expected);
        assert!(
            RememberedChoices::keep_name(CookieJar::new(), " ").iter().next().is_none(),
            "an empty name is not kept"
        );
    }

    #[test]
    fn invalid_choices_fall_back_to_the_defaults() {
        // This cookie holds no choice.
        let defaults = remembered("a=b");
        // Nine bots, an unknown level, no level, invalid escapes, no bots, an unknown variant.
        for cookie in ["play=9.sultan", "play=3.emperor", "play=3", "play=%FF", "name=%FF", "play=0.page", "game=long"]
        {
            assert_eq!(remembered(cookie), defaults, "{cookie}");
        }
        assert_eq!(remembered(&format!("name={}", "x".repeat(99))).name.len(), 40);
    }
}
