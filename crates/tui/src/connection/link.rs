//! Links to tables on a server.

use std::fmt;
use std::str::FromStr;

use sultan_client::Origin;
use sultan_domain::TableId;

/// The link of a table: `https://HOST/t/TABLE` or `http://HOST:PORT/t/TABLE`, followed by `/in/TOKEN` for a seat.
#[derive(Clone)]
pub struct TableLink {
    pub(super) origin: Origin,
    pub(super) table: TableId,
    pub(super) token: Option<String>,
}

/// Omits the token, because it grants control of the seat.
impl fmt::Debug for TableLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/t/{}", self.origin, self.table)
    }
}

/// The error for a text that is not a table link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a table's link is https://HOST/t/TABLE or http://HOST:PORT/t/TABLE, with /in/TOKEN at the end for a seat")]
pub struct InvalidLink;

impl FromStr for TableLink {
    type Err = InvalidLink;

    fn from_str(text: &str) -> Result<Self, InvalidLink> {
        let text = text.trim().split(['?', '#']).next().unwrap_or_default();
        let (origin, path) = text.split_once("/t/").ok_or(InvalidLink)?;
        let origin = origin.parse().map_err(|_| InvalidLink)?;
        let is_token = |token: &str| token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
        let (table, token) = match path.trim_end_matches('/').split('/').collect::<Vec<_>>()[..] {
            [table] => (table, None),
            [table, "in", token] if is_token(token) => (table, Some(token.to_owned())),
            _ => return Err(InvalidLink),
        };
        Ok(Self { origin, table: table.parse().map_err(|_| InvalidLink)?, token })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_tables_and_seats_are_parsed() {
        let token = "ab".repeat(32);
        let seat: TableLink = format!("http://[::1]:8080/t/y20cwaaq261c/in/{token}").parse().unwrap();
        assert_eq!((seat.origin.to_string().as_str(), seat.token.as_ref()), ("http://[::1]:8080", Some(&token)));
        let table: TableLink = "https://sultan.example/t/y20cwaaq261c?seat=1".parse().unwrap();
        assert_eq!((table.table.to_string(), &table.token), ("y20cwaaq261c".to_owned(), &None));
        assert_eq!(format!("{table:?}"), "https://sultan.example/t/y20cwaaq261c");
        assert!(!format!("{seat:?}").contains("abab"), "the debug format shows the token");
    }

    #[test]
    fn text_that_is_not_a_table_link_is_refused() {
        for invalid_link in [
            "",
            "http://x/",
            "http:///t/y20cwaaq261c",
            "http://x/t/y",
            "https://x/t/y20cwaaq261c/in/12",
            "https://x/y/t/y20cwaaq261c",
            "https://ana@x/t/y20cwaaq261c",
            "ftp://x/t/y20cwaaq261c",
        ] {
            assert_eq!(invalid_link.parse::<TableLink>().unwrap_err(), InvalidLink, "{invalid_link}");
        }
    }
}
