//! `/settings`: a browser's language and theme, kept in cookies.

use axum::http::{HeaderValue, header};
use axum::response::Response;
use sultan_text::Lang;

use crate::guest::{LANG, THEME, Theme};
use crate::post::Post;
use crate::routes::see_other;

/// Remembers what was chosen, and goes back.
pub(crate) async fn choose(Post { fields, .. }: Post) -> Response {
    let mut response = see_other(own_path(fields.get("to")));
    let lang = fields.read::<Lang>("lang").map(|lang| (LANG, lang.code()));
    let theme = Theme::named(fields.get("theme")).map(|theme| (THEME, theme.name()));
    for (name, value) in lang.into_iter().chain(theme) {
        let cookie = format!("{name}={value}; Path=/; Max-Age=31536000; SameSite=Lax");
        let cookie = HeaderValue::try_from(cookie).expect("plain letters");
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// A path of this site: nobody is sent elsewhere. Browsers pass over tabs and the like, and read `\` as `/`.
fn own_path(to: &str) -> &str {
    let own = to.starts_with('/') && !to.starts_with("//");
    if own && to.bytes().all(|sign| sign.is_ascii_graphic() && sign != b'\\') { to } else { "/" }
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
            ("/\t/evil.example", "/"),
            ("/\u{7f}/evil.example", "/"),
            ("/ő", "/"),
        ] {
            assert_eq!(own_path(to), path, "{to}");
        }
    }
}
