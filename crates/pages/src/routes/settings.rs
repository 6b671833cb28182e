//! `/settings`: a browser's language and theme, kept in cookies.

use axum::response::Response;
use axum_extra::extract::cookie::CookieJar;
use sultan_server::response::see_other;
use sultan_text::Lang;

use crate::display::{LANGUAGE_COOKIE, THEME_COOKIE, theme_named};
use crate::post::Post;
use crate::remembered::choice_cookie;

/// Stores the chosen settings in cookies and redirects to the page on which they were chosen.
pub(crate) async fn choose(Post { fields, .. }: Post) -> (CookieJar, Response) {
    let lang = fields.parse::<Lang>("lang").map(|lang| (LANGUAGE_COOKIE, lang.code()));
    let theme = theme_named(fields.get("theme")).map(|theme| (THEME_COOKIE, theme));
    let chosen = lang.into_iter().chain(theme);
    let cookies = chosen.fold(CookieJar::new(), |jar, (name, value)| jar.add(choice_cookie(name, value.to_owned())));
    (cookies, see_other(own_path(fields.get("to"))))
}

/// Returns the text if it is a path of this site, else `/`, so that no link can abuse the redirect to lead to another
/// site. Browsers ignore tabs and similar characters in addresses and read `\` as `/`, so both are rejected.
fn own_path(to: &str) -> &str {
    let is_path = to.starts_with('/') && !to.starts_with("//");
    if is_path && to.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\') { to } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirect_stays_on_this_site() {
        for (requested, path) in [
            ("/t/x?seat=1", "/t/x?seat=1"),
            ("//evil.example", "/"),
            ("https://e", "/"),
            ("/\\e", "/"),
            ("", "/"),
            ("/\n", "/"),
            ("/\t/evil.example", "/"),
            ("/\u{7f}/evil.example", "/"),
            ("/ő", "/"),
        ] {
            assert_eq!(own_path(requested), path, "{requested:?}");
        }
    }
}
