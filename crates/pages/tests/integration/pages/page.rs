//! A page as a browser without a script reads it.

use std::collections::BTreeSet;

use crate::site::{Answer, Own, Site};

/// The HTML of a page.
pub(crate) struct Page(pub(crate) String);

impl Page {
    /// The table from the view of one seat, or of a spectator.
    pub(crate) async fn of(site: &Site, own: Option<&Own>, table: &str, lang: &str) -> Self {
        let ask = site.get(&format!("/t/{table}")).header("accept-language", lang);
        let answer = match own {
            Some(own) => ask.token(&own.token).send().await,
            None => ask.send().await,
        };
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        assert!(answer.header("content-security-policy").contains("script-src 'self'"));
        Self(answer.text)
    }

    /// The values of an attribute in all elements that start with `begin`.
    fn attributes<'a>(&'a self, begin: &str, attribute: &str) -> Vec<&'a str> {
        let attribute = format!(" {attribute}=\"");
        let elements = self.0.split(begin).skip(1).map(|rest| rest.split('>').next().unwrap());
        elements.filter_map(|element| element.split(&*attribute).nth(1)?.split('"').next()).collect()
    }

    /// The possible values of a choice.
    pub(crate) fn choices(&self, name: &str) -> Vec<&str> {
        self.attributes(&format!("<input type=\"radio\" name=\"{name}\""), "value")
    }

    /// The phase of the table.
    pub(crate) fn phase(&self) -> &str {
        let table = self.attributes("<main id=\"table\"", "data-phase");
        table.first().or(self.attributes("<main id=\"end\"", "data-phase").first()).expect("a table, or its end")
    }

    pub(crate) fn is_turn(&self) -> bool {
        self.attributes("<main id=\"table\"", "data-turn") == ["true"]
    }

    pub(crate) fn at(&self) -> &str {
        self.attributes("<main id=\"table\"", "data-at")[0]
    }

    /// Asserts that the page is valid: unique ids, and no inline code that the content security policy forbids.
    pub(crate) fn is_sound(&self) {
        let body = self.0.split("<a class=\"skip\"").nth(1).expect("the sprite precedes the page");
        let ids: Vec<&str> = body.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        let different: BTreeSet<&&str> = ids.iter().collect();
        assert_eq!(different.len(), ids.len(), "{ids:?}");
        for forbidden in [" style=", " onclick=", "<script>", "{ $", "{$", ">table-", ">tell-", ">end-"] {
            assert!(!body.contains(forbidden), "{forbidden} in {body}");
        }
        if self.phase() == "over" {
            return;
        }
        for id in ["clock", "seats", "board", "status", "own", "last-round", "screen-back", "menu"] {
            assert!(ids.contains(&id), "no {id}");
        }
        for dialog in ["last-round", "screen-back", "menu"] {
            assert!(body.contains(&format!("popovertarget=\"{dialog}\">")), "nothing opens {dialog}");
        }
    }
}

/// Sends a form of a table's page.
pub(crate) async fn post(site: &Site, own: &Own, what: &str, form: &str, live: bool) -> Answer {
    let ask = site.post(&format!("/t/{}/{what}", own.table)).token(&own.token);
    let ask = if live { ask.header("x-sultan", "live") } else { ask };
    ask.header("content-type", "application/x-www-form-urlencoded").body(form.to_owned()).send().await
}
